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
    uint16_t head, slope, tail;
};

// [pto] a2a3/cce_costmodel. An operation without an entry is charged like its nearest relative; composites are the sum
// of the operations that they are made of.
Slope slope_of(VecOp op) {
    switch (op) {
        case VecOp::add:
        case VecOp::sub:
        case VecOp::max:
        case VecOp::min:
            return {10, 2, 14};
        case VecOp::mul:
        case VecOp::mul_add_dst:
        case VecOp::fused_mul_add:
            return {10, 2, 15};
        case VecOp::div:
            return {11, 4, 19};
        case VecOp::exp:
            return {13, 2, 18};
        case VecOp::ln:
        case VecOp::sqrt:
        case VecOp::rsqrt:
        case VecOp::reciprocal:
            return {13, 2, 20};
        case VecOp::adds:
            return {13, 1, 18};
        case VecOp::muls:
        case VecOp::axpy:
        case VecOp::leaky_relu:
            return {11, 1, 15};
        case VecOp::maxs:
        case VecOp::mins:
        case VecOp::relu:
            return {10, 1, 13};
        case VecOp::abs:
            return {13, 1, 16};
        case VecOp::and_:
        case VecOp::or_:
        case VecOp::xor_:
        case VecOp::not_:
        case VecOp::shift_left:
        case VecOp::shift_right:
            return {8, 2, 12};
        case VecOp::copy:
        case VecOp::duplicate:
            return {11, 1, 13};
        case VecOp::sigmoid:
            return {13 + 10, 1 + 2 + 1 + 4, 18 + 19};  // muls, exp, adds, div
        case VecOp::silu:
            return {13 + 10, 1 + 2 + 1 + 4, 18 + 19};
        case VecOp::tanh:
            return {13 + 10, 1 + 2 + 1 + 1 + 4, 18 + 19};
        case VecOp::gelu:
            return {13 + 10, 2 + 2 + 1 + 2 + 1 + 2 + 1 + 4, 18 + 19};
        case VecOp::sin:
        case VecOp::cos:
        case VecOp::erf:
            return {13, 8 * 3, 18};  // polynomial of about eight multiply-adds
        case VecOp::power:
            return {13, 2 + 2 + 2, 20};  // ln, mul, exp
        case VecOp::round:
            return {14, 2, 18};
    }
    return {10, 2, 14};
}

uint64_t apply(Slope s, uint64_t repeats) { return s.head + s.slope * repeats + s.tail; }

}  // namespace

uint64_t transfer(Space src, Space dst, uint64_t bytes) {
    const Path p = src == Space::gm || dst == Space::gm ? gm_path(src, dst) : on_chip_path(src, dst);
    return static_cast<uint64_t>(p.latency + static_cast<double>(bytes) / p.bytes_per_cycle);
}

uint64_t mmad(DType a, uint64_t m, uint64_t k, uint64_t n) {
    const bool a2 = on_2201();
    const uint64_t cube_k = size_of(a) == 1 ? 32 : size_of(a) == 2 ? 16 : (a2 ? 4 : 1);
    return (a2 ? 21 : 25) + div_up(m, 16) * div_up(n, 16) * div_up(k, cube_k);
}

uint64_t fixpipe(Space dst, DType dst_type, uint64_t elements, bool dual) {
    if (dst == Space::ub) return 26 + elements * size_of(dst_type) / (dual ? 256 : 128);
    return (on_2201() ? 20 : 26) + div_up(elements, 64);
}

uint64_t vector(VecOp op, uint64_t repeats) { return apply(slope_of(op), repeats); }
uint64_t vector_cast(uint64_t repeats) { return apply({14, 2, 18}, repeats); }
uint64_t vector_compare(uint64_t repeats) { return apply({10, 2, 14}, repeats); }
uint64_t vector_gather(uint64_t repeats) { return apply({24, 2, 0}, repeats); }

uint64_t vector_reduce(Red op, bool whole, uint64_t repeats) {
    if (whole) return apply({14, 7, 32}, repeats);
    return apply({14, 1, static_cast<uint16_t>(op == Red::sum ? 24 : 17)}, repeats);
}

}  // namespace aicore::ops::cycles
