#include "elements.h"

#include <cmath>

#include "rounding.h"

#if defined(__F16C__) && defined(__AVX__)
#include <immintrin.h>
#endif

namespace aicore::ops {
namespace {

void f16_to_floats(const uint16_t* from, float* to, size_t n) {
    size_t i = 0;
#if defined(__F16C__) && defined(__AVX__)
    for (; i + 8 <= n; i += 8) {
        _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i))));
    }
#endif
    for (; i < n; ++i) to[i] = f16_to_f32(from[i]);
}

void floats_to_f16(const float* from, uint16_t* to, size_t n) {
    size_t i = 0;
#if defined(__F16C__) && defined(__AVX__)
    for (; i + 8 <= n; i += 8) {
        const __m128i h = _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), h);
    }
#endif
    for (; i < n; ++i) to[i] = f32_to_f16(from[i]);
}

void bf16_to_floats(const uint16_t* from, float* to, size_t n) {
    for (size_t i = 0; i < n; ++i) to[i] = bf16_to_f32(from[i]);
}

void floats_to_bf16(const float* from, uint16_t* to, size_t n) {
    for (size_t i = 0; i < n; ++i) {
        const uint32_t bits = __builtin_bit_cast(uint32_t, from[i]);
        const uint32_t rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
        const uint32_t quiet = (bits >> 16) | 0x40;
        to[i] = static_cast<uint16_t>((bits & 0x7FFFFFFF) > 0x7F800000 ? quiet : rounded);
    }
}

}  // namespace

const float* load_floats(DType t, const void* from, float* buffer, size_t n) {
    if (t == DType::f32) return static_cast<const float*>(from);
    if (t == DType::f16) {
        f16_to_floats(static_cast<const uint16_t*>(from), buffer, n);
    } else {
        bf16_to_floats(static_cast<const uint16_t*>(from), buffer, n);
    }
    return buffer;
}

void store_floats(DType t, const float* from, void* to, size_t n) {
    if (t == DType::f32) {
        if (to != from) std::memcpy(to, from, n * sizeof(float));
    } else if (t == DType::f16) {
        floats_to_f16(from, static_cast<uint16_t*>(to), n);
    } else {
        floats_to_bf16(from, static_cast<uint16_t*>(to), n);
    }
}

void store_doubles(DType t, const double* from, void* to, size_t n) {
    if (t == DType::f32) {
        float* out = static_cast<float*>(to);
        for (size_t i = 0; i < n; ++i) out[i] = static_cast<float>(from[i]);
        return;
    }
    float rounded[kChunk];
    for (size_t done = 0; done < n; done += kChunk) {
        const size_t m = n - done < kChunk ? n - done : kChunk;
        if (t == DType::f16) {
            for (size_t i = 0; i < m; ++i) rounded[i] = static_cast<float>(math::to_precision<11, -14>(from[done + i]));
        } else {
            for (size_t i = 0; i < m; ++i) rounded[i] = static_cast<float>(math::to_precision<8, -126>(from[done + i]));
        }
        store_floats(t, rounded, static_cast<uint16_t*>(to) + done, m);
    }
}

void saturate_floats(DType t, float* x, size_t n) {
    const float most = t == DType::f16 ? 65504.0f : detail::bits_float(0x7F7F0000);
    for (size_t i = 0; i < n; ++i) {
        const float low = x[i] < -most ? -most : x[i];
        const float clamped = low > most ? most : low;
        x[i] = x[i] != x[i] ? 0.0f : clamped;
    }
}

double rounded_to(DType t, double x) {
    switch (t) {
        case DType::f32:
            return static_cast<float>(x);
        case DType::f16:
            return static_cast<float>(half(x));
        case DType::bf16:
            return static_cast<float>(bfloat16_t(x));
        default:
            return x;
    }
}

std::mutex& gm_atomics() {
    static std::mutex m;
    return m;
}

void check_atomic(Atomic, DType t) {
    // asc-devkit, SetAtomicAdd / SetAtomicMax / SetAtomicMin: float, half, bfloat16, int32, int16, int8.
    const bool known = is_float(t) || t == DType::i32 || t == DType::i16 || t == DType::i8;
    if (!known) unsupported_type("atomic access", t);
}

namespace {

template <class T, class F>
void update(void* dst, const void* src, size_t n, F&& f) {
    for (size_t i = 0; i < n; ++i) {
        T a, b;
        std::memcpy(&a, static_cast<uint8_t*>(dst) + i * sizeof(T), sizeof(T));
        std::memcpy(&b, static_cast<const uint8_t*>(src) + i * sizeof(T), sizeof(T));
        a = f(a, b);
        std::memcpy(static_cast<uint8_t*>(dst) + i * sizeof(T), &a, sizeof(T));
    }
}

template <class T>
void update_float(Atomic op, void* dst, const void* src, size_t n) {
    update<T>(dst, src, n, [op](T a, T b) -> T {
        const float x = a, y = b;
        return T(op == Atomic::add ? x + y : op == Atomic::max ? max_of(x, y) : min_of(x, y));
    });
}

}  // namespace

void accumulate(Atomic op, DType t, void* dst, const void* src, size_t n) {
    switch (t) {
        case DType::f32:
            return update_float<float>(op, dst, src, n);
        case DType::f16:
            return update_float<half>(op, dst, src, n);
        case DType::bf16:
            return update_float<bfloat16_t>(op, dst, src, n);
        default:
            break;
    }
    with_integer(t, [&](auto zero) {
        using T = decltype(zero);
        update<T>(dst, src, n, [op](T a, T b) -> T {
            if (op == Atomic::add) return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
            return (op == Atomic::max) == (a > b) ? a : b;
        });
    });
}

}  // namespace aicore::ops
