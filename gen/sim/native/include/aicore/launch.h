// AICORE_LAUNCH(kernel, kind, grid)(arguments...): what `kernel<<<grid, ...>>>(arguments...)` is rewritten to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "aicore/core.h"

namespace aicore {

// Calls `Kernel` with a copy of the arguments on every core.
template <class Kernel>
class Launcher {
public:
    Launcher(const char* name, KernelKind kind, uint32_t grid, Kernel kernel)
        : name_(name), kind_(kind), grid_(grid), kernel_(kernel) {}

    template <class... Args>
    void operator()(Args&&... args) const {
        using Packed = std::tuple<Kernel, std::decay_t<Args>...>;
        Packed packed(kernel_, std::forward<Args>(args)...);
        const void* tensors[sizeof...(Args) + 1] = {};
        size_t count = 0;
        (keep_pointer(args, tensors, count), ...);
        launch(name_, kind_, grid_, &call<Packed>, &packed, tensors, count);
    }

private:
    template <class Arg>
    static void keep_pointer(const Arg& arg, const void** tensors, size_t& count) {
        if constexpr (std::is_convertible_v<const Arg&, const void*>) tensors[count++] = static_cast<const void*>(arg);
    }
    template <class Packed>
    static void call(const void* packed) {
        std::apply([](const auto& kernel, const auto&... args) { kernel(args...); },
                   *static_cast<const Packed*>(packed));
    }

    const char* name_;
    KernelKind kind_;
    uint32_t grid_;
    Kernel kernel_;
};

}  // namespace aicore

#define AICORE_LAUNCH(kernel, kind, grid)                                                \
    ::aicore::Launcher(#kernel, ::aicore::KernelKind::kind, static_cast<uint32_t>(grid), \
                       [](const auto&... args) { kernel(args...); })
