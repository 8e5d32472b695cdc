// Arithmetic sequences.
#include <algorithm>

#include "cycles.h"
#include "elements.h"
#include "shape.h"

namespace aicore::ops {
namespace {

struct ArangeParams {
    DType type;
    double first, step;
    uint64_t n;
};
struct MaskedParams {
    DType type;
    double first;
    uint32_t outer;
    uint64_t n;
    int64_t dst_outer, number;  // from one repeat to the next: bytes, and by how much the lanes' numbers grow
};

void fill_sequence(const ArangeParams& p, uint8_t* dst) {
    const bool whole = with_integer(p.type, [&](auto zero) {
        using T = decltype(zero);
        T* d = reinterpret_cast<T*>(dst);
        const uint64_t first = static_cast<uint64_t>(static_cast<int64_t>(p.first));
        const uint64_t step = static_cast<uint64_t>(static_cast<int64_t>(p.step));
        for (uint64_t i = 0; i < p.n; ++i) d[i] = static_cast<T>(first + i * step);
    });
    if (whole) return;
    double x[kChunk];
    for (uint64_t done = 0; done < p.n; done += kChunk) {
        const size_t n = std::min<size_t>(kChunk, p.n - done);
        for (size_t i = 0; i < n; ++i) x[i] = p.first + static_cast<double>(done + i) * p.step;
        store_doubles(p.type, x, dst + done * size_of(p.type), n);
    }
}

void run_arange(const void* params, uint8_t* const* at) { fill_sequence(params_of<ArangeParams>(params), at[0]); }

void run_masked(const void* params, uint8_t* const* at) {
    const MaskedParams& p = params_of<MaskedParams>(params);
    for (uint32_t o = 0; o < p.outer; ++o) {
        const double first = p.first + static_cast<double>(o * p.number);
        fill_sequence({p.type, first, 1.0, p.n}, at[0] + o * p.dst_outer);
    }
}

}  // namespace

void arange(const char* name, DType type, Mem dst, double first, double step, uint64_t count) {
    if (count == 0) return;
    const uint64_t bytes = count * size_of(type);
    Instr i = make(name, Pipe::v, run_arange, cycles::vector(VecOp::adds, div_up(bytes, kRepeat)),
                   ArangeParams{type, first, step, count});
    i.add(run_of(dst, true, bytes));
    emit(i);
}

void arange_masked(const char* name, DType type, Mem dst, double first, const VecShape& s) {
    const auto size = static_cast<uint32_t>(size_of(type));
    // The second operand is no memory: where the lanes would lie without strides says their numbers.
    const Lanes lanes[2] = {{size, s.dst_blk, s.dst_rep}, {size, 1, kRepeat / kBlock}};
    const uint64_t cost = cycles::vector(VecOp::adds, repeats_of(s, size));
    bool continues = false;
    for_each_piece(s, lanes, 2, [&](const Piece& blocks) {
        for (uint32_t b = 0; b < blocks.inner; ++b) {
            const Piece p = block_of(blocks, b);
            const double lane = static_cast<double>(p.at[1].offset / size);
            Instr i = make(name, Pipe::v, run_masked, continues ? 1 : cost,
                           MaskedParams{type, first + lane, p.outer, p.n, p.at[0].outer, p.at[1].outer / size});
            i.continues = continues;
            region_of(i.add({}), dst, p, 0, size, true);
            emit(i);
            continues = true;
        }
    });
}

}  // namespace aicore::ops
