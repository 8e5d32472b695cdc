// Vector operations on integers. Results keep their low bits (CTRL[53] = 0; asc-devkit, SetCtrlSpr).
#include "lanes.h"

namespace aicore::ops {
namespace {

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

template <class T, class F>
bool each(T* d, size_t n, F&& f) {
    AICORE_INDEPENDENT
    for (size_t i = 0; i < n; ++i) d[i] = static_cast<T>(f(i));
    return true;
}

template <class T>
T relu(T x) {
    return x > T{0} ? x : T{0};
}

template <class T>
bool two_sources(VecOp op, T* d, const T* a, const T* b, size_t n) {
    using U = std::make_unsigned_t<T>;
    switch (op) {
        case VecOp::add:
            return each(d, n, [=](size_t i) { return U(a[i]) + U(b[i]); });
        case VecOp::sub:
            return each(d, n, [=](size_t i) { return U(a[i]) - U(b[i]); });
        case VecOp::mul:
            return each(d, n, [=](size_t i) { return uint64_t(a[i]) * uint64_t(b[i]); });
        case VecOp::max:
            return each(d, n, [=](size_t i) { return a[i] > b[i] ? a[i] : b[i]; });
        case VecOp::min:
            return each(d, n, [=](size_t i) { return a[i] < b[i] ? a[i] : b[i]; });
        case VecOp::and_:
            return each(d, n, [=](size_t i) { return a[i] & b[i]; });
        case VecOp::or_:
            return each(d, n, [=](size_t i) { return a[i] | b[i]; });
        case VecOp::xor_:
            return each(d, n, [=](size_t i) { return a[i] ^ b[i]; });
        case VecOp::add_relu:
            return each(d, n, [=](size_t i) { return relu(static_cast<T>(U(a[i]) + U(b[i]))); });
        case VecOp::sub_relu:
            return each(d, n, [=](size_t i) { return relu(static_cast<T>(U(a[i]) - U(b[i]))); });
        case VecOp::power:
            return each(d, n, [=](size_t i) { return power_of(a[i], b[i]); });
        default:
            return false;
    }
}

template <class T>
bool one_source(VecOp op, T* d, const T* a, T s, size_t n) {
    using U = std::make_unsigned_t<T>;
    switch (op) {
        case VecOp::adds:
            return each(d, n, [=](size_t i) { return U(a[i]) + U(s); });
        case VecOp::muls:
            return each(d, n, [=](size_t i) { return uint64_t(a[i]) * uint64_t(s); });
        case VecOp::maxs:
            return each(d, n, [=](size_t i) { return a[i] > s ? a[i] : s; });
        case VecOp::mins:
            return each(d, n, [=](size_t i) { return a[i] < s ? a[i] : s; });
        case VecOp::abs:
            return each(d, n, [=](size_t i) { return a[i] < T{0} ? U(0) - U(a[i]) : U(a[i]); });
        case VecOp::relu:
            return each(d, n, [=](size_t i) { return relu(a[i]); });
        case VecOp::neg:
            return each(d, n, [=](size_t i) { return U(0) - U(a[i]); });
        case VecOp::not_:
            return each(d, n, [=](size_t i) { return ~a[i]; });
        default:
            return false;
    }
}

// A shift by all bits or more leaves 0, or the sign when a signed number goes to the right.
template <class T>
void shift(bool left, T* d, const T* a, double by, size_t n) {
    using U = std::make_unsigned_t<T>;
    constexpr int kBits = 8 * sizeof(T);
    const int count = by < 0 ? 0 : by > kBits ? kBits : static_cast<int>(by);
    const bool all = count == kBits;
    if (left) {
        each(d, n, [=](size_t i) { return all ? U{0} : U(U(a[i]) << count); });
    } else if (all && !std::is_signed_v<T>) {
        each(d, n, [=](size_t) { return T{0}; });
    } else {
        each(d, n, [=](size_t i) { return a[i] >> (all ? kBits - 1 : count); });
    }
}

// The number of bits of each element in a tensor of signed ones.
template <class T>
void shift_by(bool left, T* d, const T* a, const T* by, size_t n) {
    const auto* counts = reinterpret_cast<const std::make_signed_t<T>*>(by);
    for (size_t i = 0; i < n; ++i) shift(left, d + i, a + i, static_cast<double>(counts[i]), 1);
}

template <class T>
void compute_all(VecOp op, T* d, const T* a, const T* b, double scalar, size_t n) {
    if (op == VecOp::shift_left_by || op == VecOp::shift_right_by) {
        return shift_by(op == VecOp::shift_left_by, d, a, b, n);
    }
    if (op == VecOp::shift_left || op == VecOp::shift_right) return shift(op == VecOp::shift_left, d, a, scalar, n);
    if (b != nullptr) {
        two_sources(op, d, a, b, n);
    } else {
        one_source(op, d, a, to_integer<T>(scalar, Round::trunc, false), n);
    }
}

}  // namespace

void compute_integers(VecOp op, DType t, uint8_t* dst, const uint8_t* src0, const uint8_t* src1, double scalar,
                      size_t n) {
    with_integer(t, [&](auto zero) {
        using T = decltype(zero);
        compute_all(op, reinterpret_cast<T*>(dst), reinterpret_cast<const T*>(src0), reinterpret_cast<const T*>(src1),
                    scalar, n);
    });
}

}  // namespace aicore::ops
