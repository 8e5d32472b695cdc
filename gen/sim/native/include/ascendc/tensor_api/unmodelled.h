// Calls that kernels may name and the model does not have: reaching one ends the kernel as unsupported.
#pragma once

#include "ascendc/tensor_api/vector_call.h"

namespace AscendC {

// Modes of rounding and overflow by bits of a register.
template <int8_t first, int8_t last>
void SetCtrlSpr(int64_t) {
    aicore::unsupported("AscendC::SetCtrlSpr");
}
template <int8_t first, int8_t last>
int64_t GetCtrlSpr() {
    aicore::unsupported("AscendC::GetCtrlSpr");
}
template <int8_t first, int8_t last>
void ResetCtrlSpr() {
    aicore::unsupported("AscendC::ResetCtrlSpr");
}

// Neither chip has it (docs, VectorPadding, table of products).
template <class T, class... Rest>
void VectorPadding(const LocalTensor<T>&, const Rest&...) {
    static_assert(sizeof(T) == 0, "VectorPadding exists neither on the Ascend 910B nor on the Ascend 950");
}

}  // namespace AscendC
