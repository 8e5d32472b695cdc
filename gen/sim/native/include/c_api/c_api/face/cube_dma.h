// GM -> L1 in NZ layout, fills of L1, and L1 -> L0A / L0B in fractals of 512 bytes.
// (asc-devkit, docs/zh/api/SIMD-API/C-API/cube_datamove and sys_var/asc_set_gm2l1_nz_para.)
#pragma once

#include "c_api/face/core_state.h"
#include "c_api/face/enums.h"
#include "c_api/face/memory.h"
#include "c_api/face/qualifiers.h"

// Strides in 32-byte blocks, for every later nd2nz and dn2nz of this core.
inline void asc_set_gm2l1_nz_para(uint16_t matrix_num, uint16_t dst_nz_n_stride, uint16_t dst_nz_c0_stride,
                                  uint16_t dst_nz_matrix_stride) {
    ::aicore::c_api::state().gm_to_l1 = {true, matrix_num, dst_nz_n_stride, dst_nz_c0_stride, dst_nz_matrix_stride};
}

// The same register as one word: matrices, n stride, c0 stride, matrix stride, 16 bits each from the lowest.
inline void asc_set_gm2l1_nz_para(uint64_t config) {
    asc_set_gm2l1_nz_para(static_cast<uint16_t>(config), static_cast<uint16_t>(config >> 16),
                          static_cast<uint16_t>(config >> 32), static_cast<uint16_t>(config >> 48));
}

namespace aicore::c_api {

// row_pitch: bytes between the rows of the ND matrix, or between the columns of the DN matrix, in GM.
inline void copy_to_nz(const char* name, const void* dst, const void* src, uint64_t row_pitch, int64_t n, int64_t d,
                       uint64_t matrix_pitch, uint8_t elem, bool transposed) {
    if (!in_range(n, 65535, "GM -> L1: n_value is not in 0..65535")) return;
    if (!in_range(d, 0xFFFFFFFFll, "GM -> L1: d_value is negative")) return;
    const NzStrides& nz = state().gm_to_l1;
    if (!nz.is_set) unsupported("asc_copy_gm2l1_nd2nz before asc_set_gm2l1_nz_para");
    if (n == 0 || d == 0 || nz.matrices == 0) return;
    ops::Nd2Nz p;
    p.matrices = nz.matrices;
    p.n = static_cast<uint32_t>(n);
    p.d = static_cast<uint32_t>(d);
    p.src_row_pitch = row_pitch;
    p.src_matrix_pitch = matrix_pitch;
    p.c0_stride = nz.c0_stride;
    p.n_stride = nz.n_stride;
    p.dst_matrix_stride = nz.matrix_stride;
    p.elem = elem;
    p.transposed = transposed;
    ops::nd2nz(name, on_chip(Space::l1, dst), gm(src), p);
}

}  // namespace aicore::c_api

// Row-major [n, d] -> NZ.
template <class D, class S>
inline void asc_copy_gm2l1_nd2nz(__cbuf__ D* dst, __gm__ S* src, uint64_t loop1_src_stride, asc_load_l2_cache_mode,
                                 int64_t n_value, int64_t d_value, uint64_t loop4_src_stride, bool smallc0) {
    if (smallc0) aicore::unsupported("asc_copy_gm2l1_nd2nz with smallc0");
    aicore::c_api::copy_to_nz("asc_copy_gm2l1_nd2nz", dst, src, loop1_src_stride, n_value, d_value, loop4_src_stride,
                              sizeof(D), false);
}

// Row-major [d, n] -> NZ of its transpose [n, d].
template <class D, class S>
inline void asc_copy_gm2l1_dn2nz(__cbuf__ D* dst, __gm__ S* src, uint64_t loop1_src_stride, asc_load_l2_cache_mode,
                                 int64_t n_value, int64_t d_value, uint64_t loop4_src_stride, bool smallc0) {
    if (smallc0) aicore::unsupported("asc_copy_gm2l1_dn2nz with smallc0");
    aicore::c_api::copy_to_nz("asc_copy_gm2l1_dn2nz", dst, src, loop1_src_stride, n_value, d_value, loop4_src_stride,
                              sizeof(D), true);
}

// Fills blocks of L1 with an element, given by its bits.
template <class D>
inline void asc_fill_l1(__cbuf__ D* dst, uint32_t value, const asc_fill_value_config& config) {
    using namespace aicore::c_api;
    static_assert(sizeof(D) == 2 || sizeof(D) == 4, "asc_fill_l1 fills 16- and 32-bit elements");
    if (config.repeat == 0 || config.blk_num == 0) return;
    aicore::ops::fill("asc_fill_l1", aicore::Pipe::mte2, on_chip(aicore::Space::l1, dst), config.repeat, config.blk_num,
                      config.dst_gap, value, sizeof(D));
}

namespace aicore::c_api {

// One L1 -> L0 copy. m counts blocks of 16 rows, k counts C0 groups (32 bytes of columns); strides are the distance of
// neighbouring C0 groups, in fractals.
struct L0Copy {
    const char* name;
    Space l0;
    int64_t m_start, k_start, m_step, k_step, src_stride, dst_stride;
    uint8_t elem;
};

inline bool l0_steps_fit(const L0Copy& c) {
    if (!in_range(c.m_step, 255, "L1 -> L0: m_step is not in 0..255")) return false;
    if (!in_range(c.k_step, 255, "L1 -> L0: k_step is not in 0..255")) return false;
    return c.m_step != 0 && c.k_step != 0;
}

inline ops::Mem l0_source(const L0Copy& c, const void* src) {
    ops::Mem m = on_chip(Space::l1, src);
    m.addr += static_cast<uint64_t>(c.k_start * c.src_stride + c.m_start) * 512;
    return m;
}

inline void load_l0(const L0Copy& c, const void* dst, const void* src) {
    if (!l0_steps_fit(c)) return;
    ops::Fractals f;
    f.outer = static_cast<uint32_t>(c.k_step);
    f.inner = static_cast<uint32_t>(c.m_step);
    f.src_outer = static_cast<int32_t>(c.src_stride);
    f.src_inner = 1;
    f.dst_outer = static_cast<int32_t>(c.dst_stride);
    f.dst_inner = 1;
    f.elem = c.elem;
    ops::load_fractals(c.name, on_chip(c.l0, dst), l0_source(c, src), f);
}

// The source is [K, N] (m = blocks of 16 rows of K, k = C0 groups of N); the result is what load_l0 makes of [N, K]:
// dst fractal (K group) * dst_stride + (block of 16 rows of N).
inline void load_l0_transposed(const L0Copy& c, const void* dst, const void* src) {
    if (!l0_steps_fit(c)) return;
    ops::Fractals f;
    f.transpose = true;
    f.elem = c.elem;
    const auto src_stride = static_cast<int32_t>(c.src_stride), dst_stride = static_cast<int32_t>(c.dst_stride);
    if (c.elem == 2) {  // a square of 16 x 16 is one fractal on both sides
        f.outer = static_cast<uint32_t>(c.k_step);
        f.inner = static_cast<uint32_t>(c.m_step);
        f.src_outer = src_stride, f.src_inner = 1;
        f.dst_outer = 1, f.dst_inner = dst_stride;
    } else if (c.elem == 4) {  // 16 x 16 = two C0 groups of the source, two K groups of the destination
        if (c.k_step % 2 != 0)
            return finding("argument-range", "L1 -> L0 transposed, 32-bit: k_step is odd", "make k_step even");
        f.outer = static_cast<uint32_t>(c.k_step / 2);
        f.inner = static_cast<uint32_t>(c.m_step);
        f.src_outer = 2 * src_stride, f.src_inner = 1, f.src_pair = src_stride;
        f.dst_outer = 1, f.dst_inner = 2 * dst_stride, f.dst_pair = dst_stride;
    } else {  // 32 x 32 = two row blocks of the source and of the destination; of half a byte: 64 x 64, four
        const int32_t square = c.elem == 0 ? 4 : 2;
        if (c.m_step % square != 0) {
            return finding("argument-range", "L1 -> L0 transposed: m_step cuts a square of fractals",
                           "make m_step even, of 4-bit elements a multiple of 4");
        }
        f.outer = static_cast<uint32_t>(c.k_step);
        f.inner = static_cast<uint32_t>(c.m_step / square);
        f.src_outer = src_stride, f.src_inner = square, f.src_pair = 1;
        f.dst_outer = square, f.dst_inner = dst_stride, f.dst_pair = 1;
    }
    ops::load_fractals(c.name, on_chip(c.l0, dst), l0_source(c, src), f);
}

}  // namespace aicore::c_api

template <class T>
inline void asc_copy_l12l0a(__ca__ T* dst, __cbuf__ T* src, int64_t m_start, int64_t k_start, int64_t m_step,
                            int64_t k_step, int64_t src_stride, int64_t dst_stride) {
    aicore::c_api::load_l0(
        {"asc_copy_l12l0a", aicore::Space::l0a, m_start, k_start, m_step, k_step, src_stride, dst_stride, sizeof(T)},
        dst, src);
}

template <class T>
inline void asc_copy_l12l0b(__cb__ T* dst, __cbuf__ T* src, int64_t m_start, int64_t k_start, int64_t m_step,
                            int64_t k_step, int64_t src_stride, int64_t dst_stride) {
    aicore::c_api::load_l0(
        {"asc_copy_l12l0b", aicore::Space::l0b, m_start, k_start, m_step, k_step, src_stride, dst_stride, sizeof(T)},
        dst, src);
}

template <class T>
inline void asc_copy_l12l0a_transpose(__ca__ T* dst, __cbuf__ T* src, int64_t m_start, int64_t k_start, int64_t m_step,
                                      int64_t k_step, int64_t src_stride, int64_t dst_stride) {
    aicore::c_api::load_l0_transposed(
        {"asc_copy_l12l0a_transpose", aicore::Space::l0a, m_start, k_start, m_step, k_step, src_stride, dst_stride,
         aicore::c_api::kIsFloat4<T> ? uint8_t{0} : sizeof(T)},
        dst, src);
}

template <class T>
inline void asc_copy_l12l0b_transpose(__cb__ T* dst, __cbuf__ T* src, int64_t m_start, int64_t k_start, int64_t m_step,
                                      int64_t k_step, int64_t src_stride, int64_t dst_stride) {
    aicore::c_api::load_l0_transposed(
        {"asc_copy_l12l0b_transpose", aicore::Space::l0b, m_start, k_start, m_step, k_step, src_stride, dst_stride,
         aicore::c_api::kIsFloat4<T> ? uint8_t{0} : sizeof(T)},
        dst, src);
}

namespace aicore::c_api {

// `dst` is a 16th of the address of the operand that the factors belong to. x counts 16 rows of the matrix, y 64
// elements of K; strides in 32 bytes, from row to row.
inline void load_factors(const char* name, Space space, uint64_t dst, const void* src, uint16_t x_start,
                         uint16_t y_start, int64_t x_step, int64_t y_step, uint16_t src_stride, uint16_t dst_stride) {
    if (!in_range(x_step, 255, "L1 -> L0: x_step is not in 0..255")) return;
    if (!in_range(y_step, 255, "L1 -> L0: y_step is not in 0..255")) return;
    if (x_step == 0 || y_step == 0) return;
    ops::Burst burst;
    burst.rows = static_cast<uint32_t>(x_step);
    burst.row_bytes = static_cast<uint64_t>(y_step) * 32;
    burst.src_pitch = int64_t{src_stride} * 32;
    burst.dst_pitch = int64_t{dst_stride} * 32;
    ops::Mem from = on_chip(Space::l1, src);
    from.addr += (uint64_t{x_start} * src_stride + y_start) * 32;
    ops::burst(name, Pipe::mte1, {space, dst}, from, burst);
}

}  // namespace aicore::c_api

// Factors of MX operands. (asc-devkit, docs, c_api/cube_datamove/asc_copy_l12l0a_mx.)
inline void asc_copy_l12l0a_mx(uint64_t dst, __cbuf__ fp8_e8m0_t* src, uint16_t x_start_pos, uint16_t y_start_pos,
                               int64_t x_step, int64_t y_step, uint16_t src_stride, uint16_t dst_stride) {
    aicore::c_api::load_factors("asc_copy_l12l0a_mx", aicore::Space::l0a_mx, dst, src, x_start_pos, y_start_pos, x_step,
                                y_step, src_stride, dst_stride);
}
inline void asc_copy_l12l0b_mx(uint64_t dst, __cbuf__ fp8_e8m0_t* src, uint16_t x_start_pos, uint16_t y_start_pos,
                               int64_t x_step, int64_t y_step, uint16_t src_stride, uint16_t dst_stride) {
    aicore::c_api::load_factors("asc_copy_l12l0b_mx", aicore::Space::l0b_mx, dst, src, x_start_pos, y_start_pos, x_step,
                                y_step, src_stride, dst_stride);
}
