// How loads and stores reach UB: address checks, and the report of every byte to the model.
#pragma once

#include <cstring>

#include "aicore/core.h"
#include "c_api/face/vector_call.h"
#include "c_api/reg/vector.h"

// An offset that hardware loops advance: the model has no hardware loops.
struct addr_reg {
    uint32_t offset;
};
template <class... Strides>
[[noreturn]] inline addr_reg asc_update_addr_reg_b8(Strides...) {
    aicore::unsupported("asc_update_addr_reg_b8");
}
template <class... Strides>
[[noreturn]] inline addr_reg asc_update_addr_reg_b16(Strides...) {
    aicore::unsupported("asc_update_addr_reg_b16");
}
template <class... Strides>
[[noreturn]] inline addr_reg asc_update_addr_reg_b32(Strides...) {
    aicore::unsupported("asc_update_addr_reg_b32");
}

namespace aicore::c_api {

// Offsets count elements, or bytes where a mask is moved.
__simd_callee__ inline int64_t elements(int64_t offset) { return offset; }
__simd_callee__ inline int64_t elements(addr_reg offset) { return offset.offset; }

__simd_callee__ inline void check_address(const void* p, uint64_t alignment) {
    if (reinterpret_cast<uintptr_t>(p) < kOnChipEnd) {
        unsupported("SIMD vector function called outside asc_vf_call");
    }
    const auto offset = static_cast<uint64_t>(static_cast<const uint8_t*>(p) - ub_base());
    if (offset % alignment != 0) {
        finding("misaligned",
                alignment == 32 ? "vector load or store: the UB address is no multiple of 32 bytes"
                                : "vector load or store: the UB address is no multiple of its element",
                "move the start to such a multiple");
    }
}

// `bytes` from UB. The pointer may be of any type of the element's size.
__simd_callee__ inline void load_bytes(void* to, const void* from, size_t bytes, uint64_t alignment) {
    check_address(from, alignment);
    vf_access(from, bytes, false);
    std::memcpy(to, from, bytes);
}
__simd_callee__ inline void store_bytes(void* to, const void* from, size_t bytes) {
    vf_access(to, bytes, true);
    std::memcpy(to, from, bytes);
}

// Stores elements whose mask bit is set, neighbours together.
template <class T>
__simd_callee__ inline void store_lanes(uint8_t* to, const T* from, int lanes, const bool* active) {
    for (int i = 0; i < lanes;) {
        int end = i;
        while (end < lanes && active[end]) ++end;
        if (end > i) store_bytes(to + i * sizeof(T), from + i, (end - i) * sizeof(T));
        i = end + 1;
    }
}

template <class T>
__simd_callee__ inline void store_masked(void* to, const T* from, int lanes, const Mask& mask, int mask_bits) {
    bool active[kRegisterBytes];
    for (int i = 0; i < lanes; ++i) active[i] = mask.bit(i * mask_bits);
    store_lanes(static_cast<uint8_t*>(to), from, lanes, active);
}

}  // namespace aicore::c_api
