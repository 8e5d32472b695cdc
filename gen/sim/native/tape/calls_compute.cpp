// Calls that compute and convert, and those whose scalar stands on either side.
#include "call.h"

namespace tape {

namespace {

using namespace aicore::ascendc;

AscendC::BinaryRepeatParams strides(const Call& c, size_t at) {
    return AscendC::BinaryRepeatParams(c.integer(at), c.integer(at + 1), c.integer(at + 2), c.integer(at + 3),
                                       c.integer(at + 4), c.integer(at + 5));
}

// By the types of the destination and the sources, which have to be a pair of the list.
template <class Pairs>
struct ByPair;
template <class... To, class... From>
struct ByPair<Types<TypePair<To, From>...>> {
    template <class Action>
    static void run(const Call& c, Action action) {
        const bool known =
            ((c.dtype(0) == code_of<To> && c.dtype(1) == code_of<From> && (action(Type<To>{}, Type<From>{}), true)) ||
             ...);
        if (!known) c.refuse(1, "has a type that this call does not convert to the first one's");
    }
};

#define TAPE_FUSED(NAME, ON_2201, ON_3510)                                                            \
    {#NAME, [](Call& c) {                                                                             \
         ByPair<OnChip<ON_2201, ON_3510>>::run(c, [&](auto to, auto from) {                           \
             using T = typename decltype(to)::Is;                                                     \
             using U = typename decltype(from)::Is;                                                   \
             const auto dst = c.local<T>(0);                                                          \
             const auto a = c.local<U>(1), b = c.local<U>(2);                                         \
             if (c.size() == 4) return AscendC::NAME(dst, a, b, static_cast<uint32_t>(c.integer(3))); \
             if constexpr (sizeof(U) < 8) {                                                           \
                 return with_mask(c, 3, 7, [&](auto set, auto mask, size_t at) {                      \
                     AscendC::NAME<T, U, set()>(dst, a, b, mask, c.integer(at), strides(c, at + 1));  \
                 });                                                                                  \
             }                                                                                        \
             c.refuse_form();                                                                         \
         });                                                                                          \
     }}

void set_deq_scale(Call& c) { AscendC::SetDeqScale(c.scalar<half>(0)); }

void add_deq_relu(Call& c) {
    if (c.size() != 4) c.refuse_form();
    AscendC::AddDeqRelu(c.local<half>(0), c.local<int32_t>(1), c.local<int32_t>(2), c.count(3));
}

#if __NPU_ARCH__ == 3510
constexpr AscendC::BinaryConfig kFirst{0};

#define TAPE_FLEXIBLE(NAME, TYPES)                                                                     \
    {#NAME, [](Call& c) {                                                                              \
         if (c.size() != 4 && c.size() != 5) c.refuse_form();                                          \
         by_type<TYPES>(c, 0, [&](auto type) {                                                         \
             using T = typename decltype(type)::Is;                                                    \
             const auto dst = c.local<T>(0);                                                           \
             if (!c.is_local(1)) return AscendC::NAME(dst, c.scalar<T>(1), c.local<T>(2), c.count(3)); \
             const auto src = c.local<T>(1);                                                           \
             if (!c.is_local(2)) return AscendC::NAME(dst, src, c.scalar<T>(2), c.count(3));           \
             const auto other = c.local<T>(2);                                                         \
             if (c.size() == 4 || !c.flag(4)) return AscendC::NAME(dst, src, other, c.count(3));       \
             AscendC::NAME<AscendC::BinaryDefaultType, true, kFirst>(dst, src, other, c.count(3));     \
         });                                                                                           \
     }}

void interleave(Call& c) {
    if (c.size() != 5) c.refuse_form();
    by_type<Interleaved>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        AscendC::Interleave(c.local<T>(0), c.local<T>(1), c.local<T>(2), c.local<T>(3), c.count(4));
    });
}

void deinterleave(Call& c) {
    if (c.size() != 4 && c.size() != 5) c.refuse_form();
    by_type<Interleaved>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        const auto dst0 = c.local<T>(0), dst1 = c.local<T>(1), src = c.local<T>(2);
        if (c.size() == 4) return AscendC::DeInterleave(dst0, dst1, src, c.count(3));
        AscendC::DeInterleave(dst0, dst1, src, c.local<T>(3), c.count(4));
    });
}

void multiply_long(Call& c) {
    if (c.size() != 5) c.refuse_form();
    by_type<Types<int32_t, uint32_t>>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        AscendC::Mull(c.local<T>(0), c.local<T>(1), c.local<T>(2), c.local<T>(3), static_cast<uint32_t>(c.integer(4)));
    });
}
#endif

}  // namespace

Entries compute_calls() {
    static const Entry kCalls[] = {
        TAPE_FUSED(AddReluCast, ReluCast2201, ReluCast3510),
        TAPE_FUSED(SubReluCast, ReluCast2201, ReluCast3510),
        TAPE_FUSED(MulCast, MulCast2201, MulCast3510),
        {"SetDeqScale", set_deq_scale},
        {"AddDeqRelu", add_deq_relu},
#if __NPU_ARCH__ == 3510
        TAPE_FLEXIBLE(Subs, FlexibleDifference),
        TAPE_FLEXIBLE(Divs, FlexibleQuotient),
        TAPE_FLEXIBLE(Ands, FlexibleBits),
        TAPE_FLEXIBLE(Ors, FlexibleBits),
        {"Interleave", interleave},
        {"DeInterleave", deinterleave},
        {"Mull", multiply_long},
#endif
    };
    return {kCalls, std::size(kCalls)};
}

}  // namespace tape
