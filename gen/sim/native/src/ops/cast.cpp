// Cast between number formats, in every rounding mode, and Axpy from half to float.
//
// Source: asc-devkit, docs/zh/api/SIMD-API, Cast (tables of type pairs and modes) and precision_conversion.md.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "convert.h"
#include "cycles.h"
#include "shape.h"

namespace aicore::ops {
namespace {

constexpr unsigned bit(Round r) { return 1u << static_cast<unsigned>(r); }
constexpr unsigned kNone = bit(Round::none);
constexpr unsigned kFive =
    bit(Round::rint) | bit(Round::floor) | bit(Round::ceil) | bit(Round::round) | bit(Round::trunc);
constexpr unsigned kAny = ~0u;

struct Pair {
    DType src, dst;
    unsigned modes;
    bool only_3510 = false;
};

constexpr Pair kPairs[] = {
    {DType::i8, DType::f16, kNone},          {DType::u8, DType::f16, kNone},
    {DType::i16, DType::f16, kFive | kNone}, {DType::i16, DType::f32, kNone},
    {DType::f16, DType::i8, kFive | kNone},  {DType::f16, DType::u8, kFive | kNone},
    {DType::f16, DType::i16, kFive},         {DType::f16, DType::i32, kFive},
    {DType::f16, DType::f32, kNone},         {DType::bf16, DType::i32, kFive},
    {DType::bf16, DType::f32, kNone},        {DType::i32, DType::i16, kNone},
    {DType::i32, DType::f16, kAny},  // the mode has no effect: SetDeqScale
    {DType::i32, DType::f32, kFive | kNone}, {DType::i32, DType::i64, kNone},
    {DType::f32, DType::i16, kFive},         {DType::f32, DType::f16, kFive | bit(Round::odd) | kNone},
    {DType::f32, DType::bf16, kFive},        {DType::f32, DType::i32, kFive},
    {DType::f32, DType::f32, kFive},         {DType::f32, DType::i64, kFive},
    {DType::i64, DType::i32, kNone},         {DType::i64, DType::f32, kFive},
    {DType::i8, DType::i16, kNone, true},    {DType::i8, DType::i32, kNone, true},
    {DType::u8, DType::u16, kNone, true},    {DType::u8, DType::u32, kNone, true},
    {DType::i16, DType::u8, kNone, true},    {DType::i16, DType::i32, kNone, true},
    {DType::i16, DType::u32, kNone, true},   {DType::u16, DType::u8, kNone, true},
    {DType::u16, DType::u32, kNone, true},   {DType::f16, DType::bf16, kFive, true},
    {DType::bf16, DType::f16, kFive, true},  {DType::i32, DType::u8, kNone, true},
    {DType::i32, DType::u16, kNone, true},   {DType::u32, DType::u8, kNone, true},
    {DType::u32, DType::i16, kNone, true},   {DType::u32, DType::u16, kNone, true},
};

const char* name_of(Round r) {
    static constexpr const char* kNames[] = {"CAST_NONE",  "CAST_RINT",  "CAST_FLOOR", "CAST_CEIL",
                                             "CAST_ROUND", "CAST_TRUNC", "CAST_ODD"};
    return kNames[static_cast<size_t>(r)];
}

void check_pair(DType dst, DType src, Round round) {
    for (const Pair& p : kPairs) {
        if (p.src == src && p.dst == dst && (p.modes & bit(round)) && !(p.only_3510 && on_2201())) return;
    }
    char text[160];
    std::snprintf(text, sizeof text, "Cast from %s to %s with %s: no such instruction on %s", ops::name_of(src),
                  ops::name_of(dst), name_of(round), on_2201() ? "dav-2201" : "dav-3510");
    unsupported(text);
}

struct Params {
    Conversion conversion;
    uint32_t outer;
    uint64_t n;
    int64_t dst_outer, src_outer;
};

bool to_nearest(Round r) { return r == Round::none || r == Round::rint; }

void float_to_float(const Conversion& p, uint8_t* dst, const uint8_t* src, size_t n) {
    float buffer[kChunk], result[kChunk];
    const float* x = load_floats(p.src, src, buffer, n);
    if (p.dst == DType::f32 && p.src == DType::f32) {
        float* d = reinterpret_cast<float*>(dst);
        for (size_t i = 0; i < n; ++i) {
            d[i] = p.round == Round::none ? x[i] : static_cast<float>(round_integral(x[i], p.round));
        }
        return;
    }
    if (to_nearest(p.round) && p.saturate && p.dst != DType::f32) {
        std::memcpy(result, x, n * sizeof(float));
        saturate_floats(p.dst, result, n);
        x = result;
    }
    if (to_nearest(p.round) || p.dst == DType::f32) return store_floats(p.dst, x, dst, n);
    uint16_t* d = reinterpret_cast<uint16_t*>(dst);
    for (size_t i = 0; i < n; ++i) {
        d[i] = p.dst == DType::f16 ? f32_to_f16(x[i], p.round, p.saturate) : f32_to_bf16(x[i], p.round, p.saturate);
    }
}

// The modes that vectorise; the bounds of Int are exact in double.
template <class Int, class F>
void saturate_integers(const float* x, Int* d, size_t n, F&& round) {
    constexpr double kLow = std::numeric_limits<Int>::min(), kHigh = std::numeric_limits<Int>::max();
    for (size_t i = 0; i < n; ++i) {
        const double r = round(static_cast<double>(x[i]));
        const double low = r < kLow ? kLow : r;
        const double bounded = low > kHigh ? kHigh : low;
        d[i] = static_cast<Int>(static_cast<int64_t>(r != r ? 0.0 : bounded));
    }
}

template <class Int>
void floats_to_integers(const Conversion& p, const float* x, Int* d, size_t n) {
    if (p.saturate && sizeof(Int) <= 4) {
        switch (p.round) {
            case Round::none:
            case Round::rint:
                return saturate_integers(x, d, n, [](double v) { return __builtin_rint(v); });
            case Round::floor:
                return saturate_integers(x, d, n, [](double v) { return __builtin_floor(v); });
            case Round::ceil:
                return saturate_integers(x, d, n, [](double v) { return __builtin_ceil(v); });
            case Round::trunc:
                return saturate_integers(x, d, n, [](double v) { return __builtin_trunc(v); });
            case Round::round:
            case Round::odd:
                break;
        }
    }
    for (size_t i = 0; i < n; ++i) d[i] = to_integer<Int>(x[i], p.round, p.saturate);
}

// An integer rounded to float in any mode.
template <class Int>
float integer_to_float(Int x, Round mode) {
    if (sizeof(Int) <= 2 || to_nearest(mode)) return static_cast<float>(x);
    const bool negative = x < 0;
    const uint64_t magnitude = negative ? 0 - static_cast<uint64_t>(x) : static_cast<uint64_t>(x);
    const int length = magnitude == 0 ? 0 : 64 - __builtin_clzll(magnitude);
    if (length <= 24) return static_cast<float>(x);
    const int cut = length - 24;
    const uint64_t kept = magnitude >> cut;
    const bool half = (magnitude >> (cut - 1)) & 1;
    const bool sticky = (magnitude & ((uint64_t{1} << (cut - 1)) - 1)) != 0;
    const uint64_t rounded = kept + detail::rounds_up(mode, negative, kept & 1, half, sticky);
    const float result = static_cast<float>(rounded) * static_cast<float>(uint64_t{1} << cut);
    return negative ? -result : result;
}

template <class Int>
void integers_to_floats(const Conversion& p, const Int* x, uint8_t* dst, size_t n) {
    float result[kChunk];
    float* d = p.dst == DType::f32 ? reinterpret_cast<float*>(dst) : result;
    if (p.dst == DType::f32) {
        for (size_t i = 0; i < n; ++i) d[i] = integer_to_float(x[i], p.round);
        return;
    }
    // Half: the float keeps by its last bit that something was cut off, so the second rounding is right in every mode.
    const bool scaled = p.src == DType::i32;
    const Round mode = scaled ? Round::rint : p.round;
    uint16_t* h = reinterpret_cast<uint16_t*>(dst);
    for (size_t i = 0; i < n; ++i) {
        const double exact = static_cast<double>(x[i]) * (scaled ? static_cast<double>(p.scale) : 1.0);
        h[i] = f32_to_f16(detail::to_float_sticky(exact), mode, p.saturate);
    }
}

}  // namespace

void convert(const Conversion& p, uint8_t* dst, const uint8_t* src, size_t n) {
    if (is_float(p.src) && is_float(p.dst)) return float_to_float(p, dst, src, n);
    if (is_float(p.src)) {
        float buffer[kChunk];
        const float* x = load_floats(p.src, src, buffer, n);
        with_integer(p.dst, [&](auto zero) { floats_to_integers(p, x, reinterpret_cast<decltype(zero)*>(dst), n); });
        return;
    }
    with_integer(p.src, [&](auto from) {
        const auto* x = reinterpret_cast<const decltype(from)*>(src);
        if (is_float(p.dst)) return integers_to_floats(p, x, dst, n);
        with_integer(p.dst, [&](auto to) {
            auto* d = reinterpret_cast<decltype(to)*>(dst);
            for (size_t i = 0; i < n; ++i) d[i] = narrow_integer<decltype(to)>(x[i], p.saturate);
        });
    });
}

namespace {

void run(const void* params, uint8_t* const* at) {
    const Params& p = params_of<Params>(params);
    const Conversion& c = p.conversion;
    for (uint32_t o = 0; o < p.outer; ++o) {
        for (size_t done = 0; done < p.n; done += kChunk) {
            convert(c, at[0] + o * p.dst_outer + done * size_of(c.dst), at[1] + o * p.src_outer + done * size_of(c.src),
                    std::min<size_t>(kChunk, p.n - done));
        }
    }
}

struct AxpyParams {
    float scalar;
    uint32_t outer;
    uint64_t n;
    int64_t dst_outer, src_outer;
};

void run_axpy(const void* params, uint8_t* const* at) {
    const AxpyParams& p = params_of<AxpyParams>(params);
    for (uint32_t o = 0; o < p.outer; ++o) {
        float* d = reinterpret_cast<float*>(at[0] + o * p.dst_outer);
        const uint16_t* x = reinterpret_cast<const uint16_t*>(at[1] + o * p.src_outer);
        for (size_t i = 0; i < p.n; ++i) d[i] = __builtin_fmaf(f16_to_f32(x[i]), p.scalar, d[i]);
    }
}

// Calls put(piece, continues) for pieces of one run per repeat.
template <class F>
void for_each_run(const VecShape& s, const Lanes* lanes, F&& put) {
    bool continues = false;
    for_each_piece(s, lanes, 2, [&](const Piece& p) {
        for (uint32_t b = 0; b < p.inner; ++b) {
            put(block_of(p, b), continues);
            continues = true;
        }
    });
}

void check_overlap(const Mem& dst, const Mem& src, uint64_t dst_bytes, uint64_t src_bytes) {
    if (!overlap(dst, dst_bytes, src, src_bytes) || (dst.addr == src.addr && dst_bytes <= src_bytes)) return;
    finding("operand-overlap", "the destination of a conversion overlaps source elements that are still to be read",
            "let the destination begin where the source begins, or lie apart from it");
}

}  // namespace

void cast(const char* name, DType dst_type, Mem dst, DType src_type, Mem src, Round round, bool saturate,
          const VecShape& s, double deq_scale) {
    if (s.count == 0 && s.repeats == 0) return;
    check_pair(dst_type, src_type, round);
    const uint32_t dst_size = static_cast<uint32_t>(size_of(dst_type)),
                   src_size = static_cast<uint32_t>(size_of(src_type));
    if (s.count > 0) check_overlap(dst, src, s.count * dst_size, s.count * src_size);
    const Lanes lanes[2] = {{dst_size, s.dst_blk, s.dst_rep}, {src_size, s.src0_blk, s.src0_rep}};
    const uint64_t cost = cycles::vector_cast(repeats_of(s, std::max(dst_size, src_size)));
    const auto scale = static_cast<float>(rounded_to(DType::f16, deq_scale));
    for_each_run(s, lanes, [&](const Piece& p, bool continues) {
        Instr i =
            make(name, Pipe::v, run, continues ? 1 : cost,
                 Params{{dst_type, src_type, round, saturate, scale}, p.outer, p.n, p.at[0].outer, p.at[1].outer});
        i.continues = continues;
        region_of(i.add({}), dst, p, 0, dst_size, true);
        region_of(i.add({}), src, p, 1, src_size, false);
        emit(i);
    });
}

void axpy_widening(const char* name, Mem dst, Mem src, double scalar, const VecShape& s) {
    const Lanes lanes[2] = {{4, s.dst_blk, s.dst_rep}, {2, s.src0_blk, s.src0_rep}};
    const uint64_t cost = cycles::vector(VecOp::axpy, repeats_of(s, 4));
    for_each_run(s, lanes, [&](const Piece& p, bool continues) {
        Instr i = make(
            name, Pipe::v, run_axpy, continues ? 1 : cost,
            AxpyParams{static_cast<float>(rounded_to(DType::f16, scalar)), p.outer, p.n, p.at[0].outer, p.at[1].outer});
        i.continues = continues;
        region_of(i.add({}), dst, p, 0, 4, true);
        region_of(i.add({}), src, p, 1, 2, false);
        region_of(i.add({}), dst, p, 0, 4, false);
        emit(i);
    });
}

namespace {

struct Int4Params {
    uint64_t n;
    Round round;
};

uint8_t to_int4(float x, Round round) {
    const double r = round == Round::none ? __builtin_trunc(x) : round_integral(x, round);
    const double bounded = r != r ? 0.0 : std::clamp(r, -8.0, 7.0);
    return static_cast<uint8_t>(static_cast<int>(bounded) & 0xf);
}

void run_to_int4(const void* params, uint8_t* const* at) {
    const Int4Params& p = params_of<Int4Params>(params);
    float buffer[kChunk];
    for (uint64_t done = 0; done < p.n; done += kChunk) {
        const size_t n = std::min<uint64_t>(kChunk, p.n - done);
        const float* x = load_floats(DType::f16, at[1] + done * 2, buffer, n);
        for (size_t i = 0; i < n; i += 2) {
            const uint8_t high = i + 1 < n ? to_int4(x[i + 1], p.round) : 0;
            at[0][(done + i) / 2] = static_cast<uint8_t>(to_int4(x[i], p.round) | high << 4);
        }
    }
}

}  // namespace

void cast_to_int4(const char* name, Mem dst, Mem src, Round round, uint64_t count) {
    if (count == 0) return;
    Instr i =
        make(name, Pipe::v, run_to_int4, cycles::vector_cast(div_up(count * 2, kRepeat)), Int4Params{count, round});
    i.add(run_of(dst, true, div_up(count, 2)));
    i.add(run_of(src, false, count * 2));
    emit(i);
}

}  // namespace aicore::ops
