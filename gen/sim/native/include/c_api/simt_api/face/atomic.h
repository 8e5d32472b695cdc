// Atomic updates from SIMT threads. (asc-devkit, docs/zh/api/SIMT-API, asc_atomic_*.)
#pragma once

#include "c_api/face/memory.h"
#include "c_api/face/vector_call.h"

namespace aicore::c_api {

inline bool in_ub(const void* p) {
    const auto offset = static_cast<uint64_t>(static_cast<const uint8_t*>(p) - ub_base());
    return offset < kOnChipEnd;
}

// Replaces *p by op(*p) and returns the old value. The threads of one vector function take turns; nothing else may
// touch its UB while it runs.
template <class T, class Op>
__attribute__((no_sanitize("thread"))) T atomic_update(T* p, Op op) {
    if (!in_ub(p)) unsupported("asc_atomic_* on global memory");
    vf_access(p, sizeof(T), false);
    vf_access(p, sizeof(T), true);
    const T old = *p;
    *p = op(old);
    return old;
}

}  // namespace aicore::c_api

#define AICORE_C_API_ATOMIC(name, expression)                                                                     \
    template <class T, class V>                                                                                   \
    inline T asc_atomic_##name(T* address, V operand) {                                                           \
        const T value = static_cast<T>(operand);                                                                  \
        return aicore::c_api::atomic_update(address, [value](T old) -> T { return static_cast<T>(expression); }); \
    }
AICORE_C_API_ATOMIC(add, old + value)
AICORE_C_API_ATOMIC(sub, old - value)
AICORE_C_API_ATOMIC(max, old > value ? old : value)
AICORE_C_API_ATOMIC(min, old < value ? old : value)
AICORE_C_API_ATOMIC(exch, value)
AICORE_C_API_ATOMIC(and, old& value)
AICORE_C_API_ATOMIC(or, old | value)
AICORE_C_API_ATOMIC(xor, old ^ value)
AICORE_C_API_ATOMIC(inc, old >= value ? T(0) : old + T(1))
AICORE_C_API_ATOMIC(dec, old == T(0) || old > value ? value : old - T(1))
#undef AICORE_C_API_ATOMIC

template <class T>
inline T asc_atomic_cas(T* address, T compare, T value) {
    return aicore::c_api::atomic_update(address, [=](T old) { return old == compare ? value : old; });
}
