#include "replay/group.h"

#include "launch/launch.h"
#include "launch/profile.h"
#include "record/running.h"
#include "replay/reorder.h"
#include "verdict/words.h"

namespace aicore::engine {

void Group::begin(Launch& of, uint32_t index) {
    launch = &of;
    block = index;
    order = 0;
    meets_blocks = holding_ = stuck = stopped = skipped = false;
    releases = 0;
    trace.clear();
    findings.clear();
    sync.clear();
    unwritten.clear();
    tensors.clear();
    for (int i = 0; i < kLocalMemories; ++i) {
        local[i].reserve(hardware_capacity(profile().chip, local_space(i)));
        local[i].reset();
        accesses[i].clear();
    }
    for (int unit = 0; unit < kUnits; ++unit) {
        cores[unit].reset(this, unit);
        if (of.has_unit(unit)) start_core(unit);
    }
}

void Group::start_core(int unit) {
    Core& core = cores[unit];
    core.info.chip = profile().chip;
    core.info.kind = unit == 0 ? CoreKind::aic : CoreKind::aiv;
    core.info.block = block;
    core.info.block_num = launch->blocks();
    core.info.sub_block = unit == 2 ? 1 : 0;
    core.info.sub_blocks = launch->has_unit(2) ? 2 : launch->has_unit(1) ? 1 : 0;
    core.info.mixed = launch->has_unit(0) && launch->has_unit(1);
    if (!core.stack) core.stack = core_stacks().take();
    core.state = FiberState::ready;
    core.fiber.start(core.stack, core_stacks().bytes(), run_kernel, &core);
}

GmTrack& Group::track(int tensor) {
    auto at = static_cast<size_t>(tensor);
    if (tensors.size() <= at) tensors.resize(at + 1);
    if (!tensors[at]) tensors[at] = std::make_unique<GmTrack>();
    return *tensors[at];
}

std::string Group::where(const Core& core) const { return core_word(core.unit, block); }

// Lets every core that can go on record its next stretch of instructions.
bool Group::record() {
    bool any = false;
    for (Core& core : cores) {
        if (core.state != FiberState::ready) continue;
        any = true;
        core.since_yield = 0;
        resume(core);
    }
    return any;
}

bool Group::finished() const {
    for (const Core& core : cores) {
        if (core.state == FiberState::ready || core.state == FiberState::needs_value || core.pending) return false;
    }
    return true;
}

bool Group::wants_to_record() const {
    if (!profile().schedule.adversarial()) return false;
    for (const Core& core : cores) {
        if (core.state == FiberState::ready && core.since_yield < profile().stretch()) return true;
    }
    return false;
}

// To judge what such a wait may rely on, all sets that it might take should have been made before.
static bool waits_for_one_of_several(Core& core, const Op& op) {
    return op.kind == OpKind::cross_wait && core.cross.at(op.mode, op.id).ambiguous();
}

// Of the instructions that were not found to wait: the one that the schedule prefers, then the first in program order.
static Core* next_of(Group& group, Pipe& pipe, int& best_rank) {
    const Schedule& schedule = profile().schedule;
    Core* found = nullptr;
    uint64_t best = UINT64_MAX;
    best_rank = 4;
    for (Core& core : group.cores) {
        for (unsigned open = core.pending & static_cast<unsigned>(~core.blocked); open; open &= open - 1) {
            int p = __builtin_ctz(open);
            uint64_t index = core.lanes[p].head->index;
            int rank = schedule.rank(lane_of(core.unit, static_cast<Pipe>(p)));
            if (profile().hazards && waits_for_one_of_several(core, *core.lanes[p].head)) rank += 2;
            if (rank > best_rank || (rank == best_rank && index >= best)) continue;
            best = index;
            best_rank = rank;
            found = &core;
            pipe = static_cast<Pipe>(p);
        }
    }
    return found;
}

// Waits for something that any progress of its core may bring about (and not for one event that wakes it).
static bool waits_softly(const Core& core, const Op& op) {
    switch (op.kind) {
        case OpKind::set_flag:
        case OpKind::wait_flag:
        case OpKind::cross_set:
        case OpKind::cross_wait:
        case OpKind::mutex_lock:
        case OpKind::mutex_unlock:
            return false;
        default:
            return op.epoch <= core.epochs_done;
    }
}

// What the schedule wants late waits for the other blocks too, if they synchronise with each other.
bool Group::holds_back(int rank) {
    bool late = profile().schedule.kind == Schedule::Kind::late && rank % 2 == 1;
    if (!late || !meets_blocks || launch->blocks() < 2 || launch->blocks() > launch->resident_blocks()) return false;
    return holding_ = releases == 0;
}

// Untimed: of all instructions that may start, the first in program order does, or the one that the schedule prefers.
bool Group::replay() {
    if (profile().schedule.kind == Schedule::Kind::reorder) return replay_reordered(*this);
    bool any = false;
    Pipe pipe = Pipe::s;
    int rank = 0;
    holding_ = false;
    while (Core* core = next_of(*this, pipe, rank)) {
        if (launch->aborted() || wants_to_record() || holds_back(rank)) return any;
        auto bit = static_cast<uint8_t>(1u << static_cast<unsigned>(pipe));
        if (!step(*this, *core, pipe)) {
            core->blocked |= bit;
            if (waits_softly(*core, *core->lane(pipe).head)) core->soft |= bit;
            continue;
        }
        any = true;
        if (rank % 2 == 1 && releases > 0) --releases;
        core->blocked &= static_cast<uint8_t>(~core->soft);
        core->soft = 0;
    }
    return any;
}

// A core that issues for ever behind a pipe that is stuck.
bool Group::overrun() const {
    constexpr uint64_t kLimit = uint64_t{1} << 22;
    for (const Core& core : cores) {
        if (core.next_index - core.executed > kLimit) return true;
    }
    return false;
}

Progress Group::run() {
    wake_all();
    for (;;) {
        bool recorded = record();
        if (launch->aborted()) return Progress::aborted;
        bool replayed = replay();
        if (launch->aborted()) return Progress::aborted;
        if (finished()) return Progress::finished;
        if (overrun()) return Progress::deadlock;
        if (!recorded && !replayed) break;
    }
    if (holding_) return Progress::holds;
    for (Core& core : cores) {
        for (Lane& lane : core.lanes) {
            if (lane.head && waits_for_blocks(*lane.head)) return Progress::waits_for_blocks;
        }
    }
    return Progress::deadlock;
}

void Group::end() {
    for (Core& core : cores) {
        if (core.stack) core_stacks().give(core.stack);
        core.stack = nullptr;
    }
}

}  // namespace aicore::engine
