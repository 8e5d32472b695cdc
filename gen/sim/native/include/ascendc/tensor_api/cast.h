// Cast: conversions between element types.
// Table of types and rounding modes: asc-devkit, docs Cast.
#pragma once

#include "ascendc/tensor_api/vector_call.h"

namespace aicore::ascendc {

// Rounding modes as a set: one bit per value of RoundMode.
inline constexpr unsigned kNone = 1u << 0, kOdd = 1u << 6;
inline constexpr unsigned kRound = 0b0111110;  // RINT, FLOOR, CEIL, ROUND, TRUNC

template <class To, class From>
constexpr bool is_pair(Types<To>, Types<From>) {
    return true;
}

// Modes with which `From` becomes `To` on this chip; 0 where there is no such conversion.
template <class To, class From>
constexpr unsigned cast_modes() {
    constexpr bool old = kChip == Chip::dav2201;
    constexpr auto is = [](auto to, auto from) {
        return std::is_same_v<To, decltype(to)> && std::is_same_v<From, decltype(from)>;
    };
    if (is(float{}, half{}) || is(float{}, bfloat16_t{}) || is(float{}, int16_t{})) return kNone;
    if (is(half{}, float{})) return kRound | kOdd | kNone;
    if (is(bfloat16_t{}, float{}) || is(float{}, float{})) return kRound;
    if (is(int16_t{}, float{}) || is(int32_t{}, float{}) || is(int64_t{}, float{})) return kRound;
    if (is(float{}, int64_t{}) || is(int32_t{}, bfloat16_t{})) return kRound;
    if (is(float{}, int32_t{})) return kRound | (old ? kNone : 0);
    if (is(int16_t{}, half{}) || is(int32_t{}, half{})) return kRound;
    if (is(AscendC::int4b_t{}, half{})) return kRound | kNone;
    if (is(int8_t{}, half{}) || is(uint8_t{}, half{})) return kRound | (old ? kNone : 0);
    if (is(half{}, int8_t{}) || is(half{}, uint8_t{})) return kNone;
    if (is(half{}, int16_t{})) return kRound | (old ? kNone : 0);
    if (is(half{}, int32_t{})) return kRound | kNone;  // any: it has no effect
    if (is(int16_t{}, int32_t{}) || is(int64_t{}, int32_t{}) || is(int32_t{}, int64_t{})) return kNone;
    if (old) return 0;
    if (is(half{}, bfloat16_t{}) || is(bfloat16_t{}, half{})) return kRound;
    if (is(int16_t{}, int8_t{}) || is(int32_t{}, int8_t{}) || is(uint16_t{}, uint8_t{}) || is(uint32_t{}, uint8_t{}) ||
        is(uint8_t{}, int16_t{}) || is(int32_t{}, int16_t{}) || is(uint32_t{}, int16_t{}) ||
        is(uint8_t{}, uint16_t{}) || is(uint32_t{}, uint16_t{}) || is(uint8_t{}, int32_t{}) ||
        is(uint16_t{}, int32_t{}) || is(uint8_t{}, uint32_t{}) || is(int16_t{}, uint32_t{}) ||
        is(uint16_t{}, uint32_t{})) {
        return kNone;
    }
    return 0;
}

template <class To, class From>
void check_cast(AscendC::RoundMode mode) {
    static_assert(
        cast_modes<To, From>() != 0,
        "Cast has no conversion between these types on this chip; an Ascend 910B converts bfloat16_t from and "
        "to float only");
    if ((cast_modes<To, From>() >> static_cast<unsigned>(mode) & 1u) == 0) {
        unsupported("AscendC::Cast(a rounding mode that the table of Cast does not list for these types)");
    }
}

constexpr Round round_of(AscendC::RoundMode mode) {
    constexpr Round kModes[] = {Round::none,  Round::rint,  Round::floor, Round::ceil,
                                Round::round, Round::trunc, Round::odd};
    return kModes[static_cast<int>(mode)];
}

// The factor of int32 to half: SetDeqScale(half) must have been called.
template <class To, class From>
double deq_scale_of() {
    if (!std::is_same_v<To, half> || !std::is_same_v<From, int32_t>) return 1.0;
    if (!state().deq_scale_set) unsupported("AscendC::Cast(int32_t to half before SetDeqScale)");
    return static_cast<double>(static_cast<float>(value_of<half>(state().deq_scale)));
}

// Conversions to integers saturate; half and bfloat16 overflow to infinity (the INF/NaN mode of CTRL[48]).
template <class To>
inline constexpr bool saturates = std::is_integral_v<To>;

}  // namespace aicore::ascendc

namespace AscendC {

template <class T, class U>
void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, RoundMode mode, uint32_t count) {
    aicore::ascendc::check_cast<T, U>(mode);
    if (!aicore::ascendc::on_aiv() || count == 0) return;
    if constexpr (std::is_same_v<T, int4b_t>) {
        aicore::ops::cast_to_int4("Cast", dst.mem(), src.mem(), aicore::ascendc::round_of(mode), count);
    } else {
        aicore::ops::VecShape shape;
        shape.count = count;
        aicore::ops::cast("Cast", aicore::ascendc::dtype_of<T>(), dst.mem(), aicore::ascendc::dtype_of<U>(), src.mem(),
                          aicore::ascendc::round_of(mode), aicore::ascendc::saturates<T>, shape,
                          aicore::ascendc::deq_scale_of<T, U>());
    }
    aicore::ascendc::mask_after_count();
}

// Lanes and repeats count elements of the larger type.
template <class T, class U, bool isSetMask = true, class Mask>
void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, RoundMode mode, Mask mask,
          aicore::ascendc::Repeat repeat, const UnaryRepeatParams& params) {
    constexpr size_t kElem = sizeof(T) > sizeof(U) ? sizeof(T) : sizeof(U);
    aicore::ascendc::check_cast<T, U>(mode);
    if (!aicore::ascendc::on_aiv()) return;
    if constexpr (isSetMask) aicore::ascendc::take_mask(mask, kElem);
    if constexpr (std::is_same_v<T, int4b_t>) {
        // 128 elements of a repeat are 2 blocks of int4 and 8 of half.
        const bool plain = params.dstBlkStride == 1 && params.srcBlkStride == 1 && params.dstRepStride == 2 &&
                           params.srcRepStride == 8 && !aicore::ascendc::state().counter_mode &&
                           aicore::ascendc::state().mask_off[0] == 0 && aicore::ascendc::state().mask_off[1] == 0;
        if (!plain) aicore::unsupported("AscendC::Cast(to int4b_t, with strides or part of a repeat)");
        aicore::ops::cast_to_int4("Cast", dst.mem(), src.mem(), aicore::ascendc::round_of(mode), repeat * 128u);
    } else {
        aicore::ascendc::for_repeats(
            aicore::ascendc::strides_of(params), repeat, kElem,
            [&](const aicore::ops::VecShape& shape, uint64_t skipped) {
                aicore::ops::cast(
                    "Cast", aicore::ascendc::dtype_of<T>(),
                    aicore::ascendc::skip(dst.mem(), skipped * params.dstRepStride), aicore::ascendc::dtype_of<U>(),
                    aicore::ascendc::skip(src.mem(), skipped * params.srcRepStride), aicore::ascendc::round_of(mode),
                    aicore::ascendc::saturates<T>, shape, aicore::ascendc::deq_scale_of<T, U>());
            });
    }
}

// The factor of Cast, CastDequant and AddDeqRelu from int32_t to half.
inline void SetDeqScale(half scale) {
    aicore::ascendc::state().deq_scale_set = true;
    aicore::ascendc::state().deq_scale = static_cast<uint16_t>(aicore::ascendc::bits_of(scale));
}
// The parameters of CastDequant to 8 bits, which the model does not have.
inline void SetDeqScale(float, int16_t, bool) {}

}  // namespace AscendC
