// The compiler's own register instructions, which tilelang calls where a destination keeps its inactive lanes:
// ::vadd(dst, a, b, mask, MODE_MERGING) and its kin; with MODE_ZEROING inactive lanes become 0.
#pragma once

#include "c_api/reg/arithmetic.h"
#include "c_api/reg/compare.h"
#include "c_api/reg/rearrange.h"
#include "c_api/reg/reduce.h"

namespace aicore::c_api {

template <int Mode>
using ModeTag = Tag<TagKind::mode, Mode>;

// dst = result, with the lanes outside `mask` kept if the mode merges.
template <int Mode, class T>
__simd_callee__ inline void write(Reg<T>& dst, Reg<T> result, const Mask& mask) {
    if constexpr (Mode == decltype(MODE_MERGING)::value) keep_inactive(result, dst, mask);
    dst = result;
}

}  // namespace aicore::c_api

#define AICORE_C_API_MERGING2(name, call)                                                                        \
    template <class T, class B, int Mode>                                                                        \
    __simd_callee__ inline void name(aicore::c_api::Reg<T>& dst, aicore::c_api::Reg<T> a, B b, vector_bool mask, \
                                     aicore::c_api::ModeTag<Mode>) {                                             \
        aicore::c_api::Reg<T> r;                                                                                 \
        call(r, a, b, mask);                                                                                     \
        aicore::c_api::write<Mode>(dst, r, mask);                                                                \
    }
AICORE_C_API_MERGING2(vadd, asc_add)
AICORE_C_API_MERGING2(vsub, asc_sub)
AICORE_C_API_MERGING2(vmul, asc_mul)
AICORE_C_API_MERGING2(vdiv, asc_div)
AICORE_C_API_MERGING2(vmax, asc_max)
AICORE_C_API_MERGING2(vmin, asc_min)
AICORE_C_API_MERGING2(vand, asc_and)
AICORE_C_API_MERGING2(vor, asc_or)
AICORE_C_API_MERGING2(vxor, asc_xor)
AICORE_C_API_MERGING2(vshl, asc_shiftleft)
AICORE_C_API_MERGING2(vshr, asc_shiftright)
AICORE_C_API_MERGING2(vabsdif, asc_abs_sub)
AICORE_C_API_MERGING2(vadds, asc_add_scalar)
AICORE_C_API_MERGING2(vmuls, asc_mul_scalar)
AICORE_C_API_MERGING2(vmaxs, asc_max_scalar)
AICORE_C_API_MERGING2(vmins, asc_min_scalar)
AICORE_C_API_MERGING2(vshls, asc_shiftleft_scalar)
AICORE_C_API_MERGING2(vshrs, asc_shiftright_scalar)
#undef AICORE_C_API_MERGING2

#define AICORE_C_API_MERGING1(name, call)                                                                   \
    template <class T, int Mode>                                                                            \
    __simd_callee__ inline void name(aicore::c_api::Reg<T>& dst, aicore::c_api::Reg<T> a, vector_bool mask, \
                                     aicore::c_api::ModeTag<Mode>) {                                        \
        aicore::c_api::Reg<T> r;                                                                            \
        call(r, a, mask);                                                                                   \
        aicore::c_api::write<Mode>(dst, r, mask);                                                           \
    }
AICORE_C_API_MERGING1(vabs, asc_abs)
AICORE_C_API_MERGING1(vneg, asc_neg)
AICORE_C_API_MERGING1(vrelu, asc_relu)
AICORE_C_API_MERGING1(vexp, asc_exp)
AICORE_C_API_MERGING1(vln, asc_ln)
AICORE_C_API_MERGING1(vsqrt, asc_sqrt)
AICORE_C_API_MERGING1(vnot, asc_not)
#undef AICORE_C_API_MERGING1

// Fused: dst + a * b, dst * a + b, dst + a * scalar.
template <class T, int Mode>
__simd_callee__ inline void vmula(aicore::c_api::Reg<T>& dst, aicore::c_api::Reg<T> a, aicore::c_api::Reg<T> b,
                                  vector_bool mask, aicore::c_api::ModeTag<Mode>) {
    const auto old = dst;
    aicore::c_api::Reg<T> r;
    aicore::c_api::fill_lanes(r, mask, [&](int i) __simd_callee__ -> T {
        return aicore::c_api::multiply_add(a.lane[i], b.lane[i], old.lane[i]);
    });
    aicore::c_api::write<Mode>(dst, r, mask);
}
template <class T, int Mode>
__simd_callee__ inline void vmadd(aicore::c_api::Reg<T>& dst, aicore::c_api::Reg<T> a, aicore::c_api::Reg<T> b,
                                  vector_bool mask, aicore::c_api::ModeTag<Mode>) {
    auto r = dst;
    asc_madd(r, a, b, mask);
    aicore::c_api::write<Mode>(dst, r, mask);
}
template <class T, class S, int Mode>
__simd_callee__ inline void vaxpy(aicore::c_api::Reg<T>& dst, aicore::c_api::Reg<T> a, S value, vector_bool mask,
                                  aicore::c_api::ModeTag<Mode>) {
    auto r = dst;
    asc_axpy(r, a, value, mask);
    aicore::c_api::write<Mode>(dst, r, mask);
}

// One number, or the lowest or highest lane of a register, everywhere.
template <class T, class S, int Mode>
__simd_callee__ inline void vdup(aicore::c_api::Reg<T>& dst, S value, vector_bool mask, aicore::c_api::ModeTag<Mode>) {
    aicore::c_api::Reg<T> r;
    asc_duplicate_scalar(r, value, mask);
    aicore::c_api::write<Mode>(dst, r, mask);
}
template <class T, int Position, int Mode>
__simd_callee__ inline void vdup(aicore::c_api::Reg<T>& dst, aicore::c_api::Reg<T> src, vector_bool mask,
                                 aicore::c_api::Tag<aicore::c_api::TagKind::position, Position>,
                                 aicore::c_api::ModeTag<Mode>) {
    aicore::c_api::Reg<T> r;
    asc_duplicate_scalar(r, src.lane[Position == 0 ? 0 : src.kLanes - 1], mask);
    aicore::c_api::write<Mode>(dst, r, mask);
}

// Reductions write one lane (the sum) or two (value and lane number); merging keeps all others.
#define AICORE_C_API_MERGING_REDUCTION(name, call, lanes)                                                     \
    template <class S, class T, int Mode>                                                                     \
    __simd_callee__ inline void name(aicore::c_api::Reg<S>& dst, aicore::c_api::Reg<T> src, vector_bool mask, \
                                     aicore::c_api::ModeTag<Mode>) {                                          \
        aicore::c_api::Reg<S> r;                                                                              \
        call(r, src, mask);                                                                                   \
        aicore::c_api::write<Mode>(dst, r, aicore::c_api::first_lanes<sizeof(S)>(lanes));                     \
    }
AICORE_C_API_MERGING_REDUCTION(vcadd, asc_reduce_sum, 1)
AICORE_C_API_MERGING_REDUCTION(vcmax, asc_reduce_max, 2)
AICORE_C_API_MERGING_REDUCTION(vcmin, asc_reduce_min, 2)
#undef AICORE_C_API_MERGING_REDUCTION
