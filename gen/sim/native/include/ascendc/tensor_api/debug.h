// Output of a running kernel: PRINTF, printf, DumpTensor.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>

#include "ascendc/tensor_api/sync.h"

namespace aicore::ascendc {

// Arguments of 16-bit and 8-bit floating-point types are printed as numbers, as on the device.
template <class T>
auto printable(T value) {
    if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>) {
        return static_cast<double>(static_cast<float>(value));
    } else if constexpr (std::is_same_v<T, fp8_e4m3fn_t>) {
        return static_cast<double>(from_e4m3(value.bits));
    } else if constexpr (std::is_same_v<T, fp8_e5m2_t>) {
        return static_cast<double>(from_e5m2(value.bits));
    } else if constexpr (std::is_same_v<T, fp8_e8m0_t>) {
        return static_cast<double>(from_e8m0(value.bits));
    } else if constexpr (std::is_same_v<T, hifloat8_t>) {
        return static_cast<double>(from_hif8(value.bits));
    } else {
        return value;
    }
}

// Whole lines, each with the core that says it: cores print at the same time, and some never come to their end.
inline void say(const std::string& text) {
    const aicore::CoreInfo& me = aicore::core();
    const char* unit = me.kind == aicore::CoreKind::aiv ? "AIV" : "AIC";
    const std::string core = unit + std::to_string(me.sub_block) + " of block " + std::to_string(me.block) + ": ";
    std::string lines;
    for (size_t at = 0; at < text.size();) {
        size_t end = std::min(text.find('\n', at), text.size());
        lines += core + text.substr(at, end - at) + '\n';
        at = end + 1;
    }
    std::fwrite(lines.data(), 1, lines.size(), stdout);
    std::fflush(stdout);
}

template <class... Args>
std::string formatted(const char* format, Args... args) {
    const int size = std::snprintf(nullptr, 0, format, args...);
    std::string text(static_cast<size_t>(std::max(size, 0)), '\0');
    std::snprintf(text.data(), text.size() + 1, format, args...);
    return text;
}

inline bool is_dumped(Space space, size_t elem) {
    if (space == Space::bt || (space == Space::fb && elem == 8)) return kChip == Chip::dav3510;
    return space == Space::ub || space == Space::l1 || space == Space::l0c;
}

// FB keeps the fields of a factor only: its offset, its scale and its width (docs, DumpTensor).
inline constexpr uint64_t kFactorFields = 0x00007fe0ffffe0ff;

template <class Element>
void dump(uint32_t desc, uint32_t count, Element element) {
    std::string text = "DumpTensor " + std::to_string(desc) + ":";
    for (uint32_t i = 0; i < count; ++i) text += formatted(" %g", static_cast<double>(printable(element(i))));
    say(text);
}

}  // namespace aicore::ascendc

namespace AscendC {

template <class... Args>
void PRINTF(const char* format, Args... args) {
    if constexpr (sizeof...(Args) == 0) {
        aicore::ascendc::say(format);
    } else {
        aicore::ascendc::say(aicore::ascendc::formatted(format, aicore::ascendc::printable(args)...));
    }
}
template <class... Args>
void printf(const char* format, Args... args) {
    PRINTF(format, args...);
}

// The first `count` elements of a tensor, with a number that tells the calls apart.
template <class T>
void DumpTensor(const GlobalTensor<T>& tensor, uint32_t desc, uint32_t count) {
    aicore::ascendc::dump(desc, count, [&](uint32_t i) { return tensor.GetValue(i); });
}
// A tensor on the chip is copied out between barriers of all pipes, by the core that has its memory (asc-devkit,
// impl/utils/debug/asc_aicore_dump_impl.h); the elements come in the order of the memory.
template <class T>
void DumpTensor(const LocalTensor<T>& tensor, uint32_t desc, uint32_t count) {
    const aicore::Space space = tensor.space();
    if (!aicore::ascendc::is_dumped(space, sizeof(T))) {
        aicore::unsupported(
            "AscendC::DumpTensor of a memory other than UB, L1, L0C and, on the 950, BT and factors in FB");
    }
    if (!aicore::ascendc::owns(space)) return;
    aicore::barrier_all();
    aicore::ascendc::dump(desc, count, [&](uint32_t i) {
        const T value = tensor.dumped(i);
        if constexpr (std::is_same_v<T, uint64_t>) {
            if (space == aicore::Space::fb) return value & aicore::ascendc::kFactorFields;
        }
        return value;
    });
}
template <class Tensor>
void DumpTensor(const Tensor& tensor, uint32_t desc, uint32_t count, const ShapeInfo&) {
    DumpTensor(tensor, desc, count);
}

}  // namespace AscendC
