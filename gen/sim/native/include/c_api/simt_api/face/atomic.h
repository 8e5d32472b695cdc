// Atomic updates from SIMT threads. (asc-devkit, docs/zh/api/SIMT-API, asc_atomic_*.)
#pragma once

#include "c_api/face/memory.h"
#include "c_api/face/vector_call.h"

namespace aicore::c_api {

template <class T>
using AtomicWord = std::conditional_t<
    sizeof(T) == 8, uint64_t,
    std::conditional_t<sizeof(T) == 4, uint32_t, std::conditional_t<sizeof(T) == 2, uint16_t, uint8_t>>>;

// Replaces *p by op(*p) and returns the old bits. Other blocks may update the same word of GM at the same time.
template <class T, class Op>
__attribute__((no_sanitize("thread"))) AtomicWord<T> atomic_update(T* p, Op op) {
    vf_atomic(p, sizeof(T));
    auto* word = reinterpret_cast<AtomicWord<T>*>(p);
    AtomicWord<T> old = __atomic_load_n(word, __ATOMIC_RELAXED), next;
    do {
        next = __builtin_bit_cast(AtomicWord<T>, op(__builtin_bit_cast(T, old)));
    } while (!__atomic_compare_exchange_n(word, &old, next, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    return old;
}

}  // namespace aicore::c_api

#define AICORE_C_API_ATOMIC(name, expression)                                                                      \
    template <class T, class V>                                                                                    \
    AICORE_INLINE T asc_atomic_##name(T* address, V operand) {                                                     \
        const T value = static_cast<T>(operand);                                                                   \
        return __builtin_bit_cast(                                                                                 \
            T, aicore::c_api::atomic_update(address, [value](T old) -> T { return static_cast<T>(expression); })); \
    }
AICORE_C_API_ATOMIC(add, old + value)
AICORE_C_API_ATOMIC(sub, old - value)
AICORE_C_API_ATOMIC(max, old > value ? old : value)
AICORE_C_API_ATOMIC(min, old < value ? old : value)
AICORE_C_API_ATOMIC(exch, value)
AICORE_C_API_ATOMIC(and, old&(value))
AICORE_C_API_ATOMIC(or, old | value)
AICORE_C_API_ATOMIC(xor, old ^ value)
AICORE_C_API_ATOMIC(inc, old >= value ? T(0) : old + T(1))
AICORE_C_API_ATOMIC(dec, old == T(0) || old > value ? value : old - T(1))
#undef AICORE_C_API_ATOMIC

template <class T>
AICORE_INLINE T asc_atomic_cas(T* address, T compare, T value) {
    return __builtin_bit_cast(
        T, aicore::c_api::atomic_update(address, [=](T old) { return old == compare ? value : old; }));
}
