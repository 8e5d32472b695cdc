// GM -> L1: a matrix in rows becomes NZ, columns of 32-byte blocks. Rows beyond the matrix are not touched.
//
// Source: asc-devkit, docs/zh/api/SIMD-API, DataCopy Nd2NzParams and asc_copy_gm2l1_nd2nz / _dn2nz.
#include <algorithm>

#include "builder.h"
#include "cycles.h"

namespace aicore::ops {
namespace {

// Whole block columns [first, first + columns) of one matrix.
struct Part {
    uint64_t n, d;        // rows and elements of the part
    int64_t row_pitch;    // source, bytes
    int64_t group_pitch;  // destination, bytes from one block column to the next
    int64_t n_pitch;      // destination, bytes from one row to the next
    uint8_t elem;
};

void copy_nz(const void* params, uint8_t* const* at) {
    const Part& p = params_of<Part>(params);
    const uint64_t bytes = p.d * p.elem;
    const uint64_t whole = bytes / kBlock;
    const uint64_t rest = bytes % kBlock;
    for (uint64_t n = 0; n < p.n; ++n) {
        const uint8_t* src = at[0] + static_cast<int64_t>(n) * p.row_pitch;
        uint8_t* dst = at[1] + static_cast<int64_t>(n) * p.n_pitch;
        for (uint64_t g = 0; g < whole; ++g) {
            std::memcpy(dst, src, kBlock);
            src += kBlock;
            dst += p.group_pitch;
        }
        if (rest != 0) {
            std::memcpy(dst, src, rest);
            std::memset(dst + rest, 0, kBlock - rest);
        }
    }
}

// The source holds d rows of n elements.
template <class T>
void copy_dn(const void* params, uint8_t* const* at) {
    const Part& p = params_of<Part>(params);
    constexpr uint64_t kC0 = kBlock / sizeof(T);
    for (uint64_t g = 0; g * kC0 < p.d; ++g) {
        const uint64_t lanes = std::min(kC0, p.d - g * kC0);
        uint8_t* column = at[1] + static_cast<int64_t>(g) * p.group_pitch;
        for (uint64_t n = 0; n < p.n; ++n) {
            T block[kC0] = {};
            for (uint64_t c = 0; c < lanes; ++c) {
                const uint8_t* row = at[0] + static_cast<int64_t>(g * kC0 + c) * p.row_pitch;
                std::memcpy(&block[c], row + n * sizeof(T), sizeof(T));
            }
            std::memcpy(column + static_cast<int64_t>(n) * p.n_pitch, block, kBlock);
        }
    }
}

Body body_of(const Nd2Nz& p) {
    if (!p.transposed) return copy_nz;
    return p.elem == 1 ? copy_dn<uint8_t> : p.elem == 2 ? copy_dn<uint16_t> : copy_dn<uint32_t>;
}

// One instruction for `groups` block columns from `first` on. False when its destination takes more than one region.
bool emit_columns(const char* name, const Nd2Nz& p, Mem dst, Mem src, uint64_t first, uint64_t groups, bool continues,
                  uint64_t cycles) {
    const uint64_t c0 = kBlock / p.elem;
    const uint64_t d = std::min<uint64_t>(p.d - first * c0, groups * c0);
    const Part part{
        p.n,   d, static_cast<int64_t>(p.src_row_pitch), int64_t{p.c0_stride} * kBlock, int64_t{p.n_stride} * kBlock,
        p.elem};
    const int64_t src_at = static_cast<int64_t>(p.transposed ? first * c0 * p.src_row_pitch : first * kBlock);
    Instr i = make(name, Pipe::mte2, body_of(p), continues ? 1 : cycles, part);
    i.continues = continues;
    i.add(
        rows_of(offset(src, src_at), false, p.transposed ? d : p.n, (p.transposed ? p.n : d) * p.elem, part.row_pitch));
    Region& to = i.add({});
    const bool flat = fold(to, offset(dst, static_cast<int64_t>(first) * part.group_pitch), kBlock,
                           {{groups, part.group_pitch}, {p.n, part.n_pitch}});
    to.write = true;
    if (flat) emit(i);
    return flat;
}

}  // namespace

void nd2nz(const char* name, Mem dst, Mem src, const Nd2Nz& p) {
    if (p.matrices == 0 || p.n == 0 || p.d == 0) return;
    if (p.elem != 1 && p.elem != 2 && p.elem != 4) unsupported("ND2NZ of elements other than 1, 2 or 4 bytes");
    const uint64_t groups = div_up(uint64_t{p.d} * p.elem, kBlock);
    const uint64_t cost = cycles::transfer(src.space, dst.space, p.matrices * groups * p.n * kBlock);
    for (uint32_t m = 0; m < p.matrices; ++m) {
        const Mem from = offset(src, static_cast<int64_t>(m * p.src_matrix_pitch));
        const Mem to = offset(dst, int64_t{m} * p.dst_matrix_stride * kBlock);
        if (emit_columns(name, p, to, from, 0, groups, m != 0, cost)) continue;
        for (uint64_t g = 0; g < groups; ++g) emit_columns(name, p, to, from, g, 1, m + g != 0, cost);
    }
}

}  // namespace aicore::ops
