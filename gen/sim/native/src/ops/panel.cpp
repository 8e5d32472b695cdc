#include "panel.h"

#include <cmath>

#include "builder.h"

#if defined(__AVX__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

namespace aicore::ops::panel {
namespace {

#if defined(__AVX512F__)
constexpr size_t kLanes = 16;
constexpr size_t kRows = 8, kGroups = 2;  // 16 accumulators: two FMAs a cycle, four cycles of latency, twice over
#elif defined(__AVX__)
constexpr size_t kLanes = 8;
constexpr size_t kRows = 4, kGroups = 1;  // 8 of 16 registers accumulate
#else
constexpr size_t kLanes = 4;
constexpr size_t kRows = 4, kGroups = 1;
#endif
constexpr size_t kVectors = kColumns / kLanes;  // per row of a group
typedef float Vec __attribute__((vector_size(kLanes * sizeof(float)), aligned(4), may_alias));

AICORE_INLINE Vec load(const float* p) { return *reinterpret_cast<const Vec*>(p); }
AICORE_INLINE void store(float* p, Vec v) { *reinterpret_cast<Vec*>(p) = v; }
AICORE_INLINE Vec broadcast(float x) { return x - Vec{}; }

// Rounds once.
AICORE_INLINE Vec fused(Vec a, Vec b, Vec c) {
#if defined(__AVX512F__)
    return _mm512_fmadd_ps(a, b, c);
#elif defined(__FMA__)
    return _mm256_fmadd_ps(a, b, c);
#elif defined(__ARM_NEON)
    return vfmaq_f32(c, a, b);
#else
    for (size_t i = 0; i < kLanes; ++i) c[i] = std::fma(a[i], b[i], c[i]);
    return c;
#endif
}

template <size_t Rows, size_t Groups, bool Fused>
void kernel(const Product& p, size_t row, size_t group) {
    Vec acc[Rows][Groups][kVectors];
    for (size_t r = 0; r < Rows; ++r) {
        for (size_t g = 0; g < Groups; ++g) {
            for (size_t v = 0; v < kVectors; ++v) {
                const float* c = p.c[group + g] + (row + r) * kColumns + v * kLanes;
                const float* start = p.row + (group + g) * kColumns + v * kLanes;
                acc[r][g][v] = p.start == Start::zero ? Vec{} : load(p.start == Start::row ? start : c);
            }
        }
    }
    const float* a = p.a + row * p.a_stride;
    const float* b = p.b + group * p.b_group;
    for (size_t k = 0; k < p.k; ++k) {
        Vec bk[Groups][kVectors];
        for (size_t g = 0; g < Groups; ++g) {
            for (size_t v = 0; v < kVectors; ++v) bk[g][v] = load(b + g * p.b_group + k * kColumns + v * kLanes);
        }
        for (size_t r = 0; r < Rows; ++r) {
            const Vec ak = broadcast(a[r * p.a_stride + k]);
            for (size_t g = 0; g < Groups; ++g) {
                for (size_t v = 0; v < kVectors; ++v) {
                    Vec& c = acc[r][g][v];
                    c = Fused ? fused(ak, bk[g][v], c) : ak * bk[g][v] + c;
                }
            }
        }
    }
    for (size_t r = 0; r < Rows; ++r) {
        for (size_t g = 0; g < Groups; ++g) {
            for (size_t v = 0; v < kVectors; ++v) {
                store(p.c[group + g] + (row + r) * kColumns + v * kLanes, acc[r][g][v]);
            }
        }
    }
}

template <size_t Groups, bool Fused>
void columns(const Product& p, size_t group) {
    size_t row = 0;
    for (; row + kRows <= p.m; row += kRows) kernel<kRows, Groups, Fused>(p, row, group);
    for (; row + 2 <= p.m; row += 2) kernel<2, Groups, Fused>(p, row, group);
    for (; row < p.m; ++row) kernel<1, Groups, Fused>(p, row, group);
}

template <bool Fused>
void all_columns(const Product& p) {
    size_t group = 0;
    for (; group + kGroups <= p.groups; group += kGroups) columns<kGroups, Fused>(p, group);
    for (; group < p.groups; ++group) columns<1, Fused>(p, group);
}

AICORE_INLINE void widen_f16(const uint16_t* from, float* to, size_t n) {
    size_t i = 0;
#if defined(__F16C__) && defined(__AVX__)
    for (; i + 8 <= n; i += 8) {
        _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i))));
    }
#endif
    for (; i < n; ++i) to[i] = f16_to_f32(from[i]);
}

struct Values {
    float of[256];
};
template <float (*value)(uint8_t)>
constexpr Values all_values() {
    Values v{};
    for (int i = 0; i < 256; ++i) v.of[i] = value(static_cast<uint8_t>(i));
    return v;
}

void widen_bytes(DType t, const uint8_t* from, float* to, size_t n) {
    static constexpr Values kE4m3 = all_values<from_e4m3>(), kE5m2 = all_values<from_e5m2>(),
                            kHif8 = all_values<from_hif8>();
    const Values& v = t == DType::e4m3 ? kE4m3 : t == DType::e5m2 ? kE5m2 : kHif8;
    for (size_t i = 0; i < n; ++i) to[i] = v.of[from[i]];
}

constexpr float from_i4(uint8_t nibble) { return static_cast<float>(nibble < 8 ? nibble : nibble - 16); }

template <float (*value)(uint8_t)>
void widen_nibbles(const uint8_t* from, float* to, size_t n) {
    for (size_t i = 0; i < n; ++i) to[i] = value(from[i / 2] >> i % 2 * 4 & 15);
}

AICORE_INLINE void widen(DType t, const uint8_t* from, float* to, size_t n) {
    switch (t) {
        case DType::f16:
            return widen_f16(reinterpret_cast<const uint16_t*>(from), to, n);
        case DType::bf16:
            for (size_t i = 0; i < n; ++i) to[i] = bf16_to_f32(reinterpret_cast<const uint16_t*>(from)[i]);
            return;
        case DType::i8:
            for (size_t i = 0; i < n; ++i) to[i] = static_cast<int8_t>(from[i]);
            return;
        case DType::e4m3:
        case DType::e5m2:
        case DType::hif8:
            return widen_bytes(t, from, to, n);
        case DType::i4:
            return widen_nibbles<from_i4>(from, to, n);
        case DType::e2m1:
            return widen_nibbles<from_e2m1>(from, to, n);
        case DType::e1m2:
            return widen_nibbles<from_e1m2>(from, to, n);
        default:
            std::memcpy(to, from, n * sizeof(float));
    }
}

// 8 rows of 8 floats to 8 columns.
AICORE_INLINE void transpose_8x8(const float* from, size_t from_stride, float* to, size_t to_stride) {
#if defined(__AVX__)
    __m256 r[8], s[8];
    for (int i = 0; i < 8; ++i) r[i] = _mm256_loadu_ps(from + i * from_stride);
    for (int i = 0; i < 8; i += 2) {
        s[i] = _mm256_unpacklo_ps(r[i], r[i + 1]);
        s[i + 1] = _mm256_unpackhi_ps(r[i], r[i + 1]);
    }
    for (int i = 0; i < 8; i += 4) {
        r[i] = _mm256_shuffle_ps(s[i], s[i + 2], 0x44);
        r[i + 1] = _mm256_shuffle_ps(s[i], s[i + 2], 0xEE);
        r[i + 2] = _mm256_shuffle_ps(s[i + 1], s[i + 3], 0x44);
        r[i + 3] = _mm256_shuffle_ps(s[i + 1], s[i + 3], 0xEE);
    }
    for (int i = 0; i < 4; ++i) {
        _mm256_storeu_ps(to + i * to_stride, _mm256_permute2f128_ps(r[i], r[i + 4], 0x20));
        _mm256_storeu_ps(to + (i + 4) * to_stride, _mm256_permute2f128_ps(r[i], r[i + 4], 0x31));
    }
#else
    for (size_t i = 0; i < 8; ++i) {
        for (size_t j = 0; j < 8; ++j) to[j * to_stride + i] = from[i * from_stride + j];
    }
#endif
}

}  // namespace

void widen_rows(DType t, const uint8_t* fractal, size_t c0, size_t rows, float* to, size_t stride) {
    for (size_t r = 0; r < rows; ++r) widen(t, fractal + r * kBlock, to + r * stride, c0);
}

void widen_transposed(DType t, const uint8_t* fractal, size_t c0, float* to) {
    float rows[2 * kFractal];  // at most 1024 elements of half a byte
    widen(t, fractal, rows, kColumns * c0);
    for (size_t k = 0; k < c0; k += 8) {
        for (size_t n = 0; n < kColumns; n += 8) {
            transpose_8x8(rows + n * c0 + k, c0, to + k * kColumns + n, kColumns);
        }
    }
}

void multiply(const Product& p) { p.fused ? all_columns<true>(p) : all_columns<false>(p); }

}  // namespace aicore::ops::panel
