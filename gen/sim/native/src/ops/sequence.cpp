// Arithmetic sequences.
#include <algorithm>

#include "cycles.h"
#include "elements.h"

namespace aicore::ops {
namespace {

struct ArangeParams {
    DType type;
    double first, step;
    uint64_t n;
};

void run_arange(const void* params, uint8_t* const* at) {
    const ArangeParams& p = params_of<ArangeParams>(params);
    const bool whole = with_integer(p.type, [&](auto zero) {
        using T = decltype(zero);
        T* d = reinterpret_cast<T*>(at[0]);
        const uint64_t first = static_cast<uint64_t>(static_cast<int64_t>(p.first));
        const uint64_t step = static_cast<uint64_t>(static_cast<int64_t>(p.step));
        for (uint64_t i = 0; i < p.n; ++i) d[i] = static_cast<T>(first + i * step);
    });
    if (whole) return;
    double x[kChunk];
    for (uint64_t done = 0; done < p.n; done += kChunk) {
        const size_t n = std::min<size_t>(kChunk, p.n - done);
        for (size_t i = 0; i < n; ++i) x[i] = p.first + static_cast<double>(done + i) * p.step;
        store_doubles(p.type, x, at[0] + done * size_of(p.type), n);
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

}  // namespace aicore::ops
