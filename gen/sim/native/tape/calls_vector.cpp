// Elementwise vector calls, each with a count or with a mask, repeats and strides.
#include "call.h"

namespace tape {

namespace {

using namespace aicore::ascendc;
using AscendC::BinaryRepeatParams;
using AscendC::UnaryRepeatParams;

BinaryRepeatParams binary_strides(const Call& c, size_t at) {
    return BinaryRepeatParams(c.integer(at), c.integer(at + 1), c.integer(at + 2), c.integer(at + 3), c.integer(at + 4),
                              c.integer(at + 5));
}
UnaryRepeatParams unary_strides(const Call& c, size_t at) {
    return UnaryRepeatParams(c.integer(at), c.integer(at + 1), c.integer(at + 2), c.integer(at + 3));
}

#define TAPE_BINARY(NAME, ON_2201, ON_3510)                                                          \
    {#NAME, [](Call& c) {                                                                            \
         by_type<OnChip<ON_2201, ON_3510>>(c, 0, [&](auto type) {                                    \
             using T = typename decltype(type)::Is;                                                  \
             const auto dst = c.local<T>(0), a = c.local<T>(1), b = c.local<T>(2);                   \
             if (c.size() == 4) return AscendC::NAME(dst, a, b, c.count(3));                         \
             with_mask(c, 3, 7, [&](auto set, auto mask, size_t at) {                                \
                 AscendC::NAME<T, set()>(dst, a, b, mask, c.integer(at), binary_strides(c, at + 1)); \
             });                                                                                     \
         });                                                                                         \
     }}

#define TAPE_UNARY(NAME, ON_2201, ON_3510)                                                         \
    {#NAME, [](Call& c) {                                                                          \
         by_type<OnChip<ON_2201, ON_3510>>(c, 0, [&](auto type) {                                  \
             using T = typename decltype(type)::Is;                                                \
             const auto dst = c.local<T>(0), src = c.local<T>(1);                                  \
             if (c.size() == 3) return AscendC::NAME(dst, src, c.count(2));                        \
             with_mask(c, 2, 5, [&](auto set, auto mask, size_t at) {                              \
                 AscendC::NAME<T, set()>(dst, src, mask, c.integer(at), unary_strides(c, at + 1)); \
             });                                                                                   \
         });                                                                                       \
     }}

#define TAPE_SCALAR(NAME, ON_2201, ON_3510)                                                                \
    {#NAME, [](Call& c) {                                                                                  \
         by_type<OnChip<ON_2201, ON_3510>>(c, 0, [&](auto type) {                                          \
             using T = typename decltype(type)::Is;                                                        \
             const auto dst = c.local<T>(0), src = c.local<T>(1);                                          \
             const T scalar = c.scalar<T>(2);                                                              \
             if (c.size() == 4) return AscendC::NAME(dst, src, scalar, c.count(3));                        \
             with_mask(c, 3, 5, [&](auto set, auto mask, size_t at) {                                      \
                 AscendC::NAME<T, set()>(dst, src, scalar, mask, c.integer(at), unary_strides(c, at + 1)); \
             });                                                                                           \
         });                                                                                               \
     }}

void axpy(Call& c) {
    if (c.dtype(0) == code_of<float> && c.dtype(1) == code_of<half>) {
        if (c.size() != 4) c.refuse_form();
        return AscendC::Axpy(c.local<float>(0), c.local<half>(1), c.scalar<half>(2), c.count(3));
    }
    constexpr Entry kEqualTypes = TAPE_SCALAR(Axpy, Floats, FloatsAndBf16);
    kEqualTypes.handler(c);
}

void duplicate(Call& c) {
    by_type<OnChip<Moved, MovedOrByte>>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        const auto dst = c.local<T>(0);
        const T scalar = c.scalar<T>(1);
        if (c.size() == 3) return AscendC::Duplicate(dst, scalar, c.count(2));
        with_mask(c, 2, 3, [&](auto set, auto mask, size_t at) {
            AscendC::Duplicate<T, set()>(dst, scalar, mask, c.integer(at), static_cast<uint16_t>(c.integer(at + 1)),
                                         static_cast<uint8_t>(c.integer(at + 2)));
        });
    });
}

constexpr const char* kRounding[] = {"CAST_NONE",  "CAST_RINT",  "CAST_FLOOR", "CAST_CEIL",
                                     "CAST_ROUND", "CAST_TRUNC", "CAST_ODD"};

void cast(Call& c) {
    const auto mode = static_cast<AscendC::RoundMode>(c.one_of(2, kRounding));
    by_type<AllTypes>(c, 0, [&](auto to) {
        by_type<AllTypes>(c, 1, [&](auto from) {
            using T = typename decltype(to)::Is;
            using U = typename decltype(from)::Is;
            if constexpr (cast_modes<T, U>() == 0) {
                c.refuse(1, "has a type that this chip does not convert to the first one's");
            } else {
                const auto dst = c.local<T>(0);
                const auto src = c.local<U>(1);
                if (c.size() == 4) return AscendC::Cast(dst, src, mode, static_cast<uint32_t>(c.integer(3)));
                with_mask(c, 3, 5, [&](auto set, auto mask, size_t at) {
                    AscendC::Cast<T, U, set()>(dst, src, mode, mask, c.integer(at), unary_strides(c, at + 1));
                });
            }
        });
    });
}

void copy(Call& c) {
    by_type<OnChip<Moved, MovedOrByte>>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        with_mask(c, 2, 5, [&](auto set, auto mask, size_t at) {
            const AscendC::CopyRepeatParams params(c.integer(at + 1), c.integer(at + 2), c.integer(at + 3),
                                                   c.integer(at + 4));
            AscendC::Copy<T, set()>(c.local<T>(0), c.local<T>(1), mask, c.integer(at), params);
        });
    });
}

void brcb(Call& c) {
    by_type<OnChip<Moved, MovedOrByte>>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        const AscendC::BrcbRepeatParams params(c.integer(3), c.integer(4));
        AscendC::Brcb(c.local<T>(0), c.local<T>(1), c.integer(2), params);
    });
}

void create_vec_index(Call& c) {
    by_type<Moved>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        AscendC::CreateVecIndex(c.local<T>(0), c.scalar<T>(1), static_cast<uint32_t>(c.integer(2)));
    });
}

void arith_progression(Call& c) {
    by_type<Moved>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        AscendC::ArithProgression<T>(c.local<T>(0), c.scalar<T>(1), c.scalar<T>(2), c.count(3));
    });
}

constexpr const char* kModes[] = {"LT", "GT", "EQ", "LE", "GE", "NE"};
using Comparable = OnChip<Compared2201, Compared3510>;

// Calls `action(bits, src0)` with the tensor of bits, which is one of int8_t or uint8_t.
template <class T, class Action>
void with_bits(const Call& c, size_t argument, Action action) {
    by_type<Types<uint8_t, int8_t>>(c, argument,
                                    [&](auto type) { action(c.local<typename decltype(type)::Is>(argument)); });
}

void compare(Call& c) {
    const auto mode = static_cast<AscendC::CMPMODE>(c.one_of(3, kModes));
    by_type<Comparable>(c, 1, [&](auto type) {
        using T = typename decltype(type)::Is;
        const auto count = static_cast<uint32_t>(c.integer(4));
        with_bits<T>(c, 0,
                     [&](const auto& bits) { AscendC::Compare(bits, c.local<T>(1), c.local<T>(2), mode, count); });
    });
}

void compare_scalar(Call& c) {
    const auto mode = static_cast<AscendC::CMPMODE>(c.one_of(3, kModes));
    by_type<Comparable>(c, 1, [&](auto type) {
        using T = typename decltype(type)::Is;
        const auto count = static_cast<uint32_t>(c.integer(4));
        with_bits<T>(
            c, 0, [&](const auto& bits) { AscendC::CompareScalar(bits, c.local<T>(1), c.scalar<T>(2), mode, count); });
    });
}

void select(Call& c) {
    constexpr const char* kSelections[] = {"VSEL_CMPMASK_SPR", "VSEL_TENSOR_SCALAR_MODE", "VSEL_TENSOR_TENSOR_MODE"};
    const auto mode = static_cast<AscendC::SELMODE>(c.one_of(4, kSelections));
    by_type<OnChip<Floats, Compared3510>>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        const auto count = static_cast<uint32_t>(c.integer(5));
        with_bits<T>(c, 1, [&](const auto& bits) {
            const auto dst = c.local<T>(0), src0 = c.local<T>(2);
            if (c.is_local(3)) return AscendC::Select(dst, bits, src0, c.local<T>(3), mode, count);
            AscendC::Select(dst, bits, src0, c.scalar<T>(3), mode, count);
        });
    });
}

}  // namespace

Entries vector_calls() {
    static const Entry kCalls[] = {
        TAPE_BINARY(Add, Arithmetic2201, Ordered3510),
        TAPE_BINARY(Sub, Arithmetic2201, Ordered3510),
        TAPE_BINARY(Mul, Arithmetic2201, Product3510),
        TAPE_BINARY(Div, Floats, Quotient3510),
        TAPE_BINARY(Max, Arithmetic2201, Ordered3510),
        TAPE_BINARY(Min, Arithmetic2201, Ordered3510),
        TAPE_BINARY(And, Bits2201, Integers3510),
        TAPE_BINARY(Or, Bits2201, Integers3510),
        TAPE_BINARY(MulAddDst, Floats, MulAddDst3510),
        TAPE_BINARY(FusedMulAdd, Floats, Fused3510),
        TAPE_BINARY(AddRelu, ReluSum, ReluSum),
        TAPE_BINARY(SubRelu, ReluSum, ReluSum),
        TAPE_BINARY(MulAddRelu, Floats, Floats),
        TAPE_UNARY(Exp, Floats, Floats),
        TAPE_UNARY(Ln, Floats, Floats),
        TAPE_UNARY(Abs, Floats, Signed3510),
        TAPE_UNARY(Reciprocal, Floats, Reciprocal3510),
        TAPE_UNARY(Sqrt, Floats, Floats),
        TAPE_UNARY(Rsqrt, Floats, Floats),
        TAPE_UNARY(Relu, Relu2201, Relu3510),
        TAPE_UNARY(Not, Bits2201, Integers3510),
        TAPE_SCALAR(Adds, Arithmetic2201, OrderedScalar3510),
        TAPE_SCALAR(Muls, Arithmetic2201, ProductScalar3510),
        TAPE_SCALAR(Maxs, Arithmetic2201, OrderedScalar3510),
        TAPE_SCALAR(Mins, Arithmetic2201, OrderedScalar3510),
        TAPE_SCALAR(LeakyRelu, Floats, Floats),
        TAPE_SCALAR(ShiftLeft, Integers2201, Integers3510),
        TAPE_SCALAR(ShiftRight, Integers2201, Integers3510),
        {"Axpy", axpy},
        {"Duplicate", duplicate},
        {"Cast", cast},
        {"Copy", copy},
        {"Brcb", brcb},
        {"CreateVecIndex", create_vec_index},
        {"ArithProgression", arith_progression},
        {"Arange", arith_progression},
        {"Compare", compare},
        {"CompareScalar", compare_scalar},
        {"Compares", compare_scalar},
        {"Select", select},
    };
    return {kCalls, std::size(kCalls)};
}

}  // namespace tape
