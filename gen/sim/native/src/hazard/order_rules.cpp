#include "hazard/order_rules.h"

#include "launch/profile.h"

namespace aicore::engine {

bool ordered_in_pipe(const Access& first, const Actor& second) {
    if (first.order_class != 0 && first.order_class == second.order_class) return true;
    switch (pipe_of_lane(second.lane)) {
        case Pipe::v:
            return profile().vector_in_order();
        // Only a small Mmad that accumulates into what the one before still computes needs a barrier
        // (asc-devkit, docs, 矩阵计算（ISASI）/Mmad计算/Mmad).
        case Pipe::m:
            return !(first.write && !second.write);
        // Transfers start in order but do not end in order: overlapping destinations need PipeBarrier
        // (asc-devkit, docs, 同步控制/核内同步).
        case Pipe::mte2:
        case Pipe::mte3:
            return !(first.write && second.write);
        default:
            return true;
    }
}

// With --cce-auto-sync bisheng puts events between the scalar unit and V, MTE2, MTE3 of an AIV.
static bool auto_synced(Pipe a, Pipe b) {
    if (a != Pipe::s && b != Pipe::s) return false;
    Pipe other = a == Pipe::s ? b : a;
    return other == Pipe::v || other == Pipe::mte2 || other == Pipe::mte3;
}

bool ordered_by_hardware(int first_lane, uint8_t first_unit_flag, int second_lane, uint8_t second_unit_flag) {
    int unit = unit_of_lane(first_lane);
    if (unit != unit_of_lane(second_lane)) return false;
    Pipe a = pipe_of_lane(first_lane), b = pipe_of_lane(second_lane);
    if (profile().auto_sync && unit != 0 && auto_synced(a, b)) return true;
    bool cube_pair = (a == Pipe::m && b == Pipe::fix) || (a == Pipe::fix && b == Pipe::m);
    return cube_pair && first_unit_flag != 0 && second_unit_flag != 0;
}

}  // namespace aicore::engine
