// Transpositions: 16 x 16 elements of two bytes, 16 blocks by their addresses, and whole planes.
#include <algorithm>
#include <iterator>
#include <vector>

#include "builder.h"
#include "cycles.h"
#include "scattered.h"

namespace aicore::ops {
void transpose16(const char* name, Mem dst, Mem src) {
    struct None {};
    constexpr uint32_t kSide = 16;
    const Body body = [](const void*, uint8_t* const* at) {
        uint16_t in[kSide][kSide], out[kSide][kSide];
        std::memcpy(in, at[1], sizeof in);
        for (uint32_t r = 0; r < kSide; ++r) {
            for (uint32_t c = 0; c < kSide; ++c) out[c][r] = in[r][c];
        }
        std::memcpy(at[0], out, sizeof out);
    };
    Instr i = make(name, Pipe::v, body, cycles::vector(VecOp::copy, 2), None{});
    i.add(run_of(dst, true, kFractal));
    i.add(run_of(src, false, kFractal));
    emit(i);
}

namespace {

constexpr uint32_t kRows = 16;

struct Side {
    uint16_t block[kRows];  // addresses, in blocks
    uint16_t rep;
    bool high;
};
struct RowsParams {
    Side dst, src;
    uint16_t repeats, memory;  // blocks
    uint8_t size;
    uint32_t dst_lo, dst_hi, src_lo, src_hi;
};

// With one repeat the strides shift it, with several only those behind the first (asc-devkit, docs, TransDataTo5HD,
// repeatTimes).
uint32_t block_of(const RowsParams& p, const Side& side, uint32_t r, uint32_t row) {
    return side.block[row] + (p.repeats == 1 ? 1 : r) * uint32_t{side.rep};
}

// `bytes` of each source block, as columns of `size` bytes, to rows of 16.
void turn(const RowsParams& p, const uint8_t (&in)[kRows][kBlock], uint8_t* out, uint32_t bytes) {
    for (uint32_t row = 0; row < kRows; ++row) {
        for (uint32_t k = 0; k < bytes / p.size; ++k) {
            std::memcpy(out + (k * kRows + row) * p.size, in[row] + k * p.size, p.size);
        }
    }
}

void run_rows(const void* params, uint8_t* const* at) {
    const RowsParams& p = params_of<RowsParams>(params);
    const uint32_t half = p.size == 1 ? kBlock / 2 : 0;
    const uint32_t width = kBlock - half;
    for (uint32_t r = 0; r < p.repeats; ++r) {
        uint8_t in[kRows][kBlock], out[kFractal];
        for (uint32_t row = 0; row < kRows; ++row) {
            const uint32_t block = block_of(p, p.src, r, row);
            const uint8_t* from = at[1] + block * kBlock + (p.src.high ? half : 0);
            block < p.memory ? static_cast<void>(std::memcpy(in[row], from, width)) : poison(in[row], width);
        }
        turn(p, in, out, width);
        for (uint32_t row = 0; row < kRows; ++row) {
            const uint32_t block = block_of(p, p.dst, r, row);
            uint8_t* to = at[0] + block * kBlock + (p.dst.high ? half : 0);
            if (block < p.memory) std::memcpy(to, out + row * width, width);
        }
    }
}

void find_rows(const void* params, const Region* regions, uint8_t* const*, Touched& touched) {
    const RowsParams& p = params_of<RowsParams>(params);
    const uint32_t half = p.size == 1 ? kBlock / 2 : 0;
    Scattered dst(regions[0]), src(regions[1]);
    dst.bound(p.dst_lo, p.dst_hi, 1);
    src.bound(p.src_lo, p.src_hi, 1);
    for (uint32_t r = 0; r < p.repeats; ++r) {
        for (uint32_t row = 0; row < kRows; ++row) {
            dst.add(block_of(p, p.dst, r, row) * kBlock + (p.dst.high ? half : 0), kBlock - half);
            src.add(block_of(p, p.src, r, row) * kBlock + (p.src.high ? half : 0), kBlock - half);
        }
    }
    dst.tell(touched);
    src.tell(touched);
}

// Half blocks of a side that a repeat touches, as numbers in UB, in order.
void halves_of(const RowsParams& p, const Side& side, uint32_t r, std::vector<uint32_t>& out) {
    out.clear();
    for (uint32_t row = 0; row < kRows; ++row) {
        const uint32_t block = block_of(p, side, r, row);
        if (p.size != 1 || !side.high) out.push_back(2 * block);
        if (p.size != 1 || side.high) out.push_back(2 * block + 1);
    }
    std::sort(out.begin(), out.end());
}

// Within a repeat the operands may be the same bytes or lie apart; and no repeat may store what a later one reads
// (asc-devkit, docs, general constraints, overlap of addresses, to which the page of TransDataTo5HD refers).
void check_rows_apart(const RowsParams& p) {
    std::vector<uint32_t> reads, writes, both;
    std::vector<bool> stored(2 * 65536);
    for (uint32_t r = 0; r < p.repeats; ++r) {
        halves_of(p, p.src, r, reads);
        halves_of(p, p.dst, r, writes);
        both.clear();
        std::set_intersection(reads.begin(), reads.end(), writes.begin(), writes.end(), std::back_inserter(both));
        const bool in_part = !both.empty() && reads != writes;
        const bool late =
            std::any_of(reads.begin(), reads.end(), [&](uint32_t half) { return stored[half % stored.size()]; });
        if (in_part || late) {
            return finding("operand-overlap",
                           in_part ? "the destination of TransDataTo5HD overlaps a part of its source"
                                   : "a repeat of TransDataTo5HD stores into what a later repeat reads",
                           "let the two be the same blocks in every repeat, or lie apart");
        }
        for (const uint32_t half : writes) stored[half % stored.size()] = true;
    }
}

Side side_of(const Rows16& rows) {
    Side side{{}, static_cast<uint16_t>(rows.rep), rows.high};
    for (uint32_t i = 0; i < kRows; ++i) side.block[i] = static_cast<uint16_t>(rows.at[i] / kBlock);
    return side;
}

}  // namespace

void transpose_rows16(const char* name, DType type, const Rows16& dst, const Rows16& src, uint32_t repeats) {
    if (repeats == 0) return;
    const auto word = [](uint64_t x) { return static_cast<uint32_t>(x); };
    const uint64_t memory = capacity(Space::ub);
    const RowsParams p{side_of(dst),
                       side_of(src),
                       static_cast<uint16_t>(repeats),
                       static_cast<uint16_t>(memory / kBlock),
                       static_cast<uint8_t>(size_of(type)),
                       word(dst.bounds.lo),
                       word(dst.bounds.hi),
                       word(src.bounds.lo),
                       word(src.bounds.hi)};
    check_rows_apart(p);
    Instr i = make(name, Pipe::v, run_rows, cycles::vector(VecOp::copy, 2 * repeats), p);
    i.find = find_rows;
    i.add(run_of({Space::ub}, true, memory)).most = true;
    i.add(run_of({Space::ub}, false, memory)).most = true;
    emit(i);
}

namespace {

struct PlanesParams {
    uint32_t outer, rows, cols, size;
    uint64_t tmp_bytes;
};

void run_planes(const void* params, uint8_t* const* at) {
    const PlanesParams& p = params_of<PlanesParams>(params);
    const uint64_t plane = uint64_t{p.rows} * p.cols;
    for (uint32_t o = 0; o < p.outer; ++o) {
        for (uint32_t r = 0; r < p.rows; ++r) {
            for (uint32_t c = 0; c < p.cols; ++c) {
                const uint64_t from = o * plane + uint64_t{r} * p.cols + c, to = o * plane + uint64_t{c} * p.rows + r;
                std::memcpy(at[0] + to * p.size, at[1] + from * p.size, p.size);
            }
        }
    }
    if (p.tmp_bytes != 0) poison(at[2], p.tmp_bytes);
}

}  // namespace

void transpose_planes(const char* name, DType type, Mem dst, Mem src, Mem tmp, uint64_t tmp_bytes, uint32_t outer,
                      uint32_t rows, uint32_t cols) {
    const uint64_t bytes = uint64_t{outer} * rows * cols * size_of(type);
    if (bytes == 0) return;
    const PlanesParams p{outer, rows, cols, static_cast<uint32_t>(size_of(type)), tmp_bytes};
    Instr i = make(name, Pipe::v, run_planes, cycles::vector(VecOp::copy, 2 * div_up(bytes, kRepeat)), p);
    i.add(run_of(dst, true, bytes));
    i.add(run_of(src, false, bytes));
    if (tmp_bytes != 0) i.add(run_of(tmp, true, tmp_bytes)).junk = true;
    emit(i);
}

}  // namespace aicore::ops
