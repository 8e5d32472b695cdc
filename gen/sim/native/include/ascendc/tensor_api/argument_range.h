// Arguments that must fit a field of the instruction. What does not fit is reported and then carried out as it was
// meant, so that no other finding follows from it.
#pragma once

#include "ascendc/tensor_api/core_state.h"

namespace aicore::ascendc {

inline void check_range(const char* call, const char* argument, uint64_t value, uint64_t least, uint64_t most) {
    if (value >= least && value <= most) return;
    const Message message("%s: %s is %llu, and the instruction takes %llu to %llu", call, argument,
                          static_cast<unsigned long long>(value), static_cast<unsigned long long>(least),
                          static_cast<unsigned long long>(most));
    finding("argument-range", message.text, "split the call into several that fit");
}

// The number of repeats of a vector instruction, a field of 8 bits (asc-devkit, docs, high-dimensional forms,
// repeatTime). The API's parameter is a uint8_t that cuts off what does not fit; this one sees it.
class Repeat {
public:
    template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
    Repeat(T times) : times_(static_cast<uint32_t>(times)) {
        check_range("a vector instruction", "repeatTime", static_cast<uint64_t>(times), 0, 255);
    }
    operator uint32_t() const { return times_; }

private:
    uint32_t times_;
};

}  // namespace aicore::ascendc
