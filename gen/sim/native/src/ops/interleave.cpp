// Interleave and DeInterleave: two runs of elements to one that takes them in turns, and back. The longer run lies in
// two parts. Source: asc-devkit, docs, Memory vector compute, the pages of these names.
#include "builder.h"
#include "cycles.h"

namespace aicore::ops {
namespace {

struct TurnsParams {
    uint32_t size;
    uint64_t count, part;  // elements: of a run, and of a part of the longer one
};

// Calls visit(run, element of it, part, element of that).
template <class F>
void each_in_turn(const TurnsParams& p, F&& visit) {
    for (uint64_t i = 0; i < 2 * p.count; ++i) visit(i % 2, i / 2 * p.size, i / p.part, i % p.part * p.size);
}

// Regions: the parts, the runs.
void run_interleave(const void* params, uint8_t* const* at) {
    const TurnsParams& p = params_of<TurnsParams>(params);
    each_in_turn(p, [&](uint64_t run, uint64_t from, uint64_t part, uint64_t to) {
        std::memcpy(at[part] + to, at[2 + run] + from, p.size);
    });
}

// Regions: the runs, the parts.
void run_deinterleave(const void* params, uint8_t* const* at) {
    const TurnsParams& p = params_of<TurnsParams>(params);
    each_in_turn(p, [&](uint64_t run, uint64_t to, uint64_t part, uint64_t from) {
        std::memcpy(at[run] + to, at[2 + part] + from, p.size);
    });
}

uint64_t cost(uint64_t bytes) { return cycles::vector(VecOp::copy, div_up(bytes, kRepeat)); }

}  // namespace

void interleave(const char* name, DType type, Mem dst0, Mem dst1, Mem src0, Mem src1, uint64_t count) {
    if (count == 0) return;
    const uint64_t size = size_of(type), bytes = count * size;
    Instr i =
        make(name, Pipe::v, run_interleave, cost(2 * bytes), TurnsParams{static_cast<uint32_t>(size), count, count});
    i.add(run_of(dst0, true, bytes));
    i.add(run_of(dst1, true, bytes));
    i.add(run_of(src0, false, bytes));
    i.add(run_of(src1, false, bytes));
    emit(i);
}

void deinterleave(const char* name, DType type, Mem dst0, Mem dst1, Mem src0, Mem src1, uint64_t count) {
    if (count == 0) return;
    const uint64_t size = size_of(type), bytes = count * size, parts = present(src1) ? 2 : 1;
    Instr i = make(name, Pipe::v, run_deinterleave, cost(2 * bytes),
                   TurnsParams{static_cast<uint32_t>(size), count, 2 * count / parts});
    i.add(run_of(dst0, true, bytes));
    i.add(run_of(dst1, true, bytes));
    i.add(run_of(src0, false, 2 * bytes / parts));
    if (parts == 2) i.add(run_of(src1, false, bytes));
    emit(i);
}

}  // namespace aicore::ops
