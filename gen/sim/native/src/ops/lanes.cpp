#include "lanes.h"

#include <cmath>
#include <cstdio>

#include "math.h"

namespace aicore::ops {

Uses uses_of(VecOp op) {
    switch (op) {
        case VecOp::add:
        case VecOp::sub:
        case VecOp::mul:
        case VecOp::div:
        case VecOp::max:
        case VecOp::min:
        case VecOp::and_:
        case VecOp::or_:
        case VecOp::xor_:
        case VecOp::power:
            return {true, true, false, false};
        case VecOp::mul_add_dst:
        case VecOp::fused_mul_add:
            return {true, true, true, false};
        case VecOp::axpy:
            return {true, false, true, false};
        case VecOp::duplicate:
            return {};
        case VecOp::sigmoid:
        case VecOp::silu:
        case VecOp::tanh:
        case VecOp::sin:
        case VecOp::cos:
        case VecOp::erf:
        case VecOp::gelu:
        case VecOp::round:
            return {true, false, false, true};
        default:
            return {true, false, false, false};
    }
}

const char* name_of(VecOp op) {
    static constexpr const char* kNames[] = {
        "Add",       "Sub",         "Mul",  "Div",       "Max",     "Min",        "And",       "Or",
        "MulAddDst", "FusedMulAdd", "Adds", "Muls",      "Maxs",    "Mins",       "LeakyRelu", "Axpy",
        "ShiftLeft", "ShiftRight",  "Exp",  "Ln",        "Abs",     "Reciprocal", "Sqrt",      "Rsqrt",
        "Relu",      "Not",         "Copy", "Duplicate", "Sigmoid", "Silu",       "Tanh",      "Sin",
        "Cos",       "Erf",         "Gelu", "Power",     "Round",   "Xor"};
    return kNames[static_cast<size_t>(op)];
}

namespace {

bool moves_only(VecOp op) { return op == VecOp::copy || op == VecOp::duplicate; }

bool on_bits(VecOp op) {
    switch (op) {
        case VecOp::and_:
        case VecOp::or_:
        case VecOp::xor_:
        case VecOp::not_:
        case VecOp::shift_left:
        case VecOp::shift_right:
            return true;
        default:
            return false;
    }
}

bool on_integers(VecOp op) {
    switch (op) {
        case VecOp::add:
        case VecOp::sub:
        case VecOp::mul:
        case VecOp::max:
        case VecOp::min:
        case VecOp::adds:
        case VecOp::muls:
        case VecOp::maxs:
        case VecOp::mins:
        case VecOp::abs:
        case VecOp::relu:
        case VecOp::power:
            return true;
        default:
            return on_bits(op) || moves_only(op);
    }
}

// ---- floating point: + - * / max min and what one rounding gives
// -----------------------------------------------------

template <class F>
void each(float* d, size_t n, F&& f) {
    AICORE_INDEPENDENT
    for (size_t i = 0; i < n; ++i) d[i] = f(i);
}

// False for operations that need more than float.
bool in_float(VecOp op, float* d, const float* a, const float* b, float s, size_t n) {
    switch (op) {
        case VecOp::add:
            each(d, n, [=](size_t i) { return a[i] + b[i]; });
            return true;
        case VecOp::sub:
            each(d, n, [=](size_t i) { return a[i] - b[i]; });
            return true;
        case VecOp::mul:
            each(d, n, [=](size_t i) { return a[i] * b[i]; });
            return true;
        case VecOp::div:
            each(d, n, [=](size_t i) { return a[i] / b[i]; });
            return true;
        case VecOp::max:
            each(d, n, [=](size_t i) { return max_of(a[i], b[i]); });
            return true;
        case VecOp::min:
            each(d, n, [=](size_t i) { return min_of(a[i], b[i]); });
            return true;
        case VecOp::adds:
            each(d, n, [=](size_t i) { return a[i] + s; });
            return true;
        case VecOp::muls:
            each(d, n, [=](size_t i) { return a[i] * s; });
            return true;
        case VecOp::maxs:
            each(d, n, [=](size_t i) { return max_of(a[i], s); });
            return true;
        case VecOp::mins:
            each(d, n, [=](size_t i) { return min_of(a[i], s); });
            return true;
        case VecOp::leaky_relu:
            each(d, n, [=](size_t i) { return a[i] >= 0 ? a[i] : a[i] * s; });
            return true;
        case VecOp::abs:
            each(d, n, [=](size_t i) { return __builtin_fabsf(a[i]); });
            return true;
        case VecOp::relu:
            each(d, n, [=](size_t i) { return max_of(a[i], 0.0f); });
            return true;
        case VecOp::reciprocal:
            each(d, n, [=](size_t i) { return 1.0f / a[i]; });
            return true;
        case VecOp::sqrt:
            each(d, n, [=](size_t i) { return __builtin_sqrtf(a[i]); });
            return true;
        case VecOp::round:
            each(d, n, [=](size_t i) { return __builtin_rintf(a[i]); });
            return true;
        default:
            return false;
    }
}

// ---- floating point: in double
// ---------------------------------------------------------------------------------------

template <class F>
void each_double(double* d, size_t n, F&& f) {
    AICORE_INDEPENDENT
    for (size_t i = 0; i < n; ++i) d[i] = f(i);
}

void in_double(VecOp op, double* d, const float* a, const float* b, size_t n) {
    switch (op) {
        case VecOp::exp:
            return each_double(d, n, [=](size_t i) { return math::exp(a[i]); });
        case VecOp::ln:
            return each_double(d, n, [=](size_t i) { return math::ln(a[i]); });
        case VecOp::rsqrt:
            return each_double(d, n, [=](size_t i) { return 1.0 / __builtin_sqrt(a[i]); });
        case VecOp::sigmoid:
            return each_double(d, n, [=](size_t i) { return math::sigmoid(a[i]); });
        case VecOp::silu:
            return each_double(d, n, [=](size_t i) { return math::silu(a[i]); });
        case VecOp::tanh:
            return each_double(d, n, [=](size_t i) { return math::tanh(a[i]); });
        case VecOp::gelu:
            return each_double(d, n, [=](size_t i) { return math::gelu(a[i]); });
        case VecOp::sin:
            return each_double(d, n, [=](size_t i) { return std::sin(double{a[i]}); });
        case VecOp::cos:
            return each_double(d, n, [=](size_t i) { return std::cos(double{a[i]}); });
        case VecOp::erf:
            return each_double(d, n, [=](size_t i) { return std::erf(double{a[i]}); });
        case VecOp::power:
            return each_double(d, n, [=](size_t i) { return std::pow(double{a[i]}, double{b[i]}); });
        default:
            return;
    }
}

// x * y + z rounded once to type `t`.
void multiply_add(DType t, const float* x, const float* y, const float* z, float* d, size_t n) {
    if (t == DType::f32) return each(d, n, [=](size_t i) { return __builtin_fmaf(x[i], y[i], z[i]); });
    each(d, n, [=](size_t i) { return detail::to_float_sticky(math::multiply_add_to_odd(x[i], y[i], z[i])); });
}

void float_chunk(VecOp op, DType t, uint8_t* dst, const uint8_t* src0, const uint8_t* src1, float s, size_t n) {
    float a_buffer[kChunk], b_buffer[kChunk], d_buffer[kChunk];
    const float* a = src0 == nullptr ? nullptr : load_floats(t, src0, a_buffer, n);
    const float* b = src1 == nullptr ? nullptr : load_floats(t, src1, b_buffer, n);
    float* d = t == DType::f32 ? reinterpret_cast<float*>(dst) : d_buffer;
    if (uses_of(op).dst) {
        float old[kChunk], scale[kChunk];
        const float* previous = load_floats(t, dst, old, n);
        if (op == VecOp::mul_add_dst) multiply_add(t, a, b, previous, d, n);
        if (op == VecOp::fused_mul_add) multiply_add(t, a, previous, b, d, n);
        if (op == VecOp::axpy) {
            for (size_t i = 0; i < n; ++i) scale[i] = s;
            multiply_add(t, a, scale, previous, d, n);
        }
        return store_floats(t, d, dst, n);
    }
    if (in_float(op, d, a, b, s, n)) return store_floats(t, d, dst, n);
    double wide[kChunk];
    in_double(op, wide, a, b, n);
    store_doubles(t, wide, dst, n);
}

// ---- integers
// --------------------------------------------------------------------------------------------------------

template <class T>
T power_of(T base, T exponent) {
    if constexpr (std::is_signed_v<T>) {
        if (exponent < 0) return static_cast<T>(base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0);
    }
    uint64_t result = 1, square = static_cast<uint64_t>(base);
    for (uint64_t e = static_cast<uint64_t>(exponent); e != 0; e >>= 1, square *= square) {
        if (e & 1) result *= square;
    }
    return static_cast<T>(result);
}

template <class T>
void in_integer(VecOp op, T* d, const T* a, const T* b, double scalar, size_t n) {
    using U = std::make_unsigned_t<T>;
    constexpr unsigned kBits = 8 * sizeof(T);
    const T s = to_integer<T>(scalar, Round::trunc, false);
    const unsigned by = scalar < 0 ? 0 : scalar > kBits ? kBits : static_cast<unsigned>(scalar);
    const auto all = [&](auto&& f) {
        AICORE_INDEPENDENT
        for (size_t i = 0; i < n; ++i) d[i] = static_cast<T>(f(i));
    };
    switch (op) {
        case VecOp::add:
            return all([=](size_t i) { return U(a[i]) + U(b[i]); });
        case VecOp::sub:
            return all([=](size_t i) { return U(a[i]) - U(b[i]); });
        case VecOp::mul:
            return all([=](size_t i) { return uint64_t(a[i]) * uint64_t(b[i]); });
        case VecOp::max:
            return all([=](size_t i) { return a[i] > b[i] ? a[i] : b[i]; });
        case VecOp::min:
            return all([=](size_t i) { return a[i] < b[i] ? a[i] : b[i]; });
        case VecOp::adds:
            return all([=](size_t i) { return U(a[i]) + U(s); });
        case VecOp::muls:
            return all([=](size_t i) { return uint64_t(a[i]) * uint64_t(s); });
        case VecOp::maxs:
            return all([=](size_t i) { return a[i] > s ? a[i] : s; });
        case VecOp::mins:
            return all([=](size_t i) { return a[i] < s ? a[i] : s; });
        case VecOp::abs:
            return all([=](size_t i) { return a[i] < T{0} ? U(0) - U(a[i]) : U(a[i]); });
        case VecOp::relu:
            return all([=](size_t i) { return a[i] > T{0} ? a[i] : T{0}; });
        case VecOp::and_:
            return all([=](size_t i) { return a[i] & b[i]; });
        case VecOp::or_:
            return all([=](size_t i) { return a[i] | b[i]; });
        case VecOp::xor_:
            return all([=](size_t i) { return a[i] ^ b[i]; });
        case VecOp::not_:
            return all([=](size_t i) { return ~a[i]; });
        case VecOp::shift_left:
            return all([=](size_t i) { return by >= kBits ? U(0) : U(U(a[i]) << by); });
        case VecOp::shift_right:
            return all([=](size_t i) {
                return a[i] >> (by >= kBits ? kBits - 1 : by) >> (by >= kBits && !std::is_signed_v<T>);
            });
        case VecOp::power:
            return all([=](size_t i) { return power_of(a[i], b[i]); });
        default:
            return;
    }
}

void duplicate(DType t, uint8_t* dst, double scalar, size_t n) {
    const bool whole = with_integer(t, [&](auto zero) {
        using T = decltype(zero);
        T* d = reinterpret_cast<T*>(dst);
        const T s = to_integer<T>(scalar, Round::trunc, false);
        for (size_t i = 0; i < n; ++i) d[i] = s;
    });
    if (whole) return;
    uint32_t bits = __builtin_bit_cast(uint32_t, static_cast<float>(scalar));
    if (t == DType::f16) bits = half(scalar).bits;
    if (t == DType::bf16) bits = bfloat16_t(scalar).bits;
    if (t == DType::f32) {
        for (size_t i = 0; i < n; ++i) reinterpret_cast<uint32_t*>(dst)[i] = bits;
    } else {
        for (size_t i = 0; i < n; ++i) reinterpret_cast<uint16_t*>(dst)[i] = static_cast<uint16_t>(bits);
    }
}

}  // namespace

void check_type(VecOp op, DType t) {
    const bool a2 = on_2201();
    // asc-devkit, Memory vector computation: on A2/A3 no arithmetic on bfloat16, on integers of 8 or 64 bits.
    const bool narrow = t == DType::bf16 || size_of(t) == 1 || size_of(t) == 8;
    bool known = is_float(t) ? !on_bits(op) : on_integers(op);
    if (a2 && narrow && !moves_only(op)) known = false;
    if (!known) unsupported_type(name_of(op), t);
}

void compute(VecOp op, DType t, uint8_t* dst, const uint8_t* src0, const uint8_t* src1, double scalar, size_t n) {
    if (op == VecOp::duplicate) return duplicate(t, dst, scalar, n);
    if (op == VecOp::copy) {
        std::memmove(dst, src0, n * size_of(t));
        return;
    }
    const bool whole = with_integer(t, [&](auto zero) {
        using T = decltype(zero);
        in_integer(op, reinterpret_cast<T*>(dst), reinterpret_cast<const T*>(src0), reinterpret_cast<const T*>(src1),
                   scalar, n);
    });
    if (whole) return;
    const float s = static_cast<float>(rounded_to(t, scalar));
    const size_t size = size_of(t);
    for (size_t done = 0; done < n; done += kChunk) {
        const size_t m = std::min(kChunk, n - done);
        const uint8_t* a = src0 == nullptr ? nullptr : src0 + done * size;
        const uint8_t* b = src1 == nullptr ? nullptr : src1 + done * size;
        float_chunk(op, t, dst + done * size, a, b, s, m);
    }
}

}  // namespace aicore::ops
