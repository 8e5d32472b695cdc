// Short vectors of SIMT code (float2, uint4, ...) and their element-wise operators.
//
// Kernels read pairs of half from 2-byte aligned local arrays through uint1 and uint2, so these types ask for no more
// alignment than one 64-bit access wants.
#pragma once

#include <cstdint>

#include "aicore/numeric.h"

#define AICORE_C_API_VECTOR2(name, type)                                                             \
    struct alignas(2 * sizeof(type) <= 8 ? 2 * sizeof(type) : alignof(type)) name##2 { type x, y; }; \
    AICORE_INLINE name##2 make_##name##2(type x, type y) { return {x, y}; }
#define AICORE_C_API_VECTOR34(name, type)                                              \
    struct name##3 { type x, y, z; };                                                  \
    struct name##4 { type x, y, z, w; };                                               \
    AICORE_INLINE name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
    AICORE_INLINE name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
#define AICORE_C_API_VECTOR(name, type)                          \
    struct name##1 { type x; };                                  \
    AICORE_INLINE name##1 make_##name##1(type x) { return {x}; } \
    AICORE_C_API_VECTOR2(name, type)                             \
    AICORE_C_API_VECTOR34(name, type)

AICORE_C_API_VECTOR(char, signed char)
AICORE_C_API_VECTOR(uchar, unsigned char)
AICORE_C_API_VECTOR(short, short)
AICORE_C_API_VECTOR(ushort, unsigned short)
AICORE_C_API_VECTOR(int, int)
AICORE_C_API_VECTOR(uint, unsigned int)
AICORE_C_API_VECTOR(long, long)
AICORE_C_API_VECTOR(ulong, unsigned long)
AICORE_C_API_VECTOR(longlong, long long)
AICORE_C_API_VECTOR(ulonglong, unsigned long long)
AICORE_C_API_VECTOR(float, float)

// Pairs of 16-bit floats have the size of one 32-bit carrier.
struct alignas(4) half2 {
    aicore::half x, y;
};
struct alignas(4) bfloat16x2_t {
    aicore::bfloat16_t x, y;
};
using bfloat162_t = bfloat16x2_t;

#define AICORE_C_API_OPERATOR(V, op)                                                                 \
    AICORE_INLINE V##2 operator op(V##2 a, V##2 b) {                                                 \
        return {static_cast<decltype(a.x)>(a.x op b.x), static_cast<decltype(a.x)>(a.y op b.y)};     \
    }                                                                                                \
    AICORE_INLINE V##3 operator op(V##3 a, V##3 b) {                                                 \
        using T = decltype(a.x);                                                                     \
        return {static_cast<T>(a.x op b.x), static_cast<T>(a.y op b.y), static_cast<T>(a.z op b.z)}; \
    }                                                                                                \
    AICORE_INLINE V##4 operator op(V##4 a, V##4 b) {                                                 \
        using T = decltype(a.x);                                                                     \
        return {static_cast<T>(a.x op b.x), static_cast<T>(a.y op b.y), static_cast<T>(a.z op b.z),  \
                static_cast<T>(a.w op b.w)};                                                         \
    }
#define AICORE_C_API_ARITHMETIC(V) \
    AICORE_C_API_OPERATOR(V, +)    \
    AICORE_C_API_OPERATOR(V, -)    \
    AICORE_C_API_OPERATOR(V, *)
#define AICORE_C_API_BITWISE(V)  \
    AICORE_C_API_OPERATOR(V, &)  \
    AICORE_C_API_OPERATOR(V, |)  \
    AICORE_C_API_OPERATOR(V, ^)  \
    AICORE_C_API_OPERATOR(V, <<) \
    AICORE_C_API_OPERATOR(V, >>)
AICORE_C_API_ARITHMETIC(float)
AICORE_C_API_ARITHMETIC(int)
AICORE_C_API_ARITHMETIC(uint)
AICORE_C_API_BITWISE(int)
AICORE_C_API_BITWISE(uint)
AICORE_C_API_BITWISE(ushort)
#undef AICORE_C_API_BITWISE
#undef AICORE_C_API_ARITHMETIC
#undef AICORE_C_API_OPERATOR
#undef AICORE_C_API_VECTOR
#undef AICORE_C_API_VECTOR34
#undef AICORE_C_API_VECTOR2
