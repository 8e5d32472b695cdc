// Words of the device language that a host compiler does not know.
//
// Address spaces vanish: an on-chip pointer is a byte offset from 0 in its memory (the compiled kernels build them from
// integer 0), and the call that takes it knows which memory is meant. Vector functions, the only code that follows such
// a pointer, get the base of the memory added to their arguments (vector_call.h).
#pragma once

#include "aicore/core.h"

#ifndef __NPU_ARCH__
#define __NPU_ARCH__ 3510
#endif

#define __gm__
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __biasbuf__
#define __fbuf__

#define __aicore__
#define __global__
#define __vector__
#define __cube__
#define __mix__(aic, aiv)
#define __launch_bounds__(threads)
#define __grid_constant__
#define __simt_vf__
#define __simd_vf__

// Helpers of SIMT functions stay inside their caller: where a 16-bit or 8-byte struct crosses a call, g++ 12 leaves its
// load or store out of the instrumentation that finds the regions of a vector function.
#define __simt_callee__ __attribute__((always_inline))
#define __SIMT_DEVICE_FUNCTIONS_DECL__ __attribute__((always_inline))
// Helpers of SIMD functions touch memory only through the load and store calls, which report their bytes themselves.
#define __simd_callee__ __attribute__((no_sanitize("thread")))

#define ASC_IS_AIC (::aicore::core().kind == ::aicore::CoreKind::aic)
#define ASC_IS_AIV (::aicore::core().kind == ::aicore::CoreKind::aiv)

namespace aicore::c_api {

// A name such as block_idx reads as a number. It is an object and no macro, because SIMD vector functions have
// parameters of that name.
template <uint32_t (*Read)()>
struct Coordinate {
    inline __attribute__((always_inline)) operator uint32_t() const { return Read(); }
};
inline uint32_t block_of_core() { return core().block; }
inline uint32_t blocks_of_kernel() { return core().block_num; }

}  // namespace aicore::c_api

inline constexpr aicore::c_api::Coordinate<&aicore::c_api::block_of_core> block_idx{};
inline constexpr aicore::c_api::Coordinate<&aicore::c_api::blocks_of_kernel> block_num{};
