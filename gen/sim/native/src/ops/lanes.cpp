#include "lanes.h"

namespace aicore::ops {
namespace {

// op, name, src0, src1, dst, composite, floats, integers
constexpr Operation kOperations[] = {
    {VecOp::add, "Add", true, true, false, false, true, true},
    {VecOp::sub, "Sub", true, true, false, false, true, true},
    {VecOp::mul, "Mul", true, true, false, false, true, true},
    {VecOp::div, "Div", true, true, false, false, true, false},
    {VecOp::max, "Max", true, true, false, false, true, true},
    {VecOp::min, "Min", true, true, false, false, true, true},
    {VecOp::and_, "And", true, true, false, false, false, true},
    {VecOp::or_, "Or", true, true, false, false, false, true},
    {VecOp::mul_add_dst, "MulAddDst", true, true, true, false, true, false},
    {VecOp::fused_mul_add, "FusedMulAdd", true, true, true, false, true, false},
    {VecOp::adds, "Adds", true, false, false, false, true, true},
    {VecOp::muls, "Muls", true, false, false, false, true, true},
    {VecOp::maxs, "Maxs", true, false, false, false, true, true},
    {VecOp::mins, "Mins", true, false, false, false, true, true},
    {VecOp::leaky_relu, "LeakyRelu", true, false, false, false, true, false},
    {VecOp::axpy, "Axpy", true, false, true, false, true, false},
    {VecOp::shift_left, "ShiftLeft", true, false, false, false, false, true},
    {VecOp::shift_right, "ShiftRight", true, false, false, false, false, true},
    {VecOp::exp, "Exp", true, false, false, false, true, false},
    {VecOp::ln, "Ln", true, false, false, false, true, false},
    {VecOp::abs, "Abs", true, false, false, false, true, true},
    {VecOp::reciprocal, "Reciprocal", true, false, false, false, true, false},
    {VecOp::sqrt, "Sqrt", true, false, false, false, true, false},
    {VecOp::rsqrt, "Rsqrt", true, false, false, false, true, false},
    {VecOp::relu, "Relu", true, false, false, false, true, true},
    {VecOp::not_, "Not", true, false, false, false, false, true},
    {VecOp::copy, "Copy", true, false, false, false, true, true},
    {VecOp::duplicate, "Duplicate", false, false, false, false, true, true},
    {VecOp::sigmoid, "Sigmoid", true, false, false, true, true, false},
    {VecOp::silu, "Silu", true, false, false, true, true, false},
    {VecOp::tanh, "Tanh", true, false, false, true, true, false},
    {VecOp::sin, "Sin", true, false, false, true, true, false},
    {VecOp::cos, "Cos", true, false, false, true, true, false},
    {VecOp::erf, "Erf", true, false, false, true, true, false},
    {VecOp::gelu, "Gelu", true, false, false, true, true, false},
    {VecOp::power, "Power", true, true, false, true, true, true},
    {VecOp::round, "Round", true, false, false, true, true, false},
    {VecOp::xor_, "Xor", true, true, false, false, false, true},
    {VecOp::add_relu, "AddRelu", true, true, false, false, true, true},
    {VecOp::sub_relu, "SubRelu", true, true, false, false, true, true},
    {VecOp::abs_sub, "AbsSub", true, true, false, false, true, false},
    {VecOp::prelu, "Prelu", true, true, false, false, true, false},
    {VecOp::exp_sub, "ExpSub", true, true, false, false, true, false},
    {VecOp::mul_add_relu, "MulAddRelu", true, true, true, false, true, false},
    {VecOp::neg, "Neg", true, false, false, false, true, true},
    {VecOp::truncate, "Truncate", true, false, false, false, true, false},
    {VecOp::shift_left_by, "ShiftLeft", true, true, false, false, false, true},
    {VecOp::shift_right_by, "ShiftRight", true, true, false, false, false, true},
};

constexpr bool in_order() {
    for (size_t i = 0; i < std::size(kOperations); ++i) {
        if (kOperations[i].op != static_cast<VecOp>(i)) return false;
    }
    return true;
}
static_assert(in_order(), "rows are found by their index");

void duplicate(DType t, uint8_t* dst, double scalar, size_t n) {
    uint64_t bits = 0;
    const bool whole = with_integer(
        t, [&](auto zero) { bits = static_cast<uint64_t>(to_integer<decltype(zero)>(scalar, Round::trunc, false)); });
    if (!whole) store_doubles(t, &scalar, &bits, 1);
    const auto fill = [&](auto zero) {
        using T = decltype(zero);
        T* d = reinterpret_cast<T*>(dst);
        const T s = static_cast<T>(bits);
        for (size_t i = 0; i < n; ++i) d[i] = s;
    };
    switch (size_of(t)) {
        case 1:
            return fill(uint8_t{});
        case 2:
            return fill(uint16_t{});
        case 4:
            return fill(uint32_t{});
        default:
            return fill(uint64_t{});
    }
}

}  // namespace

const Operation& operation(VecOp op) { return kOperations[static_cast<size_t>(op)]; }

void check_type(VecOp op, DType t) {
    if (op == VecOp::copy || op == VecOp::duplicate) return;
    const Operation& o = operation(op);
    // asc-devkit, Memory vector computation: on A2/A3 no arithmetic on bfloat16, nor on integers of 8 or 64 bits.
    const bool missing = on_2201() && (t == DType::bf16 || size_of(t) == 1 || size_of(t) == 8);
    if (missing || !(is_float(t) ? o.floats : o.integers)) unsupported_type(o.name, t);
}

void compute(VecOp op, DType t, uint8_t* dst, const uint8_t* src0, const uint8_t* src1, double scalar, size_t n) {
    if (op == VecOp::duplicate) return duplicate(t, dst, scalar, n);
    if (op == VecOp::copy) {
        std::memmove(dst, src0, n * size_of(t));
        return;
    }
    if (is_float(t)) return compute_floats(op, t, dst, src0, src1, scalar, n);
    compute_integers(op, t, dst, src0, src1, scalar, n);
}

}  // namespace aicore::ops
