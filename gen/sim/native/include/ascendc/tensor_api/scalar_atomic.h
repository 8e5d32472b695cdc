// Atomic operations of the scalar unit on a number in global memory, of dav-3510. Source: asc-devkit, docs SIMD-API /
// atomic operations, the pages of these names.
#pragma once

#include "ascendc/tensor_api/vector_call.h"

#if __NPU_ARCH__ == 3510

namespace aicore::ascendc {

// Returns what the number was.
template <class T>
T scalar_atomic(const char* name, ops::ScalarAtomic op, T* address, T value, T wanted = T(0)) {
    const ops::Mem at{Space::gm, reinterpret_cast<uintptr_t>(address), 0, 0, Unit::self};
    ops::scalar_atomic(name, op, dtype_of<T>(), at, bits_of(value), bits_of(wanted), &state().atomic_result);
    return value_of<T>(register_read(name, Pipe::s, &state().atomic_result));
}

using AtomicNumbers = Types<int32_t, uint32_t, float, int64_t, uint64_t>;
using AtomicWords = Types<uint32_t, uint64_t>;

}  // namespace aicore::ascendc

namespace AscendC {

#define AICORE_SCALAR_ATOMIC(NAME, OP, TYPES)                                                            \
    template <class T>                                                                                   \
    T NAME(__gm__ T* address, T value) {                                                                 \
        AICORE_TAKES(T, #NAME, ::aicore::ascendc::TYPES, ::aicore::ascendc::TYPES);                      \
        return ::aicore::ascendc::scalar_atomic(#NAME, ::aicore::ops::ScalarAtomic::OP, address, value); \
    }
AICORE_SCALAR_ATOMIC(AtomicAdd, add, AtomicNumbers)
AICORE_SCALAR_ATOMIC(AtomicMax, max, AtomicNumbers)
AICORE_SCALAR_ATOMIC(AtomicMin, min, AtomicNumbers)
AICORE_SCALAR_ATOMIC(AtomicExch, exchange, AtomicWords)
#undef AICORE_SCALAR_ATOMIC

// value2 where the number was value1.
template <class T>
T AtomicCas(__gm__ T* address, T value1, T value2) {
    AICORE_TAKES(T, "AtomicCas", aicore::ascendc::AtomicWords, aicore::ascendc::AtomicWords);
    return aicore::ascendc::scalar_atomic("AtomicCas", aicore::ops::ScalarAtomic::compare_exchange, address, value2,
                                          value1);
}

}  // namespace AscendC

#endif
