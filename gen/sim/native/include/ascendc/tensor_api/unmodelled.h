// Calls that kernels may name and the model does not have: reaching one ends the kernel as unsupported.
#pragma once

#include "ascendc/tensor_api/vector_call.h"

namespace AscendC {

template <class T, class... Rest>
void BilinearInterpolation(const LocalTensor<T>&, const Rest&...) {
    aicore::unsupported("AscendC::BilinearInterpolation");
}
#if __NPU_ARCH__ == 3510
template <class T, class... Rest>
void VectorPadding(const LocalTensor<T>&, const Rest&...) {
    aicore::unsupported("AscendC::VectorPadding");
}
#endif

}  // namespace AscendC
