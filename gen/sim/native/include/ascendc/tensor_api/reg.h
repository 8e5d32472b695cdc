// Vector functions on registers (dav-3510): asc_vf_call and what a function may call of AscendC::Reg.
// A register holds 256 bytes. Lanes outside of a mask give 0, and are not stored.
// Source: asc-devkit, docs SIMD-API / basic API / Reg vector compute.
#pragma once

#include <cmath>
#include <tuple>
#include <type_traits>

#include "ascendc/tensor_api/core_state.h"
#include "ascendc/tensor_api/scalar.h"

#define __simd_vf__
#define __simd_callee__

namespace aicore::ascendc {

// No memory on the chip reaches up to here, and no host object lies below.
inline constexpr uintptr_t kOnChipEnd = 1 << 20;

template <class A>
A rebased(A argument) {
    if constexpr (std::is_pointer_v<A>) {
        const auto offset = reinterpret_cast<uintptr_t>(argument);
        if (offset < kOnChipEnd) return reinterpret_cast<A>(ub_base() + offset);
    }
    return argument;
}

// What the pointers among the arguments of a vector function may reach: the allocations that the kernel took their
// addresses from.
struct Within {
    Extent pieces[Taken::kMost];
    size_t count;
    bool unknown;

    template <class A>
    void see(A argument) {
        if constexpr (std::is_pointer_v<A>) {
            const auto at = reinterpret_cast<uintptr_t>(argument);
            if (at < kOnChipEnd) see_address(at);
        }
    }
    void see_address(uintptr_t at) {
        const Taken& taken = state().taken;
        bool found = false;
        for (uint32_t i = 0; i < taken.count; ++i) {
            const auto& piece = taken.pieces[i];
            if (at < piece.lo || at > piece.hi) continue;
            unknown |= count == Taken::kMost || piece.hi == UINT32_MAX;
            if (!unknown) pieces[count++] = {Space::ub, piece.lo, piece.hi};
            found = true;
        }
        unknown |= !found || taken.too_many;
    }
};

template <auto F>
struct VectorFunction;
template <class... P, void (*F)(P...)>
struct VectorFunction<F> {
    using Arguments = std::tuple<std::remove_cv_t<P>...>;
    struct Call {
        Arguments arguments;
        Within within;
    };
    static void run(const void* issued) {
        const Call& call = *static_cast<const Call*>(issued);
        if (!call.within.unknown) vf_within(call.within.pieces, call.within.count, false);
        std::apply([](auto... a) { F(rebased(a)...); }, call.arguments);
    }
    static void issue(P... arguments) {
        if (!on_aiv()) return;
        Call call{Arguments{arguments...}, {}};
        (call.within.see(arguments), ...);
        vector_function("asc_vf_call", &run, &call, sizeof call);
    }
};

}  // namespace aicore::ascendc

template <auto F, class... A>
inline void asc_vf_call(A... arguments) {
    aicore::ascendc::VectorFunction<F>::issue(arguments...);
}

namespace AscendC {

constexpr uint32_t GetVecLen() { return 256; }

namespace Reg {

template <class T>
struct RegTensor {
    static constexpr uint32_t kLanes = 256 / sizeof(T);
    T lane[kLanes];
};
// One bit per byte of a register.
struct MaskReg {
    bool byte[256];
};
enum class MaskPattern { ALL, VL1, VL2, VL3, VL4, VL8, VL16, VL32, VL64, VL128, ALLF };

template <class T>
MaskReg mask_of(uint32_t lanes) {
    MaskReg mask{};
    for (uint32_t i = 0; i < lanes * sizeof(T) && i < 256; ++i) mask.byte[i] = true;
    return mask;
}
template <class T, MaskPattern pattern = MaskPattern::ALL>
MaskReg CreateMask() {
    constexpr uint32_t kLanes[] = {256, 1, 2, 3, 4, 8, 16, 32, 64, 128, 0};
    return mask_of<T>(kLanes[static_cast<int>(pattern)]);
}
// The first `count` lanes; `count` goes down by what a register holds.
template <class T>
MaskReg UpdateMask(uint32_t& count) {
    const uint32_t most = RegTensor<T>::kLanes, lanes = count < most ? count : most;
    count -= lanes;
    return mask_of<T>(lanes);
}

inline void check_address(const void* at, uint64_t alignment) {
    const auto offset = static_cast<uint64_t>(static_cast<const uint8_t*>(at) - aicore::ub_base());
    if (offset % alignment != 0) {
        aicore::finding("misaligned", "vector load or store: the UB address is no multiple of 32 bytes",
                        "move the start to such a multiple");
    }
}

template <class T>
void LoadAlign(RegTensor<T>& dst, const __ubuf__ T* src) {
    check_address(src, 32);
    aicore::vf_access(src, sizeof dst.lane, false);
    std::memcpy(dst.lane, src, sizeof dst.lane);
}
template <class T>
void StoreAlign(__ubuf__ T* dst, const RegTensor<T>& src, const MaskReg& mask) {
    check_address(dst, 32);
    for (uint32_t i = 0; i < RegTensor<T>::kLanes;) {
        uint32_t end = i;
        while (end < RegTensor<T>::kLanes && mask.byte[end * sizeof(T)]) ++end;
        if (end > i) {
            aicore::vf_access(dst + i, (end - i) * sizeof(T), true);
            std::memcpy(dst + i, src.lane + i, (end - i) * sizeof(T));
        }
        i = end + 1;
    }
}

template <class T>
void Duplicate(RegTensor<T>& dst, T scalar, const MaskReg& mask) {
    for (uint32_t i = 0; i < dst.kLanes; ++i) dst.lane[i] = mask.byte[i * sizeof(T)] ? scalar : T(0);
}

#define AICORE_REG_BINARY(NAME, EXPRESSION)                                                                 \
    template <class T>                                                                                      \
    void NAME(RegTensor<T>& dst, const RegTensor<T>& src0, const RegTensor<T>& src1, const MaskReg& mask) { \
        for (uint32_t i = 0; i < dst.kLanes; ++i) {                                                         \
            const T a = src0.lane[i], b = src1.lane[i];                                                     \
            dst.lane[i] = mask.byte[i * sizeof(T)] ? T(EXPRESSION) : T(0);                                  \
        }                                                                                                   \
    }                                                                                                       \
    template <class T>                                                                                      \
    void NAME##s(RegTensor<T>& dst, const RegTensor<T>& src, T b, const MaskReg& mask) {                    \
        for (uint32_t i = 0; i < dst.kLanes; ++i) {                                                         \
            const T a = src.lane[i];                                                                        \
            dst.lane[i] = mask.byte[i * sizeof(T)] ? T(EXPRESSION) : T(0);                                  \
        }                                                                                                   \
    }
AICORE_REG_BINARY(Add, a + b)
AICORE_REG_BINARY(Sub, a - b)
AICORE_REG_BINARY(Mul, a* b)
AICORE_REG_BINARY(Div, a / b)
AICORE_REG_BINARY(Max, a > b ? a : b)
AICORE_REG_BINARY(Min, a < b ? a : b)
#undef AICORE_REG_BINARY

#define AICORE_REG_UNARY(NAME, EXPRESSION)                                       \
    template <class T>                                                           \
    void NAME(RegTensor<T>& dst, const RegTensor<T>& src, const MaskReg& mask) { \
        for (uint32_t i = 0; i < dst.kLanes; ++i) {                              \
            const float x = static_cast<float>(src.lane[i]);                     \
            dst.lane[i] = mask.byte[i * sizeof(T)] ? T(EXPRESSION) : T(0);       \
        }                                                                        \
    }
AICORE_REG_UNARY(Exp, std::exp(x))
AICORE_REG_UNARY(Ln, std::log(x))
AICORE_REG_UNARY(Sqrt, std::sqrt(x))
AICORE_REG_UNARY(Abs, std::fabs(x))
AICORE_REG_UNARY(Relu, x > 0 ? x : 0.0f)
#undef AICORE_REG_UNARY

}  // namespace Reg
namespace MicroAPI = Reg;

}  // namespace AscendC
