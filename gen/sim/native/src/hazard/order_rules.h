// Which conflicting accesses the hardware, or the compiler, orders without an event.
#pragma once

#include "hazard/access.h"
#include "record/op.h"
#include "replay/clock.h"

namespace aicore::engine {

// What the later access is, as far as order is concerned.
struct Actor {
    int lane = 0;
    bool write = false;
    bool atomic = false;
    uint8_t order_class = 0;
    uint8_t unit_flag = 0;
};

// Both accesses are of one pipe, which was not drained between them.
bool ordered_in_pipe(const Access& first, const Actor& second);
// Different pipes of one core.
bool ordered_by_hardware(int first_lane, uint8_t first_unit_flag, int second_lane, uint8_t second_unit_flag);

}  // namespace aicore::engine
