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

inline void require_tensor_mode(AscendC::SELMODE mode) {
    if (mode == AscendC::SELMODE::VSEL_CMPMASK_SPR) unsupported("AscendC::Select(VSEL_CMPMASK_SPR)");
}

}  // namespace aicore::ascendc

namespace AscendC {

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
template <class T, class U, bool isSetMask = true, class Src1, class Mask, class Params>
void Compare(const LocalTensor<U>&, const LocalTensor<T>&, const Src1&, CMPMODE, Mask, uint8_t, const Params&) {
    aicore::unsupported("AscendC::Compare(with a mask)");
}

// dst[i] = bit i of selMask ? src0[i] : src1[i]
template <class T, class U>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& bits, const LocalTensor<T>& src0,
            const LocalTensor<T>& src1, SELMODE mode, uint32_t count) {
    AICORE_TAKES(T, "Select", aicore::ascendc::Floats, aicore::ascendc::Compared3510);
    aicore::ascendc::require_tensor_mode(mode);
    if (!aicore::ascendc::on_aiv() || count == 0) return;
    aicore::ops::select("Select", aicore::ascendc::dtype_of<T>(), dst.mem(), bits.mem(), src0.mem(), src1.mem(), false,
                        0, count);
}
template <class T, class U>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& bits, const LocalTensor<T>& src0, T src1, SELMODE mode,
            uint32_t count) {
    AICORE_TAKES(T, "Select", aicore::ascendc::Floats, aicore::ascendc::Compared3510);
    aicore::ascendc::require_tensor_mode(mode);
    if (!aicore::ascendc::on_aiv() || count == 0) return;
    aicore::ops::select("Select", aicore::ascendc::dtype_of<T>(), dst.mem(), bits.mem(), src0.mem(), {}, true,
                        static_cast<double>(src1), count);
}
template <class T, class U, bool isSetMask = true, class Src1, class Mask>
void Select(const LocalTensor<T>&, const LocalTensor<U>&, const LocalTensor<T>&, const Src1&, SELMODE, Mask, uint8_t,
            const BinaryRepeatParams&) {
    aicore::unsupported("AscendC::Select(with a mask)");
}

}  // namespace AscendC
