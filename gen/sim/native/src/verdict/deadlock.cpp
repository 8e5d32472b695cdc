// A block that can never go on: which pipes wait, for what, and what is missing.
#include <algorithm>
#include <cinttypes>

#include "launch/launch.h"
#include "launch/profile.h"
#include "replay/group.h"
#include "verdict/words.h"

namespace aicore::engine {

namespace {

struct Blocked {
    const Core* core;
    const Op* op;
    bool root;  // nothing that was issued could ever free it
    std::string why;
};

bool set_is_queued(const Core& core, const Op& wait) {
    bool strict = profile().flag_identity == FlagIdentity::strict;
    for (const Op* o = core.lanes[static_cast<int>(wait.other)].head; o; o = o->next) {
        if (o->kind == OpKind::set_flag && o->id == wait.id && (strict || o->other == wait.pipe)) return true;
    }
    return false;
}

// The next operation of the core that the replay has not executed and that precedes `op` in program order.
const Op* earlier(const Core& core, const Op& op) {
    const Op* found = nullptr;
    for (const Lane& lane : core.lanes) {
        if (lane.head && lane.head->index < op.index && (!found || lane.head->index < found->index)) found = lane.head;
    }
    return found;
}

std::string blocks_missing(const Core& core, const Op& op) {
    uint32_t came = 0, of = 0;
    core.group->launch->inter().missing_sync(op.blocking, core.sync_rounds[op.blocking], came, of);
    return text("only %" PRIu32 " of %" PRIu32 " cores come to it", came, of);
}

void explain(const Core& core, const Op& op, Blocked& out) {
    if (op.epoch > core.epochs_done) {
        out.why = "it is issued after something that the scalar unit waits for";
        return;
    }
    switch (op.kind) {
        case OpKind::wait_flag:
            out.root = !set_is_queued(core, op);
            out.why = out.root ? text("no SetFlag %s→%s, id %d is left that it could take", word(op.other),
                                      word(op.pipe), op.id)
                               : text("its SetFlag is queued on %s, which waits too", word(op.other));
            return;
        case OpKind::cross_wait:
            out.root = true;
            out.why = text("no partner core sets it once more");
            return;
        case OpKind::sync_all:
            out.root = core.idle() || op.arrived;
            out.why = blocks_missing(core, op);
            return;
        case OpKind::mutex_lock:
            out.why = "an unlock before it in program order is never reached";
            return;
        default:
            if (const Op* o = earlier(core, op)) out.why = text("%s before it never ends", op_word(*o).c_str());
    }
}

std::vector<Blocked> find_blocked(const Group& group) {
    std::vector<Blocked> all;
    for (const Core& core : group.cores) {
        for (const Lane& lane : core.lanes) {
            if (!lane.head) continue;
            Blocked b{&core, lane.head, false, ""};
            explain(core, *lane.head, b);
            all.push_back(std::move(b));
        }
    }
    // What misses its partner first, then by program order.
    std::stable_sort(all.begin(), all.end(), [](const Blocked& a, const Blocked& b) {
        return a.root != b.root ? a.root : a.op->index < b.op->index;
    });
    return all;
}

Remedy advice(const Blocked& root) {
    const Op& op = *root.op;
    int unit = root.core->unit;
    FlagName flag{unit, op.other, op.pipe, op.id};
    switch (op.kind) {
        case OpKind::wait_flag:
            return root.root ? set_once_more(flag) : prime(flag);
        case OpKind::cross_wait:
            return set_cross_once_more(unit, unit == 0 ? 1 : 0, op.mode, op.id);
        case OpKind::sync_all:
            return {"let every core come to SyncAll equally often", {}};
        case OpKind::mutex_lock:
            return {text("unlock buffer mutex %d on the pipe that holds it before this lock", op.id), {}};
        default:
            return {"break the circle of waits", Fix("order")};
    }
}

std::string edge_of(const Core& core, const Op& op) {
    if (op.kind == OpKind::wait_flag) return edge_word(core.lane_id(op.other), core.lane_id(op.pipe));
    return text("other cores→%s %s", unit_word(core.unit), word(op.pipe));
}

Place place_of(const Blocked& b) { return {op_word(*b.op), word(b.op->pipe), b.op->site}; }

}  // namespace

void report_deadlock(Group& group) {
    group.stuck = true;
    std::vector<Blocked> all = find_blocked(group);
    if (all.empty()) return;
    Finding f;
    f.code = "wait-without-set";
    const Op& root = *all.front().op;
    f.edge = edge_of(*all.front().core, root);
    std::string list;
    for (const Blocked& b : all) {
        if (b.op->epoch > b.core->epochs_done && all.size() > 3) continue;
        list += text("%s%s %s: %s (%s)", list.empty() ? "" : "; ", unit_word(b.core->unit), word(b.op->pipe),
                     op_word(*b.op).c_str(), b.why.c_str());
    }
    f.message = text("deadlock. Blocked: %s", list.c_str());
    f.remedy = advice(all.front());
    f.core = group.where(*all.front().core);
    f.first = place_of(all.front());
    if (all.size() > 1) f.second = place_of(all[1]);
    group.findings.add(std::move(f));
}

void report_not_resident(Group& group, const Core& core, const Op& op) {
    std::string edge = edge_of(core, op);
    if (group.findings.known("wait-without-set", edge, op.site, 0)) return;
    Finding f;
    f.code = "wait-without-set";
    f.edge = edge;
    f.message = text("%s waits for all %" PRIu32 " blocks, but at most %" PRIu32
                     " run at a time on this chip, and the others start when one of them ends",
                     op_word(op).c_str(), group.launch->blocks(), group.launch->resident_blocks());
    f.remedy.text = "launch no more blocks than cores and let each block do several tiles";
    f.core = group.where(core);
    f.first = {op_word(op), word(op.pipe), op.site};
    group.findings.add(std::move(f));
}

}  // namespace aicore::engine
