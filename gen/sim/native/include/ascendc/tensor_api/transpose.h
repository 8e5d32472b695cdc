// Transpose and TransDataTo5HD. Source: asc-devkit, docs SIMD-API / Memory vector compute, the pages of these names.
#pragma once

#include "ascendc/tensor_api/vector_call.h"

namespace aicore::ascendc {

using Turned = Types<half, int16_t, uint16_t>;
using TurnedRows2201 = Types<half, float, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t>;
using TurnedRows3510 = Types<half, bfloat16_t, float, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t>;

// The addresses of one side. Blocks of one allocation keep its bounds.
inline void add_row(ops::Rows16& rows, int i, const ops::Mem& block) {
    const bool same = i == 0 || (rows.bounds.lo == block.lo && rows.bounds.hi == block.hi);
    rows.bounds.lo = same ? block.lo : 0, rows.bounds.hi = same ? block.hi : 0;
    if (block.addr % 32 != 0) {
        const Message message("TransDataTo5HD: address %d is byte %llu of UB, which is not a multiple of 32", i,
                              static_cast<unsigned long long>(block.addr));
        finding("misaligned", message.text, "let every block start at a multiple of 32 bytes");
    }
    rows.at[i] = static_cast<uint32_t>(block.addr);
}

template <class T>
void issue_rows16(ops::Rows16 dst, ops::Rows16 src, const AscendC::TransDataTo5HDParams& p) {
    if (!on_aiv()) return;
    dst.rep = p.dstRepStride, src.rep = p.srcRepStride;
    dst.high = sizeof(T) == 1 && p.dstHighHalf, src.high = sizeof(T) == 1 && p.srcHighHalf;
    ops::transpose_rows16("TransDataTo5HD", dtype_of<T>(), dst, src, p.repeatTimes);
}

inline ops::Rows16 rows_at(const uint64_t (&addresses)[16]) {
    ops::Rows16 rows;
    for (int i = 0; i < 16; ++i) add_row(rows, i, {Space::ub, addresses[i], 0, 0, Unit::self});
    return rows;
}

}  // namespace aicore::ascendc

namespace AscendC {

// 16 blocks of 32 bytes as rows, to columns. The lists are tensors, addresses in UB, or a tensor of addresses.
template <class T>
void TransDataTo5HD(const LocalTensor<T> (&dstList)[NCHW_CONV_ADDR_LIST_SIZE],
                    const LocalTensor<T> (&srcList)[NCHW_CONV_ADDR_LIST_SIZE], const TransDataTo5HDParams& params) {
    AICORE_TAKES(T, "TransDataTo5HD", aicore::ascendc::TurnedRows2201, aicore::ascendc::TurnedRows3510);
    aicore::ops::Rows16 dst, src;
    for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE && aicore::ascendc::is_aiv(); ++i) {
        aicore::ascendc::add_row(dst, i, dstList[i].mem());
        aicore::ascendc::add_row(src, i, srcList[i].mem());
    }
    aicore::ascendc::issue_rows16<T>(dst, src, params);
}
template <class T>
void TransDataTo5HD(uint64_t (&dstList)[NCHW_CONV_ADDR_LIST_SIZE], uint64_t (&srcList)[NCHW_CONV_ADDR_LIST_SIZE],
                    const TransDataTo5HDParams& params) {
    AICORE_TAKES(T, "TransDataTo5HD", aicore::ascendc::TurnedRows2201, aicore::ascendc::TurnedRows3510);
    if (!aicore::ascendc::on_aiv()) return;
    aicore::ascendc::issue_rows16<T>(aicore::ascendc::rows_at(dstList), aicore::ascendc::rows_at(srcList), params);
}
template <class T>
void TransDataTo5HD(const LocalTensor<uint64_t>& dst, const LocalTensor<uint64_t>& src,
                    const TransDataTo5HDParams& params) {
    if (!aicore::ascendc::on_aiv()) return;
    uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE], srcList[NCHW_CONV_ADDR_LIST_SIZE];
    for (uint32_t i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        dstList[i] = dst.GetValue(i);
        srcList[i] = src.GetValue(i);
    }
    TransDataTo5HD<T>(dstList, srcList, params);
}
// With pointers into UB.
template <class T>
void TransDataTo5HDImpl(T* const (&dstList)[NCHW_CONV_ADDR_LIST_SIZE], T* const (&srcList)[NCHW_CONV_ADDR_LIST_SIZE],
                        const TransDataTo5HDParams& params) {
    uint64_t dst[NCHW_CONV_ADDR_LIST_SIZE], src[NCHW_CONV_ADDR_LIST_SIZE];
    for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        dst[i] = reinterpret_cast<uintptr_t>(dstList[i]);
        src[i] = reinterpret_cast<uintptr_t>(srcList[i]);
    }
    TransDataTo5HD<T>(dst, src, params);
}

// One matrix of 16 x 16 elements of 2 bytes.
template <class T>
void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src) {
    static_assert(sizeof(T) == 2, "Transpose turns 16 x 16 elements of 2 bytes");
    if (!aicore::ascendc::on_aiv()) return;
    aicore::ops::transpose16("Transpose", dst.mem(), src.mem());
}
// [N, C, H, W] to [N, H, W, C] and back.
template <class T>
void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& tmp,
               const TransposeParamsExt& p) {
    if (!aicore::ascendc::on_aiv()) return;
    if (p.transposeType == TransposeType::TRANSPOSE_ND2ND_B16) {
        if constexpr (sizeof(T) == 2) return Transpose(dst, src);
    }
    const bool to_channels_last = p.transposeType == TransposeType::TRANSPOSE_NCHW2NHWC;
    if (!to_channels_last && p.transposeType != TransposeType::TRANSPOSE_NHWC2NCHW) {
        aicore::unsupported("AscendC::Transpose(of this transposeType)");
    }
    AICORE_TAKES(T, "Transpose", aicore::ascendc::TurnedRows2201, aicore::ascendc::TurnedRows3510);
    const uint32_t plane = uint32_t{p.hSize} * p.wSize;
    if (plane * sizeof(T) % 32 != 0) {
        const aicore::ascendc::Message message(
            "Transpose: a plane of %u x %u elements of %zu bytes is no multiple of 32", p.hSize, p.wSize, sizeof(T));
        aicore::finding("misaligned", message.text, "let hSize * wSize fill whole blocks of 32 bytes");
    }
    const uint64_t bytes = uint64_t{p.nSize} * p.cSize * plane * sizeof(T);
    if (aicore::ops::overlap(dst.mem(), bytes, src.mem(), bytes)) {
        aicore::finding("operand-overlap", "the destination of Transpose overlaps its source",
                        "give the destination bytes of its own");
    }
    // What the temporary buffer must hold (docs, Transpose, table of sizes for dav-2201).
    const uint64_t rows = sizeof(T) == 1 ? 32 : 16;
    const uint64_t channels = to_channels_last ? p.cSize + 2 : 2 * p.cSize + 1;
    aicore::ops::transpose_planes("Transpose", aicore::ascendc::dtype_of<T>(), dst.mem(), src.mem(), tmp.mem(),
                                  channels * rows * 32, p.nSize, to_channels_last ? p.cSize : plane,
                                  to_channels_last ? plane : p.cSize);
}

}  // namespace AscendC
