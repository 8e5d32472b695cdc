#include "record/flag_rules.h"

#include "launch/profile.h"
#include "replay/group.h"
#include "verdict/words.h"

namespace aicore::engine {

namespace {

constexpr int kReserved = 6;  // asc-devkit, docs, SetFlag-WaitFlag(ISASI): 6 and 7 belong to the framework

bool pipe_of_core(const Core& core, Pipe pipe) {
    if (core.unit == 0) return pipe != Pipe::v;
    return pipe != Pipe::m && pipe != Pipe::mte1 && pipe != Pipe::fix;
}

}  // namespace

const char* missing_pair(const Core& core, Pipe from, Pipe to) {
    bool old = profile().chip == Chip::dav2201;
    if (from == to) {
        bool known = from == Pipe::fix || (from == Pipe::v && old);
        return known ? nullptr : "a pipe cannot wait for itself on this chip, and the core may hang";
    }
    // On dav-3510 the calls of AscendC vanish on the core that lacks the pipe, so that both cores may run one text.
    bool vanishes = !old && core.info.mixed;
    if (!vanishes && !(pipe_of_core(core, from) && pipe_of_core(core, to))) return "this core lacks one of the pipes";
    bool product_and_store = (from == Pipe::m && to == Pipe::mte3) || (from == Pipe::mte3 && to == Pipe::m);
    return product_and_store ? "there is no flag between these two pipes" : nullptr;
}

void check_pair(Core& core, const Op& wait, const OpenSet* set) {
    const char* why = missing_pair(core, wait.other, wait.pipe);
    if (!why) return;
    Findings& findings = core.group->findings;
    std::string edge = edge_word(core.lane_id(wait.other), core.lane_id(wait.pipe));
    uint32_t first = set ? set->site : wait.site, second = set ? wait.site : 0;
    if (findings.known("flag-pair", edge, first, second)) return;
    Finding f;
    f.code = "flag-pair";
    f.edge = edge;
    f.message = text("the flag %s→%s: %s", word(wait.other), word(wait.pipe), why);
    if (wait.pipe == wait.other) {
        bool in_order = wait.pipe == Pipe::v;
        f.remedy.text = in_order ? "leave it out: the chip keeps vector instructions in order"
                                 : text("put a barrier of pipe %s there", word(wait.pipe));
    } else {
        f.remedy.text = "leave it out, or use pipes that this core has";
    }
    f.remedy.fix = Fix("remove");
    f.remedy.fix.with("from", word(wait.other)).with("to", word(wait.pipe)).with("id", wait.id);
    f.core = core.group->where(core);
    f.first = {set ? "SetFlag" : "WaitFlag", word(set ? wait.other : wait.pipe), first};
    if (set) f.second = {"WaitFlag", word(wait.pipe), wait.site};
    findings.add(std::move(f));
}

void check_reserved_id(Core& core, const Op& set) {
    if (!profile().deep || set.id < kReserved) return;
    Findings& findings = core.group->findings;
    std::string edge = edge_word(core.lane_id(set.pipe), core.lane_id(set.other));
    if (findings.known("flag-id", edge, set.site, 0)) return;
    Finding f;
    f.code = "flag-id";
    f.note = true;
    f.edge = edge;
    f.message =
        text("%s: the documents leave ids %d and %d to the framework", op_word(set).c_str(), kReserved, kFlagIds - 1);
    f.remedy = other_id({core.unit, set.pipe, set.other, set.id}, kReserved);
    f.core = core.group->where(core);
    f.first = {"SetFlag", word(set.pipe), set.site};
    findings.add(std::move(f));
}

}  // namespace aicore::engine
