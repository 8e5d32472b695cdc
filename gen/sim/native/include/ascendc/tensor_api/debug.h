// Output of a running kernel: PRINTF, printf, DumpTensor.
#pragma once

#include <cstdio>

#include "ascendc/tensor_api/sync.h"

namespace aicore::ascendc {

// Arguments of 16-bit floating-point types are printed as numbers, as on the device.
template <class T>
auto printable(T value) {
    if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>) {
        return static_cast<double>(static_cast<float>(value));
    } else {
        return value;
    }
}

}  // namespace aicore::ascendc

namespace AscendC {

template <class... Args>
void PRINTF(const char* format, Args... args) {
    const aicore::CoreInfo& me = aicore::core();
    std::printf("%s%u of block %u: ", me.kind == aicore::CoreKind::aiv ? "AIV" : "AIC", me.sub_block, me.block);
    if constexpr (sizeof...(Args) == 0) {
        std::fputs(format, stdout);
    } else {
        std::printf(format, aicore::ascendc::printable(args)...);
    }
}
template <class... Args>
void printf(const char* format, Args... args) {
    PRINTF(format, args...);
}

// The first `count` elements of a tensor, with a number that tells the calls apart.
template <class Tensor>
void DumpTensor(const Tensor& tensor, uint32_t desc, uint32_t count) {
    std::printf("DumpTensor %u:", desc);
    for (uint32_t i = 0; i < count; ++i) std::printf(" %g", static_cast<double>(tensor.GetValue(i)));
    std::printf("\n");
}
template <class Tensor>
void DumpTensor(const Tensor& tensor, uint32_t desc, uint32_t count, const ShapeInfo&) {
    DumpTensor(tensor, desc, count);
}

}  // namespace AscendC
