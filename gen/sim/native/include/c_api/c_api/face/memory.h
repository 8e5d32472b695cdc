// Pointers of the C API as positions in the model's memories, and checks that every copy shares.
#pragma once

#include <cstdint>
#include <type_traits>

#include "aicore/core.h"
#include "aicore/ops.h"
#include "c_api/face/core_state.h"
#include "c_api/face/float8.h"

namespace aicore::c_api {

inline uint64_t address(const volatile void* p) { return reinterpret_cast<uintptr_t>(p); }

inline ops::Mem gm(const volatile void* p) { return {Space::gm, address(p)}; }

// An on-chip pointer is a byte offset. No memory on the chip has more bytes than kOnChip; a pointer into the n-th array
// that the kernel declares in UB is n * kOnChip higher, so that whatever is added to it still tells where it comes
// from.
inline constexpr uint64_t kOnChip = 1 << 20;
inline constexpr uint64_t kOnChipEnd = (kMostArrays + 1) * kOnChip;  // no host object lies below

inline uint64_t offset_of(const volatile void* p) { return address(p) % kOnChip; }
inline const UbArray* array_of(const volatile void* p) {
    const uint64_t n = address(p) / kOnChip;
    return n == 0 || n > state().array_count ? nullptr : &state().arrays[n - 1];
}

// `unit` names the core where it is not the caller's own.
inline ops::Mem on_chip(Space space, const volatile void* p, Unit unit = Unit::self) {
    ops::Mem m;
    m.space = space;
    m.addr = offset_of(p);
    m.unit = unit;
    if (const UbArray* array = array_of(p)) m.lo = array->offset, m.hi = array->offset + array->bytes;
    return m;
}

// Element types that the Cube and FIXPIPE paths of the model know.
template <class T>
constexpr bool kHasDType =
    std::is_same_v<T, float> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t> || std::is_integral_v<T>;

template <class T>
constexpr ops::DType dtype() {
    static_assert(kHasDType<T>);
    if constexpr (std::is_same_v<T, float>) return ops::DType::f32;
    if constexpr (std::is_same_v<T, half>) return ops::DType::f16;
    if constexpr (std::is_same_v<T, bfloat16_t>) return ops::DType::bf16;
    if constexpr (std::is_integral_v<T>) {
        constexpr bool s = std::is_signed_v<T>;
        if constexpr (sizeof(T) == 8) return s ? ops::DType::i64 : ops::DType::u64;
        if constexpr (sizeof(T) == 4) return s ? ops::DType::i32 : ops::DType::u32;
        if constexpr (sizeof(T) == 2) return s ? ops::DType::i16 : ops::DType::u16;
        if constexpr (sizeof(T) == 1) return s ? ops::DType::i8 : ops::DType::u8;
    }
}

// The same with the 8-bit floats that only the Cube multiplies.
template <class T>
constexpr bool kIsCubeFloat8 =
    std::is_same_v<T, float8_e4m3_t> || std::is_same_v<T, float8_e5m2_t> || std::is_same_v<T, hifloat8_t>;
template <class T>
constexpr bool kHasCubeType = kHasDType<T> || kIsCubeFloat8<T>;
// Two in a byte; products of these, and of those of 8 bits that are no HiF8, may have factors (MX).
template <class T>
constexpr bool kIsFloat4 = std::is_same_v<T, float4_e2m1x2_t> || std::is_same_v<T, float4_e1m2x2_t>;
template <class T>
constexpr bool kIsScalable8 = kIsCubeFloat8<T> && !std::is_same_v<T, hifloat8_t>;
template <class T>
constexpr ops::DType cube_dtype() {
    if constexpr (std::is_same_v<T, float8_e4m3_t>) return ops::DType::e4m3;
    if constexpr (std::is_same_v<T, float8_e5m2_t>) return ops::DType::e5m2;
    if constexpr (std::is_same_v<T, hifloat8_t>) return ops::DType::hif8;
    if constexpr (std::is_same_v<T, float4_e2m1x2_t>) return ops::DType::e2m1;
    if constexpr (std::is_same_v<T, float4_e1m2x2_t>) return ops::DType::e1m2;
    if constexpr (kHasDType<T>) return dtype<T>();
}

// A count outside what the instruction's field can hold: reported, and the call does nothing.
inline bool in_range(int64_t value, int64_t most, const char* message) {
    if (value >= 0 && value <= most) return true;
    finding("argument-range", message, "split the call into several that fit");
    return false;
}

// A pitch in UB must be a multiple of 32 bytes unless rows follow each other without a gap
// (asc-devkit, docs/zh/api/SIMD-API/C-API/vector_datamove, asc_copy_gm2ub_align for dav-3510).
inline void check_ub_pitch(int64_t rows, uint64_t row_bytes, int64_t pitch, const char* message) {
    if (rows > 1 && pitch % 32 != 0 && pitch != static_cast<int64_t>(row_bytes))
        finding("misaligned", message, "round the pitch up to a multiple of 32 bytes");
}

// The data cache of SIMT threads takes 32 KiB of the 248 KiB of UB that a kernel has (tile-ai/tilelang 0.1.15, limits
// of its scheduler; asc-devkit, docs/zh/api/SIMD-API/C-API, general notes on memories).
inline constexpr uint64_t kUb = 253952;
inline constexpr uint64_t kUbBesideThreads = 221184;

inline void check_ub() {
    CoreState& s = state();
    if (s.ub_overflow_told || s.ub_end <= (s.runs_threads ? kUbBesideThreads : kUb)) return;
    if (s.ub_end > capacity(Space::ub)) return;  // out of bounds
    s.ub_overflow_told = true;
    finding("overflow",
            s.runs_threads ? "UB: a kernel with SIMT functions may use bytes 0..221183"
                           : "UB: a kernel may use bytes 0..253951",
            "use fewer or smaller buffers");
}
inline void note_ub(const volatile void* start, int64_t rows, int64_t pitch, uint64_t row_bytes) {
    CoreState& s = state();
    const uint64_t end = offset_of(start) + static_cast<uint64_t>((rows - 1) * pitch) + row_bytes;
    if (end <= s.ub_end) return;
    s.ub_end = end;
    check_ub();
}
inline void note_threads() {
    if (state().runs_threads) return;
    state().runs_threads = true;
    check_ub();
}

}  // namespace aicore::c_api
