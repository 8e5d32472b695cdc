// Reductions on UB.
//
// Sums inside a repeat or a block are binary trees over neighbours, each addition rounded to the element type; a lane
// that takes no part leaves its neighbour unchanged (asc-devkit, ReduceDataBlock). ReduceSum over a count adds the
// repeats one after the other.
#include <algorithm>
#include <limits>

#include "cycles.h"
#include "elements.h"
#include "vector.h"

namespace aicore::ops {
namespace {

constexpr uint32_t kBlocks = kRepeat / kBlock;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The rounding of one addition.
float rounded(DType t, float x) {
    if (t == DType::f16) return f16_to_f32(f32_to_f16(x));
    if (t == DType::bf16) return bf16_to_f32(f32_to_bf16(x));
    return x;
}

// Element `i` of a repeat whose blocks are `blk` bytes apart.
const uint8_t* lane(const uint8_t* repeat, uint32_t i, uint32_t size, int64_t blk) {
    const uint32_t in_block = kBlock / size;
    return repeat + (i / in_block) * blk + (i % in_block) * size;
}

template <class Op, class V>
V tree(V* x, uint32_t n, Op&& op) {
    for (; n > 1; n = (n + 1) / 2) {
        for (uint32_t i = 0; i < n / 2; ++i) x[i] = op(x[2 * i], x[2 * i + 1]);
        if (n % 2) x[n / 2] = x[n - 1];
    }
    return x[0];
}

struct Extremum {
    double value;
    uint32_t index;
};

// Whether `b` replaces `a` in a search for the first extremum; NaN wins.
bool replaces(Red op, double a, double b) {
    if (a != a) return false;
    if (b != b) return true;
    return op == Red::max ? b > a : b < a;
}

float float_at(DType t, const uint8_t* p) {
    float buffer;
    float aligned;
    std::memcpy(&aligned, load_floats(t, p, &buffer, 1), sizeof aligned);
    return aligned;
}

// A reduction of `n` lanes to a value; `index` gets the position of the extremum.
struct Value {
    float f = 0;
    int64_t i = 0;
    uint32_t index = 0;
};

template <class Read>
Value reduce_floats(Red op, DType t, uint32_t n, Read&& read) {
    float x[kRepeat];
    Value v;
    for (uint32_t i = 0; i < n; ++i) x[i] = read(i);
    if (op == Red::sum) {
        v.f = tree(x, n, [t](float a, float b) { return rounded(t, a + b); });
        return v;
    }
    v.f = x[0];
    for (uint32_t i = 1; i < n; ++i) {
        if (replaces(op, v.f, x[i])) {
            v.f = x[i];
            v.index = i;
        } else {
            v.f = op == Red::max ? max_of(v.f, x[i]) : min_of(v.f, x[i]);  // for the sign of zero
        }
    }
    return v;
}

template <class Read>
Value reduce_integers(Red op, uint32_t n, Read&& read) {
    Value v;
    v.i = read(0);
    for (uint32_t i = 1; i < n; ++i) {
        const int64_t x = read(i);
        if (op == Red::sum) {
            v.i = static_cast<int64_t>(static_cast<uint64_t>(v.i) + static_cast<uint64_t>(x));
        } else if (op == Red::max ? x > v.i : x < v.i) {
            v.i = x;
            v.index = i;
        }
    }
    return v;
}

int64_t integer_at(DType t, const uint8_t* p) {
    int64_t value = 0;
    with_integer(t, [&](auto zero) {
        decltype(zero) x;
        std::memcpy(&x, p, sizeof x);
        value = static_cast<int64_t>(x);
    });
    return value;
}

// Reduces lanes found by `at(i)`.
template <class At>
Value reduce_lanes(Red op, DType t, uint32_t n, At&& at) {
    if (is_float(t)) return reduce_floats(op, t, n, [&](uint32_t i) { return float_at(t, at(i)); });
    return reduce_integers(op, n, [&](uint32_t i) { return integer_at(t, at(i)); });
}

void store_value(DType t, const Value& v, uint8_t* to) {
    if (is_float(t)) {
        uint32_t bits = __builtin_bit_cast(uint32_t, v.f);
        if (t == DType::f16) bits = f32_to_f16(v.f);
        if (t == DType::bf16) bits = f32_to_bf16(v.f);
        std::memcpy(to, &bits, size_of(t));
    } else {
        std::memcpy(to, &v.i, size_of(t));
    }
}

uint32_t result_bytes(DType t, RedOut out) {
    const uint32_t size = static_cast<uint32_t>(size_of(t));
    if (out == RedOut::value) return size;
    return out == RedOut::index ? 4 : 2 * size;
}

void store_result(DType t, RedOut out, const Value& v, uint8_t* to) {
    const size_t size = size_of(t);
    switch (out) {
        case RedOut::value:
            return store_value(t, v, to);
        case RedOut::index:
            std::memcpy(to, &v.index, 4);
            return;
        case RedOut::value_index:
            store_value(t, v, to);
            std::memcpy(to + size, &v.index, size);
            return;
        case RedOut::index_value:
            std::memcpy(to, &v.index, size);
            store_value(t, v, to + size);
            return;
    }
}

// ---- one result per repeat
// -------------------------------------------------------------------------------------------

struct RepeatParams {
    Red op;
    DType type;
    RedOut out;
    uint32_t lanes, repeats;
    int64_t src_blk, src_rep, dst_rep;
};

void run_repeats(const void* params, uint8_t* const* at) {
    const RepeatParams& p = params_of<RepeatParams>(params);
    const uint32_t size = static_cast<uint32_t>(size_of(p.type));
    for (uint32_t r = 0; r < p.repeats; ++r) {
        const uint8_t* repeat = at[1] + r * p.src_rep;
        const Value v =
            reduce_lanes(p.op, p.type, p.lanes, [&](uint32_t i) { return lane(repeat, i, size, p.src_blk); });
        store_result(p.type, p.out, v, at[0] + r * p.dst_rep);
    }
}

// The lanes that repeats read: whole blocks, then the rest of the last one. False when more regions are needed.
bool add_source(Instr& i, const Mem& src, uint32_t bytes, uint32_t repeats, int64_t blk, int64_t rep) {
    if (blk == kBlock) return fold(i.add({}), src, bytes, {{repeats, rep}});
    const uint32_t blocks = bytes / kBlock, rest = bytes % kBlock;
    bool flat = true;
    if (blocks > 0) flat = fold(i.add({}), src, kBlock, {{repeats, rep}, {blocks, blk}});
    if (rest > 0) flat = fold(i.add({}), offset(src, blocks * blk), rest, {{repeats, rep}}) && flat;
    return flat;
}

void check(const char* what, Red op, DType t) {
    const bool a2 = t == DType::f32 || t == DType::f16;
    const bool newer = t == DType::bf16 || t == DType::i16 || t == DType::u16 || t == DType::i32 || t == DType::u32;
    (void)op;
    if (!(a2 || (newer && !on_2201()))) unsupported_type(what, t);
}

// `emit_some(first, count, continues)` emits repeats [first, first + count); false when they do not fit one
// instruction.
template <class F>
void split_repeats(uint32_t repeats, F&& emit_some) {
    if (emit_some(0, repeats, false)) return;
    for (uint32_t r = 0; r < repeats; ++r) emit_some(r, 1, r != 0);
}

}  // namespace

void reduce_repeat(const char* name, Red op, DType type, Mem dst, Mem src, uint32_t lanes, uint32_t repeats,
                   uint32_t dst_rep_elems, uint32_t src_blk, uint32_t src_rep, RedOut out) {
    if (repeats == 0 || lanes == 0) return;
    check("ReduceRepeat", op, type);
    const uint32_t size = static_cast<uint32_t>(size_of(type)), result = result_bytes(type, out);
    if (lanes > kRepeat / size) unsupported("a reduction over more lanes than a repeat has");
    const int64_t blk = int64_t{src_blk} * kBlock, rep = int64_t{src_rep} * kBlock;
    // An index alone takes 4 bytes also where results are 2 bytes apart in units of half (asc-devkit, ReduceRepeat).
    const int64_t dst_rep = int64_t{dst_rep_elems} * result;
    split_repeats(repeats, [&](uint32_t first, uint32_t count, bool continues) {
        Instr i = make(name, Pipe::v, run_repeats, continues ? 1 : cycles::vector_reduce(op, true, repeats),
                       RepeatParams{op, type, out, lanes, count, blk, rep, dst_rep});
        i.continues = continues;
        Region& to = i.add(rows_of(offset(dst, first * dst_rep), true, count, result, dst_rep));
        to.align = static_cast<uint16_t>(result);
        const bool flat = add_source(i, offset(src, first * rep), lanes * size, count, blk, rep);
        if (flat) emit(i);
        return flat;
    });
}

// ---- one result per block
// --------------------------------------------------------------------------------------------

namespace {

void run_blocks(const void* params, uint8_t* const* at) {
    const RepeatParams& p = params_of<RepeatParams>(params);
    const uint32_t size = static_cast<uint32_t>(size_of(p.type)), in_block = kBlock / size;
    const uint32_t active = static_cast<uint32_t>(div_up(p.lanes, in_block));
    // out == index marks dav-3510, where blocks without a lane give the neutral element.
    const uint32_t results = p.out == RedOut::index ? kBlocks : active;
    for (uint32_t r = 0; r < p.repeats; ++r) {
        for (uint32_t b = 0; b < results; ++b) {
            const uint8_t* block = at[1] + r * p.src_rep + b * p.src_blk;
            Value v;
            if (b < active) {
                v = reduce_lanes(p.op, p.type, std::min(in_block, p.lanes - b * in_block),
                                 [&](uint32_t i) { return block + i * size; });
            } else {
                v.f = p.op == Red::sum ? 0.0f : p.op == Red::max ? -kInfinity : kInfinity;
            }
            store_value(p.type, v, at[0] + r * p.dst_rep + b * size);
        }
    }
}

}  // namespace

void reduce_block(const char* name, Red op, DType type, Mem dst, Mem src, uint32_t lanes, uint32_t repeats,
                  uint32_t dst_rep_blocks, uint32_t src_blk, uint32_t src_rep) {
    if (repeats == 0 || lanes == 0) return;
    check("ReduceDataBlock", op, type);
    const uint32_t size = static_cast<uint32_t>(size_of(type));
    if (lanes > kRepeat / size) unsupported("a reduction over more lanes than a repeat has");
    const bool neutral = !on_2201();
    if (neutral && !is_float(type)) unsupported_type("ReduceDataBlock", type);
    const uint32_t results = neutral ? kBlocks : static_cast<uint32_t>(div_up(lanes * size, kBlock));
    const int64_t blk = int64_t{src_blk} * kBlock, rep = int64_t{src_rep} * kBlock;
    const int64_t dst_rep = int64_t{dst_rep_blocks} * kBlocks * size;
    split_repeats(repeats, [&](uint32_t first, uint32_t count, bool continues) {
        Instr i =
            make(name, Pipe::v, run_blocks, continues ? 1 : cycles::vector_reduce(op, false, repeats),
                 RepeatParams{op, type, neutral ? RedOut::index : RedOut::value, lanes, count, blk, rep, dst_rep});
        i.continues = continues;
        Region& to = i.add(rows_of(offset(dst, first * dst_rep), true, count, uint64_t{results} * size, dst_rep));
        to.align = static_cast<uint16_t>(kBlocks * size);
        const bool flat = add_source(i, offset(src, first * rep), lanes * size, count, blk, rep);
        if (flat) emit(i);
        return flat;
    });
}

// ---- to one element
// --------------------------------------------------------------------------------------------------

namespace {

struct WholeParams {
    Red op;
    DType type;
    RedOut out;
    uint64_t n, tmp_bytes;
};

// Repeats one after the other; the result of each is a tree.
Value reduce_run(Red op, DType t, const uint8_t* src, uint64_t n) {
    const uint32_t size = static_cast<uint32_t>(size_of(t)), lanes = kRepeat / size;
    Value total;
    for (uint64_t done = 0; done < n; done += lanes) {
        const uint8_t* repeat = src + done * size;
        const uint32_t here = static_cast<uint32_t>(std::min<uint64_t>(lanes, n - done));
        const Value v = reduce_lanes(op, t, here, [&](uint32_t i) { return repeat + i * size; });
        if (done == 0) {
            total = v;
        } else if (op == Red::sum) {
            total.f = rounded(t, total.f + v.f);
            total.i = static_cast<int64_t>(static_cast<uint64_t>(total.i) + static_cast<uint64_t>(v.i));
        } else if (is_float(t)) {
            if (replaces(op, total.f, v.f)) total.index = static_cast<uint32_t>(done) + v.index;
            total.f = op == Red::max ? max_of(total.f, v.f) : min_of(total.f, v.f);
        } else if (op == Red::max ? v.i > total.i : v.i < total.i) {
            total.i = v.i;
            total.index = static_cast<uint32_t>(done) + v.index;
        }
    }
    return total;
}

void run_whole(const void* params, uint8_t* const* at) {
    const WholeParams& p = params_of<WholeParams>(params);
    const Value v = reduce_run(p.op, p.type, at[1], p.n);
    // The destination may lie in the temporary buffer, and that may be the source.
    if (p.tmp_bytes != 0) std::memset(at[2], kPoison, p.tmp_bytes);
    store_result(p.type, p.out, v, at[0]);
}

// Results of the first round: one element per repeat for a sum, a value and an index for max and min; with an index all
// rounds are kept (asc-devkit, ReduceSum and ReduceMax, "sharedTmpBuffer"). dav-3510 does not use the buffer.
uint64_t whole_temporary(Red op, DType t, uint64_t n, RedOut out) {
    if (!on_2201()) return 0;
    const uint64_t size = size_of(t), lanes = kRepeat / size;
    uint64_t elements = div_up(n, lanes) * (op == Red::sum ? 1 : 2);
    uint64_t bytes = round_up(elements * size, kBlock);
    while (out != RedOut::value && elements > 2) {
        elements = div_up(elements, lanes) * 2;
        bytes += round_up(elements * size, kBlock);
    }
    return bytes;
}

}  // namespace

void reduce_whole(const char* name, Red op, DType type, Mem dst, Mem src, Mem tmp, uint64_t count, RedOut out) {
    if (count == 0) return;
    check("ReduceSum, ReduceMax or ReduceMin", op, type);
    const uint64_t bytes = count * size_of(type);
    const uint64_t tmp_bytes = present(tmp) ? temporary_bytes(tmp, whole_temporary(op, type, count, out)) : 0;
    Instr i = make(name, Pipe::v, run_whole, cycles::vector_reduce(op, true, div_up(bytes, kRepeat)),
                   WholeParams{op, type, out, count, tmp_bytes});
    Region& to = i.add(run_of(dst, true, result_bytes(type, out)));
    to.align = static_cast<uint16_t>(result_bytes(type, out));
    i.add(run_of(src, false, bytes));
    if (tmp_bytes != 0) i.add(run_of(tmp, true, tmp_bytes));
    emit(i);
}

// ---- tiles
// -----------------------------------------------------------------------------------------------------------

namespace {

struct TileParams {
    Red op;
    DType type;
    bool by_row;
    uint32_t rows, cols;
    uint64_t pitch, tmp_bytes;
};

// Column results: rows one after the other, all columns at once.
void reduce_columns(const TileParams& p, const uint8_t* src, uint8_t* dst) {
    const size_t size = size_of(p.type);
    for (uint32_t c = 0; c < p.cols; c += kChunk) {
        const size_t n = std::min<size_t>(kChunk, p.cols - c);
        float acc[kChunk], buffer[kChunk];
        const float* first = load_floats(p.type, src + c * size, buffer, n);
        std::memcpy(acc, first, n * sizeof(float));
        for (uint32_t r = 1; r < p.rows; ++r) {
            const float* x = load_floats(p.type, src + r * p.pitch + c * size, buffer, n);
            for (size_t i = 0; i < n; ++i) {
                if (p.op == Red::sum) acc[i] = rounded(p.type, acc[i] + x[i]);
                if (p.op == Red::max) acc[i] = max_of(acc[i], x[i]);
                if (p.op == Red::min) acc[i] = min_of(acc[i], x[i]);
            }
        }
        store_floats(p.type, acc, dst + c * size, n);
    }
}

void reduce_integer_columns(const TileParams& p, const uint8_t* src, uint8_t* dst) {
    const size_t size = size_of(p.type);
    for (uint32_t c = 0; c < p.cols; ++c) {
        const Value v =
            reduce_integers(p.op, p.rows, [&](uint32_t r) { return integer_at(p.type, src + r * p.pitch + c * size); });
        store_value(p.type, v, dst + c * size);
    }
}

void run_tile(const void* params, uint8_t* const* at) {
    const TileParams& p = params_of<TileParams>(params);
    const size_t size = size_of(p.type);
    if (p.by_row) {
        for (uint32_t r = 0; r < p.rows; ++r) {
            store_value(p.type, reduce_run(p.op, p.type, at[1] + r * p.pitch, p.cols), at[0] + r * size);
        }
    } else if (is_float(p.type)) {
        reduce_columns(p, at[1], at[0]);
    } else {
        reduce_integer_columns(p, at[1], at[0]);
    }
    if (p.tmp_bytes != 0) std::memset(at[2], kPoison, p.tmp_bytes);
}

}  // namespace

void reduce_tile(const char* name, Red op, DType type, Mem dst, Mem src, Mem tmp, uint32_t rows, uint32_t cols,
                 uint64_t pitch, bool by_row) {
    if (rows == 0 || cols == 0) return;
    check("ReduceSum, ReduceMax or ReduceMin of a tile", op, type);
    const uint64_t size = size_of(type), bytes = uint64_t{rows} * round_up(cols * size, kBlock);
    const uint64_t tmp_bytes = present(tmp) ? temporary_bytes(tmp, bytes) : 0;
    // Rows are reduced by ReduceRepeat, columns by whole-row operations.
    const uint64_t repeats = div_up(bytes, kRepeat);
    const VecOp by = op == Red::sum ? VecOp::add : VecOp::max;
    const uint64_t cost = by_row ? cycles::vector_reduce(op, true, repeats) : cycles::vector(by, repeats);
    Instr i = make(name, Pipe::v, run_tile, cost, TileParams{op, type, by_row, rows, cols, pitch, tmp_bytes});
    i.add(run_of(dst, true, (by_row ? rows : cols) * size));
    i.add(rows_of(src, false, rows, cols * size, static_cast<int64_t>(pitch)));
    if (tmp_bytes != 0) i.add(run_of(tmp, true, tmp_bytes));
    emit(i);
}

}  // namespace aicore::ops
