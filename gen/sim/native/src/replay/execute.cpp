// Instructions that move or compute data.
#include <algorithm>
#include <cstring>

#include "hazard/judge.h"
#include "launch/profile.h"
#include "launch/trace.h"
#include "memory/gm.h"
#include "record/bounds.h"
#include "replay/knowledge.h"
#include "replay/operations.h"
#include "vector/vector_function.h"
#include "verdict/words.h"

namespace aicore::engine {

namespace {

struct Located {
    Touch touches[kMaxRegions];
    int count = 0;
    uint8_t* at[kMaxRegions] = {};
};

int unit_of(const Core& core, const Region& r) {
    if (r.unit != Unit::self) return static_cast<int>(r.unit);
    return core.unit;
}

void locate(Group& group, const Core& core, const Op& op, Located& out) {
    for (int i = 0; i < op.region_count; ++i) {
        const Region& r = op.regions[i];
        Touch touch = touch_of(core, r);
        if (r.space == Space::gm) {
            if (touch.tensor >= 0) gm().note(touch.tensor, r.write, r.atomic);
            out.at[i] = reinterpret_cast<uint8_t*>(r.base);
        } else {
            out.at[i] = group.local[touch.local].base(touch.where.hi) + r.base;
        }
        if (!r.empty()) out.touches[out.count++] = touch;
    }
}

void run_body(Core& core, const Op& op, const Located& where) {
    switch (op.kind) {
        case OpKind::scalar_read:
            core.value = 0;
            if (op.region_count != 0) std::memcpy(&core.value, where.at[0], op.regions[0].row_bytes);
            break;
        case OpKind::scalar_write:
            std::memcpy(where.at[0], &op.value, op.regions[0].row_bytes);
            break;
        case OpKind::register_read:
            std::memcpy(&core.value, reinterpret_cast<const void*>(op.value), sizeof core.value);
            break;
        default:
            if (op.body) op.body(op.params, where.at);
    }
}

// What data make an instruction touch, beside its fixed regions.
class Collected final : public Touched {
public:
    Collected(Core& core, Op& op) : core_(core), op_(op) {
        for (int i = 0; i < op.region_count; ++i) {
            const Region& r = op.regions[i];
            if (!r.most && !r.empty()) touches.push_back(touch_of(core, r));
        }
    }
    void add(const Region& region) override {
        if (region.empty() || !check_found(core_, op_, region)) return;
        touches.push_back(touch_of(core_, region));
    }
    void fault(const char* code, const char* message, const char* remedy) override {
        Finding f;
        f.code = code;
        f.message = message;
        f.remedy.text = remedy;
        f.core = core_.group->where(core_);
        f.first = {op_.name, word(op_.pipe), op_.site};
        core_.group->findings.add(std::move(f));
    }

    std::vector<Touch> touches;

private:
    Core& core_;
    Op& op_;
};

void run_instruction(Group& group, Core& core, Op& op, uint32_t seq) {
    if (op.kind == OpKind::vector_function) return run_vector_function(group, core, op, seq);
    Located where;
    locate(group, core, op, where);
    std::span<const Touch> touches(where.touches, static_cast<size_t>(where.count));
    Collected found(core, op);
    if (op.find) {
        op.find(op.params, op.regions, where.at, found);
        touches = found.touches;
        if (tracing()) group.touched = found.touches;
    }
    if (profile().hazards) judge_accesses(group, core, op, seq, touches);
    run_body(core, op, where);
}

// The scalar unit reads a register once the pipe that writes it has done what was issued before.
bool register_is_written(const Core& core, const Op& op, Lane& lane) {
    const Lane& writer = core.lanes[static_cast<int>(op.other)];
    if (writer.head && writer.head->index < op.index) return false;
    lane.free_at = std::max(lane.free_at, writer.free_at);
    return true;
}

}  // namespace

Touch touch_of(const Core& core, const Region& r) {
    Touch touch;
    touch.where = r.empty() ? interval(r.base, r.base) : strided(r);
    touch.write = r.write;
    touch.atomic = r.atomic;
    touch.junk = r.junk;
    if (r.space == Space::gm) {
        touch.tensor = r.empty() ? -1 : gm().find(r.base);
    } else {
        touch.local = local_index(r.space, unit_of(core, r));
    }
    return touch;
}

bool execute(Group& group, Core& core, Op& op) {
    if (!free_of_hidden_order(core, op)) return false;
    Lane& lane = core.lane(op.pipe);
    const bool of_register = op.kind == OpKind::register_read;
    if (of_register && !register_is_written(core, op, lane)) return false;
    uint64_t start = start_time(core, lane, op);
    if (!op.continues) {
        ++group.order;
        core.counts.add(op.pipe, op.name);
    }
    uint32_t seq = ++lane.issued;
    lane.last = op.index;
    lane.last_name = op.name;
    lane.last_site = op.site;
    if (!op.skip) run_instruction(group, core, op, seq);
    bool read = op.kind == OpKind::scalar_read || of_register, stops = core.stops_scalar(op);
    if (read && !of_register && op.region_count == 0) core.value = start;
    retire(core, op.pipe, start, op.cycles);
    if (stops) scalar_goes_on(core);
    if (read) core.state = FiberState::ready;
    return true;
}

}  // namespace aicore::engine
