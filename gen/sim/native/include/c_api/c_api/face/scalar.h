// The scalar unit: system registers, single elements of GM, and the atomic mode of later stores.
#pragma once

#include "c_api/face/core_state.h"
#include "c_api/face/memory.h"
#include "c_api/face/qualifiers.h"

// Resets the atomic mode; vector masks have no register in this API.
inline void asc_init() { aicore::c_api::state().atomic = aicore::ops::Atomic::none; }

inline int64_t asc_get_block_idx() { return aicore::core().block; }
inline int64_t asc_get_block_num() { return aicore::core().block_num; }
inline int64_t asc_get_sub_block_id() { return aicore::core().sub_block; }
inline int64_t asc_get_sub_block_num() { return aicore::core().sub_blocks; }

namespace aicore::c_api {

inline Region gm_word(const void* p, size_t bytes, bool write) {
    Region r;
    r.base = address(p);
    r.row_bytes = bytes;
    r.write = write;
    return r;
}

}  // namespace aicore::c_api

// One unsigned integer of GM, past the data cache.
template <class T>
inline T asc_load_dev(__gm__ T* p) {
    static_assert(std::is_unsigned_v<T>);
    return static_cast<T>(aicore::scalar_read("asc_load_dev", aicore::c_api::gm_word(p, sizeof(T), false)));
}
template <class T>
inline void asc_store_dev(__gm__ T* p, T value) {
    static_assert(std::is_unsigned_v<T>);
    aicore::scalar_write("asc_store_dev", aicore::c_api::gm_word(p, sizeof(T), true), value);
}

// One element of UB that the kernel's own code reads or writes through a pointer (gen/compile/m_tree/scalar_access.py
// turns the subscript into these calls): pipe S.
namespace aicore::c_api {

template <class T>
Region ub_element(T* base, int64_t index, bool write) {
    Region r;
    r.space = Space::ub;
    const ops::Mem place = on_chip(Space::ub, base);
    r.base = place.addr + static_cast<uint64_t>(index) * sizeof(T);
    r.lo = place.lo, r.hi = place.hi;
    r.row_bytes = sizeof(T);
    r.align = sizeof(T);
    r.write = write;
    return r;
}

template <class T>
T load_ub(__ubuf__ T* base, int64_t index) {
    static_assert(sizeof(T) <= 8);
    const uint64_t bits = scalar_read("scalar load", ub_element(base, index, false));
    T value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}
template <class T, class V>
void store_ub(__ubuf__ T* base, int64_t index, V given) {
    static_assert(sizeof(T) <= 8);
    const T value = static_cast<T>(given);
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    scalar_write("scalar store", ub_element(base, index, true), bits);
}

}  // namespace aicore::c_api

// Later stores UB -> GM and L0C -> GM combine with what GM holds, in the type that the name ends in.
#define AICORE_C_API_ATOMIC(op, suffix, type)      \
    inline void asc_set_atomic_##op##_##suffix() { \
        auto& s = aicore::c_api::state();          \
        s.atomic = aicore::ops::Atomic::op;        \
        s.atomic_type = aicore::ops::DType::type;  \
    }
#define AICORE_C_API_ATOMICS(op)          \
    AICORE_C_API_ATOMIC(op, float, f32)   \
    AICORE_C_API_ATOMIC(op, float16, f16) \
    AICORE_C_API_ATOMIC(op, bfloat, bf16) \
    AICORE_C_API_ATOMIC(op, int8, i8)     \
    AICORE_C_API_ATOMIC(op, int16, i16)   \
    AICORE_C_API_ATOMIC(op, int32, i32)   \
    AICORE_C_API_ATOMIC(op, int, i32)
AICORE_C_API_ATOMICS(add)
AICORE_C_API_ATOMICS(max)
AICORE_C_API_ATOMICS(min)
#undef AICORE_C_API_ATOMICS
#undef AICORE_C_API_ATOMIC
inline void asc_set_atomic_none() { aicore::c_api::state().atomic = aicore::ops::Atomic::none; }
