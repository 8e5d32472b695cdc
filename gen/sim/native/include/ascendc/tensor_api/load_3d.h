// LoadData with the unfolding of a convolution: L1 -> L0A or L0B out of a feature map, and what it is configured with.
// Units and limits: asc-devkit, docs LoadData_3D, LoadDataWithStride, SetFmatrix, SetLoadDataRepeat,
// SetLoadDataPaddingValue, SetLoadDataBoundary (SIMD-API, basic API). The forms with LoadData3DParamsV1 exist on older
// chips only.
#pragma once

#include "ascendc/tensor_api/argument_range.h"
#include "ascendc/tensor_api/params.h"
#include "ascendc/tensor_api/tensor.h"

namespace aicore::ascendc {

template <class T>
inline constexpr bool is_half_byte = std::is_same_v<T, AscendC::int4b_t>;

// Fields of both parameter structures that do not depend on the element type. An int4 counts as half a byte.
template <class Params>
ops::Im2col window_of(const Params& p, uint32_t per_byte) {
    check_range("LoadData (3D)", "strideW", p.strideW, 0, 63);
    check_range("LoadData (3D)", "strideH", p.strideH, 0, 63);
    if (p.fMatrixCtrl) unsupported("AscendC::LoadData(3D with fMatrixCtrl)");
    ops::Im2col c;
    c.stride_h = p.strideH, c.stride_w = p.strideW;
    c.filter_h = p.filterH + (p.filterSizeH ? 256u : 0u), c.filter_w = p.filterW + (p.filterSizeW ? 256u : 0u);
    c.dilation_h = p.dilationFilterH, c.dilation_w = p.dilationFilterW;
    c.m_start = p.mStartPt, c.m = p.mExtension;
    c.k_start = p.kStartPt / per_byte, c.k = p.kExtension / per_byte;
    c.transpose = p.enTranspose;
    return c;
}

inline void set_map(ops::Im2col& c, const MapDescription& map) {
    check_range("LoadData (3D)", "l1H", map.h, 0, 32767);
    check_range("LoadData (3D)", "l1W", map.w, 0, 32767);
    c.h = map.h, c.w = map.w;
    c.pad_left = map.pads[0], c.pad_right = map.pads[1], c.pad_top = map.pads[2], c.pad_bottom = map.pads[3];
}

// Fractals from the start of one iteration to the next in the destination: rows of blocks, or groups of columns of C0.
inline uint32_t iteration_pitch(const ops::Im2col& c, Space l0, bool along_m) {
    const uint32_t c0 = 32u / c.elem;
    const uint32_t rows = c.transpose ? c.k : c.m, columns = c.transpose ? c.m : c.k;
    const uint32_t blocks = (rows + 15) / 16, groups = (columns + c0 - 1) / c0;
    const bool down = along_m != c.transpose;  // the iterations lie one below the other
    if (kChip == Chip::dav3510) return down ? blocks : groups * c.dst_stride;
    const bool zz = l0 == Space::l0a;
    if (down && zz) return blocks * groups;
    if (!down && !zz) return groups * blocks;
    unsupported("AscendC::LoadData(3D, repeated across the rows of fractals of the destination)");
}

// SetLoadDataRepeat: iterations that are one instruction.
inline void unfold_repeated(const char* name, ops::Mem dst, ops::Mem src, ops::Im2col c) {
    const LoadRepeat& repeat = state().load_repeat;
    if (kChip == Chip::dav3510) {
        if (!repeat.set || repeat.dst_stride == 0) {
            return finding("argument-range", "LoadData (3D): no dstStride is set, which this chip takes always",
                           "call SetLoadDataRepeat with dstStride, the height of the destination in fractals, before");
        }
        c.dst_stride = repeat.dst_stride;
    }
    const uint32_t times = repeat.set ? repeat.times : 1;
    const uint32_t step = repeat.mode == 0 ? repeat.stride * 16u : repeat.stride * (32u / c.elem);
    for (uint32_t i = 0; i < times; ++i) {
        ops::im2col(name, dst, src, c);
        if (i + 1 == times) break;
        (repeat.mode == 0 ? c.m_start : c.k_start) += step;
        dst.addr += uint64_t{iteration_pitch(c, dst.space, repeat.mode == 0)} * 512;
    }
}

inline void check_multiple(const char* argument, uint64_t value, uint64_t unit) {
    if (value % unit == 0) return;
    const Message message("LoadData (3D): %s is %llu, and the instruction takes multiples of %llu elements here",
                          argument, static_cast<unsigned long long>(value), static_cast<unsigned long long>(unit));
    finding("argument-range", message.text, "let it start and end where fractals do");
}

// Window positions along one side of the map.
inline uint64_t positions(uint64_t size, uint64_t filter, uint64_t dilation, uint64_t stride) {
    const uint64_t reach = dilation * (filter - 1) + 1;
    return filter == 0 || stride == 0 || size < reach ? 0 : (size - reach) / stride + 1;
}

// The part of the unfolded matrix starts and ends at fractals (docs, LoadData_3D, table of parameters); it may end
// elsewhere where the matrix does.
inline void check_part(const ops::Im2col& c, uint64_t channels) {
    const uint64_t c0 = 32 / c.elem;
    check_multiple("kStartPt", c.k_start, c0);
    const uint64_t width = channels * c.filter_h * c.filter_w;
    if (uint64_t{c.k_start} + c.k < width) check_multiple("kExtension", c.k, c0);
    const uint64_t height = positions(uint64_t{c.h} + c.pad_top + c.pad_bottom, c.filter_h, c.dilation_h, c.stride_h) *
                            positions(uint64_t{c.w} + c.pad_left + c.pad_right, c.filter_w, c.dilation_w, c.stride_w);
    if (c.elem < 4 && uint64_t{c.m_start} + c.m < height) check_multiple("mExtension", c.m, 16);
}

inline void load_3d(const char* name, ops::Mem dst, ops::Mem src, uint32_t channels, ops::Im2col c) {
    if (src.space != Space::l1 || (dst.space != Space::l0a && dst.space != Space::l0b)) {
        unsupported("AscendC::LoadData(3D, other than L1 to L0A or L0B)");
    }
    if (!on_aic() || channels == 0) return;
    if (channels % 4 != 0) {
        const Message message("%s (3D): channelSize is %u, which is none that the instruction takes", name, channels);
        return finding("argument-range", message.text, "pad the channels to a multiple of 4");
    }
    // The map in L1 has whole groups of C0 channels; how fewer lie there, the documents do not say.
    if (channels % (32u / c.elem) != 0) unsupported("AscendC::LoadData(3D, channelSize not a multiple of 32 bytes)");
    check_part(c, channels);
    if (dst.space == Space::l0b) c.transpose = true;
    unfold_repeated(name, dst, src, c);
}

}  // namespace aicore::ascendc

namespace AscendC {

template <class T, const IsResetLoad3dConfig& config = IS_RESER_LOAD3D_DEFAULT_CONFIG>
void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData3DParamsV2<T>& params) {
    using namespace aicore::ascendc;
    constexpr uint32_t kPerByte = is_half_byte<T> ? 2 : 1;
    auto& s = state();
    if (config.isSetFMatrix) {
        s.map = {params.l1H, params.l1W, {}};
        for (int i = 0; i < 4; ++i) s.map.pads[i] = params.padList[i];
    }
    if (config.isSetPadding) s.map_pad = bits_of(params.padValue);
    auto c = window_of(params, kPerByte);
    c.elem = sizeof(T);
    c.pad = s.map_pad;
    set_map(c, s.map);
    load_3d("LoadData", dst.mem(), src.mem(), params.channelSize / kPerByte, c);
}
template <class T>
void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData3DParamsV2Pro& params) {
    using namespace aicore::ascendc;
    const auto field = [](uint64_t word, int at, uint64_t bits) {
        return static_cast<uint16_t>(word >> at & ((1ull << bits) - 1));
    };
    LoadData3DParamsV2<T> p;
    p.l1H = state().map.h, p.l1W = state().map.w;
    p.channelSize = params.channelSize;
    p.kExtension = field(params.extConfig, 0, 16), p.mExtension = field(params.extConfig, 16, 16);
    p.kStartPt = field(params.extConfig, 32, 16), p.mStartPt = field(params.extConfig, 48, 16);
    p.strideW = static_cast<uint8_t>(field(params.filterConfig, 0, 8));
    p.strideH = static_cast<uint8_t>(field(params.filterConfig, 8, 8));
    p.filterW = static_cast<uint8_t>(field(params.filterConfig, 16, 8));
    p.filterH = static_cast<uint8_t>(field(params.filterConfig, 24, 8));
    p.dilationFilterW = static_cast<uint8_t>(field(params.filterConfig, 32, 8));
    p.dilationFilterH = static_cast<uint8_t>(field(params.filterConfig, 40, 8));
    p.enTranspose = params.enTranspose;
    p.filterSizeW = params.filterSizeW, p.filterSizeH = params.filterSizeH, p.fMatrixCtrl = params.fMatrixCtrl;
    static constexpr IsResetLoad3dConfig kNothing = {false, false};
    LoadData<T, kNothing>(dst, src, p);
}

inline void SetFmatrix(uint16_t l1H, uint16_t l1W, const uint8_t padList[4],
                       const FmatrixMode& mode = FmatrixMode::FMATRIX_LEFT) {
    if (mode != FmatrixMode::FMATRIX_LEFT) aicore::unsupported("AscendC::SetFmatrix(FMATRIX_RIGHT)");
    auto& map = aicore::ascendc::state().map;
    map = {l1H, l1W, {}};
    for (int i = 0; i < 4; ++i) map.pads[i] = padList[i];
}
template <class T>
void SetLoadDataPaddingValue(T value) {
    aicore::ascendc::state().map_pad = aicore::ascendc::bits_of(value);
}
inline void SetLoadDataRepeat(const LoadDataRepeatParam& p) {
    aicore::ascendc::state().load_repeat = {true, p.repeatStride, p.repeatTime, p.repeatMode, p.dstStride};
}
// Where reading starts again from the beginning of L1; 0: nowhere.
inline void SetLoadDataBoundary(uint32_t bytes) {
    if (bytes != 0) aicore::unsupported("AscendC::SetLoadDataBoundary(other than 0)");
}

#if __NPU_ARCH__ == 3510
inline void SetLoadDataRepeatWithStride(const LoadDataRepeatParamWithStride& p) { SetLoadDataRepeat(p); }
template <class T, const IsResetLoad3dConfig& config = IS_RESER_LOAD3D_DEFAULT_CONFIG>
void LoadDataWithStride(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData3DParamsV2<T>& params) {
    LoadData<T, config>(dst, src, params);
}
#endif

}  // namespace AscendC
