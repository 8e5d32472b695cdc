// L1 -> L0A / L0B with the unfolding of a convolution ("image to column").
//
// Source: asc-devkit, docs/zh/api/SIMD-API, LoadData (3D), and the text of its pseudo code on which element goes where:
// the order of columns (C1, filter, C0), zeros for nothing but the padding, and layouts ZZ, NZ and ZN.
#include <algorithm>

#include "builder.h"
#include "cycles.h"

namespace aicore::ops {
namespace {

struct Params {
    int32_t h, w, pad_top, pad_left;
    uint32_t stride_h, stride_w, filter_h, filter_w, dilation_h, dilation_w;
    uint32_t m_start, m, rows, across;  // rows of the whole matrix, and of one line of window positions
    uint32_t group, groups;             // C0 groups of columns
    uint32_t row_pitch,
        group_pitch;  // fractals from one block of 16 rows of the destination to the next, and of groups
    int64_t box;      // where the region of the source starts in the feature map, bytes
    uint64_t pad;
    uint8_t elem, partial;  // index of the region of a last block that is written in part; 0: none
};

// The 32 bytes of one row and one group of columns of the unfolded matrix.
void fetch(const Params& p, const uint8_t* map, uint32_t m, uint32_t group, uint8_t* to) {
    const uint32_t row = p.m_start + m, window = p.filter_h * p.filter_w, point = group % window;
    if (row >= p.rows || m >= p.m) return poison(to, kBlock);
    const int64_t y = int64_t{row / p.across} * p.stride_h + point / p.filter_w * p.dilation_h - p.pad_top;
    const int64_t x = int64_t{row % p.across} * p.stride_w + point % p.filter_w * p.dilation_w - p.pad_left;
    if (y >= 0 && y < p.h && x >= 0 && x < p.w) {
        const int64_t block = (int64_t{group / window} * p.h + y) * p.w + x;
        std::memcpy(to, map + block * kBlock - p.box, kBlock);
        return;
    }
    for (uint32_t i = 0; i < kBlock; i += p.elem) std::memcpy(to + i, &p.pad, p.elem);
}

void unfold(const void* params, uint8_t* const* at) {
    const Params& p = params_of<Params>(params);
    for (uint32_t m = 0; m < round_up(p.m, 16); ++m) {
        uint8_t* row = at[1] + uint64_t{m / 16} * p.row_pitch * kFractal + m % 16 * kBlock;
        for (uint32_t g = 0; g < p.groups; ++g) {
            fetch(p, at[0], m, p.group + g, row + uint64_t{g} * p.group_pitch * kFractal);
        }
    }
}

// Column k of the unfolded matrix becomes row k, row m column m: blocks of 16 rows, groups of C0 columns.
void unfold_transposed(const void* params, uint8_t* const* at) {
    const Params& p = params_of<Params>(params);
    const uint32_t c0 = kBlock / p.elem, whole = p.groups * c0 / 16;
    uint8_t line[kBlock];
    for (uint32_t m = 0; m < round_up(p.m, c0); ++m) {
        const uint64_t column = uint64_t{m / c0} * p.group_pitch * kFractal + m % c0 * p.elem;
        for (uint32_t g = 0; g < p.groups; ++g) {
            fetch(p, at[0], m, p.group + g, line);
            for (uint32_t i = 0; i < c0; ++i) {
                const uint32_t k = g * c0 + i, block = k / 16;
                uint8_t* base = block < whole ? at[1] + uint64_t{block} * p.row_pitch * kFractal : at[p.partial];
                std::memcpy(base + column + k % 16 * kBlock, line + i * p.elem, p.elem);
            }
        }
    }
}

// What the windows of rows [m_start, m_start + m) reach in one direction, clipped to the map.
struct Span {
    int64_t first, end;
    bool empty() const { return first >= end; }
};
Span span(int64_t from, int64_t to, uint32_t stride, uint32_t filter, uint32_t dilation, uint32_t pad, uint32_t size) {
    const int64_t first = from * stride - pad, last = to * stride + int64_t{filter - 1} * dilation - pad;
    return {std::max<int64_t>(first, 0), std::min<int64_t>(last + 1, size)};
}

// The region of the source for the channels groups [c1, c1 + count): a box in the map. False when it needs three
// dimensions.
bool add_source(Instr& i, const Mem& src, const Im2col& p, Params& q, uint32_t c1, uint32_t count) {
    const uint32_t last = std::min(q.m_start + q.m, q.rows) - 1;
    const uint32_t y0 = q.m_start / q.across, y1 = last / q.across;
    const bool one_line = y0 == y1;
    const Span y = span(y0, y1, p.stride_h, p.filter_h, p.dilation_h, p.pad_top, p.h);
    const Span x = span(one_line ? q.m_start % q.across : 0, one_line ? last % q.across : q.across - 1, p.stride_w,
                        p.filter_w, p.dilation_w, p.pad_left, p.w);
    if (y.empty() || x.empty()) return i.add(run_of(src, false, 0)), true;
    const int64_t line = int64_t{p.w} * kBlock, plane = line * p.h;
    q.box = c1 * plane + y.first * line + x.first * kBlock;
    Region& r = i.add({});
    return fold(r, offset(src, q.box), static_cast<uint64_t>(x.end - x.first) * kBlock,
                {{static_cast<uint64_t>(y.end - y.first), line}, {count, plane}});
}

void add_plain(Instr& i, const Mem& dst, const Params& q) {
    Region& r = i.add({});
    fold(r, dst, kFractal,
         {{div_up(q.m, 16), int64_t{q.row_pitch} * kFractal}, {q.groups, int64_t{q.group_pitch} * kFractal}});
    r.write = true;
}

void add_transposed(Instr& i, const Mem& dst, Params& q) {
    const uint32_t c0 = kBlock / q.elem, rows = q.groups * c0;
    const Axis columns{div_up(q.m, c0), int64_t{q.group_pitch} * kFractal};
    Region& r = i.add({});
    fold(r, dst, kFractal, {{rows / 16, int64_t{q.row_pitch} * kFractal}, columns});
    r.write = true;
    if (rows % 16 == 0) return;
    q.partial = i.region_count;
    Region& rest = i.add({});
    fold(rest, offset(dst, int64_t{rows / 16} * q.row_pitch * kFractal), rows % 16 * kBlock, {columns});
    rest.write = true;
}

// How the part's fractals lie: `of` are C0 groups of the whole call, not only of the part.
void lay_out(Params& q, const Im2col& p, Space l0, uint32_t groups) {
    const uint32_t c0 = kBlock / p.elem;
    if (!on_2201()) {
        q.row_pitch = 1, q.group_pitch = p.dst_stride;
    } else if (!p.transpose) {
        q.row_pitch = groups, q.group_pitch = 1;
    } else if (l0 == Space::l0a) {
        q.row_pitch = static_cast<uint32_t>(div_up(p.m, c0)), q.group_pitch = 1;
    } else {
        q.row_pitch = 1, q.group_pitch = static_cast<uint32_t>(div_up(uint64_t{groups} * c0, 16));
    }
}

Params params_for(const Im2col& p) {
    const uint32_t c0 = kBlock / p.elem;
    Params q{};
    q.h = static_cast<int32_t>(p.h), q.w = static_cast<int32_t>(p.w);
    q.pad_top = static_cast<int32_t>(p.pad_top), q.pad_left = static_cast<int32_t>(p.pad_left);
    q.stride_h = p.stride_h, q.stride_w = p.stride_w, q.filter_h = p.filter_h, q.filter_w = p.filter_w;
    q.dilation_h = p.dilation_h, q.dilation_w = p.dilation_w;
    q.m_start = p.m_start, q.m = p.m;
    q.group = p.k_start / c0, q.groups = static_cast<uint32_t>(div_up(p.k, c0));
    q.elem = p.elem, q.pad = p.pad;
    const int64_t down = int64_t{p.h} + p.pad_top + p.pad_bottom - (int64_t{p.filter_h - 1} * p.dilation_h + 1);
    const int64_t right = int64_t{p.w} + p.pad_left + p.pad_right - (int64_t{p.filter_w - 1} * p.dilation_w + 1);
    q.across = right < 0 ? 0 : static_cast<uint32_t>(right / p.stride_w + 1);
    q.rows = down < 0 ? 0 : static_cast<uint32_t>(down / p.stride_h + 1) * q.across;
    return q;
}

// Groups [first, first + count) of the call.
bool emit_part(const char* name, const Mem& dst, const Mem& src, const Im2col& p, uint32_t first, uint32_t count) {
    Params q = params_for(p);
    const uint32_t all = q.groups, window = p.filter_h * p.filter_w;
    lay_out(q, p, dst.space, all);
    q.group += first, q.groups = count;
    const uint32_t c1 = q.group / window, last = (q.group + count - 1) / window;
    Instr i;
    if (!add_source(i, src, p, q, c1, last - c1 + 1)) return false;
    const int64_t step =
        p.transpose ? int64_t{first} * (kBlock / p.elem) / 16 * q.row_pitch : int64_t{first} * q.group_pitch;
    const Mem to = offset(dst, step * kFractal);
    p.transpose ? add_transposed(i, to, q) : add_plain(i, to, q);
    i.name = name;
    i.pipe = Pipe::mte1;
    i.body = p.transpose ? unfold_transposed : unfold;
    i.continues = first != 0;
    i.cycles = first != 0 ? 1 : static_cast<uint32_t>(cycles::im2col(dst.space, round_up(p.m, 16) * all * kBlock));
    i.set_params(q);
    emit(i);
    return true;
}

void check(const Im2col& p, const Mem& dst) {
    if (p.elem != 1 && p.elem != 2 && p.elem != 4) unsupported("LoadData (3D) of elements other than 1, 2 or 4 bytes");
    if (p.transpose && on_2201() && p.elem == 1)
        unsupported("LoadData (3D), transposing, of 8-bit elements on dav-2201");
    if (dst.space == Space::l0b && !p.transpose) unsupported("LoadData (3D) to L0B without a transposition");
    if (p.stride_h == 0 || p.stride_w == 0) unsupported("LoadData (3D) with a stride of 0");
}

}  // namespace

void im2col(const char* name, Mem dst, Mem src, const Im2col& p) {
    if (p.h == 0 || p.w == 0 || p.m == 0 || p.k == 0 || p.filter_h == 0 || p.filter_w == 0) return;
    check(p, dst);
    const Params q = params_for(p);
    if (q.m_start >= q.rows) unsupported("LoadData (3D) that starts behind the last row of the unfolded matrix");
    if (emit_part(name, dst, src, p, 0, q.groups)) return;
    // One channel group after the other. A transposed block may lie in two of them: then the whole width of the map.
    const uint32_t window = p.filter_h * p.filter_w;
    const uint32_t in_block = p.transpose && p.elem == 4 ? 2 : 1;
    for (uint32_t first = 0; first < q.groups;) {
        const uint32_t left = window - (q.group + first) % window;
        const uint32_t count = std::min(left, q.groups - first);
        if ((first + count) % in_block != 0 && first + count < q.groups) {
            unsupported(
                "LoadData (3D), transposing, of 4-byte elements whose blocks of 16 rows lie in two channel groups");
        }
        emit_part(name, dst, src, p, first, count);
        first += count;
    }
}

}  // namespace aicore::ops
