// Broadcast of a row or a column to a tile, and Brcb: elements to blocks.
#include <algorithm>

#include "cycles.h"
#include "vector.h"

namespace aicore::ops {
namespace {

struct BroadcastParams {
    uint32_t rows, cols, size;
    bool across;  // every row is one element
    uint64_t tmp_bytes;
};

template <class T>
void spread_rows(const BroadcastParams& p, const uint8_t* src, uint8_t* dst) {
    const T* from = reinterpret_cast<const T*>(src);
    T* to = reinterpret_cast<T*>(dst);
    for (uint32_t r = 0; r < p.rows; ++r, to += p.cols) std::fill(to, to + p.cols, from[r]);
}

void run_broadcast(const void* params, uint8_t* const* at) {
    const BroadcastParams& p = params_of<BroadcastParams>(params);
    const uint64_t row = uint64_t{p.cols} * p.size;
    if (!p.across) {
        for (uint32_t r = 0; r < p.rows; ++r) std::memcpy(at[0] + r * row, at[1], row);
    } else if (p.size == 1) {
        spread_rows<uint8_t>(p, at[1], at[0]);
    } else if (p.size == 2) {
        spread_rows<uint16_t>(p, at[1], at[0]);
    } else if (p.size == 4) {
        spread_rows<uint32_t>(p, at[1], at[0]);
    } else {
        spread_rows<uint64_t>(p, at[1], at[0]);
    }
    if (p.tmp_bytes != 0) poison(at[2], p.tmp_bytes);
}

}  // namespace

void broadcast(const char* name, DType type, Mem dst, Mem src, Mem tmp, uint32_t rows, uint32_t cols, int axis) {
    if (rows == 0 || cols == 0) return;
    if (on_2201() && type != DType::f32 && type != DType::f16 && size_of(type) != 1)
        unsupported_type("Broadcast", type);
    const uint64_t size = size_of(type), bytes = uint64_t{rows} * cols * size;
    // tilelang-ascend, src/transform/allocate_tmp_buffer.cc: a quarter of the destination.
    const uint64_t tmp_bytes = present(tmp) ? temporary_bytes(tmp, div_up(bytes, 4)) : 0;
    Instr i = make(name, Pipe::v, run_broadcast, cycles::vector(VecOp::copy, div_up(bytes, kRepeat)),
                   BroadcastParams{rows, cols, static_cast<uint32_t>(size), axis == 1, tmp_bytes});
    i.add(run_of(dst, true, bytes));
    i.add(run_of(src, false, (axis == 1 ? rows : cols) * size));
    if (tmp_bytes != 0) i.add(run_of(tmp, true, tmp_bytes)).junk = true;
    emit(i);
}

namespace {

struct BrcbParams {
    uint32_t repeats, size;
    int64_t blk, rep;
};

void run_brcb(const void* params, uint8_t* const* at) {
    const BrcbParams& p = params_of<BrcbParams>(params);
    for (uint32_t r = 0; r < p.repeats; ++r) {
        for (uint32_t b = 0; b < 8; ++b) {
            uint8_t block[kBlock];
            const uint8_t* element = at[1] + (r * 8 + b) * p.size;
            for (uint32_t o = 0; o < kBlock; o += p.size) std::memcpy(block + o, element, p.size);
            std::memcpy(at[0] + r * p.rep + b * p.blk, block, kBlock);
        }
    }
}

}  // namespace

void brcb(const char* name, DType type, Mem dst, Mem src, uint32_t repeats, uint32_t dst_blk, uint32_t dst_rep) {
    if (repeats == 0) return;
    const uint32_t size = static_cast<uint32_t>(size_of(type));
    if (size != 2 && size != 4) unsupported_type("Brcb", type);
    const BrcbParams all{repeats, size, int64_t{dst_blk} * kBlock, int64_t{dst_rep} * kBlock};
    const auto put = [&](uint32_t first, uint32_t count) {
        BrcbParams p = all;
        p.repeats = count;
        Instr i = make(name, Pipe::v, run_brcb, first == 0 ? cycles::vector(VecOp::copy, repeats) : 1, p);
        i.continues = first != 0;
        Region& to = i.add({});
        const bool flat = fold(to, offset(dst, first * all.rep), kBlock, {{count, all.rep}, {8, all.blk}});
        to.write = true;
        Region& from = i.add(run_of(offset(src, int64_t{first} * 8 * size), false, uint64_t{count} * 8 * size));
        if (first != 0) from.align = static_cast<uint16_t>(size);
        if (flat) emit(i);
        return flat;
    };
    if (put(0, repeats)) return;
    for (uint32_t r = 0; r < repeats; ++r) put(r, 1);
}

}  // namespace aicore::ops
