// Reductions inside repeats: to one result per repeat, or per 32-byte block.
#include <algorithm>
#include <limits>

#include "cycles.h"
#include "reduce_lanes.h"

namespace aicore::ops {
namespace {

constexpr uint32_t kBlocks = kRepeat / kBlock;

struct Params {
    Red op;
    DType type;
    RedOut out;
    uint32_t lanes, repeats;
    uint32_t results;  // per repeat, of a reduction by blocks
    int64_t src_blk, src_rep, dst_rep;
};

void run_repeats(const void* params, uint8_t* const* at) {
    const Params& p = params_of<Params>(params);
    for (uint32_t r = 0; r < p.repeats; ++r) {
        const Value v = reduce_lanes(p.op, p.type, at[1] + r * p.src_rep, p.lanes, p.src_blk);
        store_result(p.type, p.out, v, at[0] + r * p.dst_rep);
    }
}

// What a block without an active lane gives.
Value neutral(Red op) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    Value v;
    v.f = op == Red::sum ? 0.0f : op == Red::max ? -kInfinity : kInfinity;
    return v;
}

void run_blocks(const void* params, uint8_t* const* at) {
    const Params& p = params_of<Params>(params);
    const uint32_t size = static_cast<uint32_t>(size_of(p.type)), in_block = kBlock / size;
    for (uint32_t r = 0; r < p.repeats; ++r) {
        for (uint32_t b = 0; b < p.results; ++b) {
            const uint32_t first = b * in_block;
            const uint32_t n = first < p.lanes ? std::min(in_block, p.lanes - first) : 0;
            const uint8_t* block = at[1] + r * p.src_rep + b * p.src_blk;
            const Value v = n == 0 ? neutral(p.op) : reduce_lanes(p.op, p.type, block, n, kBlock);
            store_value(p.type, v, at[0] + r * p.dst_rep + b * size);
        }
    }
}

void run_pairs(const void* params, uint8_t* const* at) {
    const Params& p = params_of<Params>(params);
    const uint32_t size = static_cast<uint32_t>(size_of(p.type)), in_block = kBlock / size;
    for (uint32_t r = 0; r < p.repeats; ++r) {
        for (uint32_t k = 0; k < p.results; ++k) {
            const uint32_t first = 2 * k, n = first < p.lanes ? std::min(2u, p.lanes - first) : 0;
            const uint8_t* pair = at[1] + r * p.src_rep + first / in_block * p.src_blk + first % in_block * size;
            const Value v = n == 0 ? neutral(Red::sum) : reduce_lanes(Red::sum, p.type, pair, n, kBlock);
            store_value(p.type, v, at[0] + r * p.dst_rep + k * size);
        }
    }
}

// The lanes that repeats read: whole blocks, then the rest of the last one. False when more regions are needed.
bool add_source(Instr& i, const Mem& src, const Params& p) {
    const uint32_t bytes = p.lanes * static_cast<uint32_t>(size_of(p.type));
    if (p.src_blk == kBlock) return fold(i.add({}), src, bytes, {{p.repeats, p.src_rep}});
    const uint32_t blocks = bytes / kBlock, rest = bytes % kBlock;
    bool flat = true;
    if (blocks > 0) flat = fold(i.add({}), src, kBlock, {{p.repeats, p.src_rep}, {blocks, p.src_blk}});
    if (rest > 0) flat = fold(i.add({}), offset(src, blocks * p.src_blk), rest, {{p.repeats, p.src_rep}}) && flat;
    return flat;
}

// All repeats as one instruction if their regions are two-dimensional, else repeat by repeat.
void emit_repeats(const char* name, Body body, uint64_t cycles, const Mem& dst, const Mem& src, const Params& all,
                  uint32_t written) {
    const auto put = [&](uint32_t first, uint32_t count) {
        Params p = all;
        p.repeats = count;
        Instr i = make(name, Pipe::v, body, first == 0 ? cycles : 1, p);
        i.continues = first != 0;
        // Results are aligned to themselves, not to blocks (asc-devkit, ReduceRepeat, table 3; ReduceDataBlock).
        i.add(rows_of(offset(dst, first * p.dst_rep), true, count, written, p.dst_rep)).align =
            body == run_pairs ? uint16_t{kBlock}
                              : static_cast<uint16_t>(body == run_blocks ? kBlocks * size_of(p.type) : written);
        const bool flat = add_source(i, offset(src, first * p.src_rep), p);
        if (flat) emit(i);
        return flat;
    };
    if (put(0, all.repeats)) return;
    for (uint32_t r = 0; r < all.repeats; ++r) put(r, 1);
}

void check_lanes(DType t, uint32_t lanes) {
    if (lanes * size_of(t) > kRepeat) unsupported("a reduction over more lanes than a repeat has");
}

}  // namespace

void reduce_repeat(const char* name, Red op, DType type, Mem dst, Mem src, uint32_t lanes, uint32_t repeats,
                   uint32_t dst_rep_elems, uint32_t src_blk, uint32_t src_rep, RedOut out) {
    if (repeats == 0 || lanes == 0) return;
    check_reduction("ReduceRepeat", type);
    check_lanes(type, lanes);
    const uint32_t written = result_bytes(type, out);
    Params p{};
    p.op = op;
    p.type = type;
    p.out = out;
    p.lanes = lanes;
    p.repeats = repeats;
    p.src_blk = int64_t{src_blk} * kBlock;
    p.src_rep = int64_t{src_rep} * kBlock;
    p.dst_rep = int64_t{dst_rep_elems} * written;
    emit_repeats(name, run_repeats, cycles::vector_reduce(op, true, repeats), dst, src, p, written);
}

void reduce_block(const char* name, Red op, DType type, Mem dst, Mem src, uint32_t lanes, uint32_t repeats,
                  uint32_t dst_rep_blocks, uint32_t src_blk, uint32_t src_rep) {
    if (repeats == 0 || lanes == 0) return;
    check_reduction("ReduceDataBlock", type);
    check_lanes(type, lanes);
    if (!is_float(type)) unsupported_type("ReduceDataBlock", type);
    const uint32_t size = static_cast<uint32_t>(size_of(type));
    const uint32_t results = on_2201() ? static_cast<uint32_t>(div_up(lanes * size, kBlock)) : kBlocks;
    Params p{};
    p.op = op;
    p.type = type;
    p.lanes = lanes;
    p.repeats = repeats;
    p.results = results;
    p.src_blk = int64_t{src_blk} * kBlock;
    p.src_rep = int64_t{src_rep} * kBlock;
    p.dst_rep = int64_t{dst_rep_blocks} * kBlocks * size;
    emit_repeats(name, run_blocks, cycles::vector_reduce(op, false, repeats), dst, src, p, results * size);
}

void reduce_pairs(const char* name, DType type, Mem dst, Mem src, uint32_t lanes, uint32_t repeats, uint32_t dst_rep,
                  uint32_t src_blk, uint32_t src_rep) {
    if (repeats == 0 || lanes == 0) return;
    check_lanes(type, lanes);
    if (type != DType::f16 && type != DType::f32) unsupported_type("ReducePairElem", type);
    const uint32_t size = static_cast<uint32_t>(size_of(type));
    const uint32_t results = on_2201() ? static_cast<uint32_t>(div_up(lanes, 2)) : kRepeat / size / 2;
    Params p{};
    p.op = Red::sum;
    p.type = type;
    p.lanes = lanes;
    p.repeats = repeats;
    p.results = results;
    p.src_blk = int64_t{src_blk} * kBlock;
    p.src_rep = int64_t{src_rep} * kBlock;
    p.dst_rep = int64_t{dst_rep} * (kRepeat / 2);
    emit_repeats(name, run_pairs, cycles::vector_reduce(Red::sum, false, repeats), dst, src, p, results * size);
}

}  // namespace aicore::ops
