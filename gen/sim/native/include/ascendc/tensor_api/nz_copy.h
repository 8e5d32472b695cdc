// DataCopy between matrices in rows (ND) or columns (DN) and NZ: into L1 by the hardware, to and from UB by the API,
// which issues a copy for every block of columns. Units and limits: asc-devkit, docs DataCopy (ND2NZ, DN2NZ, NZ2ND).
#pragma once

#include "ascendc/tensor_api/data_copy.h"

namespace aicore::ascendc {

inline void copy_nd2nz(ops::Mem dst, ops::Mem src, const ops::Nd2Nz& p) {
    if (dst.space != Space::l1) unsupported("AscendC::DataCopy(Nd2Nz to another memory than L1 and UB)");
    if (!on_aic() || p.matrices == 0 || p.n == 0 || p.d == 0) return;
    check_range("DataCopy ND2NZ", "ndNum", p.matrices, 0, kMostBlocks);
    check_range("DataCopy ND2NZ", "nValue", p.n, 0, kMostRows);
    check_range("DataCopy ND2NZ", "dstNzC0Stride", p.c0_stride, 0, kMostRows);
    ops::nd2nz("DataCopy", dst, src, p);
}

// To UB. Where rows of a column are not dense, there are several matrices or a column is cut off, the API's source
// (impl/basic_api, DataCopyGM2UBND2NZImpl) does something else than its documents say.
inline void copy_nd2nz_to_ub(ops::Mem dst, ops::Mem src, const ops::Nd2Nz& p) {
    if (!on_aiv() || p.matrices == 0 || p.n == 0 || p.d == 0) return;
    const uint64_t bytes = uint64_t{p.d} * p.elem;
    if (p.matrices != 1 || p.n_stride != 1 || bytes % 32 != 0) {
        unsupported("AscendC::DataCopy(Nd2Nz to UB of several matrices, with gaps between rows or of uneven rows)");
    }
    check_range("DataCopy ND2NZ", "nValue", p.n, 0, kMostRows);
    check_range("DataCopy ND2NZ", "dstNzC0Stride", p.c0_stride, 1, kMostRows);
    ops::Burst burst;
    burst.rows = p.n;
    burst.row_bytes = burst.dst_pitch = 32;
    burst.src_pitch = static_cast<int64_t>(p.src_row_pitch);
    for (uint64_t at = 0; at < bytes; at += 32) {
        ops::Mem to = dst, from = src;
        to.addr += at * p.c0_stride, from.addr += at;
        ops::burst("DataCopy", Pipe::mte2, to, from, burst);
    }
}

// From UB: blocks of 16 columns.
inline void copy_nz2nd(ops::Mem dst, ops::Mem src, const AscendC::Nz2NdParamsFull& p, uint8_t elem) {
    if (src.space != Space::ub) unsupported("AscendC::DataCopy(Nz2Nd from another memory than UB)");
    if (elem != 2 && elem != 4) unsupported("AscendC::DataCopy(Nz2Nd of elements of 1 or 8 bytes)");
    if (!on_aiv() || p.ndNum == 0 || p.nValue == 0 || p.dValue == 0) return;
    if (p.dValue % 16 != 0) {
        return finding("argument-range", "DataCopy NZ2ND: dValue is no multiple of 16",
                       "copy whole blocks of 16 columns");
    }
    check_range("DataCopy NZ2ND", "nValue", p.nValue, 1, 8192);
    check_range("DataCopy NZ2ND", "dValue", p.dValue, 1, 8192);
    ops::Burst burst;
    burst.rows = p.nValue;
    burst.row_bytes = 16u * elem;
    burst.src_pitch = 16 * elem;
    burst.dst_pitch = int64_t{p.dstDStride} * elem;
    set_atomic(burst, Space::gm);
    for (uint64_t m = 0; m < p.ndNum; ++m) {
        for (uint64_t i = 0; i < p.dValue / 16u; ++i) {
            ops::Mem to = dst, from = src;
            to.addr += (m * p.dstNdMatrixStride + i * 16) * elem;
            from.addr += (m * p.srcNdMatrixStride * 256 + i * p.srcNStride * 16) * elem;
            ops::burst("DataCopy", Pipe::mte3, to, from, burst);
        }
    }
}

// What Nd2NzParams and Dn2NzParams share.
template <class Params>
ops::Nd2Nz nz_of(const Params& params, uint32_t matrices, uint64_t matrix_pitch, uint8_t elem) {
    ops::Nd2Nz p;
    p.matrices = matrices, p.n = params.nValue, p.d = params.dValue;
    p.src_row_pitch = uint64_t{params.srcDValue} * elem;
    p.src_matrix_pitch = matrix_pitch * elem;
    p.c0_stride = params.dstNzC0Stride, p.n_stride = params.dstNzNStride;
    p.dst_matrix_stride = static_cast<uint32_t>(uint64_t{params.dstNzMatrixStride} * elem / 32);
    p.elem = elem;
    return p;
}

}  // namespace aicore::ascendc

namespace AscendC {

#if __NPU_ARCH__ == 3510
template <class T, bool enableSmallC0 = false>
#else
template <class T>
#endif
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const Nd2NzParams& params) {
    using namespace aicore::ascendc;
#if __NPU_ARCH__ == 3510
    if constexpr (enableSmallC0) aicore::unsupported("AscendC::DataCopy(Nd2Nz with enableSmallC0)");
#endif
    const auto p = nz_of(params, params.ndNum, params.srcNdMatrixStride, sizeof(T));
    dst.space() == aicore::Space::ub ? copy_nd2nz_to_ub(dst.mem(), src.mem(), p) : copy_nd2nz(dst.mem(), src.mem(), p);
}
#if __NPU_ARCH__ == 3510
template <class T, bool enableSmallC0 = false>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const Dn2NzParams& params) {
    if constexpr (enableSmallC0) aicore::unsupported("AscendC::DataCopy(Dn2Nz with enableSmallC0)");
    auto p = aicore::ascendc::nz_of(params, params.dnNum, params.srcDnMatrixStride, sizeof(T));
    p.transposed = true;
    aicore::ascendc::copy_nd2nz(dst.mem(), src.mem(), p);
}
#endif
template <class T>
void DataCopy(const LocalTensor<T>&, const LocalTensor<T>&, const Nd2NzParams&) {
    aicore::unsupported("AscendC::DataCopy(Nd2Nz from UB to L1)");
}
template <class T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const Nz2NdParamsFull& params) {
    aicore::ascendc::copy_nz2nd(dst.mem(), src.mem(), params, sizeof(T));
}

}  // namespace AscendC
