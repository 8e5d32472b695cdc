// DataCopy over several dimensions with paddings, GM -> UB, of the Ascend 950.
// asc-devkit, docs, DataCopy (GM to UB, several dimensions); include/basic_api/kernel_struct_data_copy.h.
#pragma once

#include "ascendc/tensor_api/argument_range.h"
#include "ascendc/tensor_api/params.h"
#include "ascendc/tensor_api/tensor.h"

namespace AscendC {

// Paddings of all dimensions, or `unsetPad`: those of NdDmaLoopInfo.
struct NdDmaConfig {
    static constexpr uint16_t unsetPad = 0xffff;
    bool isNearestValueMode = false;
    uint16_t loopLpSize = unsetPad;
    uint16_t loopRpSize = unsetPad;
    bool ascOptimize = false;
};
using MultiCopyConfig = NdDmaConfig;
inline constexpr NdDmaConfig kDefaultNdDmaConfig = {};

// From the innermost dimension outwards; strides, sizes and paddings in elements.
template <uint8_t dim>
struct NdDmaLoopInfo {
    static_assert(dim >= 1 && dim <= 5, "a copy of several dimensions has one to five");
    uint64_t loopSrcStride[dim] = {};
    uint32_t loopDstStride[dim] = {};
    uint32_t loopSize[dim] = {};
    uint8_t loopLpSize[dim] = {};
    uint8_t loopRpSize[dim] = {};
};
template <uint8_t dim>
using MultiCopyLoopInfo = NdDmaLoopInfo<dim>;

template <class T, uint8_t dim>
struct NdDmaParams {
    NdDmaLoopInfo<dim> loopInfo;
    T constantValue;
};
template <class T, uint8_t dim>
using MultiCopyParams = NdDmaParams<T, dim>;

template <class T, uint8_t dim, const NdDmaConfig& config = kDefaultNdDmaConfig>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const NdDmaParams<T, dim>& params) {
    using namespace aicore::ascendc;
    if (dst.space() != aicore::Space::ub)
        aicore::unsupported("AscendC::DataCopy(NdDmaParams to another memory than UB)");
    if (!on_aiv()) return;
    const auto& loops = params.loopInfo;
    aicore::ops::NdDma p;
    p.loops = dim;
    for (int d = 0; d < dim; ++d) {
        check_range("DataCopy of several dimensions", "loopSize", loops.loopSize[d], 1, (1u << 20) - 1);
        check_range("DataCopy of several dimensions", "loopSrcStride", loops.loopSrcStride[d], 0, (1ull << 40) - 1);
        check_range("DataCopy of several dimensions", "loopDstStride", loops.loopDstStride[d], 0, (1u << 20) - 1);
        p.src_stride[d] = loops.loopSrcStride[d];
        p.dst_stride[d] = loops.loopDstStride[d];
        p.size[d] = loops.loopSize[d];
        const bool own_left = config.loopLpSize == NdDmaConfig::unsetPad;
        const bool own_right = config.loopRpSize == NdDmaConfig::unsetPad;
        p.left[d] = own_left ? loops.loopLpSize[d] : static_cast<uint8_t>(config.loopLpSize);
        p.right[d] = own_right ? loops.loopRpSize[d] : static_cast<uint8_t>(config.loopRpSize);
    }
    p.nearest = config.isNearestValueMode;
    p.elem = sizeof(T);
    p.value = bits_of(params.constantValue);
    aicore::ops::nd_dma("DataCopy", dst.mem(), src.mem(), p);
}

// Clears the cache of these copies: they read global memory as it is.
inline void NdDmaDci() {}

}  // namespace AscendC
