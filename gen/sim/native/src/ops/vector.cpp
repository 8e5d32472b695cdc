// Vector instructions on UB: elementwise operations with masks, block strides and repeat strides.
#include "vector.h"

#include "banks.h"
#include "cycles.h"
#include "lanes.h"
#include "shape.h"

namespace aicore::ops {
namespace {

struct Params {
    VecOp op;
    DType type;
    uint32_t outer, inner;
    uint64_t n;
    double scalar;
    Piece::At at[3];  // dst, src0, src1; their offsets are in the regions
};

void run(const void* params, uint8_t* const* at) {
    const Params& p = params_of<Params>(params);
    const Operation& uses = operation(p.op);
    for (uint32_t o = 0; o < p.outer; ++o) {
        for (uint32_t i = 0; i < p.inner; ++i) {
            const auto operand = [&](int k) { return at[k] + o * p.at[k].outer + i * p.at[k].inner; };
            compute(p.op, p.type, operand(0), uses.src0 ? operand(1) : nullptr, uses.src1 ? operand(2) : nullptr,
                    p.scalar, p.n);
        }
    }
}

// The composites of adv_api: their temporary buffer holds nothing useful afterwards.
struct CompositeParams {
    VecOp op;
    DType type;
    uint64_t n, tmp_bytes;
};

void run_composite(const void* params, uint8_t* const* at) {
    const CompositeParams& p = params_of<CompositeParams>(params);
    const bool two = p.op == VecOp::power;
    compute(p.op, p.type, at[0], at[1], two ? at[2] : nullptr, 0, p.n);
    if (p.tmp_bytes != 0) poison(at[two ? 3 : 2], p.tmp_bytes);
}

// Adds the regions of a piece in the order dst, src0, src1, then dst again where it is read. False when one of them
// takes more than two dimensions.
bool add_regions(Instr& i, const Mem* m, const Piece& p, uint32_t size, const Operation& uses) {
    bool flat = region_of(i.add({}), m[0], p, 0, size, true);
    flat = (!uses.src0 || region_of(i.add({}), m[1], p, 1, size, false)) && flat;
    flat = (!uses.src1 || region_of(i.add({}), m[2], p, 2, size, false)) && flat;
    return (!uses.dst || region_of(i.add({}), m[0], p, 0, size, false)) && flat;
}

void check_overlap(const Mem& dst, const Mem& src, uint64_t bytes, bool exact_is_fine) {
    if (!overlap(dst, bytes, src, bytes) || (exact_is_fine && dst.addr == src.addr)) return;
    finding("operand-overlap",
            exact_is_fine ? "the destination of a vector instruction partly overlaps a source"
                          : "this function writes its destination before it has read all of its source",
            exact_is_fine ? "let the two be equal, or lie apart" : "give the destination bytes of its own");
}

void composite(const char* name, VecOp op, DType type, const Mem* m, Mem tmp, uint64_t count) {
    if (count == 0) return;
    check_type(op, type);
    const uint64_t bytes = count * size_of(type);
    const bool two = op == VecOp::power;
    check_overlap(m[0], m[1], bytes, false);
    if (two) check_overlap(m[0], m[2], bytes, false);
    const uint64_t tmp_bytes = present(tmp) ? temporary_bytes(tmp, temporary_of(op, bytes)) : 0;
    Instr i = make(name, Pipe::v, run_composite, cycles::vector(op, div_up(bytes, kRepeat)),
                   CompositeParams{op, type, count, tmp_bytes});
    i.add(run_of(m[0], true, bytes));
    i.add(run_of(m[1], false, bytes));
    if (two) i.add(run_of(m[2], false, bytes));
    if (tmp_bytes != 0) i.add(run_of(tmp, true, tmp_bytes)).junk = true;
    emit(i);
}

// Bank conflicts between the operands of a two-source instruction.
uint64_t conflicts_of(const Operation& uses, const Mem* m, const VecShape& s, uint64_t repeats) {
    if (!uses.src1 || !on_2201()) return 0;
    const bool counted = s.count > 0;
    const auto stream = [&](int k, uint32_t blk, uint32_t rep) {
        return Stream{m[k].addr, counted ? 1 : blk, counted ? 8 : rep};
    };
    return conflicting_repeats(stream(1, s.src0_blk, s.src0_rep), stream(2, s.src1_blk, s.src1_rep),
                               stream(0, s.dst_blk, s.dst_rep), repeats);
}

}  // namespace

// tilelang-ascend, src/transform/allocate_tmp_buffer.cc sizes the buffers that it passes: sigmoid the source, sin, cos
// and pow twice the source, round 256 B or the destination. The others take the source as well.
uint64_t temporary_of(VecOp op, uint64_t bytes) {
    if (op == VecOp::sin || op == VecOp::cos || op == VecOp::power) return 2 * bytes;
    return op == VecOp::round ? std::max<uint64_t>(kRepeat, bytes) : bytes;
}

uint64_t temporary_bytes(const Mem& tmp, uint64_t wanted) {
    return tmp.hi > tmp.addr ? std::min(wanted, tmp.hi - tmp.addr) : wanted;
}

void vec(const char* name, VecOp op, DType type, Mem dst, Mem src0, Mem src1, double scalar, const VecShape& s) {
    const Operation& uses = operation(op);
    if (s.count == 0 && s.repeats == 0) return;
    const Mem m[3] = {dst, src0, src1};
    if (uses.composite) {
        if (s.count == 0) unsupported("a composite vector function with repeats instead of a count");
        return composite(name, op, type, m, src1, s.count);
    }
    check_type(op, type);
    const uint32_t size = static_cast<uint32_t>(size_of(type));
    if (s.count > 0 && uses.src0) check_overlap(dst, src0, s.count * size, true);
    if (s.count > 0 && uses.src1) check_overlap(dst, src1, s.count * size, true);
    // Operands that are not used must not shape the pieces.
    const Lanes lanes[3] = {{size, s.dst_blk, s.dst_rep},
                            {size, uses.src0 ? s.src0_blk : s.dst_blk, uses.src0 ? s.src0_rep : s.dst_rep},
                            {size, uses.src1 ? s.src1_blk : s.dst_blk, uses.src1 ? s.src1_rep : s.dst_rep}};
    const uint64_t repeats = repeats_of(s, size);
    const uint64_t cost = cycles::vector(op, repeats, conflicts_of(uses, m, s, repeats));
    bool continues = false;
    const auto put = [&](const Piece& p) {
        Instr i = make(name, Pipe::v, run, continues ? 1 : cost,
                       Params{op, type, p.outer, p.inner, p.n, scalar, {p.at[0], p.at[1], p.at[2]}});
        i.continues = continues;
        if (!add_regions(i, m, p, size, uses)) return false;
        emit(i);
        continues = true;
        return true;
    };
    for_each_piece(s, lanes, 3, [&](const Piece& p) {
        if (put(p)) return;
        for (uint32_t b = 0; b < p.inner; ++b) put(block_of(p, b));
    });
}

void power(const char* name, DType type, Mem dst, Mem base, Mem exponent, Mem tmp, uint64_t count) {
    const Mem m[3] = {dst, base, exponent};
    composite(name, VecOp::power, type, m, tmp, count);
}

}  // namespace aicore::ops
