// The Cube: C[m, n] (+)= A[m, k] B[k, n] from L0A and L0B into L0C.
// (asc-devkit, docs/zh/api/SIMD-API/C-API/cube_compute/asc_mmad.)
#pragma once

#include "c_api/face/core_state.h"
#include "c_api/face/enums.h"
#include "c_api/face/memory.h"
#include "c_api/face/qualifiers.h"

namespace aicore::c_api {

struct MmadSize {
    int64_t m, k, n;
};

inline bool fits(const MmadSize& s) {
    if (!in_range(s.m, 4095, "asc_mmad: m is not in 0..4095")) return false;
    if (!in_range(s.k, 4095, "asc_mmad: k is not in 0..4095")) return false;
    if (!in_range(s.n, 4095, "asc_mmad: n is not in 0..4095")) return false;
    return s.m != 0 && s.k != 0 && s.n != 0;
}

template <class C, class A, class B>
ops::Mmad mmad_of(const MmadSize& s, uint32_t unit_flag, bool disable_gemv, bool init) {
    ops::Mmad p;
    p.m = static_cast<uint32_t>(s.m), p.k = static_cast<uint32_t>(s.k), p.n = static_cast<uint32_t>(s.n);
    p.a = cube_dtype<A>(), p.b = cube_dtype<B>(), p.c = dtype<C>();
    p.init = init;
    p.unit_flag = static_cast<uint8_t>(unit_flag);
    p.gemv = s.m == 1 && !disable_gemv;
    return p;
}

}  // namespace aicore::c_api

template <class C, class A, class B>
inline void asc_mmad(__cc__ C* c, __ca__ A* a, __cb__ B* b, int64_t m, int64_t k, int64_t n, uint32_t unit_flag,
                     bool disable_gemv, bool c_matrix_source, bool c_matrix_init_val) {
    using namespace aicore::c_api;
    constexpr bool same = std::is_same_v<A, B> || (kIsScalable8<A> && kIsScalable8<B>);
    if constexpr (!kHasCubeType<A> || !kHasDType<C> || !same) {
        aicore::unsupported("asc_mmad of these element types");
    } else {
        if (!fits({m, k, n})) return;
        if (c_matrix_source && !c_matrix_init_val) aicore::unsupported("asc_mmad from the bias table");
        auto p = mmad_of<C, A, B>({m, k, n}, unit_flag, disable_gemv, c_matrix_init_val);
        if (state().hf32) p.hf32 = state().hf32_to_away ? aicore::Hf32::to_away : aicore::Hf32::to_even;
        aicore::ops::mmad("asc_mmad", on_chip(aicore::Space::l0c, c), on_chip(aicore::Space::l0a, a),
                          on_chip(aicore::Space::l0b, b), p);
    }
}

// Operands with a factor for each 32 elements of K, which asc_copy_l12l0a_mx and asc_copy_l12l0b_mx bring.
// (asc-devkit, docs, c_api/cube_compute/asc_mmad_mx.)
template <class A, class B>
inline void asc_mmad_mx(__cc__ float* c, __ca__ A* a, __cb__ B* b, int64_t m, int64_t k, int64_t n, uint32_t unit_flag,
                        bool disable_gemv, bool c_matrix_source, bool c_matrix_init_val) {
    using namespace aicore::c_api;
    static_assert((kIsScalable8<A> && kIsScalable8<B>) || (kIsFloat4<A> && kIsFloat4<B>),
                  "asc_mmad_mx multiplies fp8_e4m3fn_t and fp8_e5m2_t, or fp4x2_e2m1_t and fp4x2_e1m2_t");
    if (!fits({m, k, n})) return;
    if (c_matrix_source && !c_matrix_init_val) aicore::unsupported("asc_mmad_mx from the bias table");
    if (k % 64 != 0) {
        return aicore::finding("argument-range", "asc_mmad_mx: k is no multiple of 64",
                               "round k up, and fill what is loaded beyond the matrix with zeros");
    }
    auto p = mmad_of<float, A, B>({m, k, n}, unit_flag, disable_gemv, c_matrix_init_val);
    p.scaled = true;
    aicore::ops::mmad("asc_mmad_mx", on_chip(aicore::Space::l0c, c), on_chip(aicore::Space::l0a, a),
                      on_chip(aicore::Space::l0b, b), p);
}

// HF32 rounds float operands of later products; the mode of rounding stays when it is switched off and on again.
// (asc-devkit, docs, c_api/cube_compute/asc_set_hf32_round_mode.)
inline void asc_enable_hf32() { aicore::c_api::state().hf32 = true; }
inline void asc_disable_hf32() { aicore::c_api::state().hf32 = false; }
inline void asc_set_hf32_round_mode(asc_hf32_round_mode mode) {
    aicore::c_api::state().hf32_to_away = mode == asc_hf32_round_mode::NEAREST_AWAY;
}

// In which order the Cube walks its tile: the same products, the same sums.
inline void asc_set_mmad_direction_m() {}
inline void asc_set_mmad_direction_n() {}
