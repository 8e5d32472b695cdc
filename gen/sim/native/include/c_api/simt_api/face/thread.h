// Where a SIMT thread stands, and barriers. (asc-devkit, docs/zh/api/SIMT-API.)
#pragma once

#include "c_api/face/vector_call.h"

// Within one thread of a vector function the index never changes, whatever runs between two reads of it.
namespace aicore {
__attribute__((const)) uint32_t simt_thread();
}

namespace aicore::c_api {

struct Index3 {
    uint32_t x, y, z;
};

// A constant of the running thread, so that the compiler reads it once however often a kernel names it.
#define AICORE_C_API_THREAD_CONSTANT(name, expression)                               \
    __attribute__((const, noinline, no_sanitize("thread"))) inline uint32_t name() { \
        const Threads& block = thread_block;                                         \
        (void)block;                                                                 \
        return expression;                                                           \
    }
AICORE_C_API_THREAD_CONSTANT(thread_x, block.y* block.z == 1 ? simt_thread() : simt_thread() % block.x)
AICORE_C_API_THREAD_CONSTANT(thread_y, simt_thread() / block.x % block.y)
AICORE_C_API_THREAD_CONSTANT(thread_z, simt_thread() / block.x / block.y)
AICORE_C_API_THREAD_CONSTANT(block_x, block.x)
AICORE_C_API_THREAD_CONSTANT(block_y, block.y)
AICORE_C_API_THREAD_CONSTANT(block_z, block.z)
#undef AICORE_C_API_THREAD_CONSTANT

struct ThreadIndex {
    Coordinate<&thread_x> x;
    Coordinate<&thread_y> y;
    Coordinate<&thread_z> z;
};
struct BlockExtent {
    Coordinate<&block_x> x;
    Coordinate<&block_y> y;
    Coordinate<&block_z> z;
};

}  // namespace aicore::c_api

inline constexpr aicore::c_api::ThreadIndex threadIdx{};
inline constexpr aicore::c_api::BlockExtent blockDim{};
#define blockIdx (::aicore::c_api::Index3{::aicore::core().block, 0, 0})
#define gridDim (::aicore::c_api::Index3{::aicore::core().block_num, 1, 1})

inline constexpr int32_t warpSize = 32;
AICORE_INLINE uint32_t laneid() { return aicore::simt_thread() & 31; }

// Every thread of the vector function.
inline void asc_syncthreads() { aicore::simt_barrier(); }
// Order of one thread's own accesses as others see them: the model runs them in program order.
inline void asc_threadfence() {}
inline void asc_threadfence_block() {}
