// Vector instructions with two sources of which one is a scalar: a number, or one element in UB.
// Source: asc-devkit, docs, Memory vector compute, the pages on calls with a scalar on either side (Adds, Subs, Ands).
#include "scalar_operand.h"

#include <algorithm>

#include "cycles.h"
#include "lanes.h"
#include "shape.h"

namespace aicore::ops {

void spread(const ScalarBits& scalar, const uint8_t* one, uint32_t size, uint8_t* to, size_t n) {
    const auto* bits = reinterpret_cast<const uint8_t*>(&scalar.bits);
    const uint8_t* from = scalar.in_memory ? one : bits;
    for (size_t i = 0; i < n; ++i) std::memcpy(to + i * size, from, size);
}

Region element_of(const Mem& one, uint32_t size) {
    Region region = run_of(one, false, size);
    region.align = static_cast<uint16_t>(size);
    return region;
}

void check_scalar_apart(const Mem& dst, uint64_t dst_bytes, const Mem& src, uint64_t src_bytes, const Mem& one,
                        uint32_t size) {
    if (!present(one)) return;
    if (!overlap(dst, dst_bytes, src, src_bytes) && !overlap(dst, dst_bytes, one, size)) return;
    finding("operand-overlap", "the destination of an instruction whose scalar lies in UB overlaps a source",
            "give the destination bytes of its own, or pass the scalar as a number");
}

namespace {

struct Params {
    VecOp op;
    DType type;
    bool first;
    uint32_t outer, inner;
    uint64_t n;
    ScalarBits scalar;
    Piece::At dst, src;
};

// Regions: the destination, the source, the scalar where it lies in memory.
void run(const void* params, uint8_t* const* at) {
    const Params& p = params_of<Params>(params);
    const auto size = static_cast<uint32_t>(size_of(p.type));
    alignas(8) uint8_t same[kChunk * sizeof(uint64_t)];
    spread(p.scalar, at[2], size, same, std::min<uint64_t>(kChunk, p.n));
    for (uint32_t k = 0; k < p.outer * p.inner; ++k) {
        const uint32_t o = k / p.inner, i = k % p.inner;
        uint8_t* dst = at[0] + o * p.dst.outer + i * p.dst.inner;
        const uint8_t* src = at[1] + o * p.src.outer + i * p.src.inner;
        for (uint64_t done = 0; done < p.n; done += kChunk) {
            const size_t n = std::min<uint64_t>(kChunk, p.n - done);
            const uint8_t* x = src + done * size;
            compute(p.op, p.type, dst + done * size, p.first ? same : x, p.first ? x : same, 0, n);
        }
    }
}

}  // namespace

void vec_with_scalar(const char* name, VecOp op, DType type, Mem dst, Mem src, const ScalarOperand& scalar,
                     const VecShape& s) {
    if (s.count == 0 && s.repeats == 0) return;
    check_type(op, type);
    const auto size = static_cast<uint32_t>(size_of(type));
    if (s.count > 0) {
        check_scalar_apart(dst, s.count * size, src, s.count * size, scalar.one, size);
    }
    const Lanes lanes[2] = {{size, s.dst_blk, s.dst_rep}, {size, s.src0_blk, s.src0_rep}};
    const uint64_t cost = cycles::vector(op, repeats_of(s, size));
    bool continues = false;
    const auto put = [&](const Piece& p) {
        Instr i = make(
            name, Pipe::v, run, continues ? 1 : cost,
            Params{
                op, type, scalar.first, p.outer, p.inner, p.n, {scalar.bits, present(scalar.one)}, p.at[0], p.at[1]});
        i.continues = continues;
        bool flat = region_of(i.add({}), dst, p, 0, size, true);
        flat = region_of(i.add({}), src, p, 1, size, false) && flat;
        if (!flat) return false;
        if (present(scalar.one)) i.add(element_of(scalar.one, size));
        emit(i);
        continues = true;
        return true;
    };
    for_each_piece(s, lanes, 2, [&](const Piece& p) {
        if (put(p)) return;
        for (uint32_t b = 0; b < p.inner; ++b) put(block_of(p, b));
    });
}

}  // namespace aicore::ops
