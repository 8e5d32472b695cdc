// Reductions, broadcasts and the functions of the advanced API.
#include "call.h"

namespace tape {

namespace {

using namespace aicore::ascendc;
using AscendC::LocalTensor;

// ReduceSum and its kin: over `count` elements, or by the pattern AR or RA of [rows, columns].
#define TAPE_REDUCE(NAME, ON_2201, WHOLE_2201, WHOLE_3510, WITH_INDEX)                                    \
    {#NAME, [](Call& c) {                                                                                 \
         if (!c.is_text(0)) {                                                                             \
             by_type<OnChip<WHOLE_2201, WHOLE_3510>>(c, 0, [&](auto type) {                               \
                 using T = typename decltype(type)::Is;                                                   \
                 reduce_whole<T>(                                                                         \
                     c,                                                                                   \
                     [&](auto... rest) {                                                                  \
                         AscendC::NAME(c.local<T>(0), c.local<T>(1), c.local<T>(2), c.count(3), rest...); \
                     },                                                                                   \
                     WITH_INDEX);                                                                         \
             });                                                                                          \
             return;                                                                                      \
         }                                                                                                \
         by_type<OnChip<ON_2201, Extreme3510>>(c, 1, [&](auto type) {                                     \
             using T = typename decltype(type)::Is;                                                       \
             reduce_pattern(c, [&](auto pattern, const auto&... tensors) {                                \
                 AscendC::NAME<T, decltype(pattern)>(c.local<T>(1), c.local<T>(2), tensors...);           \
             });                                                                                          \
         });                                                                                              \
     }}

template <class T, class Action, class WithIndex>
void reduce_whole(const Call& c, Action action, WithIndex) {
    if constexpr (WithIndex::value) {
        if (c.size() == 5) return action(c.flag(4));
    }
    if (c.size() != 4) c.refuse_form();
    action();
}

template <class Action>
void reduce_pattern(const Call& c, Action action) {
    if (c.size() != 7) c.refuse_form();
    const uint32_t shape[] = {static_cast<uint32_t>(c.integer(4)), static_cast<uint32_t>(c.integer(5))};
    constexpr const char* kPatterns[] = {"AR", "RA"};
    const auto tmp = c.local<uint8_t>(3);
    const uint32_t* extents = shape;
    const bool padded = c.flag(6);
    if (c.one_of(0, kPatterns) == 0) return action(AscendC::Pattern::Reduce::AR{}, tmp, extents, padded);
    action(AscendC::Pattern::Reduce::RA{}, tmp, extents, padded);
}

constexpr const char* kOrders[] = {"ORDER_VALUE_INDEX", "ORDER_INDEX_VALUE", "ORDER_ONLY_VALUE", "ORDER_ONLY_INDEX"};

// One result per repeat; the order is the last argument, where it is given.
#define TAPE_WHOLE_REDUCE(NAME)                                                                                   \
    {#NAME, [](Call& c) {                                                                                         \
         by_type<OnChip<Floats, Extreme3510>>(c, 0, [&](auto type) {                                              \
             using T = typename decltype(type)::Is;                                                               \
             const bool ordered = c.is_text(c.size() - 1);                                                        \
             const auto order = static_cast<AscendC::ReduceOrder>(ordered ? c.one_of(c.size() - 1, kOrders) : 0); \
             with_mask(c, 2, ordered ? 5 : 4, [&](auto set, auto mask, size_t at) {                               \
                 AscendC::NAME<T, set()>(c.local<T>(0), c.local<T>(1), mask, c.count(at), c.count(at + 1),        \
                                         c.count(at + 2), c.count(at + 3), order);                                \
             });                                                                                                  \
         });                                                                                                      \
     }}

// One result per block of 32 bytes.
#define TAPE_BLOCK_REDUCE(NAME)                                                                                        \
    {#NAME, [](Call& c) {                                                                                              \
         by_type<Floats>(c, 0, [&](auto type) {                                                                        \
             using T = typename decltype(type)::Is;                                                                    \
             with_mask(c, 3, 3, [&](auto set, auto mask, size_t at) {                                                  \
                 AscendC::NAME<T, set()>(c.local<T>(0), c.local<T>(1), c.count(2), mask, c.count(at), c.count(at + 1), \
                                         c.count(at + 2));                                                             \
             });                                                                                                       \
         });                                                                                                           \
     }}

void sum(Call& c) {
    if (c.size() != 5) c.refuse_form();
    by_type<Floats>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        AscendC::SumParams params;
        params.outter = static_cast<uint32_t>(c.integer(2));
        params.inner = static_cast<uint32_t>(c.integer(3));
        params.n = static_cast<uint32_t>(c.integer(4));
        AscendC::Sum(c.local<T>(0), c.local<T>(1), params);
    });
}

// dim, axis, dst, src, tmp, the extents of dst, those of src
void broadcast(Call& c) {
    using Taken = OnChip<Types<half, float, int8_t, uint8_t>, MovedOrByte>;
    const int64_t dim = c.integer(0), axis = c.integer(1);
    if ((dim != 1 && dim != 2) || axis < 0 || axis >= dim || c.size() != 5 + 2 * static_cast<size_t>(dim)) {
        c.refuse_form();
    }
    uint32_t extents[4] = {};
    for (size_t i = 5; i < c.size(); ++i) extents[i - 5] = static_cast<uint32_t>(c.integer(i));
    const uint32_t *to = extents, *from = extents + dim;
    by_type<Taken>(c, 2, [&](auto type) {
        using T = typename decltype(type)::Is;
        const auto dst = c.local<T>(2), src = c.local<T>(3);
        const auto tmp = c.local<uint8_t>(4);
        if (dim == 1) return AscendC::Broadcast<T, 1, 0>(dst, src, to, from, tmp);
        axis == 0 ? AscendC::Broadcast<T, 2, 0>(dst, src, to, from, tmp)
                  : AscendC::Broadcast<T, 2, 1>(dst, src, to, from, tmp);
    });
}

// dst, src, [tmp], [count]
template <class T, class Action>
void with_room(const Call& c, size_t at, Action action) {
    const bool has_tmp = c.is_local(at);
    const size_t behind = at + (has_tmp ? 1 : 0);
    if (c.size() == behind) return has_tmp ? action(c.local<uint8_t>(at)) : action();
    if (c.size() != behind + 1) c.refuse_form();
    const auto count = static_cast<uint32_t>(c.integer(behind));
    has_tmp ? action(c.local<uint8_t>(at), count) : action(count);
}

#define TAPE_MATH(NAME)                                                                                           \
    {#NAME, [](Call& c) {                                                                                         \
         by_type<Floats>(c, 0, [&](auto type) {                                                                   \
             using T = typename decltype(type)::Is;                                                               \
             with_room<T>(c, 2,                                                                                   \
                          [&](const auto&... rest) { AscendC::NAME<T>(c.local<T>(0), c.local<T>(1), rest...); }); \
         });                                                                                                      \
     }}

void power(Call& c) {
    by_type<Relu2201>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        const auto dst = c.local<T>(0), base = c.local<T>(1), exponent = c.local<T>(2);
        const auto tmp = c.local<uint8_t>(3);
        if (c.size() == 4) return AscendC::Power<T>(dst, base, exponent, tmp);
        AscendC::Power<T>(dst, base, exponent, tmp, static_cast<uint32_t>(c.integer(4)));
    });
}

void exclusive_or(Call& c) {
    by_type<Bits2201>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        const auto dst = c.local<T>(0), a = c.local<T>(1), b = c.local<T>(2);
        if (c.size() == 3) return AscendC::Xor<T>(dst, a, b);
        AscendC::Xor<T>(dst, a, b, c.local<uint8_t>(3), static_cast<uint32_t>(c.integer(4)));
    });
}

#define TAPE_CLAMP(NAME)                                                    \
    {#NAME, [](Call& c) {                                                   \
         by_type<Floats>(c, 0, [&](auto type) {                             \
             using T = typename decltype(type)::Is;                         \
             const size_t at = c.is_local(2) ? 3 : 2;                       \
             const auto dst = c.local<T>(0), src = c.local<T>(1);           \
             const T bound = c.scalar<T>(at);                               \
             const auto count = static_cast<uint32_t>(c.integer(at + 1));   \
             if (at == 2) return AscendC::NAME<T>(dst, src, bound, count);  \
             AscendC::NAME<T>(dst, src, c.local<uint8_t>(2), bound, count); \
         });                                                                \
     }}

}  // namespace

Entries reduce_calls() {
    static const Entry kCalls[] = {
        TAPE_REDUCE(ReduceSum, Float32, Floats, Summed3510, std::false_type{}),
        TAPE_REDUCE(ReduceMax, Floats, Floats, Extreme3510, std::true_type{}),
        TAPE_REDUCE(ReduceMin, Floats, Floats, Extreme3510, std::true_type{}),
        TAPE_WHOLE_REDUCE(WholeReduceSum),
        TAPE_WHOLE_REDUCE(WholeReduceMax),
        TAPE_WHOLE_REDUCE(WholeReduceMin),
        TAPE_BLOCK_REDUCE(BlockReduceSum),
        TAPE_BLOCK_REDUCE(BlockReduceMax),
        TAPE_BLOCK_REDUCE(BlockReduceMin),
        {"Sum", sum},
        {"Broadcast", broadcast},
        TAPE_MATH(Sigmoid),
        TAPE_MATH(Silu),
        TAPE_MATH(Tanh),
        TAPE_MATH(Sin),
        TAPE_MATH(Cos),
        TAPE_MATH(Erf),
        TAPE_MATH(Gelu),
        TAPE_MATH(Round),
        {"Power", power},
        {"Xor", exclusive_or},
        TAPE_CLAMP(ClampMax),
        TAPE_CLAMP(ClampMin),
    };
    return {kCalls, std::size(kCalls)};
}

}  // namespace tape
