// L1 -> L0A / L0B in fractals of 512 bytes (16 rows of one 32-byte block), copied or transposed.
//
// Source: asc-devkit, docs/zh/api/SIMD-API, LoadData (2D, 2D V2) and LoadDataWithTranspose.
#include "builder.h"
#include "cycles.h"

namespace aicore::ops {
namespace {

// Byte strides of one instruction; `src` and `dst` start at at[0] and at[last].
struct Load {
    uint32_t outer, inner;
    int64_t src_outer, src_inner, dst_outer, dst_inner;
    int64_t src_pair, dst_pair;
    // Regions start at the lowest address; with negative strides the first fractal lies above it.
    int64_t src_first, dst_first;
};

void copy_fractals(const void* params, uint8_t* const* at) {
    const Load& f = params_of<Load>(params);
    for (uint32_t i = 0; i < f.outer; ++i) {
        const uint8_t* src = at[0] + f.src_first + i * f.src_outer;
        uint8_t* dst = at[1] + f.dst_first + i * f.dst_outer;
        for (uint32_t j = 0; j < f.inner; ++j) {
            std::memcpy(dst, src, kFractal);
            src += f.src_inner;
            dst += f.dst_inner;
        }
    }
}

// Transposes one square. 2 bytes: 16 x 16, one fractal. 4 bytes: 16 x 16, the pair holds columns 0-7 and 8-15.
// 1 byte: 32 x 32, the pair holds rows 0-15 and 16-31.
template <class T>
void transpose_square(const uint8_t* src, int64_t src_pair, uint8_t* dst, int64_t dst_pair) {
    constexpr int kSide = sizeof(T) == 1 ? 32 : 16;
    constexpr int kC0 = kBlock / sizeof(T);
    T in[kSide][kSide], out[kSide][kSide];
    constexpr bool kPaired = sizeof(T) != 2;
    const auto element = [](const uint8_t* base, int64_t pair, int r, int c) -> const uint8_t* {
        const uint8_t* fractal = kPaired && (r >= 16 || c >= kC0) ? base + pair : base;
        return fractal + (r % 16) * int{kBlock} + (c % kC0) * int{sizeof(T)};
    };
    for (int r = 0; r < kSide; ++r) {
        for (int c = 0; c < kSide; c += kC0) std::memcpy(&in[r][c], element(src, src_pair, r, c), kBlock);
    }
    for (int r = 0; r < kSide; ++r) {
        for (int c = 0; c < kSide; ++c) out[c][r] = in[r][c];
    }
    for (int r = 0; r < kSide; ++r) {
        for (int c = 0; c < kSide; c += kC0) {
            std::memcpy(const_cast<uint8_t*>(element(dst, dst_pair, r, c)), &out[r][c], kBlock);
        }
    }
}

// 64 x 64 of half a byte: four fractals, one below the other.
struct Nibbles {};
template <>
void transpose_square<Nibbles>(const uint8_t* src, int64_t src_pair, uint8_t* dst, int64_t dst_pair) {
    constexpr int kSide = 64;
    const auto at = [](int64_t pair, int r, int c) { return r / 16 * pair + r % 16 * int{kBlock} + c / 2; };
    uint8_t in[kSide][kSide];
    for (int r = 0; r < kSide; ++r) {
        for (int c = 0; c < kSide; ++c) in[r][c] = src[at(src_pair, r, c)] >> c % 2 * 4 & 15;
    }
    for (int r = 0; r < kSide; ++r) {
        for (int c = 0; c < kSide; c += 2) {
            dst[at(dst_pair, r, c)] = static_cast<uint8_t>(in[c][r] | in[c + 1][r] << 4);
        }
    }
}

template <class T>
void transpose_fractals(const void* params, uint8_t* const* at) {
    const Load& f = params_of<Load>(params);
    for (uint32_t i = 0; i < f.outer; ++i) {
        for (uint32_t j = 0; j < f.inner; ++j) {
            transpose_square<T>(at[0] + f.src_first + i * f.src_outer + j * f.src_inner, f.src_pair,
                                at[1] + f.dst_first + i * f.dst_outer + j * f.dst_inner, f.dst_pair);
        }
    }
}

Body body_of(const Fractals& f) {
    if (!f.transpose) return copy_fractals;
    return f.elem == 0   ? transpose_fractals<Nibbles>
           : f.elem == 1 ? transpose_fractals<uint8_t>
           : f.elem == 2 ? transpose_fractals<uint16_t>
                         : transpose_fractals<uint32_t>;
}

uint32_t fractals_of_square(const Fractals& f) { return !f.transpose || f.elem == 2 ? 1 : f.elem == 0 ? 4 : 2; }

// Moves `at` to the lowest fractal of an axis with a negative stride and makes the stride positive.
Axis ascending(Mem& at, uint32_t count, int64_t stride) {
    if (stride >= 0 || count == 0) return {count, stride};
    at.addr += static_cast<uint64_t>(static_cast<int64_t>(count - 1) * stride);
    return {count, -stride};
}

// Which part of the loops one instruction covers.
struct Part {
    uint32_t first_outer, outer, first_inner, inner;
    bool continues() const { return first_outer != 0 || first_inner != 0; }
};

// The regions of one side: its first fractal relative to the lowest one goes to `first`.
bool add_side(Instr& i, const Mem& at, bool write, const Part& part, int64_t outer, int64_t inner, Axis pairs,
              int64_t& first) {
    const Mem start = offset(at, part.first_outer * outer + part.first_inner * inner);
    Mem lowest = start;
    const Axis o = ascending(lowest, part.outer, outer), n = ascending(lowest, part.inner, inner);
    first = static_cast<int64_t>(start.addr - lowest.addr);
    Region& r = i.add({});
    const bool flat = fold(r, lowest, kFractal, {o, n, pairs});
    r.write = write;
    return flat;
}

// Emits one part. False when its regions take more than two dimensions.
bool emit_part(const char* name, const Mem& dst, const Mem& src, const Fractals& f, const Part& part, uint64_t cycles) {
    constexpr int64_t kUnit = kFractal;
    const uint32_t in_square = fractals_of_square(f);
    Load p{part.outer,
           part.inner,
           f.src_outer * kUnit,
           f.src_inner * kUnit,
           f.dst_outer * kUnit,
           f.dst_inner * kUnit,
           f.src_pair * kUnit,
           f.dst_pair * kUnit,
           0,
           0};
    Instr i;
    const bool src_flat = add_side(i, src, false, part, p.src_outer, p.src_inner, {in_square, p.src_pair}, p.src_first);
    const bool dst_flat = add_side(i, dst, true, part, p.dst_outer, p.dst_inner, {in_square, p.dst_pair}, p.dst_first);
    if (!src_flat || !dst_flat) return false;
    i.name = name;
    i.pipe = src.space == Space::gm ? Pipe::mte2 : Pipe::mte1;
    i.body = body_of(f);
    i.continues = part.continues();
    i.cycles = static_cast<uint32_t>(part.continues() ? 1 : cycles);
    i.set_params(p);
    emit(i);
    return true;
}

}  // namespace

void load_fractals(const char* name, Mem dst, Mem src, const Fractals& f) {
    if (f.outer == 0 || f.inner == 0) return;
    if (f.transpose && f.elem > 2 && f.elem != 4) {
        unsupported("transposing load of elements other than a half, 1, 2 or 4 bytes");
    }
    const uint64_t fractals = uint64_t{f.outer} * f.inner * fractals_of_square(f);
    const uint64_t cost = cycles::transfer(src.space, dst.space, fractals * kFractal);
    if (emit_part(name, dst, src, f, {0, f.outer, 0, f.inner}, cost)) return;
    for (uint32_t i = 0; i < f.outer; ++i) {
        if (emit_part(name, dst, src, f, {i, 1, 0, f.inner}, cost)) continue;
        for (uint32_t j = 0; j < f.inner; ++j) emit_part(name, dst, src, f, {i, 1, j, 1}, cost);
    }
}

namespace {

struct Sparse {
    uint64_t bytes, indices;
};

void copy_sparse(const void* params, uint8_t* const* at) {
    const Sparse& p = params_of<Sparse>(params);
    std::memcpy(at[2], at[0], p.bytes);
    std::memcpy(at[3], at[1], p.indices);
}

}  // namespace

void load_sparse(const char* name, Mem dst, Mem src, Mem indices, uint32_t fractals) {
    const uint64_t bytes = uint64_t{fractals} * kFractal;
    const Sparse p{bytes, bytes / 4};
    Instr i = make(name, Pipe::mte1, copy_sparse, cycles::transfer(src.space, dst.space, bytes), p);
    i.add(run_of(src, false, p.bytes));
    i.add(run_of(indices, false, p.indices));
    i.add(run_of(dst, true, p.bytes));
    i.add(run_of({Space::l0b_mx, dst.addr / 4, 0, 0, dst.unit}, true, p.indices));
    emit(i);
}

}  // namespace aicore::ops
