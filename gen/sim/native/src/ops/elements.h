// Elements of every type as spans of float, and back: what bodies compute with.
#pragma once

#include <mutex>

#include "builder.h"

// Elements of one instruction never depend on each other: a destination is a source exactly, or does not meet it.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"  // some operations are functions of the host's library
#define AICORE_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define AICORE_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace aicore::ops {

inline bool is_float(DType t) { return t == DType::f32 || t == DType::f16 || t == DType::bf16; }

// `n` elements of a floating-point type to float. f32: returns `from` itself; else fills `buffer`.
const float* load_floats(DType t, const void* from, float* buffer, size_t n);
// The same in the other direction, to nearest even.
void store_floats(DType t, const float* from, void* to, size_t n);
// Doubles to `n` elements of a floating-point type, rounded once.
void store_doubles(DType t, const double* from, void* to, size_t n);

// Saturation mode of conversions to 16 bits: beyond the largest finite value of `t` becomes that value, NaN becomes 0
// (asc-devkit, SetCtrlSpr: CTRL[48]).
void saturate_floats(DType t, float* x, size_t n);

// A scalar in the precision of `t`.
double rounded_to(DType t, double x);

// dst[i] = dst[i] op src[i] for an atomic access to GM; callers hold gm_atomics().
void accumulate(Atomic op, DType t, void* dst, const void* src, size_t n);
std::mutex& gm_atomics();
void check_atomic(Atomic op, DType t);

// Elements of one pass through a stack buffer.
inline constexpr size_t kChunk = 1024;

// max and min as the vector unit defines them: NaN wins, max(-0, +0) = +0, min(-0, +0) = -0.
inline float max_of(float a, float b) {
    const float picked = a > b ? a : b;
    const float equal = __builtin_bit_cast(float, __builtin_bit_cast(uint32_t, a) & __builtin_bit_cast(uint32_t, b));
    const float ordered = a == b ? equal : picked;
    return a != a || b != b ? a + b : ordered;
}
inline float min_of(float a, float b) {
    const float picked = a < b ? a : b;
    const float equal = __builtin_bit_cast(float, __builtin_bit_cast(uint32_t, a) | __builtin_bit_cast(uint32_t, b));
    const float ordered = a == b ? equal : picked;
    return a != a || b != b ? a + b : ordered;
}

// Calls f with a value of the C++ type of an integer type. False for floating-point types.
template <class F>
bool with_integer(DType t, F&& f) {
    switch (t) {
        case DType::i64:
            f(int64_t{});
            return true;
        case DType::u64:
            f(uint64_t{});
            return true;
        case DType::i32:
            f(int32_t{});
            return true;
        case DType::u32:
            f(uint32_t{});
            return true;
        case DType::i16:
            f(int16_t{});
            return true;
        case DType::u16:
            f(uint16_t{});
            return true;
        case DType::i8:
            f(int8_t{});
            return true;
        case DType::u8:
            f(uint8_t{});
            return true;
        default:
            return false;
    }
}

}  // namespace aicore::ops
