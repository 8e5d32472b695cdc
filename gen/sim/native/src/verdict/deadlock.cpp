// A block that can never go on: which wait is to blame, or which circle of them.
#include <cinttypes>

#include "launch/launch.h"
#include "launch/profile.h"
#include "replay/group.h"
#include "verdict/waits.h"
#include "verdict/words.h"

namespace aicore::engine {

namespace {

std::string pipe_word(const Waiter& w) { return text("%s %s", unit_word(w.core->unit), word(w.op->pipe)); }

Place place_of(const Waiter& w) { return {op_word(*w.op), word(w.op->pipe), w.op->site}; }

FlagName flag_of(const Waiter& w) { return {w.core->unit, w.op->other, w.op->pipe, w.op->id}; }

std::string edge_of(const Core& core, const Op& op) {
    if (op.kind == OpKind::wait_flag) return edge_word(core.lane_id(op.other), core.lane_id(op.pipe));
    return text("other cores→%s %s", unit_word(core.unit), word(op.pipe));
}

constexpr size_t kMostNamed = 3;  // waits of a deadlock that a message explains

std::string wait_word(const Waiter& w) { return text("%s at %s", pipe_word(w).c_str(), op_word(*w.op).c_str()); }

// The wait to blame, and the pipes that stand behind it.
std::string blocked(const std::vector<Waiter>& all) {
    std::string list = text("%s waits for ever at %s (%s)", pipe_word(all.front()).c_str(),
                            op_word(*all.front().op).c_str(), all.front().why.c_str());
    std::string behind;
    for (size_t i = 1; i < all.size(); ++i) behind += (i == 1 ? "" : ", ") + pipe_word(all[i]);
    if (!behind.empty()) list += text("; %s %s behind it", behind.c_str(), all.size() == 2 ? "stands" : "stand");
    return list;
}

// Each wait of a circle with what it waits for.
std::string chain(const std::vector<const Waiter*>& circle) {
    std::string list;
    size_t named = 0, left = 0;
    for (const Waiter* w : circle) {
        if (!w->written() && w->op->epoch > w->core->epochs_done) continue;  // only issued after another of them
        if (++named > kMostNamed) {
            ++left;
            continue;
        }
        list += text("%s%s (%s)", list.empty() ? "" : ", ", wait_word(*w).c_str(), w->why.c_str());
    }
    return left ? list + text(" and %zu more", left) : list;
}

// Has another id of the flag's pipes been set before it was waited for, as this one has not?
bool others_primed(const Waiter& w) {
    bool found = false;
    w.core->flags.each([&](Pipe from, int id, const Flag& flag) {
        bool other = from == w.op->other && id != w.op->id && flag.taken.to == w.op->pipe;
        found |= other && flag.sets > 0 && flag.lowest >= 0;
    });
    return found;
}

// Does an access that is out of bounds wait in the circle? Then its index is the mistake, and the flag has it too.
bool around_outside(const std::vector<const Waiter*>& circle) {
    const Waiter& start = *circle.front();
    if (start.op->kind != OpKind::wait_flag || !others_primed(start)) return false;
    for (const Waiter* w : circle) {
        for (const Op* o = w->op; o; o = o->next) {
            if (o->outside) return true;
        }
    }
    return false;
}

// The pipe of the next instruction behind a wait, for which it most likely waits.
const Op* next_instruction(const Waiter& w) {
    const Op* next = nullptr;
    for (const Lane& lane : w.core->lanes) {
        for (const Op* o = lane.head; o; o = o->next) {
            if (o->index <= w.op->index || (o->kind != OpKind::instr && o->kind != OpKind::vector_function)) continue;
            if (!next || o->index < next->index) next = o;
            break;
        }
    }
    return next;
}

Remedy set_for(const Waiter& w) {
    Remedy r = set_once_more(flag_of(w));
    if (const Op* next = next_instruction(w)) r.fix.with("next", word(next->pipe));
    return r;
}

Remedy satisfy(const Waiter& w) {
    const Op& op = *w.op;
    switch (op.kind) {
        case OpKind::wait_flag:
            return set_for(w);
        case OpKind::cross_wait:
            return set_cross_once_more(w.core->unit,
                                       w.partner >= 0      ? w.partner
                                       : w.core->unit == 0 ? 1
                                                           : 0,
                                       w.mode, op.id);
        case OpKind::sync_all:
            return {"let every core come to SyncAll equally often", {}};
        case OpKind::word_signal:
        case OpKind::word_wait:
            return {"let one core signal and the other wait equally often, both with the same arguments", {}};
        default:
            return {"let what it waits for end", {}};
    }
}

// The wait that took a set too many: in a loop an earlier one than the one that found none left.
uint32_t culprit(const Waiter& w) {
    bool strict = profile().flag_identity == FlagIdentity::strict;
    const Flag* flag = w.core->flags.find(w.op->other, w.op->pipe, w.op->id, strict);
    return flag && flag->lowest < 0 ? flag->short_site : w.op->site;
}

Finding lonely_wait(const std::vector<Waiter>& all) {
    const Waiter& root = all.front();
    Finding f;
    f.code = "wait-without-set";
    f.edge = edge_of(*root.core, *root.op);
    f.remedy = satisfy(root);
    f.first = place_of(root);
    f.links.others = root.others;
    if (root.op->kind == OpKind::wait_flag && root.hopeless) {
        f.first.site = culprit(root);
        f.links.flag = flag_of(root);
    }
    if (all.size() > 1) f.second = place_of(all[1]);
    return f;
}

Remedy cut(const Waiter& start) {
    const Op& op = *start.op;
    switch (op.kind) {
        case OpKind::wait_flag:
            return prime(flag_of(start));
        case OpKind::cross_wait: {
            int partner = unit_of_lane(start.on.front());
            Remedy r = set_cross_once_more(start.core->unit, partner, start.mode, op.id);
            r.text = text("let %s set flag %d before it waits for anything that comes after this wait",
                          unit_word(partner), op.id);
            return r;
        }
        default:
            return {"change the order of the two, so that one of them can go on", Fix("order")};
    }
}

Finding circular_wait(const std::vector<const Waiter*>& circle) {
    Finding f;
    f.code = "circular-wait";
    bool one_core = true;
    for (const Waiter* w : circle) one_core &= w->core == circle.front()->core;
    auto add = [&](const Waiter& w) {
        f.edge += (f.edge.empty() ? "" : "→") + (one_core ? word(w.op->pipe) : pipe_word(w));
    };
    for (const Waiter* w : circle) {
        if (w->written() || w->op->epoch <= w->core->epochs_done) add(*w);  // the rest is only issued after it
    }
    add(*circle.front());
    f.links.behind_outside = around_outside(circle);
    f.remedy = cut(*circle.front());
    f.first = place_of(*circle.front());
    for (size_t i = circle.size(); i-- > 1;) {
        if (circle[i]->written()) f.second = place_of(*circle[i]);
    }
    if (circle.front()->op->kind == OpKind::wait_flag) f.links.flag = flag_of(*circle.front());
    return f;
}

}  // namespace

void report_deadlock(Group& group) {
    group.stuck = true;
    std::vector<Waiter> all = find_waiters(group);
    if (all.empty()) return;
    bool alone = all.front().hopeless && !all.front().others;
    std::vector<const Waiter*> circle;
    if (!alone) circle = find_circle(all);
    Finding f = circle.empty() ? lonely_wait(all) : circular_wait(circle);
    f.message = circle.empty() ? "deadlock: " + blocked(all) : "deadlock, each waits for the next: " + chain(circle);
    f.core = group.where(circle.empty() ? *all.front().core : *circle.front()->core);
    group.findings.add(std::move(f));
}

static void report_missing_cores(Group& group, const Core& core, const Op& op, const std::string& why,
                                 const char* remedy) {
    std::string edge = edge_of(core, op);
    if (group.findings.known("wait-without-set", edge, op.site, 0)) return;
    Finding f;
    f.code = "wait-without-set";
    f.edge = edge;
    f.message = op_word(op) + " waits for " + why;
    f.remedy.text = remedy;
    f.core = group.where(core);
    f.first = {op_word(op), word(op.pipe), op.site};
    group.findings.add(std::move(f));
}

void report_not_resident(Group& group, const Core& core, const Op& op) {
    std::string why = text("all %" PRIu32 " blocks, but at most %" PRIu32
                           " run at a time on this chip, and the others start when one of them ends",
                           group.launch->blocks(), group.launch->resident_blocks());
    report_missing_cores(group, core, op, why, "launch no more blocks than cores and let each block do several tiles");
}

// Source: SyncAll (asc-devkit, docs): in a kernel of vector cores only, isAIVOnly has to be true, or it never ends.
void report_no_aic(Group& group, const Core& core, const Op& op) {
    report_missing_cores(group, core, op, "the cube cores, too, and this kernel has none",
                         "write SyncAll(), which is for vector cores only");
}

}  // namespace aicore::engine
