// Making and combining masks.
#pragma once

#include "c_api/reg/vector.h"

namespace aicore::c_api {

// The first `count` lanes of elements of `ElementBytes`.
template <int ElementBytes>
__simd_callee__ inline Mask first_lanes(uint32_t count) {
    Mask m{};
    for (int lane = 0; lane < kRegisterBytes / ElementBytes && static_cast<uint32_t>(lane) < count; ++lane) {
        for (int b = 0; b < ElementBytes; ++b) m.put(lane * ElementBytes + b, b == 0);
    }
    return m;
}

template <int ElementBytes, int Pattern>
__simd_callee__ inline Mask pattern_mask() {
    constexpr Mask made = [] {
        Mask m{};
        constexpr int lanes = kRegisterBytes / ElementBytes;
        for (int lane = 0; lane < lanes; ++lane) {
            const int bit = lane * ElementBytes;
            if (pattern_has(Pattern, lane, lanes)) m.word[bit / 64] |= uint64_t{1} << (bit % 64);
        }
        return m;
    }();
    return made;
}

template <int ElementBytes>
__simd_callee__ inline Mask take_lanes(uint32_t& count) {
    constexpr uint32_t lanes = kRegisterBytes / ElementBytes;
    const Mask m = first_lanes<ElementBytes>(count);
    count = count < lanes ? 0 : count - lanes;
    return m;
}

}  // namespace aicore::c_api

#define AICORE_C_API_MASK_OF(bits)                                                      \
    template <int Pattern>                                                              \
    __simd_callee__ inline vector_bool asc_create_mask_b##bits(                         \
        aicore::c_api::Tag<aicore::c_api::TagKind::pattern, Pattern>) {                 \
        return aicore::c_api::pattern_mask<bits / 8, Pattern>();                        \
    }                                                                                   \
    /* The first `count` elements; `count` becomes what is left after this register. */ \
    __simd_callee__ inline vector_bool asc_update_mask_b##bits(uint32_t& count) {       \
        return aicore::c_api::take_lanes<bits / 8>(count);                              \
    }
AICORE_C_API_MASK_OF(8)
AICORE_C_API_MASK_OF(16)
AICORE_C_API_MASK_OF(32)
#undef AICORE_C_API_MASK_OF
template <int Pattern>
inline vector_bool asc_create_mask_b64(aicore::c_api::Tag<aicore::c_api::TagKind::pattern, Pattern>) {
    aicore::unsupported("asc_create_mask_b64");
}

// Bit by bit; bits outside `mask` become 0.
__simd_callee__ inline void asc_and(vector_bool& dst, vector_bool a, vector_bool b, vector_bool mask) {
    for (int i = 0; i < 4; ++i) dst.word[i] = a.word[i] & b.word[i] & mask.word[i];
}
__simd_callee__ inline void asc_or(vector_bool& dst, vector_bool a, vector_bool b, vector_bool mask) {
    for (int i = 0; i < 4; ++i) dst.word[i] = (a.word[i] | b.word[i]) & mask.word[i];
}
__simd_callee__ inline void asc_xor(vector_bool& dst, vector_bool a, vector_bool b, vector_bool mask) {
    for (int i = 0; i < 4; ++i) dst.word[i] = (a.word[i] ^ b.word[i]) & mask.word[i];
}
__simd_callee__ inline void asc_not(vector_bool& dst, vector_bool a, vector_bool mask) {
    for (int i = 0; i < 4; ++i) dst.word[i] = ~a.word[i] & mask.word[i];
}
__simd_callee__ inline void asc_select(vector_bool& dst, vector_bool a, vector_bool b, vector_bool mask) {
    for (int i = 0; i < 4; ++i) dst.word[i] = (a.word[i] & mask.word[i]) | (b.word[i] & ~mask.word[i]);
}
__simd_callee__ inline void asc_copy(vector_bool& dst, vector_bool src) { dst = src; }
__simd_callee__ inline void asc_copy(vector_bool& dst, vector_bool src, vector_bool mask) {
    for (int i = 0; i < 4; ++i) dst.word[i] = src.word[i] & mask.word[i];
}

// Of two neighbouring bits the lower one, into the lower or upper half of the mask; the other half is 0.
__simd_callee__ inline void asc_pack_to_low(vector_bool& dst, vector_bool src) {
    vector_bool r{};
    for (int i = 0; i < 128; ++i) r.put(i, src.bit(2 * i));
    dst = r;
}
__simd_callee__ inline void asc_pack_to_high(vector_bool& dst, vector_bool src) {
    vector_bool r{};
    for (int i = 0; i < 128; ++i) r.put(128 + i, src.bit(2 * i));
    dst = r;
}
// Each bit of a half becomes two, the upper one 0.
__simd_callee__ inline void asc_unpack_lower(vector_bool& dst, vector_bool src) {
    vector_bool r{};
    for (int i = 0; i < 128; ++i) r.put(2 * i, src.bit(i));
    dst = r;
}
__simd_callee__ inline void asc_unpack_upper(vector_bool& dst, vector_bool src) {
    vector_bool r{};
    for (int i = 0; i < 128; ++i) r.put(2 * i, src.bit(128 + i));
    dst = r;
}

namespace aicore::c_api {

// (a, b) as one row of 2 * 256 bits in groups of `Group`: element j of the interleaved row is a[j / 2] or b[j / 2].
template <int Group>
__simd_callee__ inline void interleave(Mask& low, Mask& high, Mask a, Mask b) {
    Mask r[2] = {};
    for (int j = 0; j < 2 * 256 / Group; ++j) {
        const Mask& from = j % 2 == 0 ? a : b;
        for (int k = 0; k < Group; ++k) {
            const int to = j * Group + k;
            r[to / 256].put(to % 256, from.bit(j / 2 * Group + k));
        }
    }
    low = r[0];
    high = r[1];
}
template <int Group>
__simd_callee__ inline void deinterleave(Mask& even, Mask& odd, Mask a, Mask b) {
    Mask r[2] = {};
    const Mask in[2] = {a, b};
    for (int j = 0; j < 2 * 256 / Group; ++j) {
        for (int k = 0; k < Group; ++k) {
            const int from = j * Group + k;
            r[j % 2].put(j / 2 * Group + k, in[from / 256].bit(from % 256));
        }
    }
    even = r[0];
    odd = r[1];
}

}  // namespace aicore::c_api

#define AICORE_C_API_INTERLEAVE(bits)                                                                    \
    __simd_callee__ inline void asc_intlv_b##bits(vector_bool& dst0, vector_bool& dst1, vector_bool a,   \
                                                  vector_bool b) {                                       \
        aicore::c_api::interleave<bits / 8>(dst0, dst1, a, b);                                           \
    }                                                                                                    \
    __simd_callee__ inline void asc_deintlv_b##bits(vector_bool& dst0, vector_bool& dst1, vector_bool a, \
                                                    vector_bool b) {                                     \
        aicore::c_api::deinterleave<bits / 8>(dst0, dst1, a, b);                                         \
    }
AICORE_C_API_INTERLEAVE(8)
AICORE_C_API_INTERLEAVE(16)
AICORE_C_API_INTERLEAVE(32)
#undef AICORE_C_API_INTERLEAVE
