// The Cube: C[m, n] (+)= A[m, k] B[k, n] from L0A and L0B into L0C.
// (asc-devkit, docs/zh/api/SIMD-API/C-API/cube_compute/asc_mmad.)
#pragma once

#include "c_api/face/core_state.h"
#include "c_api/face/enums.h"
#include "c_api/face/memory.h"
#include "c_api/face/qualifiers.h"

template <class C, class A, class B>
inline void asc_mmad(__cc__ C* c, __ca__ A* a, __cb__ B* b, int64_t m, int64_t k, int64_t n, uint32_t unit_flag,
                     bool disable_gemv, bool c_matrix_source, bool c_matrix_init_val) {
    using namespace aicore::c_api;
    namespace ops = aicore::ops;
    constexpr bool same = std::is_same_v<A, B> || (kIsCubeFloat8<A> && kIsCubeFloat8<B>);
    if constexpr (!kHasCubeType<A> || !kHasDType<C> || !same) {
        aicore::unsupported("asc_mmad of these element types");
    } else {
        if (!in_range(m, 4095, "asc_mmad: m is not in 0..4095")) return;
        if (!in_range(k, 4095, "asc_mmad: k is not in 0..4095")) return;
        if (!in_range(n, 4095, "asc_mmad: n is not in 0..4095")) return;
        if (m == 0 || k == 0 || n == 0) return;
        if (c_matrix_source && !c_matrix_init_val) aicore::unsupported("asc_mmad from the bias table");
        ops::Mmad p;
        p.m = static_cast<uint32_t>(m);
        p.k = static_cast<uint32_t>(k);
        p.n = static_cast<uint32_t>(n);
        p.a = cube_dtype<A>();
        p.b = cube_dtype<B>();
        if (state().hf32) p.hf32 = state().hf32_to_away ? aicore::Hf32::to_away : aicore::Hf32::to_even;
        p.c = dtype<C>();
        p.init = c_matrix_init_val;
        p.unit_flag = static_cast<uint8_t>(unit_flag);
        p.gemv = m == 1 && !disable_gemv;
        ops::mmad("asc_mmad", on_chip(aicore::Space::l0c, c), on_chip(aicore::Space::l0a, a),
                  on_chip(aicore::Space::l0b, b), p);
    }
}

template <class... Args>
[[noreturn]] inline void asc_mmad_mx(Args...) {
    aicore::unsupported("asc_mmad_mx");
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
