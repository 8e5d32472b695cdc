// DataCopy and DataCopyPad: moves between global memory and on-chip memory, and inside it.
// Units and pipes: asc-devkit, docs DataCopy*, DataCopyPad* (SIMD-API, basic API), kernel_struct_data_copy.h.
#pragma once

#include "ascendc/tensor_api/argument_range.h"
#include "ascendc/tensor_api/params.h"
#include "ascendc/tensor_api/tensor.h"

namespace aicore::ascendc {

struct CopyPath {
    bool known = false;
    Pipe pipe = Pipe::s;
    CoreKind issuer = CoreKind::aiv;
    uint32_t unit = 32;  // bytes of one block of the destination
};

constexpr CopyPath copy_path(Space from, Space to) {
    constexpr bool is_950 = kChip == Chip::dav3510;
    using K = CoreKind;
    if (from == Space::gm && to == Space::ub) return {true, Pipe::mte2, K::aiv};
    if (from == Space::gm && to == Space::l1) return {true, Pipe::mte2, K::aic};
    if (from == Space::ub && to == Space::gm) return {true, Pipe::mte3, K::aiv};
    if (from == Space::ub && to == Space::ub) return {true, Pipe::v, K::aiv};
    if (from == Space::l1 && to == Space::gm) return {!is_950, Pipe::mte3, K::aic};
    if (from == Space::ub && to == Space::l1) return {is_950, Pipe::mte3, K::aiv};
    if (from == Space::l1 && to == Space::bt) return {true, Pipe::mte1, K::aic, is_950 ? 32u : 64u};
    // The documents disagree on MTE1 or FIX; the samples order this copy with MTE2 -> FIX flags only
    // (examples fixpipe_l0c2gm, data_copy_l0c2gm). On dav-3510 the instruction counts 64 bytes, the API 128
    // (impl/basic_api/dav_3510/kernel_operator_data_copy_impl.h).
    if (from == Space::l1 && to == Space::fb) return {true, Pipe::fix, K::aic, 128};
    return {};
}

// Fields of the copies (asc-devkit, docs, DataCopy, DataCopyPad and DataCopy ND2NZ, tables of parameters).
inline constexpr uint64_t kMostBlocks = 4095, kMostPadBytes = 32, kMostRowBytes = 2097151, kMostRows = 16384;

inline void check_pad_fields(const AscendC::DataCopyExtParams& p) {
    check_range("DataCopyPad", "blockCount", p.blockCount, 0, kMostBlocks);
    check_range("DataCopyPad", "blockLen (bytes)", p.blockLen, 0, kMostRowBytes);
}

inline void set_atomic(ops::Burst& burst, Space destination) {
    if (destination != Space::gm) return;
    burst.atomic = state().atomic;
    burst.atomic_type = state().atomic_type;
}

// Runs of whole blocks, gaps from end to start.
inline void copy_blocks(ops::Mem dst, ops::Mem src, const AscendC::DataCopyParams& p) {
    const CopyPath path = copy_path(src.space, dst.space);
    if (!path.known) unsupported("AscendC::DataCopy(between these two memories)");
    if (path.unit != 32 && p.blockCount > 1) unsupported("AscendC::DataCopy(more than one run to BT or FB)");
    if (!runs_on(path.issuer) || p.blockCount == 0 || p.blockLen == 0) return;
    check_range("DataCopy", "blockCount", p.blockCount, 0, kMostBlocks);
    if (dst.space == Space::l1 && src.space == Space::ub) dst.unit = Unit::aic;
    ops::Burst burst;
    burst.rows = p.blockCount;
    burst.row_bytes = uint64_t{p.blockLen} * path.unit;
    if (p.blockCount > 1) {
        burst.src_pitch = (int64_t{p.blockLen} + p.srcGap) * 32;
        burst.dst_pitch = (int64_t{p.blockLen} + p.dstGap) * 32;
    }
    set_atomic(burst, dst.space);
    ops::burst("DataCopy", path.pipe, dst, src, burst);
}

// `count` contiguous elements. The hardware moves whole 32-byte blocks and drops the rest.
inline void copy_contiguous(ops::Mem dst, ops::Mem src, uint32_t count, uint32_t elem) {
    const CopyPath path = copy_path(src.space, dst.space);
    if (!path.known) unsupported("AscendC::DataCopy(between these two memories)");
    if (!runs_on(path.issuer)) return;
    const uint64_t bytes = uint64_t{count} * elem, whole = bytes / 32 * 32;
    if (whole != bytes) {
        const Message message(
            "DataCopy of %u elements of %u bytes: %llu bytes are not a multiple of 32, the last %llu are not copied",
            count, elem, static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(bytes - whole));
        finding("misaligned", message.text, "write DataCopyPad, whose length is in bytes");
    }
    if (whole == 0) return;
    if (dst.space == Space::l1 && src.space == Space::ub) dst.unit = Unit::aic;
    ops::Burst burst;
    burst.row_bytes = whole;
    set_atomic(burst, dst.space);
    ops::burst("DataCopy", path.pipe, dst, src, burst);
}

// From the Cube core to the UB of one of its Vector cores (dav-3510; docs, DataCopyL1ToUB).
inline void copy_to_vector_core(ops::Mem dst, ops::Mem src, uint8_t sub_block, const AscendC::DataCopyParams& p) {
    if (src.space != Space::l1 || dst.space != Space::ub) unsupported("AscendC::DataCopyL1ToUB(other than L1 to UB)");
    if (!on_aic() || p.blockCount == 0 || p.blockLen == 0) return;
    if (core().sub_blocks != 2) {
        return finding("argument-range", "DataCopyL1ToUB in a kernel whose Cube cores have no two Vector cores",
                       "declare the kernel __mix__(1, 2)");
    }
    check_range("DataCopyL1ToUB", "blockCount", p.blockCount, 0, kMostBlocks);
    dst.unit = sub_block == 0 ? Unit::aiv0 : Unit::aiv1;
    ops::Burst burst;
    burst.rows = p.blockCount;
    burst.row_bytes = uint64_t{p.blockLen} * 32;
    burst.src_pitch = (int64_t{p.blockLen} + p.srcGap) * 32;
    burst.dst_pitch = (int64_t{p.blockLen} + p.dstGap) * 32;
    ops::burst("DataCopyL1ToUB", Pipe::mte1, dst, src, burst);
}

// Issues a copy as often as SetLoopModePara says for its direction.
template <class Copy>
void looped(ops::Mem dst, ops::Mem src, Copy copy) {
    const LoopMode& loop = state().loops[dst.space == Space::ub ? 1 : 0];
    const uint32_t inner = loop.inner == 0 ? 1 : loop.inner, outer = loop.outer == 0 ? 1 : loop.outer;
    for (uint32_t o = 0; o < outer; ++o) {
        for (uint32_t i = 0; i < inner; ++i) {
            ops::Mem to = dst, from = src;
            to.addr += o * loop.outer_dst + i * loop.inner_dst;
            from.addr += o * loop.outer_src + i * loop.inner_src;
            copy(to, from);
        }
    }
}

// Slices of rows: `bursts` of `bytes` each, in the first dimension; the others count rows (docs, DataCopy, slices).
inline uint32_t slices_of(const AscendC::SliceInfo& s, uint32_t unit) {
    const uint32_t length = s.endIndex - s.startIndex + 1 + s.stride, step = unit + s.stride;
    if (s.endIndex < s.startIndex || step == 0 || length % step != 0) {
        unsupported("AscendC::DataCopy(SliceInfo whose slices do not fill start to end)");
    }
    return length / step;
}

inline uint64_t row_of(const AscendC::SliceInfo* info, uint32_t dims, const uint32_t* index) {
    uint64_t row = 0;
    for (uint32_t d = dims - 1; d >= 1; --d) {
        row = row * info[d].shapeValue + info[d].startIndex + index[d] * (1 + info[d].stride);
    }
    return row;
}

inline void copy_slices(ops::Mem dst, ops::Mem src, const AscendC::SliceInfo* to, const AscendC::SliceInfo* from,
                        uint32_t dims, uint32_t elem) {
    const CopyPath path = copy_path(src.space, dst.space);
    if (!path.known || (src.space != Space::gm && dst.space != Space::gm)) {
        unsupported("AscendC::DataCopy(SliceInfo between these two memories)");
    }
    if (!runs_on(path.issuer)) return;
    check_range("DataCopy of slices", "dimValue", dims, 1, static_cast<uint64_t>(AscendC::K_MAX_DIM));
    const uint32_t unit = from[0].burstLen * 32 / elem;
    ops::Burst burst;
    burst.rows = slices_of(from[0], unit);
    burst.row_bytes = uint64_t{from[0].burstLen} * 32;
    burst.src_pitch = int64_t{unit + from[0].stride} * elem;
    burst.dst_pitch = int64_t{unit + to[0].stride} * elem;
    bool fits = to[0].burstLen == from[0].burstLen && slices_of(to[0], unit) == burst.rows;
    uint32_t index[AscendC::K_MAX_DIM] = {}, rows = 1;
    for (uint32_t d = 1; d < dims; ++d) {
        rows *= slices_of(from[d], 1);
        fits = fits && slices_of(to[d], 1) == slices_of(from[d], 1);
    }
    if (!fits) unsupported("AscendC::DataCopy(SliceInfo with other slices on the two sides)");
    set_atomic(burst, dst.space);
    for (uint32_t r = 0; r < rows; ++r) {
        uint32_t rest = r;
        for (uint32_t d = 1; d < dims; ++d) {
            const uint32_t n = slices_of(from[d], 1);
            index[d] = rest % n;
            rest /= n;
        }
        ops::Mem at = dst, of = src;
        at.addr += (row_of(to, dims, index) * to[0].shapeValue + to[0].startIndex) * elem;
        of.addr += (row_of(from, dims, index) * from[0].shapeValue + from[0].startIndex) * elem;
        ops::burst("DataCopy", path.pipe, at, of, burst);
    }
}

struct Padding {
    bool value_given;
    uint32_t left, right;  // bytes
    uint64_t bits;
};

// All rows behind each other, the last one padded to a whole block (docs, DataCopyPad, PaddingMode::Compact).
inline void pad_compact(ops::Mem dst, ops::Mem src, const AscendC::DataCopyExtParams& p, ops::Burst burst) {
    if (p.dstStride != 0) unsupported("AscendC::DataCopyPad(PaddingMode::Compact with a gap in UB)");
    if (p.srcStride != 0) unsupported("AscendC::DataCopyPad(PaddingMode::Compact with a gap in global memory)");
    burst.row_bytes = uint64_t{p.blockCount} * p.blockLen;
    burst.rows = 1;
    burst.src_pitch = burst.dst_pitch = 0;
    ops::burst("DataCopyPad", Pipe::mte2, dst, src, burst);
}

// GM -> UB: rows of any length in bytes, each at a 32-byte boundary of UB.
// `compact` (dav-3510): the rows follow each other in UB and are padded together.
inline void pad_in(ops::Mem dst, ops::Mem src, const AscendC::DataCopyExtParams& p, Padding padding, uint8_t elem,
                   bool compact = false) {
    if (dst.space != Space::ub) unsupported("AscendC::DataCopyPad(global memory to L1)");
    if (!on_aiv() || p.blockCount == 0 || p.blockLen == 0) return;
    check_pad_fields(p);
    check_range("DataCopyPad", "leftPadding in bytes", padding.left, 0, kMostPadBytes);
    check_range("DataCopyPad", "rightPadding in bytes", padding.right, 0, kMostPadBytes);
    ops::Burst burst;
    burst.rows = p.blockCount;
    burst.row_bytes = p.blockLen;
    burst.left_pad = padding.left;
    burst.right_pad = padding.right;
    burst.pad_to_block = true;
    burst.elem = elem;
    const uint64_t filled = padding.left + uint64_t{p.blockLen} + padding.right;
    if (p.blockCount > 1) {
        burst.src_pitch = int64_t{p.blockLen} + static_cast<int64_t>(p.srcStride);
        burst.dst_pitch = static_cast<int64_t>((filled + 31) / 32 * 32) + static_cast<int64_t>(p.dstStride) * 32;
    }
    // Without paddings on either side the rest of the block repeats the first element of the row; with paddings and no
    // value it is undefined (docs, DataCopyPad GM to UB, example 2). On dav-3510 a given value fills it in any case.
    const bool beside = padding.left != 0 || padding.right != 0;
    const bool by_register = !padding.value_given && state().pad_set;
    if (padding.value_given || by_register) {
        burst.fill = beside || kChip == Chip::dav3510 ? ops::PadFill::value : ops::PadFill::first_element;
        burst.pad_value = by_register ? state().pad_bits : padding.bits;
    } else {
        burst.fill = beside ? ops::PadFill::none : ops::PadFill::first_element;
    }
    looped(dst, src, [&](ops::Mem to, ops::Mem from) {
        if (compact) return pad_compact(to, from, p, burst);
        ops::burst("DataCopyPad", Pipe::mte2, to, from, burst);
    });
}

// UB -> GM: exactly blockLen bytes of each row; `compact`: whose rows follow each other in UB.
inline void pad_out(ops::Mem dst, ops::Mem src, const AscendC::DataCopyExtParams& p, bool compact = false) {
    if (src.space != Space::ub) unsupported("AscendC::DataCopyPad(L1 to global memory)");
    if (!on_aiv() || p.blockCount == 0 || p.blockLen == 0) return;
    check_pad_fields(p);
    ops::Burst burst;
    burst.rows = p.blockCount;
    burst.row_bytes = p.blockLen;
    if (p.blockCount > 1) {
        burst.src_pitch = (int64_t{p.blockLen} + 31) / 32 * 32 + static_cast<int64_t>(p.srcStride) * 32;
        burst.dst_pitch = int64_t{p.blockLen} + static_cast<int64_t>(p.dstStride);
    }
    if (compact && p.blockCount > 1) burst.src_pitch = int64_t{p.blockLen} + static_cast<int64_t>(p.srcStride) * 32;
    set_atomic(burst, Space::gm);
    looped(dst, src, [&](ops::Mem to, ops::Mem from) { ops::burst("DataCopyPad", Pipe::mte3, to, from, burst); });
}

inline void require_padding_mode(AscendC::PaddingMode mode) {
    if (mode == AscendC::PaddingMode::Compact && kChip == Chip::dav2201) {
        unsupported("AscendC::DataCopyPad(PaddingMode::Compact on the Ascend 910B)");
    }
}

}  // namespace aicore::ascendc

namespace AscendC {

template <class T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, uint32_t count) {
    aicore::ascendc::copy_contiguous(dst.mem(), src.mem(), count, sizeof(T));
}
template <class T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, uint32_t count) {
    aicore::ascendc::copy_contiguous(dst.mem(), src.mem(), count, sizeof(T));
}
template <class T>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t count) {
    aicore::ascendc::copy_contiguous(dst.mem(), src.mem(), count, sizeof(T));
}

template <class T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& params) {
    aicore::ascendc::copy_blocks(dst.mem(), src.mem(), params);
}
template <class T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& params) {
    aicore::ascendc::copy_blocks(dst.mem(), src.mem(), params);
}
template <class T>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& params) {
    aicore::ascendc::copy_blocks(dst.mem(), src.mem(), params);
}

#if __NPU_ARCH__ == 3510
template <class T, uint8_t subBlockId = 0>
void DataCopyL1ToUB(const LocalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& params) {
    static_assert(subBlockId < 2, "DataCopyL1ToUB knows the Vector cores 0 and 1");
    aicore::ascendc::copy_to_vector_core(dst.mem(), src.mem(), subBlockId, params);
}
template <class T, uint8_t subBlockId = 0>
void DataCopyL1ToUB(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t count) {
    const DataCopyParams params(1, static_cast<uint16_t>(uint64_t{count} * sizeof(T) / 32), 0, 0);
    DataCopyL1ToUB<T, subBlockId>(dst, src, params);
}
#endif

template <class T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const SliceInfo to[], const SliceInfo from[],
              uint32_t dims = 1) {
    aicore::ascendc::copy_slices(dst.mem(), src.mem(), to, from, dims, sizeof(T));
}
template <class T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const SliceInfo to[], const SliceInfo from[],
              uint32_t dims = 1) {
    aicore::ascendc::copy_slices(dst.mem(), src.mem(), to, from, dims, sizeof(T));
}

template <class T, PaddingMode mode = PaddingMode::Normal>
void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyExtParams& params,
                 const DataCopyPadExtParams<T>& pad) {
    static_assert(sizeof(T) <= 8, "DataCopyPad moves elements of 1, 2, 4 or 8 bytes");
    aicore::ascendc::require_padding_mode(mode);
    aicore::ascendc::pad_in(dst.mem(), src.mem(), params,
                            {pad.isPad, pad.leftPadding * uint32_t{sizeof(T)}, pad.rightPadding * uint32_t{sizeof(T)},
                             aicore::ascendc::bits_of(pad.paddingValue)},
                            sizeof(T), mode == PaddingMode::Compact);
}
template <class T>
void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& params,
                 const DataCopyPadParams& pad) {
    aicore::ascendc::pad_in(
        dst.mem(), src.mem(), {params.blockCount, params.blockLen, params.srcGap, params.dstGap, 0},
        {pad.isPad, pad.leftPadding * uint32_t{sizeof(T)}, pad.rightPadding * uint32_t{sizeof(T)}, pad.paddingValue},
        sizeof(T));
}
template <class T, PaddingMode mode = PaddingMode::Normal>
void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyExtParams& params) {
    aicore::ascendc::require_padding_mode(mode);
    aicore::ascendc::pad_out(dst.mem(), src.mem(), params, mode == PaddingMode::Compact);
}
template <class T>
void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& params) {
    aicore::ascendc::pad_out(dst.mem(), src.mem(),
                             {params.blockCount, params.blockLen, params.srcGap, params.dstGap, 0});
}
template <class T, class Params>
void DataCopyPad(const LocalTensor<T>&, const LocalTensor<T>&, const Params&, const Nd2NzParams&) {
    aicore::unsupported("AscendC::DataCopyPad(Nd2Nz from UB to L1)");
}

#if __NPU_ARCH__ == 3510
inline void SetLoopModePara(const LoopModeParams& p, DataCopyMVType type) {
    aicore::ascendc::state().loops[static_cast<int>(type)] = {p.loop1Size,      p.loop2Size,      p.loop1SrcStride,
                                                              p.loop1DstStride, p.loop2SrcStride, p.loop2DstStride};
}
inline void ResetLoopModePara(DataCopyMVType type) { aicore::ascendc::state().loops[static_cast<int>(type)] = {}; }
#endif

// The value of paddings whose isPad is false.
template <class T, TPosition position = TPosition::MAX>
void SetPadValue(T value) {
    aicore::ascendc::state().pad_set = true;
    aicore::ascendc::state().pad_bits = aicore::ascendc::bits_of(value);
}

}  // namespace AscendC
