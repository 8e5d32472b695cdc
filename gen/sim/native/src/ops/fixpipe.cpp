// FIXPIPE: L0C -> GM, L1 or UB, converting on the way.
//
// L0C holds NZ with fractals of 16 x 16: element (i, j) lies in row (j / 16) * src_stride + i of 16 elements
// (asc-devkit, docs/zh/api/SIMD-API: NZ2ND, NZ2NZ, NZ2DN, F32 Channel Split, Int8 Channel Merge). A factor is a float
// of which 10 bits of the significand count; what it multiplies is rounded to float, then to the result, to nearest
// even; on the way to 8 bits the value is first brought into -256..255 and the offset added (docs, quantisation on the
// way out, and its combination with ReLU).
#include <algorithm>
#include <mutex>

#include "builder.h"
#include "cycles.h"
#include "elements.h"

namespace aicore::ops {
namespace {

constexpr uint32_t kGroup = 16;         // columns of a group of L0C
constexpr int64_t kSourceRow = 16 * 4;  // bytes of one row of a group

struct Params {
    uint32_t n, m;               // elements of the whole tile
    int64_t src_group;           // bytes from one column group to the next
    int64_t dst_row, dst_piece;  // bytes from row to row, and from piece to piece
    uint64_t factor;
    uint32_t second_row, second_group;  // where the second destination starts in the tile
    uint32_t piece;                     // elements of a group that stay together
    DType src, dst;
    Quant quant;
    bool merged, relu, saturate, may_shift;
    Atomic atomic;
    // Indices of regions: last columns of the source, destinations, the last 16 columns of a merged one, factors. 0:
    // none
    uint8_t tail, to, second, rest, factors;
};

// The fields of a factor (docs, QUANT_PRE, tables 1 and 2). The offset has the range of the value that it is added to.
struct Factor {
    float scale;
    int32_t shift, offset;
    bool is_signed;
};
Factor factor_of(const Params& p, uint64_t word) {
    const bool shifts = p.may_shift && (word >> 36 & 1) != 0;
    const auto offset = static_cast<int32_t>(word >> 37 & 0x1FF);
    return {detail::bits_float(static_cast<uint32_t>(word) & 0xFFFFE000),
            shifts ? static_cast<int32_t>(word >> 32 & 15) + 1 : 0, offset < 256 ? offset : offset - 512,
            (word >> 46 & 1) != 0};
}

float scaled(const Params& p, const Factor& f, const uint8_t* element) {
    float x;
    if (p.src == DType::i32) {
        int32_t whole;
        std::memcpy(&whole, element, sizeof whole);
        if (f.shift != 0) whole = std::clamp(whole >> f.shift, -32768, 32767);
        x = static_cast<float>(whole);
    } else {
        std::memcpy(&x, element, sizeof x);
    }
    return (p.relu ? max_of(x, 0.0f) : x) * f.scale;
}

uint8_t to_byte(float x, const Factor& f) {
    const int32_t nine_bits = std::clamp<int32_t>(to_integer<int16_t>(x, Round::rint, true), -256, 255);
    return static_cast<uint8_t>(f.is_signed ? std::clamp(nine_bits + f.offset, -128, 127)
                                            : std::clamp(nine_bits + f.offset, 0, 255));
}

// A float of 8 bits: E4M3 to nearest even, HiF8 with ties away from zero (docs, Fixpipe, quantPre). `saturate`: NaN
// becomes 0, and what lies beyond the largest value that value (docs, Fixpipe, CTRL[48]).
uint8_t to_float_byte(const Params& p, float x) {
    if (p.saturate && x != x) return 0;
    return p.dst == DType::e4m3 ? to_e4m3(x, p.saturate) : to_hif8(x, p.saturate);
}

bool is_float8(DType t) { return t == DType::e4m3 || t == DType::hif8; }

// `words`: the factors of these columns, or null where one is for all.
void convert_scaled(const Params& p, const uint8_t* src, const uint8_t* words, uint8_t* dst, uint32_t n) {
    float row[kGroup];
    for (uint32_t i = 0; i < n; ++i) {
        uint64_t word = p.factor;
        if (words != nullptr) std::memcpy(&word, words + i * sizeof word, sizeof word);
        const Factor f = factor_of(p, word);
        row[i] = scaled(p, f, src + i * 4);
        if (size_of(p.dst) == 1) dst[i] = is_float8(p.dst) ? to_float_byte(p, row[i]) : to_byte(row[i], f);
    }
    if (size_of(p.dst) == 1) return;
    if (p.saturate) saturate_floats(p.dst, row, n);
    store_floats(p.dst, row, dst, n);
}

// `n` elements of one row of a group: ReLU on the accumulator, then the format of the destination.
void convert(const Params& p, const uint8_t* src, const uint8_t* words, uint8_t* dst, uint32_t n) {
    if (p.quant == Quant::scaled) return convert_scaled(p, src, words, dst, n);
    if (p.src == DType::i32) {
        int32_t row[kGroup];
        std::memcpy(row, src, n * sizeof(int32_t));
        for (uint32_t i = 0; i < n && p.relu; ++i) row[i] = std::max(row[i], 0);
        std::memcpy(dst, row, n * sizeof(int32_t));
        return;
    }
    const float* from = reinterpret_cast<const float*>(src);
    float row[kGroup];
    if (p.relu || p.saturate) {
        for (uint32_t i = 0; i < n; ++i) row[i] = p.relu ? max_of(from[i], 0.0f) : from[i];
        if (p.saturate) saturate_floats(p.dst, row, n);
        from = row;
    }
    store_floats(p.dst, from, dst, n);
}

void store(const Params& p, const uint8_t* elements, uint8_t* dst, uint32_t n) {
    if (p.atomic != Atomic::none) return accumulate(p.atomic, p.dst, dst, elements, n);
    std::memcpy(dst, elements, n * size_of(p.dst));
}

// One row of group `g` of a window to `dst`, where the window's first group starts.
void put(const Params& p, uint8_t* const* at, uint32_t r, uint32_t g, uint32_t in_window, uint8_t* dst) {
    const uint32_t n = std::min(kGroup, p.n - g * kGroup);
    const uint8_t* src = (n < kGroup ? at[p.tail] : at[0] + g * p.src_group) + r * kSourceRow;
    const uint8_t* words = p.factors == 0 ? nullptr : at[p.factors] + g * kGroup * sizeof(uint64_t);
    if (p.piece == kGroup && p.atomic == Atomic::none) {
        return convert(p, src, words, dst + in_window * p.dst_piece, n);
    }
    alignas(4) uint8_t row[kSourceRow];
    convert(p, src, words, row, n);
    const uint32_t pieces = kGroup / p.piece;
    for (uint32_t i = 0; i * p.piece < n; ++i) {
        store(p, row + i * p.piece * size_of(p.dst), dst + (in_window * pieces + i) * p.dst_piece,
              std::min(p.piece, n - i * p.piece));
    }
}

// Rows [r0, r1) and groups [g0, g1) of the tile to `dst`.
void write_window(const Params& p, uint8_t* const* at, uint8_t* dst, uint32_t r0, uint32_t r1, uint32_t g0,
                  uint32_t g1) {
    for (uint32_t r = r0; r < r1; ++r) {
        for (uint32_t g = g0; g < g1; ++g) put(p, at, r, g, g - g0, dst + (r - r0) * p.dst_row);
    }
}

// NZ of 8-bit elements: two groups side by side, 32 bytes a row; a last one alone keeps 16.
void write_merged(const Params& p, uint8_t* const* at) {
    for (uint32_t g = 0; g < p.n / kGroup; ++g) {
        const bool alone = p.rest != 0 && g == p.n / kGroup - 1;
        uint8_t* dst = alone ? at[p.rest] : at[p.to] + g / 2 * p.dst_piece + g % 2 * kGroup;
        for (uint32_t r = 0; r < p.m; ++r) put(p, at, r, g, 0, dst + r * (alone ? kGroup : 2 * kGroup));
    }
}

void write_tile(const void* params, uint8_t* const* at) {
    const Params& p = params_of<Params>(params);
    std::unique_lock<std::mutex> lock(gm_atomics(), std::defer_lock);
    if (p.atomic != Atomic::none) lock.lock();
    if (p.merged) return write_merged(p, at);
    const uint32_t groups = static_cast<uint32_t>(div_up(p.n, kGroup));
    const bool rows = p.second_row != 0, columns = p.second_group != 0;
    write_window(p, at, at[p.to], 0, rows ? p.second_row : p.m, 0, columns ? p.second_group : groups);
    if (p.second == 0) return;
    write_window(p, at, at[p.second], p.second_row, p.m, p.second_group, groups);
}

// Which types each conversion takes and gives: asc-devkit, docs, Fixpipe, tables of types and of quantPre.
bool converts(const Fixpipe& p) {
    const bool b8 = p.dst == DType::i8 || p.dst == DType::u8;
    const bool b16 = p.dst == DType::f16 || p.dst == DType::bf16;
    switch (p.quant) {
        case Quant::none:
            return p.src == p.dst;
        case Quant::f32_to_f16:
            return p.src == DType::f32 && p.dst == DType::f16;
        case Quant::f32_to_bf16:
            return p.src == DType::f32 && p.dst == DType::bf16;
        case Quant::scaled:
            if (is_float8(p.dst)) return p.src == DType::f32 && !on_2201();
            return b8 || (on_2201() ? p.src == DType::i32 && p.dst == DType::f16 : b16);
    }
    return false;
}

void check(const Fixpipe& p, const Mem& dst) {
    if (p.src != DType::f32 && p.src != DType::i32) unsupported_type("Fixpipe", p.src);
    if (!converts(p)) unsupported("Fixpipe with a conversion that does not give the destination's type");
    if (on_2201() && dst.space == Space::l1 && size_of(p.dst) == 4) unsupported_type("Fixpipe to L1", p.dst);
    const bool nz = p.format == OutFormat::nz;
    const bool split = p.channel_split;
    if (split && (!nz || p.src != DType::f32 || p.dst != DType::f32 || p.unit_flag != 0)) {
        unsupported("Fixpipe with channel split of anything but float to NZ without a unit flag");
    }
    if (nz && p.n % (split ? 8 : kGroup) != 0) unsupported("Fixpipe to NZ with n not a multiple of 16");
    if (p.format == OutFormat::dn && on_2201()) unsupported("Fixpipe to columns on dav-2201");
    if (p.dual != 0 && (p.format == OutFormat::dn || (nz && size_of(p.dst) == 1))) {
        unsupported("Fixpipe to both UBs in this format");
    }
    if (p.dual == 1 && p.m % 2 != 0) unsupported("Fixpipe to both UBs by rows with an odd m");
    if (p.dual == 2 && p.n % 32 != 0) unsupported("Fixpipe to both UBs by columns with n not a multiple of 32");
    if (p.dual != 0 && dst.space != Space::ub) unsupported("Fixpipe to two destinations that are not UB");
    if (p.atomic != Atomic::none) check_atomic(p.atomic, p.dst);
}

// The valid m x n elements of L0C: whole groups, then the columns of the last one.
void add_source(Instr& i, const Mem& src, const Fixpipe& p, Params& q) {
    const uint32_t whole = p.n / kGroup, rest = p.n % kGroup;
    i.add(rows_of(src, false, whole, p.m * kSourceRow, q.src_group));
    if (rest == 0) return;
    q.tail = i.region_count;
    i.add(rows_of(offset(src, whole * q.src_group), false, p.m, rest * 4, kSourceRow));
}

void add_target(Instr& i, const Params& q, Region r) {
    r.atomic = q.atomic != Atomic::none;
    i.add(r);
    if (!r.atomic) return;
    r.write = false;
    i.add(r);
}

void add_window(Instr& i, const Mem& dst, Params& q, OutFormat format, uint64_t m, uint64_t n) {
    const uint64_t size = size_of(q.dst);
    if (format == OutFormat::nd) return add_target(i, q, rows_of(dst, true, m, n * size, q.dst_row));
    if (format == OutFormat::dn) return add_target(i, q, rows_of(dst, true, n, m * size, q.dst_piece));
    const uint64_t columns = q.merged ? n / (2 * kGroup) : n / q.piece;
    const uint64_t column = m * (q.merged ? 2 * kGroup : q.piece) * size;
    add_target(i, q, rows_of(dst, true, columns, column, q.dst_piece));
    if (!q.merged || n % (2 * kGroup) == 0) return;
    q.rest = i.region_count;
    add_target(i, q, run_of(offset(dst, static_cast<int64_t>(columns) * q.dst_piece), true, m * kGroup));
}

void add_destinations(Instr& i, Mem dst, const Fixpipe& p, Params& q) {
    q.to = i.region_count;
    if (p.dual == 0) {
        if (dst.space == Space::ub) dst.unit = p.sub_block == 0 ? Unit::aiv0 : Unit::aiv1;
        return add_window(i, dst, q, p.format, p.m, p.n);
    }
    const uint32_t m = p.dual == 1 ? p.m / 2 : p.m, n = p.dual == 2 ? p.n / 2 : p.n;
    q.second_row = p.dual == 1 ? m : 0;
    q.second_group = p.dual == 2 ? n / kGroup : 0;
    dst.unit = Unit::aiv0;
    add_window(i, dst, q, p.format, m, n);
    q.second = i.region_count;
    dst.unit = Unit::aiv1;
    add_window(i, dst, q, p.format, m, n);
}

Params params_for(const Fixpipe& p, Space space) {
    const auto size = static_cast<int64_t>(size_of(p.dst)), stride = static_cast<int64_t>(p.dst_stride) * size;
    Params q{};
    q.n = p.n, q.m = p.m;
    q.src_group = p.src_stride * kSourceRow;
    q.piece = p.channel_split ? 8 : p.format == OutFormat::dn ? 1 : kGroup;
    q.dst_row = p.format == OutFormat::nd ? stride : p.format == OutFormat::dn ? size : q.piece * size;
    q.dst_piece = p.format == OutFormat::nd ? kGroup * size : stride;
    q.merged = p.format == OutFormat::nz && size == 1;
    q.factor = p.factor;
    q.src = p.src, q.dst = p.dst;
    q.quant = p.quant;
    q.relu = p.relu;
    q.may_shift = on_2201();
    q.saturate = p.saturate && p.quant != Quant::none;
    q.atomic = space == Space::gm ? p.atomic : Atomic::none;
    return q;
}

// Matrix `index` of the instruction.
void emit_matrix(const char* name, const Mem& dst, const Mem& src, const Fixpipe& p, uint32_t index) {
    Params q = params_for(p, dst.space);
    Instr i;
    i.name = name;
    i.pipe = Pipe::fix;
    i.body = write_tile;
    i.unit_flag = p.unit_flag;
    i.continues = index != 0;
    const uint64_t elements = uint64_t{p.n} * p.m * p.matrices;
    i.cycles = static_cast<uint32_t>(index != 0 ? 1 : cycles::fixpipe(dst.space, p.dst, elements, p.dual != 0));
    add_source(i, offset(src, int64_t{index} * p.src_matrix * kSourceRow), p, q);
    if (present(p.factors)) {
        q.factors = i.region_count;
        i.add(run_of(p.factors, false, p.n * sizeof(uint64_t)));
    }
    const auto size = static_cast<int64_t>(size_of(p.dst));
    add_destinations(i, offset(dst, index * static_cast<int64_t>(p.dst_matrix) * size), p, q);
    i.set_params(q);
    emit(i);
}

}  // namespace

void fixpipe(const char* name, Mem dst, Mem src, const Fixpipe& p) {
    if (p.n == 0 || p.m == 0) return;
    check(p, dst);
    for (uint32_t i = 0; i < p.matrices; ++i) emit_matrix(name, dst, src, p, i);
}

}  // namespace aicore::ops
