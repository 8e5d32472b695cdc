// Vector operations on float, half and bfloat16. What float can round correctly is computed in float, the rest in
// double; a result is rounded to its type once.
#include <algorithm>
#include <cmath>

#include "lanes.h"
#include "transcendental.h"

namespace aicore::ops {
namespace {

template <class T, class F>
bool each(T* d, size_t n, F&& f) {
    AICORE_INDEPENDENT
    for (size_t i = 0; i < n; ++i) d[i] = static_cast<T>(f(i));
    return true;
}

// ---- in float: false for operations that need more ----

bool two_sources(VecOp op, float* d, const float* a, const float* b, size_t n) {
    switch (op) {
        case VecOp::add:
            return each(d, n, [=](size_t i) { return a[i] + b[i]; });
        case VecOp::sub:
            return each(d, n, [=](size_t i) { return a[i] - b[i]; });
        case VecOp::mul:
            return each(d, n, [=](size_t i) { return a[i] * b[i]; });
        case VecOp::div:
            return each(d, n, [=](size_t i) { return a[i] / b[i]; });
        case VecOp::max:
            return each(d, n, [=](size_t i) { return max_of(a[i], b[i]); });
        case VecOp::min:
            return each(d, n, [=](size_t i) { return min_of(a[i], b[i]); });
        case VecOp::add_relu:
            return each(d, n, [=](size_t i) { return max_of(a[i] + b[i], 0.0f); });
        case VecOp::sub_relu:
            return each(d, n, [=](size_t i) { return max_of(a[i] - b[i], 0.0f); });
        case VecOp::abs_sub:
            return each(d, n, [=](size_t i) { return __builtin_fabsf(a[i] - b[i]); });
        case VecOp::prelu:
            return each(d, n, [=](size_t i) { return a[i] >= 0 ? a[i] : a[i] * b[i]; });
        default:
            return false;
    }
}

bool one_source(VecOp op, float* d, const float* a, float s, size_t n) {
    switch (op) {
        case VecOp::adds:
            return each(d, n, [=](size_t i) { return a[i] + s; });
        case VecOp::muls:
            return each(d, n, [=](size_t i) { return a[i] * s; });
        case VecOp::maxs:
            return each(d, n, [=](size_t i) { return max_of(a[i], s); });
        case VecOp::mins:
            return each(d, n, [=](size_t i) { return min_of(a[i], s); });
        case VecOp::leaky_relu:
            return each(d, n, [=](size_t i) { return a[i] >= 0 ? a[i] : a[i] * s; });
        case VecOp::abs:
            return each(d, n, [=](size_t i) { return __builtin_fabsf(a[i]); });
        case VecOp::relu:
            return each(d, n, [=](size_t i) { return max_of(a[i], 0.0f); });
        case VecOp::reciprocal:
            return each(d, n, [=](size_t i) { return 1.0f / a[i]; });
        case VecOp::sqrt:
            return each(d, n, [=](size_t i) { return __builtin_sqrtf(a[i]); });
        case VecOp::round:
            return each(d, n, [=](size_t i) { return __builtin_rintf(a[i]); });
        case VecOp::neg:
            return each(d, n, [=](size_t i) { return -a[i]; });
        case VecOp::truncate:
            return each(d, n, [=](size_t i) { return __builtin_truncf(a[i]); });
        default:
            return false;
    }
}

bool in_float(VecOp op, float* d, const float* a, const float* b, float s, size_t n) {
    return operation(op).src1 ? two_sources(op, d, a, b, n) : one_source(op, d, a, s, n);
}

// ---- in double ----

bool in_double(VecOp op, double* d, const float* a, const float* b, size_t n) {
    switch (op) {
        case VecOp::rsqrt:
            return each(d, n, [=](size_t i) { return 1.0 / __builtin_sqrt(a[i]); });
        case VecOp::exp:
            return each(d, n, [=](size_t i) { return math::exp(a[i]); });
        case VecOp::exp_sub:
            return each(d, n, [=](size_t i) { return math::exp(a[i] - b[i]); });
        case VecOp::ln:
            return each(d, n, [=](size_t i) { return math::ln(a[i]); });
        case VecOp::sigmoid:
            return each(d, n, [=](size_t i) { return math::sigmoid(a[i]); });
        case VecOp::silu:
            return each(d, n, [=](size_t i) { return math::silu(a[i]); });
        case VecOp::tanh:
            return each(d, n, [=](size_t i) { return math::tanh(a[i]); });
        case VecOp::gelu:
            return each(d, n, [=](size_t i) { return math::gelu(a[i]); });
        case VecOp::sin:
            return each(d, n, [=](size_t i) { return std::sin(double{a[i]}); });
        case VecOp::cos:
            return each(d, n, [=](size_t i) { return std::cos(double{a[i]}); });
        case VecOp::erf:
            return each(d, n, [=](size_t i) { return std::erf(double{a[i]}); });
        case VecOp::power:
            return each(d, n, [=](size_t i) { return std::pow(double{a[i]}, double{b[i]}); });
        default:
            return false;
    }
}

// ---- x * y + z, rounded once; a double is rounded to odd ----

void multiply_add(const float* x, const float* y, const float* z, float* d, size_t n) {
    each(d, n, [=](size_t i) { return __builtin_fmaf(x[i], y[i], z[i]); });
}
void multiply_add(const float* x, const float* y, const float* z, double* d, size_t n) {
    each(d, n, [=](size_t i) { return math::multiply_add_to_odd(x[i], y[i], z[i]); });
}

template <class To>
void accumulating(VecOp op, const float* a, const float* b, const float* previous, float s, To* d, size_t n) {
    if (op == VecOp::mul_add_dst) return multiply_add(a, b, previous, d, n);
    if (op == VecOp::fused_mul_add) return multiply_add(a, previous, b, d, n);
    if (op == VecOp::mul_add_relu) {
        multiply_add(a, previous, b, d, n);
        each(d, n, [=](size_t i) { return d[i] < 0 ? To{0} : d[i]; });
        return;
    }
    float scale[kChunk];
    std::fill(scale, scale + n, s);
    multiply_add(a, scale, previous, d, n);
}

// At most kChunk elements.
void compute_chunk(VecOp op, DType t, uint8_t* dst, const uint8_t* src0, const uint8_t* src1, float s, size_t n) {
    float a_buffer[kChunk], b_buffer[kChunk], d_buffer[kChunk];
    double wide[kChunk];
    const float* a = load_floats(t, src0, a_buffer, n);
    const float* b = src1 == nullptr ? nullptr : load_floats(t, src1, b_buffer, n);
    float* d = t == DType::f32 ? reinterpret_cast<float*>(dst) : d_buffer;
    if (operation(op).dst) {
        const float* previous = load_floats(t, dst, d_buffer, n);
        if (t == DType::f32) return accumulating(op, a, b, previous, s, d, n);
        accumulating(op, a, b, previous, s, wide, n);
    } else if (in_float(op, d, a, b, s, n)) {
        return store_floats(t, d, dst, n);
    } else {
        in_double(op, wide, a, b, n);
    }
    store_doubles(t, wide, dst, n);
}

}  // namespace

void compute_floats(VecOp op, DType t, uint8_t* dst, const uint8_t* src0, const uint8_t* src1, double scalar,
                    size_t n) {
    const float s = static_cast<float>(rounded_to(t, scalar));
    const size_t size = size_of(t);
    for (size_t done = 0; done < n; done += kChunk) {
        const uint8_t* b = src1 == nullptr ? nullptr : src1 + done * size;
        compute_chunk(op, t, dst + done * size, src0 + done * size, b, s, std::min(kChunk, n - done));
    }
}

}  // namespace aicore::ops
