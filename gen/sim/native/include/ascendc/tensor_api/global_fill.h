// Fill and InitOutput: global memory to one value, through what the TPipe has left of UB.
// Source: asc-devkit, docs SIMD-API / advanced API, Fill (its constraints name what the caller has to wait for); the
// size of a piece: impl/basic_api/kernel_operator_common_intf_impl.h.
#pragma once

#include "ascendc/tensor_api/data_copy.h"
#include "ascendc/tensor_api/hints.h"
#include "ascendc/tensor_api/vector.h"

namespace aicore::ascendc {

inline constexpr uint32_t kFillBytes = 255 * 32;

template <class T>
void fill_global(const char* without_pipe, AscendC::GlobalTensor<T> out, uint64_t size, T value) {
    if (!on_aiv() || size == 0) return;
    if (state().pipe == nullptr) unsupported(without_pipe);
    AscendC::LocalTensor<T> piece;
    if (!AscendC::PopStackBuffer<T, TPosition::LCM>(piece)) {
        stop("overflow", "Fill of global memory needs a part of UB, and the TPipe has given all away",
             "leave a part of UB free, or fill before InitBuffer");
    }
    const uint64_t most = std::min<uint64_t>(piece.GetSize(), kFillBytes / sizeof(T));
    AscendC::Duplicate(piece, value, static_cast<int32_t>(most));
    const auto event = state().pipe->FetchEventID(HardEvent::V_MTE3);
    AscendC::SetFlag<HardEvent::V_MTE3>(event);
    AscendC::WaitFlag<HardEvent::V_MTE3>(event);
    for (uint64_t done = 0; done < size; done += most) {
        const auto bytes = static_cast<uint32_t>(std::min(most, size - done) * sizeof(T));
        AscendC::DataCopyPad(out[done], piece, AscendC::DataCopyExtParams(1, bytes, 0, 0, 0));
    }
}

}  // namespace aicore::ascendc

namespace AscendC {

template <class T>
void Fill(GlobalTensor<T>& out, const uint64_t size, const T value) {
    AICORE_TAKES(T, "Fill", aicore::ascendc::Moved, aicore::ascendc::MovedOrByte);
    aicore::ascendc::fill_global("AscendC::Fill(of global memory without a TPipe)", out, size, value);
}
// The older name.
template <class T>
void InitOutput(GlobalTensor<T> out, uint32_t size, T value = T(0)) {
    AICORE_TAKES(T, "InitOutput", aicore::ascendc::Moved, aicore::ascendc::MovedOrByte);
    aicore::ascendc::fill_global("AscendC::InitOutput(without a TPipe)", out, size, value);
}

}  // namespace AscendC
