// Instructions that compute in the type of their sources and convert the result: AddReluCast, SubReluCast, MulCast,
// MulsCast, AddDeqRelu. Source: asc-devkit, docs, Memory vector compute, the pages of these names; modes of rounding:
// impl/basic_api/dav_3510/kernel_operator_vec_vconv_impl.h and kernel_operator_vec_mulcast_impl.h.
#include <algorithm>

#include "convert.h"
#include "cycles.h"
#include "lanes.h"
#include "scalar_operand.h"
#include "shape.h"

namespace aicore::ops {
namespace {

struct Params {
    Fused op;
    DType dst, src;
    Round round;
    bool saturate;
    float factor;
    uint32_t outer;
    uint64_t n;
    int64_t dst_outer, src0_outer, src1_outer;
};
struct ScalarParams {
    Params all;
    ScalarBits scalar;
};

VecOp operation_of(Fused op) {
    constexpr VecOp kOperations[] = {VecOp::add_relu, VecOp::sub_relu, VecOp::mul, VecOp::add};
    return kOperations[static_cast<size_t>(op)];
}

// At most kChunk elements.
void compute_chunk(const Params& p, uint8_t* dst, const uint8_t* src0, const uint8_t* src1, size_t n) {
    alignas(8) uint8_t result[kChunk * sizeof(uint64_t)], between[kChunk * sizeof(uint16_t)];
    compute(operation_of(p.op), p.src, result, src0, src1, 0, n);
    if (p.op == Fused::deq_relu) {
        convert({p.dst, p.src, Round::rint, false, p.factor}, between, result, n);
        return compute(VecOp::relu, p.dst, dst, between, nullptr, 0, n);
    }
    if (p.src == DType::i16 && p.dst == DType::i8) {  // no conversion of one step
        convert({DType::f16, p.src, Round::rint, false}, between, result, n);
        return convert({p.dst, DType::f16, p.round, p.saturate}, dst, between, n);
    }
    convert({p.dst, p.src, p.round, p.saturate}, dst, result, n);
}

void run(const void* params, uint8_t* const* at) {
    const Params& p = params_of<Params>(params);
    const size_t from = size_of(p.src), to = size_of(p.dst);
    for (uint32_t o = 0; o < p.outer; ++o) {
        for (uint64_t done = 0; done < p.n; done += kChunk) {
            compute_chunk(p, at[0] + o * p.dst_outer + done * to, at[1] + o * p.src0_outer + done * from,
                          at[2] + o * p.src1_outer + done * from, std::min<uint64_t>(kChunk, p.n - done));
        }
    }
}

// Regions: the destination, the source, the scalar where it lies in memory.
void run_with_scalar(const void* params, uint8_t* const* at) {
    const ScalarParams& p = params_of<ScalarParams>(params);
    const auto from = static_cast<uint32_t>(size_of(p.all.src));
    alignas(8) uint8_t same[kChunk * sizeof(uint64_t)];
    spread(p.scalar, at[2], from, same, std::min<uint64_t>(kChunk, p.all.n));
    for (uint64_t done = 0; done < p.all.n; done += kChunk) {
        compute_chunk(p.all, at[0] + done * size_of(p.all.dst), at[1] + done * from, same,
                      std::min<uint64_t>(kChunk, p.all.n - done));
    }
}

Params params_with(const FusedCast& f, uint64_t n) {
    return {f.op, f.dst, f.src, f.round, f.saturate, static_cast<float>(rounded_to(DType::f16, f.factor)),
            1,    n,     0,     0,       0};
}

void check_sources(const FusedCast& f, const Mem& dst, const Mem& src, uint64_t count) {
    const uint64_t to = count * size_of(f.dst), from = count * size_of(f.src);
    if (!overlap(dst, to, src, from) || (dst.addr == src.addr && to <= from)) return;
    finding("operand-overlap", "the destination of a conversion overlaps source elements that are still to be read",
            "let the destination begin where the source begins, or lie apart from it");
}

uint64_t cost_of(const FusedCast& f, const VecShape& s) {
    const size_t widest = std::max(size_of(f.dst), size_of(f.src));
    return cycles::vector_cast(repeats_of(s, static_cast<uint32_t>(widest)));
}

}  // namespace

void fused_cast(const char* name, const FusedCast& f, Mem dst, Mem src0, Mem src1, const VecShape& s) {
    if (s.count == 0 && s.repeats == 0) return;
    const auto to = static_cast<uint32_t>(size_of(f.dst)), from = static_cast<uint32_t>(size_of(f.src));
    if (s.count > 0) {
        check_sources(f, dst, src0, s.count);
        check_sources(f, dst, src1, s.count);
    }
    const Lanes lanes[3] = {{to, s.dst_blk, s.dst_rep}, {from, s.src0_blk, s.src0_rep}, {from, s.src1_blk, s.src1_rep}};
    const uint64_t cost = cost_of(f, s);
    bool continues = false;
    const auto put = [&](const Piece& p) {
        Params params = params_with(f, p.n);
        params.outer = p.outer;
        params.dst_outer = p.at[0].outer, params.src0_outer = p.at[1].outer, params.src1_outer = p.at[2].outer;
        Instr i = make(name, Pipe::v, run, continues ? 1 : cost, params);
        i.continues = continues;
        region_of(i.add({}), dst, p, 0, to, true);
        region_of(i.add({}), src0, p, 1, from, false);
        region_of(i.add({}), src1, p, 2, from, false);
        emit(i);
        continues = true;
    };
    for_each_piece(s, lanes, 3, [&](const Piece& p) {
        for (uint32_t b = 0; b < p.inner; ++b) put(block_of(p, b));
    });
}

void fused_cast_with_scalar(const char* name, const FusedCast& f, Mem dst, Mem src, const ScalarOperand& scalar,
                            uint64_t count) {
    if (count == 0) return;
    VecShape shape;
    shape.count = count;
    const auto from = static_cast<uint32_t>(size_of(f.src));
    check_sources(f, dst, src, count);
    check_scalar_apart(dst, count * size_of(f.dst), src, count * from, scalar.one, from);
    Instr i = make(name, Pipe::v, run_with_scalar, cost_of(f, shape),
                   ScalarParams{params_with(f, count), {scalar.bits, present(scalar.one)}});
    i.add(run_of(dst, true, count * size_of(f.dst)));
    i.add(run_of(src, false, count * from));
    if (present(scalar.one)) i.add(element_of(scalar.one, from));
    emit(i);
}

}  // namespace aicore::ops
