// Math of SIMT threads. Functions that libm does not round correctly are computed in double and rounded once; how far
// the hardware is from that is not published.
#pragma once

// The names below become macros: <cmath> must have declared its own before.
#include <math.h>

#include <cmath>
#include <cstdint>

#include "aicore/numeric.h"

namespace aicore::c_api {

#define AICORE_C_API_ROUNDED_ONCE(name, expression) \
    inline float name##_f32(float a) {              \
        const double x = a;                         \
        return static_cast<float>(expression);      \
    }
AICORE_C_API_ROUNDED_ONCE(exp, ::exp(x))
AICORE_C_API_ROUNDED_ONCE(exp2, ::exp2(x))
AICORE_C_API_ROUNDED_ONCE(exp10, ::pow(10.0, x))
AICORE_C_API_ROUNDED_ONCE(expm1, ::expm1(x))
AICORE_C_API_ROUNDED_ONCE(log, ::log(x))
AICORE_C_API_ROUNDED_ONCE(log2, ::log2(x))
AICORE_C_API_ROUNDED_ONCE(log10, ::log10(x))
AICORE_C_API_ROUNDED_ONCE(log1p, ::log1p(x))
AICORE_C_API_ROUNDED_ONCE(sin, ::sin(x))
AICORE_C_API_ROUNDED_ONCE(cos, ::cos(x))
AICORE_C_API_ROUNDED_ONCE(tan, ::tan(x))
AICORE_C_API_ROUNDED_ONCE(asin, ::asin(x))
AICORE_C_API_ROUNDED_ONCE(acos, ::acos(x))
AICORE_C_API_ROUNDED_ONCE(atan, ::atan(x))
AICORE_C_API_ROUNDED_ONCE(sinh, ::sinh(x))
AICORE_C_API_ROUNDED_ONCE(cosh, ::cosh(x))
AICORE_C_API_ROUNDED_ONCE(tanh, ::tanh(x))
AICORE_C_API_ROUNDED_ONCE(asinh, ::asinh(x))
AICORE_C_API_ROUNDED_ONCE(acosh, ::acosh(x))
AICORE_C_API_ROUNDED_ONCE(atanh, ::atanh(x))
AICORE_C_API_ROUNDED_ONCE(erf, ::erf(x))
AICORE_C_API_ROUNDED_ONCE(erfc, ::erfc(x))
AICORE_C_API_ROUNDED_ONCE(cbrt, ::cbrt(x))
AICORE_C_API_ROUNDED_ONCE(rcbrt, 1.0 / ::cbrt(x))
AICORE_C_API_ROUNDED_ONCE(rsqrt, 1.0 / ::sqrt(x))
AICORE_C_API_ROUNDED_ONCE(sinpi, ::sin(x* M_PI))
AICORE_C_API_ROUNDED_ONCE(cospi, ::cos(x* M_PI))
#undef AICORE_C_API_ROUNDED_ONCE

inline float pow_f32(float x, float y) { return static_cast<float>(::pow(static_cast<double>(x), y)); }
inline float atan2_f32(float y, float x) { return static_cast<float>(::atan2(static_cast<double>(y), x)); }
inline float hypot_f32(float x, float y) { return static_cast<float>(::hypot(static_cast<double>(x), y)); }
inline void sincos_f32(float x, float* s, float* c) {
    *s = sin_f32(x);
    *c = cos_f32(x);
}

// The larger or smaller number; NaN only if both are; +0 counts as larger than -0.
AICORE_INLINE float larger(float a, float b) {
    if (a != a) return b;
    if (b != b) return a;
    if (a == b) return __builtin_signbit(a) ? b : a;
    return a > b ? a : b;
}
AICORE_INLINE float smaller(float a, float b) {
    if (a != a) return b;
    if (b != b) return a;
    if (a == b) return __builtin_signbit(a) ? a : b;
    return a < b ? a : b;
}

}  // namespace aicore::c_api

using aicore::c_api::acos_f32, aicore::c_api::acosh_f32, aicore::c_api::asin_f32, aicore::c_api::asinh_f32,
    aicore::c_api::atan2_f32, aicore::c_api::atan_f32, aicore::c_api::atanh_f32, aicore::c_api::cbrt_f32,
    aicore::c_api::cos_f32, aicore::c_api::cosh_f32, aicore::c_api::cospi_f32, aicore::c_api::erf_f32,
    aicore::c_api::erfc_f32, aicore::c_api::exp10_f32, aicore::c_api::exp2_f32, aicore::c_api::exp_f32,
    aicore::c_api::expm1_f32, aicore::c_api::hypot_f32, aicore::c_api::log10_f32, aicore::c_api::log1p_f32,
    aicore::c_api::log2_f32, aicore::c_api::log_f32, aicore::c_api::pow_f32, aicore::c_api::rcbrt_f32,
    aicore::c_api::rsqrt_f32, aicore::c_api::sin_f32, aicore::c_api::sincos_f32, aicore::c_api::sinh_f32,
    aicore::c_api::sinpi_f32, aicore::c_api::tan_f32, aicore::c_api::tanh_f32;

#define expf exp_f32
#define exp2f exp2_f32
#define exp10f exp10_f32
#define expm1f expm1_f32
#define logf log_f32
#define log2f log2_f32
#define log10f log10_f32
#define log1pf log1p_f32
#define sinf sin_f32
#define cosf cos_f32
#define tanf tan_f32
#define asinf asin_f32
#define acosf acos_f32
#define atanf atan_f32
#define atan2f atan2_f32
#define sinhf sinh_f32
#define coshf cosh_f32
#define tanhf tanh_f32
#define asinhf asinh_f32
#define acoshf acosh_f32
#define atanhf atanh_f32
#define erff erf_f32
#define erfcf erfc_f32
#define cbrtf cbrt_f32
#define rcbrtf rcbrt_f32
#define rsqrtf rsqrt_f32
#define sinpif sinpi_f32
#define cospif cospi_f32
#define powf pow_f32
#define hypotf hypot_f32
#define sincosf sincos_f32

// max and min of two numbers of one type, and of mixed integers as C++ converts them.
AICORE_INLINE float max(float a, float b) { return aicore::c_api::larger(a, b); }
AICORE_INLINE float min(float a, float b) { return aicore::c_api::smaller(a, b); }
AICORE_INLINE double max(double a, double b) { return ::fmax(a, b); }
AICORE_INLINE double min(double a, double b) { return ::fmin(a, b); }
template <class F>
AICORE_INLINE aicore::Float16<F> max(aicore::Float16<F> a, aicore::Float16<F> b) {
    return aicore::Float16<F>(aicore::c_api::larger(a, b));
}
template <class F>
AICORE_INLINE aicore::Float16<F> min(aicore::Float16<F> a, aicore::Float16<F> b) {
    return aicore::Float16<F>(aicore::c_api::smaller(a, b));
}
template <class A, class B, std::enable_if_t<std::is_integral_v<A> && std::is_integral_v<B>, int> = 0>
AICORE_INLINE std::common_type_t<A, B> max(A a, B b) {
    using T = std::common_type_t<A, B>;
    return static_cast<T>(a) > static_cast<T>(b) ? static_cast<T>(a) : static_cast<T>(b);
}
template <class A, class B, std::enable_if_t<std::is_integral_v<A> && std::is_integral_v<B>, int> = 0>
AICORE_INLINE std::common_type_t<A, B> min(A a, B b) {
    using T = std::common_type_t<A, B>;
    return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(a) : static_cast<T>(b);
}

// Math of half and bfloat16_t: h<name>, from double, rounded once.
#define AICORE_C_API_HALF_MATH(name, expression)                     \
    template <class F>                                               \
    AICORE_INLINE aicore::Float16<F> h##name(aicore::Float16<F> a) { \
        const double x = static_cast<float>(a);                      \
        return aicore::Float16<F>(static_cast<double>(expression));  \
    }
AICORE_C_API_HALF_MATH(exp, ::exp(x))
AICORE_C_API_HALF_MATH(exp2, ::exp2(x))
AICORE_C_API_HALF_MATH(exp10, ::pow(10.0, x))
AICORE_C_API_HALF_MATH(log, ::log(x))
AICORE_C_API_HALF_MATH(log2, ::log2(x))
AICORE_C_API_HALF_MATH(log10, ::log10(x))
AICORE_C_API_HALF_MATH(log1p, ::log1p(x))
AICORE_C_API_HALF_MATH(sin, ::sin(x))
AICORE_C_API_HALF_MATH(cos, ::cos(x))
AICORE_C_API_HALF_MATH(tan, ::tan(x))
AICORE_C_API_HALF_MATH(atan, ::atan(x))
AICORE_C_API_HALF_MATH(tanh, ::tanh(x))
AICORE_C_API_HALF_MATH(erf, ::erf(x))
AICORE_C_API_HALF_MATH(sqrt, ::sqrt(x))
AICORE_C_API_HALF_MATH(rsqrt, 1.0 / ::sqrt(x))
AICORE_C_API_HALF_MATH(rcp, 1.0 / x)
AICORE_C_API_HALF_MATH(fabs, ::fabs(x))
AICORE_C_API_HALF_MATH(floor, ::floor(x))
AICORE_C_API_HALF_MATH(ceil, ::ceil(x))
AICORE_C_API_HALF_MATH(trunc, ::trunc(x))
AICORE_C_API_HALF_MATH(rint, aicore::round_integral(x, aicore::Round::rint))
AICORE_C_API_HALF_MATH(round, aicore::round_integral(x, aicore::Round::round))
#undef AICORE_C_API_HALF_MATH
template <class F>
AICORE_INLINE aicore::Float16<F> hatan2(aicore::Float16<F> y, aicore::Float16<F> x) {
    return aicore::Float16<F>(::atan2(static_cast<double>(static_cast<float>(y)), static_cast<float>(x)));
}
