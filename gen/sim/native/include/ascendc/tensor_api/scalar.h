// Scalar types of the device, and how the model names and stores them.
#pragma once

#include <cstdint>
#include <type_traits>

#include "aicore/ops.h"

using half = aicore::half;
using bfloat16_t = aicore::bfloat16_t;

// Integer min/max of the device: the operands may differ in type (int32_t against int64_t).
template <class A, class B, class = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>>>
constexpr std::common_type_t<A, B> min(A a, B b) {
    return a < b ? a : b;
}
template <class A, class B, class = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>>>
constexpr std::common_type_t<A, B> max(A a, B b) {
    return a > b ? a : b;
}

// Types that only the Cube computes with: a byte and its meaning.
struct fp8_e4m3fn_t {
    uint8_t bits;
};
struct fp8_e5m2_t {
    uint8_t bits;
};
struct hifloat8_t {
    uint8_t bits;
};
struct fp8_e8m0_t {  // the factors of MX formats
    uint8_t bits;
};
// Two in a byte; offsets and sizes of tensors count them one by one.
struct fp4x2_e2m1_t {
    uint8_t bits;
};
struct fp4x2_e1m2_t {
    uint8_t bits;
};

namespace AscendC {
// Two in a byte; its size counts as one.
struct int4b_t {
    uint8_t bits;
};
}  // namespace AscendC

namespace aicore::ascendc {

// True for the types that the model moves and computes with.
template <class T>
inline constexpr bool is_element =
    std::is_same_v<T, float> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t> ||
    std::is_same_v<T, int64_t> || std::is_same_v<T, uint64_t> || std::is_same_v<T, int32_t> ||
    std::is_same_v<T, uint32_t> || std::is_same_v<T, int16_t> || std::is_same_v<T, uint16_t> ||
    std::is_same_v<T, int8_t> || std::is_same_v<T, uint8_t> || std::is_same_v<T, bool>;

template <class T>
constexpr ops::DType dtype_of() {
    static_assert(is_element<T>, "the model has no such element type (int4b_t, fp8 and complex are not modelled)");
    using ops::DType;
    if constexpr (std::is_same_v<T, float>) return DType::f32;
    if constexpr (std::is_same_v<T, half>) return DType::f16;
    if constexpr (std::is_same_v<T, bfloat16_t>) return DType::bf16;
    if constexpr (std::is_same_v<T, int64_t>) return DType::i64;
    if constexpr (std::is_same_v<T, uint64_t>) return DType::u64;
    if constexpr (std::is_same_v<T, int32_t>) return DType::i32;
    if constexpr (std::is_same_v<T, uint32_t>) return DType::u32;
    if constexpr (std::is_same_v<T, int16_t>) return DType::i16;
    if constexpr (std::is_same_v<T, uint16_t>) return DType::u16;
    if constexpr (std::is_same_v<T, int8_t>) return DType::i8;
    return DType::u8;
}

// The same with the types of the Cube.
template <class T>
constexpr ops::DType cube_dtype() {
    if constexpr (std::is_same_v<T, fp8_e4m3fn_t>) return ops::DType::e4m3;
    if constexpr (std::is_same_v<T, fp8_e5m2_t>) return ops::DType::e5m2;
    if constexpr (std::is_same_v<T, hifloat8_t>) return ops::DType::hif8;
    if constexpr (std::is_same_v<T, AscendC::int4b_t>) return ops::DType::i4;
    if constexpr (std::is_same_v<T, fp4x2_e2m1_t>) return ops::DType::e2m1;
    if constexpr (std::is_same_v<T, fp4x2_e1m2_t>) return ops::DType::e1m2;
    if constexpr (is_element<T>) return dtype_of<T>();
}

template <class T>
inline constexpr bool is_float4 = std::is_same_v<T, fp4x2_e2m1_t> || std::is_same_v<T, fp4x2_e1m2_t>;
template <class T>
inline constexpr bool is_4bit = std::is_same_v<T, AscendC::int4b_t> || is_float4<T>;
// Bytes of `elements` elements, and the elements in so many bytes.
template <class T>
constexpr uint64_t bytes_of(uint64_t elements) {
    return is_4bit<T> ? elements / 2 : elements * sizeof(T);
}
template <class T>
constexpr uint32_t elements_in(uint64_t bytes) {
    return static_cast<uint32_t>(is_4bit<T> ? bytes * 2 : bytes / sizeof(T));
}

// The bits of a scalar, low end first.
template <class T>
constexpr uint64_t bits_of(T value) {
    if constexpr (sizeof(T) == 8) return __builtin_bit_cast(uint64_t, value);
    if constexpr (sizeof(T) == 4) return __builtin_bit_cast(uint32_t, value);
    if constexpr (sizeof(T) == 2) return __builtin_bit_cast(uint16_t, value);
    if constexpr (sizeof(T) == 1) return __builtin_bit_cast(uint8_t, value);
}

template <class T>
constexpr T value_of(uint64_t bits) {
    if constexpr (sizeof(T) == 8) return __builtin_bit_cast(T, bits);
    if constexpr (sizeof(T) == 4) return __builtin_bit_cast(T, static_cast<uint32_t>(bits));
    if constexpr (sizeof(T) == 2) return __builtin_bit_cast(T, static_cast<uint16_t>(bits));
    if constexpr (sizeof(T) == 1) return __builtin_bit_cast(T, static_cast<uint8_t>(bits));
}

// `(uint32_t[]){16, 128}` as an argument: g++ takes no address of a temporary array.
struct U32List {
    uint32_t values[8];
    constexpr operator const uint32_t*() const { return values; }
};

}  // namespace aicore::ascendc
