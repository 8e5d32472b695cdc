// vcvt: conversion between element types. Controls (rounding, saturation, part, mode) come in an order that depends on
// the types, so each is found by its own type. A lane converts if the mask has the *source* lane.
//
// Wider results read every second (fourth) source lane, the one that `part` names; narrower ones are written to that
// lane and the others become 0. (asc-devkit, docs/zh/api/SIMD-API/C-API/reg/data_type_convert.)
#pragma once

#include "c_api/reg/arithmetic.h"

namespace aicore::c_api {

// The value of the control of one kind, or `otherwise`.
template <TagKind Kind, int Otherwise, class... Controls>
constexpr int control() {
    int found = Otherwise;
    ((Controls::kind == Kind ? void(found = Controls::value) : void()), ...);
    return found;
}

template <class T>
constexpr bool kIsFloat8 = std::is_same_v<T, float8_e4m3_t> || std::is_same_v<T, float8_e5m2_t>;
template <class T>
constexpr bool kIsNumber = kIsFloat<T> || std::is_integral_v<T> || kIsFloat8<T>;

template <class S>
__simd_callee__ inline double exact_value(S a) {
    if constexpr (std::is_same_v<S, float8_e4m3_t>)
        return from_e4m3(a.bits);
    else if constexpr (std::is_same_v<S, float8_e5m2_t>)
        return from_e5m2(a.bits);
    else if constexpr (kIsFloat<S>)
        return static_cast<float>(a);
    else
        return static_cast<double>(a);
}

template <class D, class S>
__simd_callee__ inline D convert(S a, Round round, bool saturate) {
    if constexpr (std::is_same_v<D, float8_e4m3_t>) {
        return {to_e4m3(static_cast<float>(exact_value(a)), saturate)};
    } else if constexpr (std::is_same_v<D, float8_e5m2_t>) {
        return {to_e5m2(static_cast<float>(exact_value(a)), saturate)};
    } else if constexpr (std::is_integral_v<D> && std::is_integral_v<S>) {
        return narrow_integer<D>(a, saturate);
    } else if constexpr (std::is_integral_v<D>) {
        return to_integer<D>(exact_value(a), round, saturate);
    } else if constexpr (std::is_same_v<D, half>) {
        if constexpr (std::is_integral_v<S>) return half(a);
        return half::from_bits(f32_to_f16(static_cast<float>(exact_value(a)), round, saturate));
    } else if constexpr (std::is_same_v<D, bfloat16_t>) {
        if constexpr (std::is_integral_v<S>) return bfloat16_t(a);
        return bfloat16_t::from_bits(f32_to_bf16(static_cast<float>(exact_value(a)), round, saturate));
    } else {
        return static_cast<float>(exact_value(a));
    }
}

// Integers beyond 24 bits do not fit a float: only to nearest even is exact here.
template <class D, class S>
constexpr bool rounds_as_asked(Round round) {
    const bool inexact = kIsFloat<D> && std::is_integral_v<S> && sizeof(S) >= 4;
    const bool half_of_s16 = kIsFloat16<D> && std::is_integral_v<S>;
    const bool to_float8 = kIsFloat8<D>;
    return !(inexact || half_of_s16 || to_float8) || round == Round::rint || round == Round::none;
}

template <class D, class S>
__simd_callee__ inline void convert_lanes(Reg<D>& dst, const Reg<S>& src, const Mask& mask, Round round, bool saturate,
                                          int part) {
    Reg<D> r;
    std::memset(&r, 0, sizeof r);
    constexpr int widen = sizeof(D) > sizeof(S) ? sizeof(D) / sizeof(S) : 1;
    constexpr int narrow = sizeof(S) > sizeof(D) ? sizeof(S) / sizeof(D) : 1;
    if (part >= widen * narrow)
        return finding("argument-range", "vcvt: this part does not exist for these types",
                       "take a part from 0 to the number of parts less one");
    constexpr int count = Reg<D>::kLanes < Reg<S>::kLanes ? Reg<D>::kLanes : Reg<S>::kLanes;
    for (int i = 0; i < count; ++i) {
        const int from = widen == 1 ? i : i * widen + part;
        const int to = narrow == 1 ? i : i * narrow + part;
        if (mask.has<sizeof(S)>(from)) r.lane[to] = convert<D>(src.lane[from], round, saturate);
    }
    dst = r;
}

}  // namespace aicore::c_api

template <class D, class S, class... Controls>
__simd_callee__ inline void vcvt(aicore::c_api::Reg<D>& dst, aicore::c_api::Reg<S> src, vector_bool mask, Controls...) {
    using namespace aicore::c_api;
    constexpr int rounding = control<TagKind::round, static_cast<int>(aicore::Round::rint), Controls...>();
    constexpr bool merging = control<TagKind::mode, 0, Controls...>() == decltype(MODE_MERGING)::value;
    if constexpr (!kIsNumber<D> || !kIsNumber<S> || rounding == decltype(ROUND_H)::value || merging) {
        aicore::unsupported("vcvt of these types or in this mode");
    } else if constexpr (!rounds_as_asked<D, S>(static_cast<aicore::Round>(rounding))) {
        aicore::unsupported("vcvt to this type with a rounding other than ROUND_R");
    } else {
        constexpr bool saturate = control<TagKind::saturation, 0, Controls...>() != 0;
        convert_lanes(dst, src, mask, static_cast<aicore::Round>(rounding), saturate,
                      control<TagKind::part, 0, Controls...>());
    }
}
