// ReduceSum, ReduceMax and ReduceMin over a count, and the adv_api reductions of a tile by rows or by columns.
#include <algorithm>

#include "cycles.h"
#include "reduce_lanes.h"
#include "vector.h"

namespace aicore::ops {
namespace {

struct WholeParams {
    Red op;
    DType type;
    RedOut out;
    uint64_t n, tmp_bytes;
};

void run_whole(const void* params, uint8_t* const* at) {
    const WholeParams& p = params_of<WholeParams>(params);
    const Value v = reduce_run(p.op, p.type, at[1], p.n);
    // The destination may lie in the temporary buffer, and that may be the source.
    if (p.tmp_bytes != 0) poison(at[2], p.tmp_bytes);
    store_result(p.type, p.out, v, at[0]);
}

// Results of the first round: a value and an index per repeat; with an index all rounds are kept (asc-devkit,
// ReduceMax, "sharedTmpBuffer"). Neither a sum over a count nor dav-3510 uses the buffer (likewise, ReduceSum).
uint64_t whole_temporary(Red op, DType t, uint64_t repeats, RedOut out) {
    if (!on_2201() || op == Red::sum) return 0;
    const uint64_t size = size_of(t), lanes = kRepeat / size;
    uint64_t elements = repeats * 2;
    uint64_t bytes = round_up(elements * size, kBlock);
    while (out != RedOut::value && elements > 2) {
        elements = div_up(elements, lanes) * 2;
        bytes += round_up(elements * size, kBlock);
    }
    return bytes;
}

// What of the temporary buffer is written: all that the rounds take, as far as there is so much of it, and at least
// what the documents ask for, which do not count a last repeat that is not full.
uint64_t whole_temporary_of(Mem tmp, Red op, DType t, uint64_t n, RedOut out) {
    if (!present(tmp)) return 0;
    const uint64_t lanes = kRepeat / size_of(t), asked = whole_temporary(op, t, std::max<uint64_t>(n / lanes, 1), out);
    return std::max(temporary_bytes(tmp, whole_temporary(op, t, div_up(n, lanes), out)), asked);
}

struct TileParams {
    Red op;
    DType type;
    bool by_row;
    uint32_t rows, cols;
    uint64_t pitch, tmp_bytes;
};

// Rows one after the other, all columns of a chunk at once.
void reduce_float_columns(const TileParams& p, const uint8_t* src, uint8_t* dst, size_t n) {
    float acc[kChunk], buffer[kChunk];
    const float* first = load_floats(p.type, src, buffer, n);
    std::memcpy(acc, first, n * sizeof(float));
    for (uint32_t r = 1; r < p.rows; ++r) {
        const float* x = load_floats(p.type, src + r * p.pitch, buffer, n);
        switch (p.op) {
            case Red::sum:
                for (size_t i = 0; i < n; ++i) acc[i] += x[i];
                if (p.type == DType::f32) break;
                store_floats(p.type, acc, dst, n);  // each sum is rounded to the type
                load_floats(p.type, dst, acc, n);
                break;
            case Red::max:
                for (size_t i = 0; i < n; ++i) acc[i] = max_of(acc[i], x[i]);
                break;
            case Red::min:
                for (size_t i = 0; i < n; ++i) acc[i] = min_of(acc[i], x[i]);
                break;
        }
    }
    store_floats(p.type, acc, dst, n);
}

void reduce_columns(const TileParams& p, const uint8_t* src, uint8_t* dst) {
    const size_t size = size_of(p.type);
    for (uint32_t c = 0; c < p.cols && is_float(p.type); c += kChunk) {
        reduce_float_columns(p, src + c * size, dst + c * size, std::min<size_t>(kChunk, p.cols - c));
    }
    for (uint32_t c = 0; c < p.cols && !is_float(p.type); ++c) {
        const Value v = reduce_integers(p.op, p.type, src + c * size, p.rows, static_cast<int64_t>(p.pitch));
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
    } else {
        reduce_columns(p, at[1], at[0]);
    }
    if (p.tmp_bytes != 0) poison(at[2], p.tmp_bytes);
}

}  // namespace

void reduce_whole(const char* name, Red op, DType type, Mem dst, Mem src, Mem tmp, uint64_t count, RedOut out) {
    if (count == 0) return;
    check_reduction("ReduceSum, ReduceMax or ReduceMin", type);
    const uint64_t bytes = count * size_of(type);
    const uint64_t tmp_bytes = whole_temporary_of(tmp, op, type, count, out);
    Instr i = make(name, Pipe::v, run_whole, cycles::vector_reduce(op, true, div_up(bytes, kRepeat)),
                   WholeParams{op, type, out, count, tmp_bytes});
    const uint32_t written = result_bytes(type, out);
    i.add(run_of(dst, true, written)).align = static_cast<uint16_t>(written);
    i.add(run_of(src, false, bytes));
    if (tmp_bytes != 0) i.add(run_of(tmp, true, tmp_bytes)).junk = true;
    emit(i);
}

void reduce_tile(const char* name, Red op, DType type, Mem dst, Mem src, Mem tmp, uint32_t rows, uint32_t cols,
                 uint64_t pitch, bool by_row) {
    if (rows == 0 || cols == 0) return;
    check_reduction("ReduceSum, ReduceMax or ReduceMin of a tile", type);
    // tilelang-ascend, src/transform/allocate_tmp_buffer.cc: as large as the source.
    const uint64_t size = size_of(type), bytes = uint64_t{rows} * round_up(cols * size, kBlock);
    const uint64_t tmp_bytes = present(tmp) ? temporary_bytes(tmp, bytes) : 0;
    // Rows are reduced by ReduceRepeat, columns by whole-row operations.
    const uint64_t repeats = div_up(bytes, kRepeat);
    const VecOp by = op == Red::sum ? VecOp::add : VecOp::max;
    const uint64_t cost = by_row ? cycles::vector_reduce(op, true, repeats) : cycles::vector(by, repeats);
    Instr i = make(name, Pipe::v, run_tile, cost, TileParams{op, type, by_row, rows, cols, pitch, tmp_bytes});
    i.add(run_of(dst, true, (by_row ? rows : cols) * size));
    i.add(rows_of(src, false, rows, cols * size, static_cast<int64_t>(pitch)));
    if (tmp_bytes != 0) i.add(run_of(tmp, true, tmp_bytes)).junk = true;
    emit(i);
}

}  // namespace aicore::ops
