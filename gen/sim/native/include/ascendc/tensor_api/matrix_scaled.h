// Products whose operands have a factor for every 32 elements of K (MX formats, dav-3510), and those of a matrix of
// which two of four elements were kept (dav-2201), with the loads that bring factors and indices. Units: asc-devkit,
// docs LoadData (MX), MmadMx, LoadDataWithSparse, MmadWithSparse (SIMD-API, basic API).
#pragma once

#include "ascendc/tensor_api/matrix.h"

namespace aicore::ascendc {

template <class T>
inline constexpr bool is_scalable = is_float4<T> || is_float8<T>;

// Factors lie beside L0A and L0B, at a 16th of the operand's address. Rows of 16 lines of the matrix, srcStride and
// dstStride apart; a fractal of 32 bytes for each 64 elements of K.
inline void load_factors(ops::Mem dst, ops::Mem src, const AscendC::LoadData2DMxParams& p) {
    if (!on_aic() || p.xStep == 0 || p.yStep == 0) return;
    ops::Burst burst;
    burst.rows = p.xStep;
    burst.row_bytes = uint64_t{p.yStep} * 32;
    burst.src_pitch = int64_t{p.srcStride} * 32;
    burst.dst_pitch = int64_t{p.dstStride} * 32;
    src.addr += (uint64_t{p.xStartPosition} * p.srcStride + p.yStartPosition) * 32;
    const Space beside = dst.space == Space::l0a ? Space::l0a_mx : Space::l0b_mx;
    ops::burst("LoadData", Pipe::mte1, {beside, dst.addr / 16, 0, 0, dst.unit}, src, burst);
}

// k counts whole factors of both lines of a fractal (docs, MmadMx).
inline void issue_scaled(ops::Mem c, ops::Mem a, ops::Mem b, ops::Mem bias, AscendC::MmadParams p,
                         const MmadTypes& types) {
    if (p.k % 64 != 0 && is_aic()) {
        const Message message("MmadMx: k is %u, which is no multiple of 64", static_cast<unsigned>(p.k));
        finding("argument-range", message.text, "round k up, and fill what is loaded beyond the matrix with zeros");
        p.k = static_cast<uint16_t>((p.k + 63) / 64 * 64);
    }
    ops::Mmad mad;
    mad.scaled = true;
    issue_mmad("MmadMx", c, a, b, bias, p, types, mad);
}

template <class C, class A, class B>
constexpr MmadTypes types_of_scaled() {
    static_assert(on_950<C>, "MmadMx exists on the Ascend 950 only");
    static_assert(std::is_same_v<C, float> && ((is_float4<A> && is_float4<B>) || (is_float8<A> && is_float8<B>)),
                  "MmadMx multiplies fp8_e4m3fn_t and fp8_e5m2_t, or fp4x2_e2m1_t and fp4x2_e1m2_t, into float");
    return {cube_dtype<A>(), cube_dtype<B>(), cube_dtype<C>()};
}

// The fractals and the indices to them lie one after the other; of the parameters only two count.
inline void load_sparse(ops::Mem dst, ops::Mem src, ops::Mem indices, const AscendC::LoadData2DParams& p) {
    if (dst.space != Space::l0b || src.space != Space::l1 || indices.space != Space::l1) {
        unsupported("AscendC::LoadDataWithSparse(other than L1 to L0B)");
    }
    if (!on_aic() || p.repeatTimes == 0) return;
    indices.addr += uint64_t{p.startIndex} * (kFractalBytes / 4);
    ops::load_sparse("LoadDataWithSparse", dst, shifted(src, p.startIndex), indices, p.repeatTimes);
}

}  // namespace aicore::ascendc

namespace AscendC {

template <class T>
void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<fp8_e8m0_t>& srcMx,
              const LoadData2DParamsV2& params, const LoadData2DMxParams& mxParams) {
    using namespace aicore::ascendc;
    static_assert(on_950<T>, "LoadData with LoadData2DMxParams exists on the Ascend 950 only");
    static_assert(is_scalable<T>, "LoadData with factors takes fp8_e4m3fn_t, fp8_e5m2_t, fp4x2_e2m1_t, fp4x2_e1m2_t");
    load_2d_v2(dst.mem(), src.mem(), params, is_float4<T> ? 0 : 1);
    load_factors(dst.mem(), srcMx.mem(), mxParams);
}

template <class C, class A, class B>
void MmadMx(const LocalTensor<C>& dst, const LocalTensor<A>& fm, const LocalTensor<B>& filter,
            const MmadParams& params) {
    using namespace aicore::ascendc;
    issue_scaled(dst.mem(), fm.mem(), filter.mem(), {}, params, types_of_scaled<C, A, B>());
}
template <class C, class A, class B>
void MmadMx(const LocalTensor<C>& dst, const LocalTensor<A>& fm, const LocalTensor<B>& filter,
            const LocalTensor<float>& bias, const MmadParams& params) {
    using namespace aicore::ascendc;
    if (bias.space() != aicore::Space::bt)
        aicore::unsupported("AscendC::MmadMx(bias elsewhere than in the bias table)");
    issue_scaled(dst.mem(), fm.mem(), filter.mem(), bias.mem(), params, types_of_scaled<C, A, B>());
}

template <class T, class U>
void LoadDataWithSparse(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<U>& idx,
                        const LoadData2dParams& params) {
    static_assert(!aicore::ascendc::on_950<T>, "LoadDataWithSparse exists on the Ascend 910B only");
    static_assert(std::is_same_v<T, int8_t> && std::is_same_v<U, uint8_t>,
                  "LoadDataWithSparse takes matrices of int8_t and indices in uint8_t");
    aicore::ascendc::load_sparse(dst.mem(), src.mem(), idx.mem(), params);
}

// Of four neighbours in a row of fm two are multiplied with the two of filter that the indices name.
template <class T, class U>
void MmadWithSparse(const LocalTensor<T>& dst, const LocalTensor<U>& fm, const LocalTensor<U>& filter,
                    const MmadParams& params) {
    using namespace aicore::ascendc;
    static_assert(!on_950<T>, "MmadWithSparse exists on the Ascend 910B only");
    static_assert(std::is_same_v<T, int32_t> && std::is_same_v<U, int8_t>,
                  "MmadWithSparse multiplies int8_t into int32_t");
    aicore::ops::Mmad mad;
    mad.sparse = true;
    issue_mmad("MmadWithSparse", dst.mem(), fm.mem(), filter.mem(), {}, params,
               {cube_dtype<U>(), cube_dtype<U>(), cube_dtype<T>()}, mad);
}

}  // namespace AscendC
