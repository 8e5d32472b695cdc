// Fixpipe and DataCopy from L0C: to GM, L1 and UB.
// Units and limits: asc-devkit, docs Fixpipe and DataCopy (L0C to GM, L1, UB), SetFixPipeConfig,
// SetFixpipePreQuantFlag, SetFixpipeNz2ndFlag (SIMD-API, basic API).
#pragma once

#include "ascendc/tensor_api/argument_range.h"
#include "ascendc/tensor_api/params.h"
#include "ascendc/tensor_api/tensor.h"

namespace aicore::ascendc {

inline constexpr uint64_t kMostFixpipeColumns = 4095;
// The factors of so many columns lie in FB at a time (impl/basic_api/dav_c220/kernel_operator_fixpipe_impl.h): all of
// them, or halves in turn.
inline constexpr uint32_t kMostFactors = 256, kHalfOfFactors = 128;
// Rows of 16 numbers in L0C that srcNdStride counts in: one on the 950, whichever structure brings it
// (SetFixpipeNz2ndFlag; impl/basic_api/dav_3510/kernel_operator_fixpipe_impl.h; example batch_matmul).
inline constexpr uint32_t kNdStrideUnit = kChip == Chip::dav2201 ? 16 : 1;

// The parameters that all forms share, in elements.
struct FixpipeCall {
    AscendC::CO2Layout layout;
    bool to_ub;
    QuantMode_t quant;
    ops::Fixpipe fix;
};

enum class QuantKind : uint8_t { none, cast, scalar, tensor };
inline QuantKind kind_of(QuantMode_t mode) {
    switch (mode) {
        case QuantMode_t::NoQuant:
            return QuantKind::none;
        case QuantMode_t::F322F16:
        case QuantMode_t::F322BF16:
            return QuantKind::cast;
        case QuantMode_t::DEQF16:
        case QuantMode_t::QF322B8_PRE:
        case QuantMode_t::REQ8:
        case QuantMode_t::QS322BF16_PRE:
        case QuantMode_t::QF322F16_PRE:
        case QuantMode_t::QF322BF16_PRE:
        case QuantMode_t::QF322FP8_PRE:
        case QuantMode_t::QF322HIF8_PRE:
            return QuantKind::scalar;
        case QuantMode_t::VDEQF16:
        case QuantMode_t::VQF322B8_PRE:
        case QuantMode_t::VREQ8:
        case QuantMode_t::VQS322BF16_PRE:
        case QuantMode_t::VQF322F16_PRE:
        case QuantMode_t::VQF322BF16_PRE:
        case QuantMode_t::VQF322FP8_PRE:
        case QuantMode_t::VQF322HIF8_PRE:
            return QuantKind::tensor;
        default:
            unsupported("AscendC::Fixpipe(quantPre with hybrid rounding or from float to float)");
    }
}

// What quantPre makes of what.
inline bool fits(QuantMode_t mode, ops::DType from, ops::DType to) {
    using ops::DType;
    const bool b8 = to == DType::i8 || to == DType::u8;
    switch (mode) {
        case QuantMode_t::NoQuant:
            return from == to;
        case QuantMode_t::F322F16:
        case QuantMode_t::QF322F16_PRE:
        case QuantMode_t::VQF322F16_PRE:
            return from == DType::f32 && to == DType::f16;
        case QuantMode_t::F322BF16:
        case QuantMode_t::QF322BF16_PRE:
        case QuantMode_t::VQF322BF16_PRE:
            return from == DType::f32 && to == DType::bf16;
        case QuantMode_t::DEQF16:
        case QuantMode_t::VDEQF16:
            return from == DType::i32 && to == DType::f16;
        case QuantMode_t::QF322B8_PRE:
        case QuantMode_t::VQF322B8_PRE:
            return from == DType::f32 && b8;
        case QuantMode_t::QF322FP8_PRE:
        case QuantMode_t::VQF322FP8_PRE:
            return from == DType::f32 && to == DType::e4m3;
        case QuantMode_t::QF322HIF8_PRE:
        case QuantMode_t::VQF322HIF8_PRE:
            return from == DType::f32 && to == DType::hif8;
        case QuantMode_t::REQ8:
        case QuantMode_t::VREQ8:
            return from == DType::i32 && b8;
        case QuantMode_t::QS322BF16_PRE:
        case QuantMode_t::VQS322BF16_PRE:
            return from == DType::i32 && to == DType::bf16;
        default:
            return false;
    }
}

inline ops::Quant quant_of(QuantMode_t mode) {
    if (mode == QuantMode_t::F322F16) return ops::Quant::f32_to_f16;
    if (mode == QuantMode_t::F322BF16) return ops::Quant::f32_to_bf16;
    return kind_of(mode) == QuantKind::none ? ops::Quant::none : ops::Quant::scaled;
}

inline ops::OutFormat format_of(AscendC::CO2Layout layout, Space destination) {
    // L0C -> L1 is always NZ on dav-2201 (docs, Fixpipe L0C to L1).
    if (destination == Space::l1 && kChip == Chip::dav2201) return ops::OutFormat::nz;
    return layout == AscendC::CO2Layout::NZ          ? ops::OutFormat::nz
           : layout == AscendC::CO2Layout::ROW_MAJOR ? ops::OutFormat::nd
                                                     : ops::OutFormat::dn;
}

// The mode that fits types, where one does without factors.
inline const char* mode_for(ops::DType from, ops::DType to) {
    using ops::DType;
    const bool b8 = to == DType::i8 || to == DType::u8;
    if (from == to) return "NoQuant";
    if (from == DType::f32) {
        if (to == DType::e4m3) return "QF322FP8_PRE";
        if (to == DType::hif8) return "QF322HIF8_PRE";
        return to == DType::f16 ? "F322F16" : to == DType::bf16 ? "F322BF16" : b8 ? "QF322B8_PRE" : "";
    }
    if (from == DType::i32) return to == DType::f16 ? "DEQF16" : to == DType::bf16 ? "QS322BF16_PRE" : b8 ? "REQ8" : "";
    return "";
}

// Whether quantPre makes the destination's type of the source's. What it does instead, the documents do not say:
// a cast that needs no factors is done as it was meant, the rest is left out.
inline bool check_mode(FixpipeCall& call) {
    const auto from = call.fix.src, to = call.fix.dst;
    if (fits(call.quant, from, to)) return true;
    kind_of(call.quant);  // ends here where the model has no such mode
    const char* mode = mode_for(from, to);
    if (*mode == 0) unsupported("AscendC::Fixpipe(quantPre that does not convert the type of src to the type of dst)");
    const Message help("set quantPre to QuantMode_t::%s", mode);
    finding("argument-range", "Fixpipe: quantPre does not convert the type of src to the type of dst", help.text);
    const bool cast = from == ops::DType::f32 && (to == ops::DType::f16 || to == ops::DType::bf16);
    if (cast) call.quant = to == ops::DType::f16 ? QuantMode_t::F322F16 : QuantMode_t::F322BF16;
    if (from == to) call.quant = QuantMode_t::NoQuant;
    return cast || from == to;
}

// Lines of the destination lie apart (docs, Fixpipe, dstStride: not 0; the destination must not overlap).
inline void check_pitch(const FixpipeCall& call) {
    const auto& f = call.fix;
    const bool rows = f.format == ops::OutFormat::nd, blocks = f.format == ops::OutFormat::nz;
    const uint64_t lines = rows ? f.m : blocks ? (f.n + 15) / 16 : f.n;
    const uint64_t least = rows ? f.n : blocks ? 1 : f.m;
    if (lines < 2 || f.dual != 0 || f.dst_stride >= least) return;
    const Message message("Fixpipe: dstStride is %llu, so that lines of %llu elements lie on one another",
                          static_cast<unsigned long long>(f.dst_stride),
                          static_cast<unsigned long long>(rows ? f.n : f.m));
    finding("argument-range", message.text, "make dstStride the distance from one line of the destination to the next");
}

// What is stored is a number of the destination's type; a sum of another one is none of it (docs, SetAtomicAdd).
inline void check_atomic(const ops::Fixpipe& fix) {
    if (fix.atomic == ops::Atomic::none || state().atomic_type == fix.dst) return;
    finding("argument-range", "Fixpipe: the type of SetAtomicAdd, Max or Min is not that of the destination",
            "name the type of the destination there");
}

inline void issue_fixpipe(const char* name, ops::Mem dst, ops::Mem src, FixpipeCall call) {
    if (src.space != Space::l0c) unsupported("AscendC::Fixpipe(from elsewhere than L0C)");
    if (dst.space == Space::ub && (kChip != Chip::dav3510 || !call.to_ub)) {
        unsupported("AscendC::Fixpipe(to UB without a FixpipeConfig{layout, true} on the Ascend 950)");
    }
    if (!on_aic() || call.fix.n == 0 || call.fix.m == 0 || call.fix.matrices == 0) return;
    check_range("Fixpipe", "nSize", call.fix.n, 0, kMostFixpipeColumns);
    if (!check_mode(call)) return;
    call.fix.format = format_of(call.layout, dst.space);
    check_pitch(call);
    call.fix.quant = quant_of(call.quant);
    if (dst.space == Space::gm) call.fix.atomic = state().atomic;
    check_atomic(call.fix);
    ops::fixpipe(name, dst, src, call.fix);
}

// With a tensor of factors in L1: they are brought to FB first, for half as many columns at a time where there are
// many.
inline void issue_fixpipe_with(ops::Mem dst, ops::Mem src, ops::Mem factors, FixpipeCall call) {
    if (factors.space != Space::l1) unsupported("AscendC::Fixpipe(a tensor of factors that is not in L1)");
    if (kind_of(call.quant) != QuantKind::tensor) return issue_fixpipe("Fixpipe", dst, src, call);
    if (!on_aic()) return;
    const uint32_t n = call.fix.n, step = n <= kMostFactors ? n : kHalfOfFactors;
    const auto format = format_of(call.layout, dst.space);
    if (n > step && (format != ops::OutFormat::nd || call.fix.matrices > 1 || call.fix.dual != 0)) {
        unsupported("AscendC::Fixpipe(a tensor of more than 256 factors, other than to one matrix in rows)");
    }
    const auto size = static_cast<uint64_t>(ops::size_of(call.fix.dst));
    for (uint32_t first = 0, turn = 0; first < n; first += step, turn ^= 1) {
        FixpipeCall part = call;
        part.fix.n = first + step < n ? step : n - first;
        ops::Mem fb{Space::fb, uint64_t{turn} * kHalfOfFactors * 8, 0, 0, Unit::self}, from = factors;
        from.addr += uint64_t{first} * 8;
        ops::Burst burst;
        burst.row_bytes = (uint64_t{part.fix.n} * 8 + 127) / 128 * 128;
        pipe_barrier(Pipe::fix);
        ops::burst("Fixpipe", Pipe::fix, fb, from, burst);
        pipe_barrier(Pipe::fix);
        part.fix.factors = fb;
        ops::Mem to = dst, of = src;
        to.addr += first * size;
        of.addr += uint64_t{first} / 16 * call.fix.src_stride * 64;
        issue_fixpipe("Fixpipe", to, of, part);
    }
}

template <class T, class U>
FixpipeCall fixpipe_call(const AscendC::FixpipeParamsV220& p, AscendC::FixpipeConfig config, Space destination) {
    FixpipeCall call{config.format, config.isToUB, p.quantPre, {}};
    const bool nz = format_of(config.format, destination) == ops::OutFormat::nz;
    call.fix.n = p.nSize, call.fix.m = p.mSize;
    call.fix.src_stride = p.srcStride;
    call.fix.dst_stride = nz ? uint64_t{p.dstStride} * 32 / sizeof(T) : p.dstStride;
    call.fix.src = cube_dtype<U>(), call.fix.dst = cube_dtype<T>();
    call.fix.relu = p.reluEn;
    call.fix.unit_flag = p.unitFlag;
    call.fix.channel_split = p.isChannelSplit;
    call.fix.factor = p.deqScalar;
    if (nz) return call;
    call.fix.matrices = p.ndNum;
    call.fix.src_matrix = p.srcNdStride * kNdStrideUnit;
    call.fix.dst_matrix = p.dstNdStride;
    return call;
}

template <class T, class U, AscendC::CO2Layout format>
FixpipeCall fixpipe_call(const AscendC::FixpipeParamsArch3510<format>& p, AscendC::FixpipeConfig config, Space) {
    if (p.preClipReluMode != AscendC::ClipReluMode::NOCLIP_RELU) unsupported("AscendC::Fixpipe(preClipReluMode)");
    FixpipeCall call{config.format, config.isToUB, p.quantPre, {}};
    call.fix.n = p.nSize, call.fix.m = p.mSize;
    call.fix.src_stride = p.srcStride;
    call.fix.dst_stride = p.dstStride;
    call.fix.src = cube_dtype<U>(), call.fix.dst = cube_dtype<T>();
    call.fix.relu = p.reluEn || p.preReluMode == AscendC::ReluMode::NORMAL_RELU;
    call.fix.unit_flag = p.unitFlag;
    call.fix.dual = p.dualDstCtl;
    call.fix.sub_block = p.subBlockId;
    call.fix.channel_split = p.isChannelSplit;
    call.fix.factor = p.deqScalar;
    if constexpr (format == AscendC::CO2Layout::ROW_MAJOR) {
        call.fix.matrices = p.params.ndNum;
        call.fix.src_matrix = p.params.srcNdStride;
        call.fix.dst_matrix = p.params.dstNdStride;
    } else if constexpr (format == AscendC::CO2Layout::COLUMN_MAJOR) {
        if (p.params.srcNzC0Stride != 1) unsupported("AscendC::Fixpipe(srcNzC0Stride other than 1)");
        call.fix.matrices = p.params.dnNum;
        call.fix.src_matrix = p.params.srcNzMatrixStride;
        call.fix.dst_matrix = p.params.dstDnMatrixStride;
    }
    return call;
}

// DataCopy from L0C: its factors and tiles stand in registers.
template <class T, class U>
FixpipeCall fixpipe_call(const AscendC::DataCopyCO12DstParams& p, Space destination) {
    const auto layout = p.nz2ndEn ? AscendC::CO2Layout::ROW_MAJOR : AscendC::CO2Layout::NZ;
    FixpipeCall call{layout, destination == Space::ub, p.quantPre, {}};
    if (p.clipReluPre != 0 || p.eltWiseOp != 0)
        unsupported("AscendC::DataCopy(from L0C with clipReluPre or eltWiseOp)");
    const bool nz = format_of(layout, destination) == ops::OutFormat::nz;
    call.fix.n = p.nSize, call.fix.m = p.mSize;
    call.fix.src_stride = p.srcStride;
    call.fix.dst_stride = nz ? uint64_t{p.dstStride} * 32 / sizeof(T) : p.dstStride;
    call.fix.src = cube_dtype<U>(), call.fix.dst = cube_dtype<T>();
    call.fix.relu = p.reluPre == 1;
    call.fix.unit_flag = p.unitFlag;
    call.fix.channel_split = p.channelSplit;
    call.fix.factor = state().quant_scalar;
    if (kind_of(p.quantPre) == QuantKind::tensor) {
        if (!state().quant_tensor_set) unsupported("AscendC::DataCopy(from L0C before SetFixPipeConfig)");
        call.fix.factors = {Space::fb, state().quant_tensor, 0, 0, Unit::self};
    }
    if (nz) return call;
    const NdTiles& tiles = state().nd_tiles;
    if (tiles.count == 0 && is_aic()) unsupported("AscendC::DataCopy(from L0C to rows before SetFixpipeNz2ndFlag)");
    call.fix.matrices = tiles.count;
    call.fix.src_matrix = tiles.src_stride * kNdStrideUnit;
    call.fix.dst_matrix = tiles.dst_stride;
    return call;
}

}  // namespace aicore::ascendc

namespace AscendC {

template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR>
void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src, const FixpipeParamsV220& params) {
    using namespace aicore::ascendc;
    issue_fixpipe("Fixpipe", dst.mem(), src.mem(), fixpipe_call<T, U>(params, config, aicore::Space::gm));
}
template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR>
void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src, const FixpipeParamsV220& params) {
    using namespace aicore::ascendc;
    issue_fixpipe("Fixpipe", dst.mem(), src.mem(), fixpipe_call<T, U>(params, config, dst.space()));
}
template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR>
void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src, const LocalTensor<uint64_t>& factors,
             const FixpipeParamsV220& params) {
    using namespace aicore::ascendc;
    issue_fixpipe_with(dst.mem(), src.mem(), factors.mem(), fixpipe_call<T, U>(params, config, aicore::Space::gm));
}
template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR>
void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src, const LocalTensor<uint64_t>& factors,
             const FixpipeParamsV220& params) {
    using namespace aicore::ascendc;
    issue_fixpipe_with(dst.mem(), src.mem(), factors.mem(), fixpipe_call<T, U>(params, config, dst.space()));
}
#if __NPU_ARCH__ == 3510
template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR>
void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src,
             const FixpipeParamsArch3510<config.format>& params) {
    using namespace aicore::ascendc;
    issue_fixpipe("Fixpipe", dst.mem(), src.mem(),
                  fixpipe_call<T, U, config.format>(params, config, aicore::Space::gm));
}
template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR>
void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src, const FixpipeParamsArch3510<config.format>& params) {
    using namespace aicore::ascendc;
    issue_fixpipe("Fixpipe", dst.mem(), src.mem(), fixpipe_call<T, U, config.format>(params, config, dst.space()));
}
template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR>
void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src, const LocalTensor<uint64_t>& factors,
             const FixpipeParamsArch3510<config.format>& params) {
    using namespace aicore::ascendc;
    issue_fixpipe_with(dst.mem(), src.mem(), factors.mem(),
                       fixpipe_call<T, U, config.format>(params, config, aicore::Space::gm));
}
template <class T, class U, const FixpipeConfig& config = CFG_ROW_MAJOR>
void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src, const LocalTensor<uint64_t>& factors,
             const FixpipeParamsArch3510<config.format>& params) {
    using namespace aicore::ascendc;
    issue_fixpipe_with(dst.mem(), src.mem(), factors.mem(),
                       fixpipe_call<T, U, config.format>(params, config, dst.space()));
}
#endif

template <class T, class U>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<U>& src, const DataCopyCO12DstParams& params) {
    using namespace aicore::ascendc;
    issue_fixpipe("DataCopy", dst.mem(), src.mem(), fixpipe_call<T, U>(params, aicore::Space::gm));
}
template <class T, class U>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const DataCopyCO12DstParams& params) {
    using namespace aicore::ascendc;
    issue_fixpipe("DataCopy", dst.mem(), src.mem(), fixpipe_call<T, U>(params, dst.space()));
}
inline void SetFixpipePreQuantFlag(uint64_t config) { aicore::ascendc::state().quant_scalar = config; }
inline void SetFixpipeNz2ndFlag(uint16_t ndNum, uint16_t srcNdStride, uint32_t dstNdStride) {
    aicore::ascendc::state().nd_tiles = {ndNum, srcNdStride, dstNdStride};
}

// The factors of later copies from L0C; or, given a tensor in L0C, clears what unit flags are left there: the model has
// none after a Fixpipe that ends them.
template <class T, bool setRelu = false>
void SetFixPipeConfig(const LocalTensor<T>& preData, bool isUnitFlag = false) {
    if (preData.space() == aicore::Space::l0c && isUnitFlag) return;
    if (setRelu || preData.space() != aicore::Space::fb) {
        aicore::unsupported("AscendC::SetFixPipeConfig(of a tensor that is not in the Fixpipe buffer)");
    }
    aicore::ascendc::state().quant_tensor_set = true;
    aicore::ascendc::state().quant_tensor = preData.GetPhyAddr();
}
template <class T>
void SetFixPipeConfig(const LocalTensor<T>&, const LocalTensor<T>& quantPre, bool isUnitFlag = false) {
    SetFixPipeConfig<T, false>(quantPre, isUnitFlag);
}

}  // namespace AscendC
