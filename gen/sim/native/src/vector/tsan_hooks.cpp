// The functions that -fsanitize=thread calls. There is no thread sanitizer here: they tell the model what a vector
// function touches, and return at once anywhere else.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "vector/touching.h"

namespace engine = aicore::engine;
using engine::touch;

#define HOOK extern "C" __attribute__((visibility("default"), used))
#define PC __builtin_return_address(0)

#define ACCESS(n, mark)                                                                            \
    HOOK void __tsan_read##n(void* p) { touch<n, engine::mark>(p, false, PC); }                    \
    HOOK void __tsan_write##n(void* p) { touch<n, engine::mark>(p, true, PC); }                    \
    HOOK void __tsan_volatile_read##n(void* p) { touch<n, engine::mark>(p, false, PC); }           \
    HOOK void __tsan_volatile_write##n(void* p) { touch<n, engine::mark>(p, true, PC); }           \
    HOOK void __tsan_unaligned_read##n(void* p) { touch<n, engine::mark>(p, false, PC); }          \
    HOOK void __tsan_unaligned_write##n(void* p) { touch<n, engine::mark>(p, true, PC); }          \
    HOOK void __tsan_unaligned_volatile_read##n(void* p) { touch<n, engine::mark>(p, false, PC); } \
    HOOK void __tsan_unaligned_volatile_write##n(void* p) { touch<n, engine::mark>(p, true, PC); } \
    HOOK void __tsan_read_write##n(void* p) {                                                      \
        touch<n, engine::mark>(p, false, PC), touch<n, engine::mark>(p, true, PC);                 \
    }                                                                                              \
    HOOK void __tsan_unaligned_read_write##n(void* p) {                                            \
        touch<n, engine::mark>(p, false, PC), touch<n, engine::mark>(p, true, PC);                 \
    }

ACCESS(1, kEvenByte)
ACCESS(2, kTwo)
ACCESS(4, kFour)
ACCESS(8, kEight)
ACCESS(16, kSixteen)

HOOK void __tsan_read_range(void* p, size_t n) { engine::touch_slowly(p, n, false, false, PC); }
HOOK void __tsan_write_range(void* p, size_t n) { engine::touch_slowly(p, n, true, false, PC); }
HOOK void __tsan_read1_pc(void* p, void*) { touch<1, engine::kEvenByte>(p, false, PC); }
HOOK void __tsan_init() {}
HOOK void __tsan_func_entry(void*) {}
HOOK void __tsan_func_exit() {}
HOOK void __tsan_vptr_update(void**, void*) {}
HOOK void __tsan_vptr_read(void**) {}
HOOK void __tsan_ignore_thread_begin() {}
HOOK void __tsan_ignore_thread_end() {}
HOOK void __tsan_atomic_thread_fence(int) { std::atomic_thread_fence(std::memory_order_seq_cst); }
HOOK void __tsan_atomic_signal_fence(int) {}

// Calls of the C library: clang replaces them by these, and programs are linked with --wrap.
#define MEMORY(prefix)                                                 \
    HOOK void* prefix##memcpy(void* to, const void* from, size_t n) {  \
        engine::touch_slowly(from, n, false, false, PC);               \
        engine::touch_slowly(to, n, true, false, PC);                  \
        return std::memcpy(to, from, n);                               \
    }                                                                  \
    HOOK void* prefix##memmove(void* to, const void* from, size_t n) { \
        engine::touch_slowly(from, n, false, false, PC);               \
        engine::touch_slowly(to, n, true, false, PC);                  \
        return std::memmove(to, from, n);                              \
    }                                                                  \
    HOOK void* prefix##memset(void* to, int value, size_t n) {         \
        engine::touch_slowly(to, n, true, false, PC);                  \
        return std::memset(to, value, n);                              \
    }

MEMORY(__tsan_)
MEMORY(__wrap_)

// Atomics are performed here, with the strongest order.
#define SEQ __ATOMIC_SEQ_CST
#define RMW(bits, type, name, builtin)                                        \
    HOOK type __tsan_atomic##bits##_##name(volatile type* p, type v, int) {   \
        engine::touch_slowly(const_cast<type*>(p), sizeof(type), true, true); \
        return builtin(p, v, SEQ);                                            \
    }
#define ATOMIC(bits, type)                                                                                       \
    HOOK type __tsan_atomic##bits##_load(const volatile type* p, int) {                                          \
        engine::touch_slowly(const_cast<type*>(p), sizeof(type), false, true);                                   \
        return __atomic_load_n(p, SEQ);                                                                          \
    }                                                                                                            \
    HOOK void __tsan_atomic##bits##_store(volatile type* p, type v, int) {                                       \
        engine::touch_slowly(const_cast<type*>(p), sizeof(type), true, true);                                    \
        __atomic_store_n(p, v, SEQ);                                                                             \
    }                                                                                                            \
    RMW(bits, type, exchange, __atomic_exchange_n)                                                               \
    RMW(bits, type, fetch_add, __atomic_fetch_add)                                                               \
    RMW(bits, type, fetch_sub, __atomic_fetch_sub)                                                               \
    RMW(bits, type, fetch_and, __atomic_fetch_and)                                                               \
    RMW(bits, type, fetch_or, __atomic_fetch_or)                                                                 \
    RMW(bits, type, fetch_xor, __atomic_fetch_xor)                                                               \
    RMW(bits, type, fetch_nand, __atomic_fetch_nand)                                                             \
    HOOK int __tsan_atomic##bits##_compare_exchange_strong(volatile type* p, type* expected, type v, int, int) { \
        engine::touch_slowly(const_cast<type*>(p), sizeof(type), true, true);                                    \
        return __atomic_compare_exchange_n(p, expected, v, false, SEQ, SEQ);                                     \
    }                                                                                                            \
    HOOK int __tsan_atomic##bits##_compare_exchange_weak(volatile type* p, type* expected, type v, int, int) {   \
        engine::touch_slowly(const_cast<type*>(p), sizeof(type), true, true);                                    \
        return __atomic_compare_exchange_n(p, expected, v, false, SEQ, SEQ);                                     \
    }                                                                                                            \
    HOOK type __tsan_atomic##bits##_compare_exchange_val(volatile type* p, type expected, type v, int, int) {    \
        engine::touch_slowly(const_cast<type*>(p), sizeof(type), true, true);                                    \
        __atomic_compare_exchange_n(p, &expected, v, false, SEQ, SEQ);                                           \
        return expected;                                                                                         \
    }

ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
