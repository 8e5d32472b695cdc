// L0C -> GM, L1 or UB: column groups of 16 become rows (ND) or stay groups (NZ); ReLU, conversion, atomics on the way.
//
// Source: asc-devkit, docs/zh/api/SIMD-API, Fixpipe and asc_copy_l0c2gm / asc_copy_l0c2ub.
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
    int64_t dst_row, dst_group;  // bytes from row to row, and from column group to column group
    DType src, dst;
    bool relu, saturate;
    Atomic atomic;
    uint8_t tail, to, second;           // indices of regions: last columns of the source, destinations; 0: none
    uint32_t second_row, second_group;  // where the second destination starts in the tile
};

// `n` elements of one row of a group: ReLU on the accumulator, then the format of the destination.
void convert(const Params& p, const uint8_t* src, uint8_t* dst, uint32_t n) {
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

void put(const Params& p, const uint8_t* src, uint8_t* dst, uint32_t n) {
    if (p.atomic == Atomic::none) return convert(p, src, dst, n);
    alignas(4) uint8_t row[kSourceRow];
    convert(p, src, row, n);
    accumulate(p.atomic, p.dst, dst, row, n);
}

// Rows [r0, r1) and groups [g0, g1) of the tile to `dst`.
void write_window(const Params& p, uint8_t* const* at, uint8_t* dst, uint32_t r0, uint32_t r1, uint32_t g0,
                  uint32_t g1) {
    for (uint32_t r = r0; r < r1; ++r) {
        uint8_t* to = dst + (r - r0) * p.dst_row;
        for (uint32_t g = g0; g < g1; ++g, to += p.dst_group) {
            const uint32_t n = std::min(kGroup, p.n - g * kGroup);
            const uint8_t* group = n < kGroup ? at[p.tail] : at[0] + g * p.src_group;
            put(p, group + r * kSourceRow, to, n);
        }
    }
}

void write_tile(const void* params, uint8_t* const* at) {
    const Params& p = params_of<Params>(params);
    std::unique_lock<std::mutex> lock(gm_atomics(), std::defer_lock);
    if (p.atomic != Atomic::none) lock.lock();
    const uint32_t groups = static_cast<uint32_t>(div_up(p.n, kGroup));
    const bool rows = p.second_row != 0, columns = p.second_group != 0;
    write_window(p, at, at[p.to], 0, rows ? p.second_row : p.m, 0, columns ? p.second_group : groups);
    if (p.second == 0) return;
    write_window(p, at, at[p.second], p.second_row, p.m, p.second_group, groups);
}

void check(const Fixpipe& p, const Mem& dst) {
    const bool same = p.quant == Quant::none && p.src == p.dst;
    const bool f16 = p.quant == Quant::f32_to_f16 && p.src == DType::f32 && p.dst == DType::f16;
    const bool bf16 = p.quant == Quant::f32_to_bf16 && p.src == DType::f32 && p.dst == DType::bf16;
    if (!same && !f16 && !bf16) unsupported("Fixpipe with a conversion that does not give the destination's type");
    if (p.src != DType::f32 && p.src != DType::i32) unsupported_type("Fixpipe", p.src);
    if (p.format == OutFormat::nz && p.n % kGroup != 0) unsupported("Fixpipe to NZ with n not a multiple of 16");
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

void add_window(Instr& i, const Mem& dst, const Params& q, OutFormat format, uint64_t m, uint64_t n) {
    const uint64_t size = size_of(q.dst);
    if (format == OutFormat::nd) {
        i.add(rows_of(dst, true, m, n * size, q.dst_row));
    } else {
        i.add(rows_of(dst, true, n / kGroup, m * kGroup * size, q.dst_group));
    }
    Region& r = i.regions[i.region_count - 1];
    if (q.atomic == Atomic::none) return;
    r.atomic = true;
    Region old = r;
    old.write = false;
    i.add(old);
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

}  // namespace

void fixpipe(const char* name, Mem dst, Mem src, const Fixpipe& p) {
    if (p.n == 0 || p.m == 0) return;
    check(p, dst);
    const int64_t size = static_cast<int64_t>(size_of(p.dst)), stride = static_cast<int64_t>(p.dst_stride);
    const bool nd = p.format == OutFormat::nd;
    Params q{p.n,
             p.m,
             p.src_stride * kSourceRow,
             nd ? stride * size : kGroup * size,
             nd ? kGroup * size : stride * size,
             p.src,
             p.dst,
             p.relu,
             p.saturate && p.quant != Quant::none,
             dst.space == Space::gm ? p.atomic : Atomic::none,
             0,
             0,
             0,
             0,
             0};
    Instr i;
    i.name = name;
    i.pipe = Pipe::fix;
    i.body = write_tile;
    i.unit_flag = p.unit_flag;
    i.cycles = static_cast<uint32_t>(cycles::fixpipe(dst.space, p.dst, uint64_t{p.n} * p.m, p.dual != 0));
    add_source(i, src, p, q);
    add_destinations(i, dst, p, q);
    i.set_params(q);
    emit(i);
}

}  // namespace aicore::ops
