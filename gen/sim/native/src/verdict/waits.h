// Who waits for whom when a block can never go on.
#pragma once

#include <string>
#include <vector>

#include "replay/group.h"

namespace aicore::engine {

// The first operation of a pipe, which is blocked, and the pipes that have to go on before it can.
struct Waiter {
    const Core* core = nullptr;
    const Op* op = nullptr;
    int lane = 0;
    std::vector<int> on;
    bool hopeless = false;  // nothing that was issued could ever free it
    bool others = false;    // only other blocks could
    int mode = 0;           // of a flag between cores
    int partner = -1;       // unit that fails to set a flag between cores
    std::string why;

    // A wait that somebody wrote, and not an instruction or a barrier behind one.
    bool written() const;
    bool in_core() const {
        return op->kind != OpKind::cross_wait && op->kind != OpKind::sync_all && op->kind != OpKind::word_signal &&
               op->kind != OpKind::word_wait;
    }
};

std::vector<Waiter> find_waiters(const Group& group);
// The shortest circle of waits that starts at the earliest written wait of any circle; empty if there is none.
std::vector<const Waiter*> find_circle(const std::vector<Waiter>& all);

}  // namespace aicore::engine
