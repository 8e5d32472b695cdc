// The Cube: LoadData (L1 -> L0A/L0B), Fill and Mmad.
// Units: asc-devkit, docs LoadData_2D, LoadData_2D_V2, LoadDataWithTranspose, Fill, Mmad (SIMD-API, basic API).
#pragma once

#include "ascendc/tensor_api/argument_range.h"
#include "ascendc/tensor_api/params.h"
#include "ascendc/tensor_api/tensor.h"

namespace aicore::ascendc {

inline constexpr uint32_t kFractalBytes = 512;
inline constexpr uint64_t kMostMmad = 4095;  // asc-devkit, docs, Mmad, table of parameters

template <class>
inline constexpr bool on_950 = kChip == Chip::dav3510;

inline bool is_l0(Space space) { return space == Space::l0a || space == Space::l0b; }

inline ops::Mem shifted(ops::Mem mem, uint64_t fractals) {
    mem.addr += fractals * kFractalBytes;
    return mem;
}

// dav-2201 loads fractals from global memory, too, as they are (docs, LoadData_2D and LoadData from GM to L1).
inline void issue_fractals(const char* name, ops::Mem dst, ops::Mem src, const ops::Fractals& f) {
    const bool from_gm = kChip == Chip::dav2201 && src.space == Space::gm && !f.transpose;
    const bool known =
        from_gm ? is_l0(dst.space) || dst.space == Space::l1 : src.space == Space::l1 && is_l0(dst.space);
    if (!known)
        unsupported("AscendC::LoadData(other than L1 to L0A or L0B, and from global memory on the Ascend 910B)");
    if (!on_aic() || f.outer == 0 || f.inner == 0) return;
    ops::load_fractals(name, dst, src, f);
}

// One run of fractals, in order; a transposition turns each square of 16 x 16 two-byte elements.
// dav-3510 has no instruction of this kind: the API issues the one of LoadData2DParamsV2 with one row of fractals,
// which takes startIndex in columns and, transposed into L0A, leaves no gaps
// (impl/basic_api/dav_3510/kernel_operator_mm_impl.h).
inline void load_2d(ops::Mem dst, ops::Mem src, const AscendC::LoadData2DParams& p, uint8_t elem) {
    // A rule of the instruction (docs, LoadData_2D, ifTranspose); what is loaded then is not said.
    const bool transposes = p.ifTranspose && elem == 2;
    if (p.ifTranspose && !transposes && is_aic()) {
        finding("argument-range", "LoadData: ifTranspose takes elements of 2 bytes only",
                "use LoadDataWithTranspose for 1 and 4 bytes");
    }
    constexpr bool is_950 = kChip == Chip::dav3510;
    if (is_950 && p.startIndex != 0) {
        unsupported("AscendC::LoadData(startIndex on the Ascend 950; add it to the offset of the source)");
    }
    const bool dense = is_950 && p.ifTranspose && dst.space == Space::l0a;
    ops::Fractals f;
    f.inner = p.repeatTimes;
    f.src_inner = p.addrMode == 0 || is_950 ? int32_t{p.srcStride} : -int32_t{p.srcStride};
    f.dst_inner = dense ? 1 : p.dstGap + 1;
    f.transpose = transposes;
    f.elem = elem;
    issue_fractals("LoadData", dst, shifted(src, p.startIndex), f);
}

// An area of mStep x kStep fractals whose columns of fractals are srcStride apart. Transposed, row m of the area
// becomes column m of the destination, dstStride apart.
inline void load_2d_v2(ops::Mem dst, ops::Mem src, const AscendC::LoadData2DParamsV2& p, uint8_t elem) {
    const int32_t across = p.srcStride < 0 ? -p.srcStride : p.srcStride;
    ops::Fractals f;
    f.elem = elem;
    f.transpose = p.ifTranspose;
    if (!p.ifTranspose) {
        f.outer = p.kStep, f.src_outer = p.srcStride, f.dst_outer = p.dstStride;
        f.inner = p.mStep, f.src_inner = 1, f.dst_inner = 1;
    } else if (elem == 2) {
        f.outer = p.mStep, f.src_outer = 1, f.dst_outer = p.dstStride;
        f.inner = p.kStep, f.src_inner = p.srcStride, f.dst_inner = 1;
    } else if (elem == 4) {  // a square is two fractals side by side; it becomes two columns
        if (p.kStep % 2 != 0) unsupported("AscendC::LoadData(transposed, 4-byte elements, odd kStep)");
        f.outer = p.mStep, f.src_outer = 1, f.dst_outer = p.dstStride * 2;
        f.inner = p.kStep / 2u, f.src_inner = p.srcStride * 2, f.dst_inner = 1;
        f.src_pair = p.srcStride, f.dst_pair = p.dstStride;
    } else {  // a square is 2 fractals (of half a byte: 4) one below the other; they become neighbours in a column
        const uint32_t square = elem == 0 ? 4 : 2;
        if (p.mStep % square != 0) unsupported("AscendC::LoadData(transposed, mStep that cuts a square of fractals)");
        f.outer = p.mStep / square, f.src_outer = static_cast<int32_t>(square), f.dst_outer = p.dstStride;
        f.inner = p.kStep, f.src_inner = p.srcStride, f.dst_inner = static_cast<int32_t>(square);
        f.src_pair = 1, f.dst_pair = 1;
    }
    issue_fractals("LoadData", dst,
                   shifted(src, uint64_t{p.kStartPosition} * static_cast<uint32_t>(across) + p.mStartPosition), f);
}

inline void load_transposed(ops::Mem dst, ops::Mem src, const AscendC::LoadData2dTransposeParams& p, uint8_t elem) {
    if (kChip == Chip::dav3510 && dst.space == Space::l0a) {
        unsupported("AscendC::LoadDataWithTranspose(to L0A; the Ascend 950 has it for L0B only)");
    }
    const int32_t square = elem == 2 ? 1 : elem == 0 ? 4 : 2;
    ops::Fractals f;
    f.elem = elem;
    f.transpose = true;
    f.inner = p.repeatTimes;
    f.src_inner = (p.addrMode == 0 ? int32_t{p.srcStride} : -int32_t{p.srcStride}) * square;
    f.dst_inner = p.dstGap + 1;
    f.src_pair = 1;
    f.dst_pair = p.dstFracGap + 1;
    issue_fractals("LoadDataWithTranspose", dst, shifted(src, uint64_t{p.startIndex} * static_cast<uint32_t>(square)),
                   f);
}

inline void load_transposed(ops::Mem dst, ops::Mem src, const AscendC::LoadData2dTransposeParamsV2& p, uint8_t elem) {
    if (elem == 4) unsupported("AscendC::LoadDataWithTranspose(V2 with 4-byte elements)");
    ops::Fractals f;
    f.elem = elem;
    f.transpose = true;
    f.inner = p.repeatTimes;
    f.src_inner = p.addrMode == 0 ? int32_t{p.srcStride} : -int32_t{p.srcStride};
    f.dst_inner = p.dstGap + 1;
    f.src_pair = p.srcFracGap + 1;
    f.dst_pair = p.dstFracGap + 1;
    issue_fractals("LoadDataWithTranspose", dst, shifted(src, p.startIndex), f);
}

inline void issue_fill(ops::Mem dst, uint32_t repeat, uint32_t blocks, uint32_t gap, uint64_t bits, uint8_t elem) {
    const bool l0 = is_l0(dst.space);
    if (dst.space != Space::l1 && !(l0 && kChip == Chip::dav2201)) {
        unsupported("AscendC::Fill(of another memory than L1, or L0A and L0B on the Ascend 910B)");
    }
    if (!on_aic() || repeat == 0 || blocks == 0) return;
    const uint32_t unit = l0 ? kFractalBytes / 32 : 1;
    ops::fill("Fill", l0 ? Pipe::mte1 : Pipe::mte2, dst, repeat, blocks * unit, gap * unit, bits, elem);
}

struct MmadTypes {
    ops::DType a, b, c;
};

// The start value of C is 0 (cmatrixInitVal), else the bias table (cmatrixSource), else what L0C holds. A bias tensor
// stands for cmatrixSource (asc-devkit, impl/basic_api/dav_c220/kernel_operator_mm_impl.h). Both chips ignore the
// fields for offsets, sparse and Winograd operands (docs, Mmad, table of parameters). With kDirectionAlign a row of
// fractals of float in L0A has an even number of them, which is a matter of ZZ only.
// `mad` says what else the product is.
inline void issue_mmad(const char* name, ops::Mem c, ops::Mem a, ops::Mem b, ops::Mem bias,
                       const AscendC::MmadParams& p, const MmadTypes& types, ops::Mmad mad = {}) {
    if (c.space != Space::l0c || a.space != Space::l0a || b.space != Space::l0b) {
        unsupported("AscendC::Mmad(operands elsewhere than L0A, L0B and L0C)");
    }
    const bool has_bias = bias.space == Space::bt || p.cmatrixSource;
    if (!on_aic() || p.m == 0 || p.n == 0 || p.k == 0) return;
    check_range(name, "m", p.m, 0, kMostMmad);
    check_range(name, "n", p.n, 0, kMostMmad);
    check_range(name, "k", p.k, 0, kMostMmad);
    mad.m = p.m, mad.k = p.k, mad.n = p.n;
    mad.a = types.a, mad.b = types.b, mad.c = types.c;
    if (state().hf32 && types.a == ops::DType::f32) {
        // How many digits HF32 keeps, the documents (HF32) say of the Ascend 950 only.
        if (kChip == Chip::dav2201)
            unsupported("AscendC::Mmad(HF32 on the Ascend 910B, whose digits are not documented)");
        mad.hf32 = state().hf32_to_away ? Hf32::to_away : Hf32::to_even;
    }
    mad.align_k = p.kDirectionAlign;
    // isBias, which is deprecated, counts except where the 910B is given a bias tensor.
    const bool older = p.isBias && (bias.space != Space::bt || kChip == Chip::dav3510);
    mad.init = p.cmatrixInitVal && !older;
    mad.bias = has_bias && !mad.init;
    if (bias.space == Space::bt) {
        mad.bias_table = bias;  // else the start of the table
        if (mad.init) {
            finding("argument-range",
                    "Mmad: a bias is given, and cmatrixInitVal is true, which starts C from 0 instead",
                    "set cmatrixInitVal to false: its default is true");
        }
    }
    mad.unit_flag = p.unitFlag;
    mad.gemv = p.m == 1 && !p.disableGemv && !mad.sparse;
    ops::mmad(name, c, a, b, mad);
}

// Operand types of Mmad (docs, Mmad, tables of types of both chips).
template <class T>
inline constexpr bool is_float8 = std::is_same_v<T, fp8_e4m3fn_t> || std::is_same_v<T, fp8_e5m2_t>;
template <class A>
inline constexpr bool multiplies_to_int =
    std::is_same_v<A, int8_t> || (kChip == Chip::dav2201 && std::is_same_v<A, AscendC::int4b_t>);
template <class A>
inline constexpr bool multiplies_to_float =
    std::is_same_v<A, half> || std::is_same_v<A, bfloat16_t> || std::is_same_v<A, float> ||
    (kChip == Chip::dav3510 && std::is_same_v<A, hifloat8_t>);
template <class C, class A, class B>
inline constexpr bool mmad_types = (std::is_same_v<A, B> && ((multiplies_to_int<A> && std::is_same_v<C, int32_t>) ||
                                                             (multiplies_to_float<A> && std::is_same_v<C, float>))) ||
                                   (kChip == Chip::dav3510 && is_float8<A> && is_float8<B> && std::is_same_v<C, float>);
template <class C, class A, class B>
constexpr MmadTypes types_of_mmad() {
    static_assert(mmad_types<C, A, B>,
                  "Mmad multiplies half, bfloat16_t or float into float and int8_t into int32_t; the Ascend 910B also "
                  "int4b_t into int32_t, the Ascend 950 8-bit floats into float");
    return {cube_dtype<A>(), cube_dtype<B>(), cube_dtype<C>()};
}

}  // namespace aicore::ascendc

namespace AscendC {

template <class T>
void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData2DParams& params) {
    aicore::ascendc::load_2d(dst.mem(), src.mem(), params, sizeof(T));
}
template <class T>
void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData2DParamsV2& params) {
    static_assert(aicore::ascendc::on_950<T>, "LoadData with LoadData2DParamsV2 exists on the Ascend 950 only");
    aicore::ascendc::load_2d_v2(dst.mem(), src.mem(), params, aicore::ascendc::is_float4<T> ? 0 : sizeof(T));
}
template <class T>
void LoadData(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const LoadData2DParams& params) {
    aicore::ascendc::load_2d(dst.mem(), src.mem(), params, sizeof(T));
}
template <class T, class Params>
void LoadData(const LocalTensor<T>&, const GlobalTensor<T>&, const Params&) {
    aicore::unsupported("AscendC::LoadData(from global memory with these parameters)");
}
template <class T>
void LoadDataWithTranspose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                           const LoadData2dTransposeParams& params) {
    const bool halves = std::is_same_v<T, int4b_t>;
    aicore::ascendc::load_transposed(dst.mem(), src.mem(), params, halves ? 0 : sizeof(T));
}
template <class T>
void LoadDataWithTranspose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                           const LoadData2dTransposeParamsV2& params) {
    static_assert(aicore::ascendc::on_950<T>, "LoadData2dTransposeParamsV2 exists on the Ascend 950 only");
    aicore::ascendc::load_transposed(dst.mem(), src.mem(), params, sizeof(T));
}

template <class T>
void Fill(const LocalTensor<T>& dst, const InitConstValueParams<T>& params) {
    aicore::ascendc::issue_fill(dst.mem(), params.repeatTimes, params.blockNum, params.dstGap,
                                aicore::ascendc::bits_of(params.initValue), sizeof(T));
}
template <class T>
void InitConstValue(const LocalTensor<T>& dst, const InitConstValueParams<T>& params) {
    Fill(dst, params);
}

template <class C, class A, class B>
void Mmad(const LocalTensor<C>& c, const LocalTensor<A>& a, const LocalTensor<B>& b, const MmadParams& params) {
    aicore::ascendc::issue_mmad("Mmad", c.mem(), a.mem(), b.mem(), {}, params,
                                aicore::ascendc::types_of_mmad<C, A, B>());
}
template <class C, class A, class B, class Bias>
void Mmad(const LocalTensor<C>& c, const LocalTensor<A>& a, const LocalTensor<B>& b, const LocalTensor<Bias>& bias,
          const MmadParams& params) {
    static_assert(std::is_same_v<C, Bias>, "the bias of Mmad has the type of the result");
    if (bias.space() != aicore::Space::bt) aicore::unsupported("AscendC::Mmad(bias elsewhere than in the bias table)");
    aicore::ascendc::issue_mmad("Mmad", c.mem(), a.mem(), b.mem(), bias.mem(), params,
                                aicore::ascendc::types_of_mmad<C, A, B>());
}

// HF32: floats in L0A and L0B are rounded before they are multiplied. The older forms take a bool.
inline void SetHF32Mode(bool enable) { aicore::ascendc::state().hf32 = enable; }
inline void SetHF32Mode(HF32Mode mode) { SetHF32Mode(mode == HF32Mode::ENABLE); }
inline void SetHF32TransMode(bool to_away) { aicore::ascendc::state().hf32_to_away = to_away; }
inline void SetHF32TransMode(HF32TransMode mode) { SetHF32TransMode(mode == HF32TransMode::NEAREST_ZERO); }

}  // namespace AscendC
