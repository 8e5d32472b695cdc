#include "cycles.h"

#include "builder.h"

namespace aicore::ops::cycles {
namespace {

struct Path {
    double latency;
    double bytes_per_cycle;
};

// GiB/s of one core at the clock of the chip, as bytes per cycle.
constexpr double per_cycle(double gib_per_s, double ghz) { return gib_per_s * 1.073741824 / ghz; }
constexpr double kGhz2201 = 1.85, kGhz3510 = 1.65;  // [perf] README of matmul_basic_api_high_performance

// [issue] 20.6 and 39.4 cycles per DataCopy; [pto] bandwidths GM->UB 100.9, GM->L1 135, UB->GM 188.46, L1->GM 32 GiB/s
// (measured on A2/A3; no figure is published for a single core of dav-3510, so the same rates are used at its clock).
Path gm_path(Space src, Space dst) {
    const bool a2 = on_2201();
    const double ghz = a2 ? kGhz2201 : kGhz3510;
    const double gib = src == Space::gm ? (dst == Space::ub ? 100.9 : 135.0) : (src == Space::ub ? 188.46 : 32.0);
    return {a2 ? 20.6 : 39.4, per_cycle(gib, ghz)};
}

// [perf] load_data_perf; L1 -> UB and UB -> L1 of dav-3510: 128 B per cycle (asc-devkit, architecture of dav-3510).
Path on_chip_path(Space src, Space dst) {
    const bool a2 = on_2201();
    if (dst == Space::l0a) return {a2 ? 28.0 : 30.0, 256};
    if (dst == Space::l0b) return {a2 ? 28.0 : 30.0, a2 ? 128.0 : 256.0};
    if (dst == Space::bt) return {20, 32};
    if (dst == Space::fb) return {a2 ? 20.0 : 26.0, 32};
    if (src == Space::ub && dst == Space::ub) return {24, 256};  // [pto] vcopy: 11 + 1 per repeat + 13
    return {28, 128};
}

struct Slope {
    double fixed, per_repeat;  // cycles
};

// What a vector instruction does, as far as its duration goes.
enum class Kind : uint8_t { add, mul, div, exp, root, scalar_add, scalar_mul, limit, abs, bits, copy };

Kind kind_of(VecOp op) {
    switch (op) {
        case VecOp::mul:
        case VecOp::mul_add_dst:
        case VecOp::fused_mul_add:
        case VecOp::mul_add_relu:
        case VecOp::prelu:
            return Kind::mul;
        case VecOp::div:
            return Kind::div;
        case VecOp::exp:
        case VecOp::exp_sub:
            return Kind::exp;
        case VecOp::ln:
        case VecOp::sqrt:
        case VecOp::rsqrt:
        case VecOp::reciprocal:
            return Kind::root;
        case VecOp::adds:
            return Kind::scalar_add;
        case VecOp::muls:
        case VecOp::axpy:
        case VecOp::leaky_relu:
            return Kind::scalar_mul;
        case VecOp::maxs:
        case VecOp::mins:
        case VecOp::relu:
            return Kind::limit;
        case VecOp::abs:
        case VecOp::neg:
            return Kind::abs;
        case VecOp::and_:
        case VecOp::or_:
        case VecOp::xor_:
        case VecOp::not_:
        case VecOp::shift_left:
        case VecOp::shift_right:
            return Kind::bits;
        case VecOp::copy:
        case VecOp::duplicate:
            return Kind::copy;
        default:
            return Kind::add;
    }
}

// [pto] a2a3/cce_costmodel: head + tail, slope. Two sources without a bank conflict take one cycle a repeat, not two
// (the measurements named in banks.h: 88 cycles for 64 repeats of Add = 10 + 64 + 14).
Slope slope_2201(Kind k) {
    constexpr Slope kSlopes[] = {
        {10 + 14, 1},  // add
        {10 + 15, 1},  // mul
        {11 + 19, 4},  // div
        {13 + 18, 2},  // exp
        {13 + 20, 2},  // root: vln
        {13 + 18, 1},  // scalar_add
        {11 + 15, 1},  // scalar_mul
        {10 + 13, 1},  // limit
        {13 + 16, 1},  // abs
        {8 + 12, 1},   // bits
        {11 + 13, 1},  // copy
    };
    return kSlopes[static_cast<size_t>(k)];
}

// [pto] a5/formula_costmodel: TADD, TMUL, TDIVS, TEXP, TRSQRT of float; the others like TADD.
Slope slope_3510(Kind k) {
    switch (k) {
        case Kind::mul:
        case Kind::scalar_mul:
            return {56.3, 1.194};
        case Kind::div:
            return {64.5, 1.908};
        case Kind::exp:
            return {62.7, 1.967};
        case Kind::root:
            return {75.6, 4.03};
        default:
            return {55.1, 1.247};
    }
}

uint64_t apply(Slope s, uint64_t repeats) {
    return static_cast<uint64_t>(s.fixed + s.per_repeat * static_cast<double>(repeats));
}

// The operations that a composite of adv_api is made of; their heads overlap. Polynomials: eight multiply-adds.
struct Parts {
    Kind kind[8];
    int count;
};
Parts parts_of(VecOp op) {
    using K = Kind;
    switch (op) {
        case VecOp::sigmoid:
        case VecOp::silu:
            return {{K::scalar_mul, K::exp, K::scalar_add, K::div}, 4};
        case VecOp::tanh:
            return {{K::scalar_mul, K::exp, K::scalar_add, K::scalar_add, K::div}, 5};
        case VecOp::gelu:
            return {{K::mul, K::mul, K::scalar_mul, K::add, K::scalar_mul, K::exp, K::scalar_add, K::div}, 8};
        case VecOp::sin:
        case VecOp::cos:
        case VecOp::erf:
            return {{K::mul, K::mul, K::mul, K::mul, K::mul, K::mul, K::mul, K::mul}, 8};
        case VecOp::power:
            return {{K::root, K::mul, K::exp}, 3};
        default:
            return {{kind_of(op)}, 1};
    }
}

}  // namespace

uint64_t transfer(Space src, Space dst, uint64_t bytes) {
    const Path p = src == Space::gm || dst == Space::gm ? gm_path(src, dst) : on_chip_path(src, dst);
    return static_cast<uint64_t>(p.latency + static_cast<double>(bytes) / p.bytes_per_cycle);
}

// [perf] load_data_perf: 50 + bytes / bandwidth.
uint64_t im2col(Space dst, uint64_t bytes) {
    return 50 + static_cast<uint64_t>(static_cast<double>(bytes) / on_chip_path(Space::l1, dst).bytes_per_cycle);
}

// HF32: asc-devkit, docs, asc_enable_hf32, tables 1 and 2. Two int4 go where one int8 does.
uint64_t mmad(DType a, bool hf32, uint64_t m, uint64_t k, uint64_t n) {
    const bool a2 = on_2201();
    const uint64_t of_float = hf32 ? 8 : a2 ? 4 : 1;
    const uint64_t cube_k = a == DType::i4 ? 64 : size_of(a) == 1 ? 32 : size_of(a) == 2 ? 16 : of_float;
    return (a2 ? 21 : 25) + div_up(m, 16) * div_up(n, 16) * div_up(k, cube_k);
}

uint64_t fixpipe(Space dst, DType dst_type, uint64_t elements, bool dual) {
    if (dst == Space::ub) return 26 + elements * size_of(dst_type) / (dual ? 256 : 128);
    return (on_2201() ? 20 : 26) + div_up(elements, 64);
}

uint64_t vector(VecOp op, uint64_t repeats, uint64_t conflicts) {
    const Parts parts = parts_of(op);
    Slope total{0, 0};
    for (int i = 0; i < parts.count; ++i) {
        const Slope s = on_2201() ? slope_2201(parts.kind[i]) : slope_3510(parts.kind[i]);
        total.fixed = total.fixed > s.fixed ? total.fixed : s.fixed;
        total.per_repeat += s.per_repeat;
    }
    return apply(total, repeats) + conflicts;
}

// [pto] a2a3/cce_costmodel: vconv, vcmp like vadd, vgather, vcadd, vcgadd, vcgmax.
uint64_t vector_cast(uint64_t repeats) { return apply({14 + 18, 2}, repeats); }
uint64_t vector_compare(uint64_t repeats) { return apply({10 + 14, 2}, repeats); }
uint64_t vector_gather(uint64_t repeats) { return apply({24, 2}, repeats); }
// No figure is published: as a gather of as many bytes, and as a conversion.
uint64_t vector_sort(uint64_t repeats) { return vector_gather(repeats); }
uint64_t vector_squeeze(uint64_t repeats) { return vector_cast(repeats); }

uint64_t vector_reduce(Red op, bool whole, uint64_t repeats) {
    if (whole) return apply({14 + 32, 7}, repeats);
    return apply({14.0 + (op == Red::sum ? 24 : 17), 1}, repeats);
}

}  // namespace aicore::ops::cycles
