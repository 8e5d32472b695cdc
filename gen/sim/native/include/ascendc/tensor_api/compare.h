// Compare and Select: bit masks, one bit per element, and selection by them.
// Source: asc-devkit, docs Compare, Compares, Select.
#pragma once

#include "ascendc/tensor_api/vector_call.h"

namespace aicore::ascendc {

using Compared3510 = Types<half, bfloat16_t, float, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t>;
using Compared2201 = Types<half, float, int32_t>;

template <class T>
bool may_compare(const char* name, AscendC::CMPMODE mode, uint32_t count) {
    if (kChip == Chip::dav2201 && std::is_same_v<T, int32_t> && mode != AscendC::CMPMODE::EQ) {
        unsupported("AscendC::Compare(int32_t on the Ascend 910B with another mode than EQ)");
    }
    if (!on_aiv() || count == 0) return false;
    if (uint64_t{count} * sizeof(T) % 256 != 0) {
        const Message message("%s of %u elements of %zu bytes: the elements must fill whole repeats of 256 bytes", name,
                              count, sizeof(T));
        finding("misaligned", message.text, "round the count up, in a buffer that holds as many");
    }
    return true;
}

constexpr ops::Cmp compare_of(AscendC::CMPMODE mode) {
    constexpr ops::Cmp kModes[] = {ops::Cmp::lt, ops::Cmp::gt, ops::Cmp::eq, ops::Cmp::le, ops::Cmp::ge, ops::Cmp::ne};
    return kModes[static_cast<int>(mode)];
}

// The mask of a form with repeats must be full and its repeats must follow each other: then it is `count` elements.
template <class T, class Mask>
uint32_t whole_repeats(const char* what, Mask mask, uint32_t repeat, const AscendC::BinaryRepeatParams& p) {
    constexpr uint32_t lanes = 256 / sizeof(T);
    const bool in_a_row = p.dstRepStride == 8 && p.src0RepStride == 8 && p.src1RepStride == 8;
    const bool plain = p.dstBlkStride == 1 && p.src0BlkStride == 1 && p.src1BlkStride == 1 && (repeat <= 1 || in_a_row);
    bool full = false;
    if constexpr (std::is_pointer_v<Mask>) {
        full = mask[0] == ~0ull && (lanes == 64 || mask[1] == ~0ull);
    } else {
        full = static_cast<uint64_t>(mask) == lanes;
    }
    if (!plain || !full || state().counter_mode) unsupported(what);
    return repeat * lanes;
}

// On dav-2201 the mask of a comparison into a tensor has no effect (docs, Compare and Compares, mask).
template <class T, class Mask>
uint32_t compared_repeats(const char* what, Mask mask, uint32_t repeat, const AscendC::BinaryRepeatParams& p) {
    if constexpr (kChip == Chip::dav2201) return whole_repeats<T>(what, 256 / sizeof(T), repeat, p);
    if constexpr (kChip != Chip::dav2201) return whole_repeats<T>(what, mask, repeat, p);
}

}  // namespace aicore::ascendc

namespace AscendC {

// Where the scalar of a call stands (dav-3510): 0 the first source, 1 the second one.
struct BinaryConfig {
    int8_t scalarTensorIndex = 1;
};
struct BinaryDefaultType {};
inline constexpr BinaryConfig DEFAULT_BINARY_CONFIG = {1};

template <class T, class U>
void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE mode,
             uint32_t count) {
    static_assert(sizeof(U) == 1, "Compare writes bits into a tensor of int8_t or uint8_t");
    AICORE_TAKES(T, "Compare", aicore::ascendc::Compared2201, aicore::ascendc::Compared3510);
    if (!aicore::ascendc::may_compare<T>("Compare", mode, count)) return;
    aicore::ops::compare("Compare", aicore::ascendc::compare_of(mode), aicore::ascendc::dtype_of<T>(), dst.mem(),
                         src0.mem(), src1.mem(), false, 0, count);
}

template <class T, class U>
void CompareScalar(const LocalTensor<U>& dst, const LocalTensor<T>& src, const T scalar, CMPMODE mode, uint32_t count) {
    static_assert(sizeof(U) == 1, "CompareScalar writes bits into a tensor of int8_t or uint8_t");
    AICORE_TAKES(T, "CompareScalar", aicore::ascendc::Compared2201, aicore::ascendc::Compared3510);
    if (!aicore::ascendc::may_compare<T>("CompareScalar", mode, count)) return;
    aicore::ops::compare("CompareScalar", aicore::ascendc::compare_of(mode), aicore::ascendc::dtype_of<T>(), dst.mem(),
                         src.mem(), {}, true, static_cast<double>(scalar), count);
}
template <class T, class U>
void Compares(const LocalTensor<U>& dst, const LocalTensor<T>& src, const T scalar, CMPMODE mode, uint32_t count) {
    CompareScalar(dst, src, scalar, mode, count);
}
template <class T, class U, bool isSetMask = true, class Mask>
void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE mode, Mask mask,
             uint8_t repeat, const BinaryRepeatParams& params) {
    Compare(dst, src0, src1, mode,
            aicore::ascendc::compared_repeats<T>("AscendC::Compare(with a mask or strides)", mask, repeat, params));
}
template <class T, class U, bool isSetMask = true, class Mask>
void CompareScalar(const LocalTensor<U>& dst, const LocalTensor<T>& src, const T scalar, CMPMODE mode, Mask mask,
                   uint8_t repeat, const UnaryRepeatParams& params) {
    const BinaryRepeatParams strides(params.dstBlkStride, params.srcBlkStride, 1, params.dstRepStride,
                                     params.srcRepStride, 8);
    CompareScalar(
        dst, src, scalar, mode,
        aicore::ascendc::compared_repeats<T>("AscendC::Compares(with a mask or strides)", mask, repeat, strides));
}
template <class T, class U, bool isSetMask = true, class Mask>
void Compares(const LocalTensor<U>& dst, const LocalTensor<T>& src, const T scalar, CMPMODE mode, Mask mask,
              uint8_t repeat, const UnaryRepeatParams& params) {
    CompareScalar<T, U, isSetMask>(dst, src, scalar, mode, mask, repeat, params);
}
// One repeat into the register of comparisons.
template <class T, bool isSetMask = true, class Mask>
void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE mode, Mask mask,
             const BinaryRepeatParams& params) {
    AICORE_TAKES(T, "Compare", aicore::ascendc::Compared2201, aicore::ascendc::Compared3510);
    if (!aicore::ascendc::on_aiv()) return;
    if (params.src0BlkStride != 1 || params.src1BlkStride != 1 || std::is_pointer_v<Mask>) {
        aicore::unsupported("AscendC::Compare(into the register, with strides or a mask of bits)");
    }
    if constexpr (!std::is_pointer_v<Mask>) {
        aicore::ascendc::check_range("Compare", "mask (a number of lanes)", static_cast<uint64_t>(mask), 1,
                                     256 / sizeof(T));
        aicore::ops::compare_to_register("Compare", aicore::ascendc::compare_of(mode), aicore::ascendc::dtype_of<T>(),
                                         aicore::ascendc::state().compared, src0.mem(), src1.mem(),
                                         static_cast<uint32_t>(mask));
    }
}
template <class T>
void GetCmpMask(const LocalTensor<T>& dst) {
    if (!aicore::ascendc::on_aiv()) return;
    aicore::ops::store_register("GetCmpMask", dst.mem(), aicore::ascendc::state().compared, 16);
}
template <class T>
void SetCmpMask(const LocalTensor<T>& src) {
    if (!aicore::ascendc::on_aiv()) return;
    aicore::ops::load_register("SetCmpMask", aicore::ascendc::state().compared, src.mem(), 16);
}

#if __NPU_ARCH__ == 3510
// The scalar in front.
template <class T = BinaryDefaultType, class U = BinaryDefaultType, const BinaryConfig& config = DEFAULT_BINARY_CONFIG,
          class V, class W>
void Compares(const LocalTensor<W>& dst, const V scalar, const LocalTensor<V>& src, CMPMODE mode, uint32_t count) {
    constexpr CMPMODE kTurned[] = {CMPMODE::GT, CMPMODE::LT, CMPMODE::EQ, CMPMODE::GE, CMPMODE::LE, CMPMODE::NE};
    CompareScalar(dst, src, scalar, kTurned[static_cast<int>(mode)], count);
}
// The scalar is an element of a tensor, on either side.
template <class T = BinaryDefaultType, class U = BinaryDefaultType, const BinaryConfig& config = DEFAULT_BINARY_CONFIG,
          class V, class W>
void Compares(const LocalTensor<W>& dst, const LocalTensor<V>& src0, const LocalTensor<V>& src1, CMPMODE mode,
              uint32_t count) {
    static_assert(sizeof(W) == 1, "Compares writes bits into a tensor of int8_t or uint8_t");
    AICORE_TAKES(V, "Compares", aicore::ascendc::Compared2201, aicore::ascendc::Compared3510);
    if (!aicore::ascendc::may_compare<V>("Compares", mode, count)) return;
    constexpr bool first = config.scalarTensorIndex == 0;
    aicore::ops::compare_with_element("Compares", aicore::ascendc::compare_of(mode), aicore::ascendc::dtype_of<V>(),
                                      dst.mem(), (first ? src1 : src0).mem(), (first ? src0 : src1).mem(), first,
                                      count);
}
template <class T, class U, const BinaryConfig& config, class V, class W>
void Select(const LocalTensor<V>& dst, const LocalTensor<W>& bits, const LocalTensor<V>& src0,
            const LocalTensor<V>& src1, SELMODE, uint32_t count) {
    AICORE_TAKES(V, "Select", aicore::ascendc::Floats, aicore::ascendc::Compared3510);
    if (!aicore::ascendc::on_aiv() || count == 0) return;
    constexpr bool first = config.scalarTensorIndex == 0;
    aicore::ops::select_with_element("Select", aicore::ascendc::dtype_of<V>(), dst.mem(), bits.mem(),
                                     (first ? src1 : src0).mem(), (first ? src0 : src1).mem(), first, count);
}
#endif

// dst[i] = bit i of selMask ? src0[i] : src1[i]
template <class T, class U>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& bits, const LocalTensor<T>& src0,
            const LocalTensor<T>& src1, SELMODE mode, uint32_t count) {
    AICORE_TAKES(T, "Select", aicore::ascendc::Floats, aicore::ascendc::Compared3510);
    if (!aicore::ascendc::on_aiv() || count == 0) return;
    if (mode == SELMODE::VSEL_CMPMASK_SPR) {
        aicore::ops::select_repeating("Select", aicore::ascendc::dtype_of<T>(), dst.mem(), bits.mem(), src0.mem(),
                                      src1.mem(), count);
        return;
    }
    aicore::ops::select("Select", aicore::ascendc::dtype_of<T>(), dst.mem(), bits.mem(), src0.mem(), src1.mem(), false,
                        0, count);
}
template <class T, class U>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& bits, const LocalTensor<T>& src0, T src1, SELMODE mode,
            uint32_t count) {
    AICORE_TAKES(T, "Select", aicore::ascendc::Floats, aicore::ascendc::Compared3510);
    if (mode == SELMODE::VSEL_CMPMASK_SPR) aicore::unsupported("AscendC::Select(VSEL_CMPMASK_SPR with a scalar)");
    if (!aicore::ascendc::on_aiv() || count == 0) return;
    aicore::ops::select("Select", aicore::ascendc::dtype_of<T>(), dst.mem(), bits.mem(), src0.mem(), {}, true,
                        static_cast<double>(src1), count);
}
template <class T, class U, bool isSetMask = true, class Src1, class Mask>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& bits, const LocalTensor<T>& src0, const Src1& src1,
            SELMODE mode, Mask mask, uint8_t repeat, const BinaryRepeatParams& params) {
    Select(dst, bits, src0, src1, mode,
           aicore::ascendc::whole_repeats<T>("AscendC::Select(with a mask or strides)", mask, repeat, params));
}
// By the register of comparisons, under the vector mask.
template <class T>
void Select(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint8_t repeat,
            const BinaryRepeatParams& params) {
    AICORE_TAKES(T, "Select", aicore::ascendc::Floats, aicore::ascendc::Compared3510);
    if (!aicore::ascendc::on_aiv()) return;
    const uint64_t on[2] = {~aicore::ascendc::state().mask_off[0], ~aicore::ascendc::state().mask_off[1]};
    const uint32_t count = aicore::ascendc::whole_repeats<T>("AscendC::Select(with a mask or strides)",
                                                             static_cast<const uint64_t*>(on), repeat, params);
    aicore::ops::select_by_register("Select", aicore::ascendc::dtype_of<T>(), dst.mem(),
                                    aicore::ascendc::state().compared, src0.mem(), src1.mem(), count);
}

}  // namespace AscendC
