// Mull: both halves of a product of 32-bit integers. Source: asc-devkit, docs, Memory vector compute, Mull.
#include "builder.h"
#include "cycles.h"

namespace aicore::ops {
namespace {

struct Params {
    uint64_t n;
};

template <class Long, class Int>
void run(const void* params, uint8_t* const* at) {
    const auto *a = reinterpret_cast<const Int*>(at[2]), *b = reinterpret_cast<const Int*>(at[3]);
    auto *low = reinterpret_cast<Int*>(at[0]), *high = reinterpret_cast<Int*>(at[1]);
    for (uint64_t i = 0, n = params_of<Params>(params).n; i < n; ++i) {
        const Long product = Long{a[i]} * Long{b[i]};
        low[i] = static_cast<Int>(product);
        high[i] = static_cast<Int>(product >> 32);
    }
}

void check_apart(const Mem& dst, const Mem& other, uint64_t bytes, bool exact_is_fine) {
    if (!overlap(dst, bytes, other, bytes) || (exact_is_fine && dst.addr == other.addr)) return;
    finding("operand-overlap", "a destination of Mull overlaps another operand in part, or the other destination",
            "let a destination be equal to a source, or lie apart");
}

}  // namespace

void multiply_long(const char* name, DType type, Mem low, Mem high, Mem src0, Mem src1, uint64_t count) {
    if (count == 0) return;
    const uint64_t bytes = count * size_of(type);
    check_apart(low, high, bytes, false);
    for (const Mem& dst : {low, high}) {
        check_apart(dst, src0, bytes, true);
        check_apart(dst, src1, bytes, true);
    }
    const Body body = type == DType::u32 ? run<uint64_t, uint32_t> : run<int64_t, int32_t>;
    Instr i = make(name, Pipe::v, body, cycles::vector(VecOp::mul, div_up(2 * bytes, kRepeat)), Params{count});
    i.add(run_of(low, true, bytes));
    i.add(run_of(high, true, bytes));
    i.add(run_of(src0, false, bytes));
    i.add(run_of(src1, false, bytes));
    emit(i);
}

}  // namespace aicore::ops
