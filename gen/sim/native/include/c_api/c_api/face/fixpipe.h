// FIXPIPE: L0C -> GM or UB, converting on the way. n and m count elements; src_stride is the distance of neighbouring
// 16-column groups in rows of 16 elements; dst_stride is the pitch of the destination in elements.
// (asc-devkit, docs/zh/api/SIMD-API/C-API/cube_datamove/asc_copy_l0c2ub and asc_copy_l0c2gm.)
#pragma once

#include "c_api/face/core_state.h"
#include "c_api/face/enums.h"
#include "c_api/face/memory.h"
#include "c_api/face/qualifiers.h"

inline void asc_set_l0c_copy_nz_para(uint16_t nd_num, uint16_t, uint16_t) {
    auto& s = ::aicore::c_api::state();
    s.l0c_nz_is_set = true;
    s.l0c_nd_matrices = nd_num;
}

namespace aicore::c_api {

struct L0cCopy {
    int64_t n, m, dst_stride, src_stride;
    asc_unit_flag_mode unit_flag;
    asc_quant_mode quant;
    asc_relu_pre_mode relu;
    bool channel_split, nz2nd, nz2dn, clip_relu;
};

// What FIXPIPE can do and the model cannot: ends the core.
inline void check_fixpipe(const L0cCopy& c) {
    if (c.channel_split) unsupported("asc_copy_l0c2*: channel_split");
    if (c.nz2dn) unsupported("asc_copy_l0c2*: nz2dn");
    if (c.clip_relu) unsupported("asc_copy_l0c2*: clip_relu");
    if (c.relu != asc_relu_pre_mode::NONE && c.relu != asc_relu_pre_mode::NORMAL) {
        unsupported("asc_copy_l0c2*: this relu mode");
    }
    if (c.nz2nd && !state().l0c_nz_is_set) unsupported("asc_copy_l0c2* before asc_set_l0c_copy_nz_para");
    if (c.nz2nd && state().l0c_nd_matrices != 1) unsupported("asc_copy_l0c2* of several matrices");
}

template <class D, class S>
ops::Quant quant_of(asc_quant_mode mode) {
    constexpr bool from_float = std::is_same_v<S, float>;
    if (mode == asc_quant_mode::NoQuant && std::is_same_v<D, S>) return ops::Quant::none;
    if (mode == asc_quant_mode::F322F16 && from_float && std::is_same_v<D, half>) return ops::Quant::f32_to_f16;
    if (mode == asc_quant_mode::F322BF16 && from_float && std::is_same_v<D, bfloat16_t>) {
        return ops::Quant::f32_to_bf16;
    }
    unsupported("asc_copy_l0c2*: this quantization between these types");
}

// What L0C holds, and what FIXPIPE writes.
template <class D, class S>
constexpr bool kFixpipeTypes = (std::is_same_v<S, float> || std::is_same_v<S, int32_t>) && kHasDType<D>;

template <class D, class S>
ops::Fixpipe fixpipe_of(const L0cCopy& c) {
    check_fixpipe(c);
    ops::Fixpipe p;
    p.n = static_cast<uint32_t>(c.n);
    p.m = static_cast<uint32_t>(c.m);
    p.src_stride = static_cast<uint32_t>(c.src_stride);
    p.dst_stride = static_cast<uint64_t>(c.dst_stride);
    p.src = dtype<S>();
    p.dst = dtype<D>();
    p.quant = quant_of<D, S>(c.quant);
    p.format = c.nz2nd ? ops::OutFormat::nd : ops::OutFormat::nz;
    p.relu = c.relu == asc_relu_pre_mode::NORMAL;
    p.unit_flag = static_cast<uint8_t>(c.unit_flag);
    return p;
}

inline bool l0c_size_fits(const L0cCopy& c) {
    if (!in_range(c.n, 4095, "asc_copy_l0c2*: n_size is not in 0..4095")) return false;
    if (!in_range(c.m, c.nz2nd ? 8192 : 65535, "asc_copy_l0c2*: m_size is out of range")) return false;
    return c.n != 0 && c.m != 0;
}

}  // namespace aicore::c_api

template <class D, class S>
inline void asc_copy_l0c2gm(__gm__ D* dst, __cc__ S* src, int64_t n_size, int64_t m_size, int64_t dst_stride,
                            int64_t src_stride, asc_store_l2_cache_mode, asc_unit_flag_mode unit_flag,
                            asc_quant_mode quant, asc_relu_pre_mode relu, bool channel_split, bool nz2nd, bool nz2dn,
                            bool clip_relu) {
    using namespace aicore::c_api;
    if constexpr (!kFixpipeTypes<D, S>) {
        aicore::unsupported("asc_copy_l0c2gm of these element types");
    } else {
        const L0cCopy c{n_size, m_size,        dst_stride, src_stride, unit_flag, quant,
                        relu,   channel_split, nz2nd,      nz2dn,      clip_relu};
        if (!l0c_size_fits(c)) return;
        auto p = fixpipe_of<D, S>(c);
        if (state().atomic != aicore::ops::Atomic::none && state().atomic_type != p.dst) {
            aicore::unsupported("asc_copy_l0c2gm: atomic type differs from the output's");
        }
        p.atomic = state().atomic;
        aicore::ops::fixpipe("asc_copy_l0c2gm", gm(dst), on_chip(aicore::Space::l0c, src), p);
    }
}

// To the UB of one Vector core of the block (dual_mode DISABLE), or half of the rows or columns to each, at the same
// UB address.
template <class D, class S>
inline void asc_copy_l0c2ub(__ubuf__ D* dst, __cc__ S* src, int64_t n_size, int64_t m_size, int64_t dst_stride,
                            int64_t src_stride, uint32_t sub_block, asc_dual_dst_mode dual_mode,
                            asc_unit_flag_mode unit_flag, asc_quant_mode quant, asc_relu_pre_mode relu,
                            bool channel_split, bool nz2nd, bool nz2dn, bool clip_relu) {
    using namespace aicore::c_api;
    if constexpr (!kFixpipeTypes<D, S>) {
        aicore::unsupported("asc_copy_l0c2ub of these element types");
    } else {
        const L0cCopy c{n_size, m_size,        dst_stride, src_stride, unit_flag, quant,
                        relu,   channel_split, nz2nd,      nz2dn,      clip_relu};
        if (!l0c_size_fits(c)) return;
        auto p = fixpipe_of<D, S>(c);
        p.dual = static_cast<uint8_t>(dual_mode);
        p.sub_block = static_cast<uint8_t>(sub_block);
        const auto unit = sub_block == 0 ? aicore::Unit::aiv0 : aicore::Unit::aiv1;
        aicore::ops::fixpipe("asc_copy_l0c2ub", on_chip(aicore::Space::ub, dst, unit), on_chip(aicore::Space::l0c, src),
                             p);
    }
}
