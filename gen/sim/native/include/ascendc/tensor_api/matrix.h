// The Cube: LoadData (L1 -> L0A/L0B), Fill, Mmad, and Fixpipe (L0C -> GM, L1, UB).
// Units: asc-devkit, docs LoadData_2D, LoadData_2D_V2, LoadDataWithTranspose, Fill, Mmad, Fixpipe (SIMD-API, basic
// API).
#pragma once

#include "ascendc/tensor_api/argument_range.h"
#include "ascendc/tensor_api/params.h"
#include "ascendc/tensor_api/tensor.h"

namespace aicore::ascendc {

inline constexpr uint32_t kFractalBytes = 512;
// asc-devkit, docs, Mmad and Fixpipe, tables of parameters.
inline constexpr uint64_t kMostMmad = 4095, kMostFixpipeColumns = 4095;

template <class>
inline constexpr bool on_950 = kChip == Chip::dav3510;

inline bool is_l0(Space space) { return space == Space::l0a || space == Space::l0b; }

inline ops::Mem shifted(ops::Mem mem, uint64_t fractals) {
    mem.addr += fractals * kFractalBytes;
    return mem;
}

inline void issue_fractals(const char* name, ops::Mem dst, ops::Mem src, const ops::Fractals& f) {
    if (src.space != Space::l1 || !is_l0(dst.space)) unsupported("AscendC::LoadData(other than L1 to L0A or L0B)");
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
    if (p.ifTranspose && !transposes && on_aic()) {
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
    } else {  // a square is two fractals one below the other; it becomes two neighbours in a column
        if (p.mStep % 2 != 0) unsupported("AscendC::LoadData(transposed, 1-byte elements, odd mStep)");
        f.outer = p.mStep / 2u, f.src_outer = 2, f.dst_outer = p.dstStride;
        f.inner = p.kStep, f.src_inner = p.srcStride, f.dst_inner = 2;
        f.src_pair = 1, f.dst_pair = 1;
    }
    issue_fractals("LoadData", dst,
                   shifted(src, uint64_t{p.kStartPosition} * static_cast<uint32_t>(across) + p.mStartPosition), f);
}

inline void load_transposed(ops::Mem dst, ops::Mem src, const AscendC::LoadData2dTransposeParams& p, uint8_t elem) {
    if (kChip == Chip::dav3510 && dst.space == Space::l0a) {
        unsupported("AscendC::LoadDataWithTranspose(to L0A; the Ascend 950 has it for L0B only)");
    }
    const int32_t square = elem == 2 ? 1 : 2;
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

// The start value of C is 0 (cmatrixInitVal), else the bias table (cmatrixSource), else what L0C holds. A bias tensor
// stands for cmatrixSource (asc-devkit, impl/basic_api/dav_c220/kernel_operator_mm_impl.h).
inline void issue_mmad(ops::Mem c, ops::Mem a, ops::Mem b, ops::Mem bias, const AscendC::MmadParams& p, ops::DType in,
                       ops::DType out) {
    if (c.space != Space::l0c || a.space != Space::l0a || b.space != Space::l0b) {
        unsupported("AscendC::Mmad(operands elsewhere than L0A, L0B and L0C)");
    }
    const bool has_bias = bias.space == Space::bt || p.cmatrixSource;
    if (p.enSsparse || p.enWinogradA || p.enWinogradB) unsupported("AscendC::Mmad(sparse or Winograd operands)");
    if (p.kDirectionAlign) unsupported("AscendC::Mmad(kDirectionAlign)");
    if (!on_aic() || p.m == 0 || p.n == 0 || p.k == 0) return;
    check_range("Mmad", "m", p.m, 0, kMostMmad);
    check_range("Mmad", "n", p.n, 0, kMostMmad);
    check_range("Mmad", "k", p.k, 0, kMostMmad);
    ops::Mmad mad;
    mad.m = p.m, mad.k = p.k, mad.n = p.n;
    mad.a = in, mad.c = out;
    mad.bias = has_bias && !p.cmatrixInitVal;
    if (bias.space == Space::bt) mad.bias_table = bias;  // else the start of the table
    mad.init = p.cmatrixInitVal && !p.isBias;
    mad.unit_flag = p.unitFlag;
    mad.gemv = p.m == 1 && !p.disableGemv;
    ops::mmad("Mmad", c, a, b, mad);
}

// The parameters that both generations of Fixpipe share, in elements.
struct FixpipeCall {
    AscendC::CO2Layout layout;
    bool to_ub;
    QuantMode_t quant;
    bool channel_split;
    uint16_t matrices;
    ops::Fixpipe fix;
};

inline ops::Quant quant_of(const FixpipeCall& call) {
    using ops::DType;
    const DType from = call.fix.src, to = call.fix.dst;
    if (call.quant == QuantMode_t::F322F16 && from == DType::f32 && to == DType::f16) return ops::Quant::f32_to_f16;
    if (call.quant == QuantMode_t::F322BF16 && from == DType::f32 && to == DType::bf16) return ops::Quant::f32_to_bf16;
    if (call.quant == QuantMode_t::NoQuant && from == to) return ops::Quant::none;
    unsupported(
        "AscendC::Fixpipe(quantPre that does not convert the type of src to the type of dst; modelled are "
        "NoQuant, F322F16 and F322BF16)");
}

inline void issue_fixpipe(ops::Mem dst, ops::Mem src, FixpipeCall call) {
    if (src.space != Space::l0c) unsupported("AscendC::Fixpipe(from elsewhere than L0C)");
    if (call.layout == AscendC::CO2Layout::COLUMN_MAJOR) unsupported("AscendC::Fixpipe(COLUMN_MAJOR)");
    if (call.matrices > 1) unsupported("AscendC::Fixpipe(more than one matrix)");
    if (call.channel_split) unsupported("AscendC::Fixpipe(isChannelSplit)");
    if (dst.space == Space::ub && (kChip != Chip::dav3510 || !call.to_ub)) {
        unsupported("AscendC::Fixpipe(to UB without a FixpipeConfig{layout, true} on the Ascend 950)");
    }
    if (!on_aic() || call.fix.n == 0 || call.fix.m == 0) return;
    check_range("Fixpipe", "nSize", call.fix.n, 0, kMostFixpipeColumns);
    // L0C -> L1 is always NZ on dav-2201 (docs, Fixpipe L0C to L1).
    const bool nz = call.layout == AscendC::CO2Layout::NZ || (dst.space == Space::l1 && kChip == Chip::dav2201);
    call.fix.format = nz ? ops::OutFormat::nz : ops::OutFormat::nd;
    call.fix.quant = quant_of(call);
    if (dst.space == Space::gm) call.fix.atomic = state().atomic;
    ops::fixpipe("Fixpipe", dst, src, call.fix);
}

template <class T, class U>
FixpipeCall fixpipe_call(const AscendC::FixpipeParamsV220& p, AscendC::FixpipeConfig config, Space destination) {
    FixpipeCall call{config.format, config.isToUB, p.quantPre, p.isChannelSplit, p.ndNum, {}};
    const bool nz = config.format == AscendC::CO2Layout::NZ || (destination == Space::l1 && kChip == Chip::dav2201);
    call.fix.n = p.nSize, call.fix.m = p.mSize;
    call.fix.src_stride = p.srcStride;
    call.fix.dst_stride = nz ? uint64_t{p.dstStride} * 32 / sizeof(T) : p.dstStride;
    call.fix.src = dtype_of<U>(), call.fix.dst = dtype_of<T>();
    call.fix.relu = p.reluEn;
    call.fix.unit_flag = p.unitFlag;
    return call;
}

template <class T, class U, AscendC::CO2Layout format>
FixpipeCall fixpipe_call(const AscendC::FixpipeParamsArch3510<format>& p, AscendC::FixpipeConfig config, Space) {
    if (p.preClipReluMode != AscendC::ClipReluMode::NOCLIP_RELU) unsupported("AscendC::Fixpipe(preClipReluMode)");
    FixpipeCall call{config.format, config.isToUB, p.quantPre, p.isChannelSplit, 1, {}};
    if constexpr (format == AscendC::CO2Layout::ROW_MAJOR) call.matrices = p.params.ndNum;
    call.fix.n = p.nSize, call.fix.m = p.mSize;
    call.fix.src_stride = p.srcStride;
    call.fix.dst_stride = p.dstStride;
    call.fix.src = dtype_of<U>(), call.fix.dst = dtype_of<T>();
    call.fix.relu = p.reluEn || p.preReluMode == AscendC::ReluMode::NORMAL_RELU;
    call.fix.unit_flag = p.unitFlag;
    call.fix.dual = p.dualDstCtl;
    call.fix.sub_block = p.subBlockId;
    return call;
}

// Operand types of Mmad (docs, Mmad, table of types).
template <class C, class A, class B>
inline constexpr bool mmad_types =
    std::is_same_v<A, B> && ((std::is_same_v<A, int8_t> && std::is_same_v<C, int32_t>) ||
                             ((std::is_same_v<A, half> || std::is_same_v<A, bfloat16_t> || std::is_same_v<A, float>) &&
                              std::is_same_v<C, float>));

}  // namespace aicore::ascendc

namespace AscendC {

template <class T>
void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData2DParams& params) {
    aicore::ascendc::load_2d(dst.mem(), src.mem(), params, sizeof(T));
}
template <class T>
void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData2DParamsV2& params) {
    static_assert(aicore::ascendc::on_950<T>, "LoadData with LoadData2DParamsV2 exists on the Ascend 950 only");
    aicore::ascendc::load_2d_v2(dst.mem(), src.mem(), params, sizeof(T));
}
template <class T, class Params>
void LoadData(const LocalTensor<T>&, const GlobalTensor<T>&, const Params&) {
    aicore::unsupported("AscendC::LoadData(from global memory)");
}
template <class T>
void LoadData(const LocalTensor<T>&, const LocalTensor<T>&, const LoadData3DParamsV2<T>&) {
    aicore::unsupported("AscendC::LoadData(LoadData3DParamsV2)");
}
template <class T>
void LoadDataWithTranspose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                           const LoadData2dTransposeParams& params) {
    aicore::ascendc::load_transposed(dst.mem(), src.mem(), params, sizeof(T));
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
    static_assert(aicore::ascendc::mmad_types<C, A, B>,
                  "Mmad multiplies half, bfloat16_t or float into float, and int8_t into int32_t");
    aicore::ascendc::issue_mmad(c.mem(), a.mem(), b.mem(), {}, params, aicore::ascendc::dtype_of<A>(),
                                aicore::ascendc::dtype_of<C>());
}
template <class C, class A, class B, class Bias>
void Mmad(const LocalTensor<C>& c, const LocalTensor<A>& a, const LocalTensor<B>& b, const LocalTensor<Bias>& bias,
          const MmadParams& params) {
    static_assert(aicore::ascendc::mmad_types<C, A, B>,
                  "Mmad multiplies half, bfloat16_t or float into float, and int8_t into int32_t");
    static_assert(std::is_same_v<C, Bias>, "the bias of Mmad has the type of the result");
    if (bias.space() != aicore::Space::bt) aicore::unsupported("AscendC::Mmad(bias elsewhere than in the bias table)");
    aicore::ascendc::issue_mmad(c.mem(), a.mem(), b.mem(), bias.mem(), params, aicore::ascendc::dtype_of<A>(),
                                aicore::ascendc::dtype_of<C>());
}

inline void SetHF32Mode(bool enable) {
    if (enable) aicore::unsupported("AscendC::SetHF32Mode");
}
inline void SetHF32Mode(HF32Mode mode) { SetHF32Mode(mode == HF32Mode::ENABLE); }

template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR>
void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src, const FixpipeParamsV220& params) {
    aicore::ascendc::issue_fixpipe(dst.mem(), src.mem(),
                                   aicore::ascendc::fixpipe_call<T, U>(params, config, aicore::Space::gm));
}
template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR>
void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src, const FixpipeParamsV220& params) {
    aicore::ascendc::issue_fixpipe(dst.mem(), src.mem(),
                                   aicore::ascendc::fixpipe_call<T, U>(params, config, dst.space()));
}
#if __NPU_ARCH__ == 3510
template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR>
void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src,
             const FixpipeParamsArch3510<config.format>& params) {
    aicore::ascendc::issue_fixpipe(
        dst.mem(), src.mem(), aicore::ascendc::fixpipe_call<T, U, config.format>(params, config, aicore::Space::gm));
}
template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR>
void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src, const FixpipeParamsArch3510<config.format>& params) {
    aicore::ascendc::issue_fixpipe(dst.mem(), src.mem(),
                                   aicore::ascendc::fixpipe_call<T, U, config.format>(params, config, dst.space()));
}
#endif
template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR, class Params>
void Fixpipe(const GlobalTensor<T>&, const LocalTensor<U>&, const LocalTensor<uint64_t>&, const Params&) {
    aicore::unsupported("AscendC::Fixpipe(with a tensor of quantisation scales)");
}

// Clears what unit flags are left on L0C: the model has none after a Fixpipe that ends them.
template <class T, bool setRelu = false>
void SetFixPipeConfig(const LocalTensor<T>& preData, bool isUnitFlag = false) {
    if (preData.space() != aicore::Space::l0c || !isUnitFlag) {
        aicore::unsupported("AscendC::SetFixPipeConfig(quantisation by a tensor)");
    }
}
template <class T>
void SetFixPipeConfig(const LocalTensor<T>&, const LocalTensor<T>&, bool = false) {
    aicore::unsupported("AscendC::SetFixPipeConfig(quantisation by a tensor)");
}

}  // namespace AscendC
