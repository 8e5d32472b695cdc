// Parameter structures of the tensor API. Names, defaults, field and constructor orders are the API's (asc-devkit,
// include/basic_api/kernel_struct_*.h); the orders of fields and of constructor arguments differ in several of them.
#pragma once

#include "ascendc/tensor_api/enums.h"
#include "ascendc/tensor_api/scalar.h"

namespace AscendC {

// ---- copies ---------------------------------------------------------------------------------------------------------

// `blockCount` runs of `blockLen`, gaps from the end of one run to the start of the next. DataCopy: lengths and gaps in
// 32-byte blocks. DataCopyPad: blockLen and the gap in global memory in bytes, the other gap in blocks.
struct DataCopyParams {
    DataCopyParams() = default;
    constexpr DataCopyParams(uint16_t count, uint16_t len, uint16_t src_gap, uint16_t dst_gap)
        : blockCount(count), blockLen(len), srcGap(src_gap), dstGap(dst_gap) {}

    uint16_t blockCount = 1;
    uint16_t blockLen = 0;
    union {
        uint16_t srcGap = 0;
        uint16_t srcStride;  // the older name
    };
    union {
        uint16_t dstGap = 0;
        uint16_t dstStride;
    };
};

#if __NPU_ARCH__ == 3510
using DataCopyStride = int64_t;  // negative down to -blockLen: the same run again
#else
using DataCopyStride = uint32_t;
#endif

struct DataCopyExtParams {
    DataCopyExtParams() = default;
    constexpr DataCopyExtParams(uint16_t count, uint32_t len, DataCopyStride src, DataCopyStride dst, uint32_t reserved)
        : blockCount(count), blockLen(len), srcStride(src), dstStride(dst), rsv(reserved) {}

    uint16_t blockCount = 1;
    uint32_t blockLen = 0;
    DataCopyStride srcStride = 0;
    DataCopyStride dstStride = 0;
    uint32_t rsv = 0;
};

// Paddings in elements, at most 32 bytes on each side.
template <class T>
struct DataCopyPadExtParams {
    DataCopyPadExtParams() = default;
    constexpr DataCopyPadExtParams(bool pad, uint8_t left, uint8_t right, T value)
        : isPad(pad), leftPadding(left), rightPadding(right), paddingValue(value) {}

    bool isPad = false;
    uint8_t leftPadding = 0;
    uint8_t rightPadding = 0;
    T paddingValue = T(0);
};

struct DataCopyPadParams {
    DataCopyPadParams() = default;
    constexpr DataCopyPadParams(bool pad, uint8_t left, uint8_t right, uint64_t value)
        : isPad(pad), leftPadding(left), rightPadding(right), paddingValue(value) {}

    bool isPad = false;
    uint8_t leftPadding = 0;
    uint8_t rightPadding = 0;
    uint64_t paddingValue = 0;
};

#if __NPU_ARCH__ == 3510
enum class DataCopyMVType : uint8_t { UB_TO_OUT = 0, OUT_TO_UB = 1 };
// A copy is repeated `loop1Size` times inside of `loop2Size` times; strides in bytes.
struct LoopModeParams {
    uint32_t loop1Size = 0, loop2Size = 0;
    uint64_t loop1SrcStride = 0, loop1DstStride = 0, loop2SrcStride = 0, loop2DstStride = 0;
};
#endif

enum class PaddingMode : uint8_t { Normal = 0, Compact };

#if __NPU_ARCH__ == 3510
using MatrixWidth = uint32_t;
using MatrixStride = uint64_t;
using NzMatrixStride = uint32_t;
#else
using MatrixWidth = uint16_t;
using MatrixStride = uint16_t;
using NzMatrixStride = uint16_t;
#endif

// Source strides and dstNzMatrixStride in elements, dstNzC0Stride and dstNzNStride in 32-byte blocks.
struct Nd2NzParams {
    Nd2NzParams() = default;
    constexpr Nd2NzParams(uint16_t nd_num, uint16_t n, MatrixWidth d, MatrixStride src_matrix, MatrixStride src_d,
                          uint16_t c0_stride, uint16_t n_stride, NzMatrixStride dst_matrix)
        : ndNum(nd_num),
          nValue(n),
          dValue(d),
          srcNdMatrixStride(src_matrix),
          srcDValue(src_d),
          dstNzC0Stride(c0_stride),
          dstNzNStride(n_stride),
          dstNzMatrixStride(dst_matrix) {}

    uint16_t ndNum = 0;
    uint16_t nValue = 0;
    MatrixWidth dValue = 0;
    MatrixStride srcNdMatrixStride = 0;
    MatrixStride srcDValue = 0;
    uint16_t dstNzC0Stride = 0;
    uint16_t dstNzNStride = 0;
    NzMatrixStride dstNzMatrixStride = 0;
};

// As Nd2NzParams; the source holds dValue rows of nValue elements, srcDValue elements apart.
struct Dn2NzParams {
    Dn2NzParams() = default;
    constexpr Dn2NzParams(uint16_t dn_num, uint16_t n, uint32_t d, uint64_t src_matrix, uint64_t src_d,
                          uint16_t c0_stride, uint16_t n_stride, uint32_t dst_matrix)
        : dnNum(dn_num),
          nValue(n),
          dValue(d),
          srcDnMatrixStride(src_matrix),
          srcDValue(src_d),
          dstNzC0Stride(c0_stride),
          dstNzNStride(n_stride),
          dstNzMatrixStride(dst_matrix) {}

    uint16_t dnNum = 0;
    uint16_t nValue = 0;
    uint32_t dValue = 0;
    uint64_t srcDnMatrixStride = 0;
    uint64_t srcDValue = 0;
    uint16_t dstNzC0Stride = 0;
    uint16_t dstNzNStride = 0;
    uint32_t dstNzMatrixStride = 0;
};

struct Nz2NdParamsFull {
    Nz2NdParamsFull() = default;
    constexpr Nz2NdParamsFull(uint16_t nd_num, uint16_t n, uint16_t d, uint16_t src_matrix, uint16_t src_n,
                              uint16_t dst_d, uint16_t dst_matrix)
        : ndNum(nd_num),
          nValue(n),
          dValue(d),
          srcNdMatrixStride(src_matrix),
          srcNStride(src_n),
          dstDStride(dst_d),
          dstNdMatrixStride(dst_matrix) {}

    uint16_t ndNum = 1, nValue = 0, dValue = 0, srcNdMatrixStride = 1, srcNStride = 0, dstDStride = 0;
    uint16_t dstNdMatrixStride = 1;
};

inline constexpr int32_t K_MAX_DIM = 8;

struct SliceInfo {
    uint32_t startIndex = 0, endIndex = 31, stride = 0, burstLen = 32, shapeValue = 0;
};

// Strides in 32-byte blocks.
struct CopyRepeatParams {
    CopyRepeatParams() = default;
    constexpr CopyRepeatParams(uint16_t dst, uint16_t src, uint16_t dst_repeat, uint16_t src_repeat)
        : dstStride(dst), srcStride(src), dstRepeatSize(dst_repeat), srcRepeatSize(src_repeat) {}

    uint16_t dstStride = 1;
    uint16_t srcStride = 1;
    uint16_t dstRepeatSize = 8;
    uint16_t srcRepeatSize = 8;
};

// ---- matrices -------------------------------------------------------------------------------------------------------

// In 512-byte fractals: start index, stride start to start in the source, gap end to start in the destination.
struct LoadData2DParams {
    LoadData2DParams() = default;
    constexpr LoadData2DParams(uint16_t start, uint8_t repeat, uint16_t src_stride, uint8_t stream_id, uint16_t dst_gap,
                               bool transpose, uint8_t address_mode)
        : startIndex(start),
          dstGap(dst_gap),
          srcStride(src_stride),
          ifTranspose(transpose),
          repeatTimes(repeat),
          sid(stream_id),
          addrMode(address_mode) {}

    uint16_t startIndex = 0;
    uint16_t dstGap = 0;
    uint16_t srcStride = 0;
    bool ifTranspose = false;
    uint8_t repeatTimes = 0;
    uint8_t sid = 0;
    uint8_t addrMode = 0;
};
using LoadData2dParams = LoadData2DParams;

// mStart and mStep in 16 rows, kStart and kStep in 32 bytes, strides between columns of fractals in fractals.
struct LoadData2DParamsV2 {
    LoadData2DParamsV2() = default;
    constexpr LoadData2DParamsV2(uint32_t m_start, uint32_t k_start, uint16_t m_step, uint16_t k_step,
                                 int32_t src_stride, uint16_t dst_stride, bool transpose, uint8_t stream_id)
        : mStartPosition(m_start),
          kStartPosition(k_start),
          mStep(m_step),
          kStep(k_step),
          srcStride(src_stride),
          dstStride(dst_stride),
          ifTranspose(transpose),
          sid(stream_id) {}

    uint32_t mStartPosition = 0;
    uint32_t kStartPosition = 0;
    uint16_t mStep = 0;
    uint16_t kStep = 0;
    int32_t srcStride = 0;
    uint16_t dstStride = 0;
    bool ifTranspose = false;
    uint8_t sid = 0;
};

// Factors of MX operands: x counts 16 rows of the matrix, y 64 elements of K; strides in 32 bytes, from row to row.
struct LoadData2DMxParams {
    LoadData2DMxParams() = default;
    constexpr LoadData2DMxParams(uint16_t x_start, uint16_t y_start, uint8_t x_step, uint8_t y_step,
                                 uint16_t src_stride, uint16_t dst_stride)
        : xStartPosition(x_start),
          yStartPosition(y_start),
          xStep(x_step),
          yStep(y_step),
          srcStride(src_stride),
          dstStride(dst_stride) {}

    uint16_t xStartPosition = 0, yStartPosition = 0;
    uint8_t xStep = 0, yStep = 0;
    uint16_t srcStride = 0, dstStride = 0;
};

// startIndex and srcStride in squares (one fractal of 2-byte, two of 1- and 4-byte elements, four of int4), gaps in
// fractals.
struct LoadData2dTransposeParams {
    LoadData2dTransposeParams() = default;
    constexpr LoadData2dTransposeParams(uint16_t start, uint8_t repeat, uint16_t src_stride, uint16_t dst_gap,
                                        uint16_t dst_fractal_gap, uint8_t address_mode = 0)
        : startIndex(start),
          repeatTimes(repeat),
          srcStride(src_stride),
          dstGap(dst_gap),
          dstFracGap(dst_fractal_gap),
          addrMode(address_mode) {}

    uint16_t startIndex = 0;
    uint8_t repeatTimes = 0;
    uint16_t srcStride = 0;
    uint16_t dstGap = 0;
    uint16_t dstFracGap = 0;
    uint8_t addrMode = 0;
};

// As above with all strides in fractals, and a gap inside the square on the source side too.
struct LoadData2dTransposeParamsV2 {
    LoadData2dTransposeParamsV2() = default;
    constexpr LoadData2dTransposeParamsV2(uint16_t start, uint8_t repeat, uint16_t src_stride, uint16_t dst_gap,
                                          uint16_t dst_fractal_gap, uint16_t src_fractal_gap, uint8_t address_mode = 0)
        : startIndex(start),
          repeatTimes(repeat),
          srcStride(src_stride),
          dstGap(dst_gap),
          dstFracGap(dst_fractal_gap),
          srcFracGap(src_fractal_gap),
          addrMode(address_mode) {}

    uint16_t startIndex = 0;
    uint8_t repeatTimes = 0;
    uint16_t srcStride = 0;
    uint16_t dstGap = 0;
    uint16_t dstFracGap = 0;
    uint16_t srcFracGap = 0;
    uint8_t addrMode = 0;
};

// padList: left, right, top, bottom. m counts positions of the window, k elements of the unfolded row.
template <class T>
struct LoadData3DParamsV2 {
    LoadData3DParamsV2() = default;
    constexpr LoadData3DParamsV2(const uint8_t pads[4], uint16_t h, uint16_t w, uint16_t channels, uint16_t k,
                                 uint16_t m, uint16_t k_start, uint16_t m_start, uint8_t stride_w, uint8_t stride_h,
                                 uint8_t filter_w, uint8_t filter_h, uint8_t dilation_w, uint8_t dilation_h,
                                 bool transpose, bool small_k, T pad, bool wide = false, bool high = false,
                                 bool right = false)
        : l1H(h),
          l1W(w),
          channelSize(channels),
          kExtension(k),
          mExtension(m),
          kStartPt(k_start),
          mStartPt(m_start),
          strideW(stride_w),
          strideH(stride_h),
          filterW(filter_w),
          filterH(filter_h),
          dilationFilterW(dilation_w),
          dilationFilterH(dilation_h),
          enTranspose(transpose),
          enSmallK(small_k),
          padValue(pad),
          filterSizeW(wide),
          filterSizeH(high),
          fMatrixCtrl(right) {
        for (int i = 0; i < 4; ++i) padList[i] = pads[i];
    }

    uint8_t padList[4] = {};
    uint16_t l1H = 0, l1W = 0, channelSize = 0, kExtension = 0, mExtension = 0, kStartPt = 0, mStartPt = 0;
    uint8_t strideW = 1, strideH = 1, filterW = 1, filterH = 1, dilationFilterW = 1, dilationFilterH = 1;
    bool enTranspose = false, enSmallK = false;
    T padValue{};
    bool filterSizeW = false, filterSizeH = false, fMatrixCtrl = false;
};

// The same, several fields in a word; the map and its padding come from SetFmatrix.
struct LoadData3DParamsV2Pro {
    LoadData3DParamsV2Pro() = default;
    constexpr LoadData3DParamsV2Pro(uint16_t channels, bool transpose, bool small_k, bool wide, bool high, bool right,
                                    uint64_t extension, uint64_t filter)
        : channelSize(channels),
          enTranspose(transpose),
          enSmallK(small_k),
          filterSizeW(wide),
          filterSizeH(high),
          fMatrixCtrl(right),
          extConfig(extension),
          filterConfig(filter) {}

    uint16_t channelSize = 0;
    bool enTranspose = false, enSmallK = false, filterSizeW = false, filterSizeH = false, fMatrixCtrl = false;
    uint64_t extConfig = 0;                 // kExtension, mExtension, kStartPt, mStartPt, 16 bits each from the lowest
    uint64_t filterConfig = 0x10101010101;  // strideW, strideH, filterW, filterH, dilations, 8 bits each
};

struct IsResetLoad3dConfig {
    bool isSetFMatrix = true;
    bool isSetPadding = true;
};
inline constexpr IsResetLoad3dConfig IS_RESER_LOAD3D_DEFAULT_CONFIG = {true, true};
inline constexpr int PAD_SIZE = 4;

// repeatStride: 16 rows (repeatMode 0), C0 elements (1). dstStride (dav-3510): fractals between columns of fractals.
struct LoadDataRepeatParam {
    LoadDataRepeatParam() = default;
    constexpr LoadDataRepeatParam(uint16_t stride, uint8_t times, uint8_t mode, uint16_t dst_stride = 0)
        : repeatStride(stride), repeatTime(times), repeatMode(mode), dstStride(dst_stride) {}

    uint16_t repeatStride = 0;
    uint8_t repeatTime = 1;
    uint8_t repeatMode = 0;
    uint16_t dstStride = 0;
};
using LoadDataRepeatParamWithStride = LoadDataRepeatParam;

struct MmadParams {
    MmadParams() = default;
    constexpr MmadParams(uint16_t rows, uint16_t columns, uint16_t depth, bool is_bias, int32_t fm_offset, bool sparse,
                         bool winograd_a, bool winograd_b)
        : m(rows),
          n(columns),
          k(depth),
          isBias(is_bias),
          fmOffset(fm_offset),
          enSsparse(sparse),
          enWinogradA(winograd_a),
          enWinogradB(winograd_b) {}
    constexpr MmadParams(uint16_t rows, uint16_t columns, uint16_t depth, uint8_t unit_flag, bool c_from_bias,
                         bool c_is_zero)
        : m(rows), n(columns), k(depth), unitFlag(unit_flag), cmatrixSource(c_from_bias), cmatrixInitVal(c_is_zero) {}

    uint16_t m = 0, n = 0, k = 0;  // elements
    bool isBias = false;
    int32_t fmOffset = 0;
    bool enSsparse = false;
    bool enWinogradA = false;
    bool enWinogradB = false;
    uint8_t unitFlag = 0;
    bool kDirectionAlign = false;
    bool cmatrixSource = false;  // the start value of C: false from L0C, true from the bias table
    bool cmatrixInitVal = true;  // true: C starts at 0, whatever cmatrixSource says
    bool disableGemv = false;
};

// Blocks of 32 bytes in L1, of 512 bytes in L0A and L0B.
template <class T>
struct InitConstValueParams {
    InitConstValueParams() = default;
    constexpr InitConstValueParams(uint16_t repeat, uint16_t blocks, uint16_t gap, T value)
        : repeatTimes(repeat), blockNum(blocks), dstGap(gap), initValue(value) {}

    uint16_t repeatTimes = 0;
    uint16_t blockNum = 0;
    uint16_t dstGap = 0;
    T initValue{};
};

// ---- results of the Cube --------------------------------------------------------------------------------------------

enum class CO2Layout : uint8_t { NZ = 0, ROW_MAJOR, COLUMN_MAJOR };

struct FixpipeConfig {
    CO2Layout format;
    bool isToUB;
    constexpr FixpipeConfig(CO2Layout layout, bool to_ub = false) : format(layout), isToUB(to_ub) {}
};
inline constexpr FixpipeConfig CFG_NZ{CO2Layout::NZ};
inline constexpr FixpipeConfig CFG_ROW_MAJOR{CO2Layout::ROW_MAJOR};
inline constexpr FixpipeConfig CFG_COLUMN_MAJOR{CO2Layout::COLUMN_MAJOR};

// srcStride: rows of 16 elements between groups of 16 columns. dstStride: row-major, elements of a row; NZ, 32-byte
// blocks between groups of 16 columns.
struct FixpipeParamsV220 {
    FixpipeParamsV220() = default;
    constexpr FixpipeParamsV220(uint16_t n, uint16_t m, uint16_t src_stride, uint32_t dst_stride, bool relu)
        : nSize(n), mSize(m), srcStride(src_stride), dstStride(dst_stride), reluEn(relu) {}
    constexpr FixpipeParamsV220(uint16_t n, uint16_t m, uint16_t src_stride, uint32_t dst_stride, bool relu,
                                QuantMode_t quant, int64_t scalar, uint16_t nd_num, uint16_t src_nd, uint16_t dst_nd,
                                uint8_t unit_flag, bool channel_split = false)
        : nSize(n),
          mSize(m),
          srcStride(src_stride),
          dstStride(dst_stride),
          quantPre(quant),
          deqScalar(static_cast<uint64_t>(scalar)),
          ndNum(nd_num),
          srcNdStride(src_nd),
          dstNdStride(dst_nd),
          reluEn(relu),
          unitFlag(unit_flag),
          isChannelSplit(channel_split) {}

    uint16_t nSize = 0;
    uint16_t mSize = 0;
    uint16_t srcStride = 0;
    uint32_t dstStride = 0;
    QuantMode_t quantPre = QuantMode_t::NoQuant;
    uint64_t deqScalar = 0;
    uint16_t ndNum = 1;
    uint16_t srcNdStride = 0;
    uint16_t dstNdStride = 0;
    bool reluEn = false;
    uint8_t unitFlag = 0;
    bool isChannelSplit = false;
};

struct Nz2NdParams {
    uint16_t ndNum = 1;
    uint16_t srcNdStride = 0;
    uint16_t dstNdStride = 0;
};
struct Nz2DnParams {
    uint16_t dnNum = 1;
    uint16_t srcNzMatrixStride = 0;
    uint16_t dstDnMatrixStride = 0;
    uint16_t srcNzC0Stride = 1;
};
template <CO2Layout format>
struct TransformParams {
    using PARAMS = uint8_t;
};
template <>
struct TransformParams<CO2Layout::ROW_MAJOR> {
    using PARAMS = Nz2NdParams;
};
template <>
struct TransformParams<CO2Layout::COLUMN_MAJOR> {
    using PARAMS = Nz2DnParams;
};

// DataCopy from L0C: dstStride as in FixpipeParamsV220.
struct DataCopyCO12DstParams {
    DataCopyCO12DstParams() = default;
    constexpr DataCopyCO12DstParams(uint16_t n, uint16_t m, uint32_t dst_stride, uint16_t src_stride, QuantMode_t quant,
                                    uint8_t relu, bool split, bool nz2nd)
        : nSize(n),
          mSize(m),
          dstStride(dst_stride),
          srcStride(src_stride),
          quantPre(quant),
          reluPre(relu),
          channelSplit(split),
          nz2ndEn(nz2nd) {}

    uint8_t sid = 0;
    uint16_t nSize = 0;
    uint16_t mSize = 0;
    uint32_t dstStride = 0;
    uint16_t srcStride = 0;
    uint8_t unitFlag = 0;
    uint8_t clipReluPre = 0;
    uint8_t eltWiseOp = 0;
    QuantMode_t quantPre = QuantMode_t::NoQuant;
    uint8_t reluPre = 0;
    bool channelSplit = false;
    bool nz2ndEn = false;
};

enum class ReluMode : uint8_t { NO_RELU = 0, NORMAL_RELU };
enum class ClipReluMode : uint8_t { NOCLIP_RELU = 0, CLIP_RELU };

// As above; dstStride counts elements in every format.
template <CO2Layout format = CO2Layout::ROW_MAJOR>
struct FixpipeParamsArch3510 {
    FixpipeParamsArch3510() = default;
    constexpr FixpipeParamsArch3510(uint16_t n, uint16_t m, uint16_t src_stride, uint32_t dst_stride)
        : nSize(n), mSize(m), srcStride(src_stride), dstStride(dst_stride) {}

    ReluMode preReluMode = ReluMode::NO_RELU;
    ClipReluMode preClipReluMode = ClipReluMode::NOCLIP_RELU;
    uint64_t reluScalar = 0;
    uint64_t vectorRelu = 0;
    uint16_t nSize = 0;
    uint16_t mSize = 0;
    uint16_t srcStride = 0;
    uint32_t dstStride = 0;
    QuantMode_t quantPre = QuantMode_t::NoQuant;
    uint64_t deqScalar = 0;
    bool reluEn = false;
    uint8_t unitFlag = 0;
    uint8_t dualDstCtl = 0;  // L0C -> UB: 0 one AIV, 1 rows split over both, 2 columns split over both
    bool subBlockId = false;
    typename TransformParams<format>::PARAMS params{};
    bool isChannelSplit = false;
};
template <CO2Layout format = CO2Layout::ROW_MAJOR>
struct FixpipeParamsC310 : FixpipeParamsArch3510<format> {
    using FixpipeParamsArch3510<format>::FixpipeParamsArch3510;
};

// ---- vectors: strides in 32-byte blocks
// ------------------------------------------------------------------------------

struct UnaryRepeatParams {
    UnaryRepeatParams() = default;
    constexpr UnaryRepeatParams(uint16_t dst_block, uint16_t src_block, uint8_t dst_repeat, uint8_t src_repeat)
        : dstBlkStride(dst_block), srcBlkStride(src_block), dstRepStride(dst_repeat), srcRepStride(src_repeat) {}

    uint32_t blockNumber = 8;
    uint16_t dstBlkStride = 1;
    uint16_t srcBlkStride = 1;
    uint8_t dstRepStride = 8;
    uint8_t srcRepStride = 8;
};

struct BinaryRepeatParams {
    BinaryRepeatParams() = default;
    constexpr BinaryRepeatParams(uint8_t dst_block, uint8_t src0_block, uint8_t src1_block, uint8_t dst_repeat,
                                 uint8_t src0_repeat, uint8_t src1_repeat)
        : dstBlkStride(dst_block),
          src0BlkStride(src0_block),
          src1BlkStride(src1_block),
          dstRepStride(dst_repeat),
          src0RepStride(src0_repeat),
          src1RepStride(src1_repeat) {}

    uint32_t blockNumber = 8;
    uint8_t dstBlkStride = 1;
    uint8_t src0BlkStride = 1;
    uint8_t src1BlkStride = 1;
    uint8_t dstRepStride = 8;
    uint8_t src0RepStride = 8;
    uint8_t src1RepStride = 8;
};

struct BrcbRepeatParams {
    BrcbRepeatParams() = default;
    constexpr BrcbRepeatParams(uint16_t dst_block, uint16_t dst_repeat)
        : dstBlkStride(dst_block), dstRepStride(dst_repeat) {}

    uint32_t blockNumber = 8;
    uint16_t dstBlkStride = 1;
    uint16_t dstRepStride = 8;
};

// ---- rearrangements: strides in 32-byte blocks
// -----------------------------------------------------------------------

struct GatherRepeatParams {
    GatherRepeatParams() = default;
    constexpr GatherRepeatParams(uint8_t dst_blk, uint8_t dst_rep) : dstRepStride(dst_rep), dstBlkStride(dst_blk) {}

    uint32_t blockNumber = 8;
    uint16_t dstRepStride = 8;
    uint8_t dstBlkStride = 1;
};
enum class GatherMaskMode : uint8_t { VERSION_V1 = 0, VERSION_V2 = 1 };
inline constexpr GatherMaskMode defaultGatherMaskMode =
    __NPU_ARCH__ == 2201 ? GatherMaskMode::VERSION_V2 : GatherMaskMode::VERSION_V1;
struct GatherMaskParams {
    GatherMaskParams() = default;
    constexpr GatherMaskParams(uint8_t src0_block, uint16_t repeats, uint16_t src0_repeat, uint8_t src1_repeat)
        : src0BlockStride(src0_block),
          repeatTimes(repeats),
          src0RepeatStride(src0_repeat),
          src1RepeatStride(src1_repeat) {}

    uint8_t src0BlockStride = 1;
    uint16_t repeatTimes = 0;
    uint16_t src0RepeatStride = 8;
    uint8_t src1RepeatStride = 8;
};

struct TransDataTo5HDParams {
    TransDataTo5HDParams() = default;
    constexpr TransDataTo5HDParams(bool dst_high, bool src_high, uint8_t repeats, uint16_t dst_repeat,
                                   uint16_t src_repeat)
        : dstHighHalf(dst_high),
          srcHighHalf(src_high),
          repeatTimes(repeats),
          dstRepStride(dst_repeat),
          srcRepStride(src_repeat) {}

    bool dstHighHalf = false, srcHighHalf = false;
    uint8_t repeatTimes = 1;
    uint16_t dstRepStride = 0, srcRepStride = 0;
};
inline constexpr int32_t NCHW_CONV_ADDR_LIST_SIZE = 16;

// Extents of the source in elements.
struct TransposeParamsExt {
    TransposeParamsExt() = default;
    constexpr TransposeParamsExt(uint16_t n, uint16_t c, uint16_t h, uint16_t w, TransposeType type)
        : nSize(n), cSize(c), hSize(h), wSize(w), transposeType(type) {}

    uint16_t nSize = 0, cSize = 0, hSize = 0, wSize = 0;
    TransposeType transposeType = TransposeType::TRANSPOSE_ND2ND_B16;
};

// Lengths of the four lists in pairs of 8 bytes.
struct MrgSort4Info {
    MrgSort4Info() = default;
    constexpr MrgSort4Info(const uint16_t lengths[4], bool suspend, uint16_t valid, uint16_t repeats)
        : ifExhaustedSuspension(suspend), validBit(valid), repeatTimes(static_cast<uint8_t>(repeats)) {
        for (int i = 0; i < 4; ++i) elementLengths[i] = lengths[i];
    }

    uint16_t elementLengths[4] = {};
    bool ifExhaustedSuspension = false;
    uint16_t validBit = 0;
    uint8_t repeatTimes = 1;
};
inline constexpr int32_t MRG_SORT_ELEMENT_LEN = 4;

struct SumParams {
    uint32_t outter = 1, inner = 0, n = 0;  // rows, elements between rows, elements to add
};

}  // namespace AscendC
