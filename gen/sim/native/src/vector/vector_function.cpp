#include "vector/vector_function.h"

#include <algorithm>
#include <cinttypes>

#include "hazard/judge.h"
#include "launch/launch.h"
#include "launch/profile.h"
#include "launch/trace.h"
#include "memory/gm.h"
#include "record/running.h"
#include "vector/simt.h"
#include "vector/thread_races.h"
#include "vector/touch_map.h"
#include "verdict/words.h"

namespace aicore::engine {

constinit thread_local Touching touching __attribute__((tls_model("initial-exec"), visibility("hidden")));

namespace {

// One run of a vector function on this host thread.
struct Run {
    Group* group = nullptr;
    Core* core = nullptr;
    const Op* op = nullptr;
    Fiber fiber;
    std::vector<GmTouch> gm_touches;
    std::vector<Extent> within;  // of UB, in ascending order; empty: not known
    bool with_loads = false;     // loads have to stay there, too
};

constinit thread_local Run* current = nullptr;

[[gnu::noinline]] Run* run_now() {
    asm volatile("");
    return current;
}

TouchMap& map_of_thread() {
    static thread_local TouchMap map(hardware_capacity(profile().chip, Space::ub) + LocalMemory::kSlack);
    return map;
}

void body(void* arg) {
    auto* run = static_cast<Run*>(arg);
    run->op->function(run->op->params);
    run_now()->fiber.leave();
    __builtin_unreachable();
}

void out_of_bounds(Run& run, Space space, const std::string& holder, uint64_t lo, uint64_t hi, uint64_t size,
                   bool write) {
    Group& group = *run.group;
    group.skipped = true;
    if (group.findings.known("out-of-bounds", word(space), run.op->site, 0)) return;
    Finding f;
    f.code = "out-of-bounds";
    f.edge = word(space);
    f.space = word(space);
    f.lo = lo;
    f.hi = hi;
    f.message = text("%s %s %s of %s, which holds %s", run.op->name, write ? "writes" : "reads",
                     bytes_word(lo, hi).c_str(), holder.c_str(), bytes_word(0, size).c_str());
    f.remedy.text = text("keep the index inside, or make the %s larger", space == Space::gm ? "tensor" : "buffer");
    f.core = group.where(*run.core);
    f.first = {run.op->name, "V", run.op->site};
    group.findings.add(std::move(f));
}

// An access outside of the buffers that the function was given; it is said of the one in front of it.
void outside_of_buffers(Run& run, uint64_t lo, uint64_t hi, bool write) {
    const_cast<Op*>(run.op)->outside = true;
    Group& group = *run.group;
    if (group.findings.known("out-of-bounds", word(Space::ub), run.op->site, 0)) return;
    Extent holder = run.within.front();
    for (const Extent& piece : run.within) {
        if (piece.lo <= lo) holder = piece;
    }
    Finding f;
    f.code = "out-of-bounds";
    f.edge = f.space = word(Space::ub);
    f.lo = lo;
    f.hi = hi;
    f.message = text("%s %s %s of its buffer in UB, which holds %s", run.op->name, write ? "writes" : "reads",
                     bytes_word(lo, hi).c_str(), bytes_word(holder.lo, holder.hi).c_str());
    f.remedy.text = "shorten the access or make the buffer larger";
    f.core = group.where(*run.core);
    f.first = {run.op->name, "V", run.op->site};
    f.links.from = run.core->lane_id(Pipe::v);
    f.links.holder_lo = holder.lo;
    f.links.holder_hi = holder.hi;
    group.findings.add(std::move(f));
}

void check_within(Run& run, const Strided& touched, bool write) {
    if (run.within.empty() || (!write && !run.with_loads)) return;
    for (uint64_t row = 0; row < touched.rows; ++row) {
        const uint64_t lo = touched.lo + row * touched.pitch, hi = lo + touched.len;
        uint64_t inside = lo;  // up to where the row lies in a buffer
        for (const Extent& piece : run.within) {
            if (piece.lo <= inside && inside < piece.hi) inside = std::min(piece.hi, hi);
        }
        if (inside < hi) return outside_of_buffers(run, inside, hi, write);
    }
}

void collect_ub(Run& run, uint8_t* marks, bool write, std::vector<Touch>& out) {
    std::vector<Strided> regions;
    TouchMap::drain(marks, touching.size, regions);
    uint64_t capacity = hardware_capacity(profile().chip, Space::ub);
    int local = local_index(Space::ub, run.core->unit);
    for (const Strided& s : regions) {
        if (s.hi > capacity) {
            out_of_bounds(run, Space::ub, "UB of this chip", std::max(s.lo, capacity), s.hi, capacity, write);
        }
        if (s.hi <= capacity) check_within(run, s, write);
        if (s.lo < capacity) out.push_back({s, local, -1, write, false});
    }
}

// Sorts the accesses to GM of one kind and joins what touches.
void collect_gm(Run& run, bool write, bool atomic, std::vector<Touch>& out) {
    std::vector<Strided> runs;
    for (const GmTouch& t : run.gm_touches) {
        if (t.write == write && t.atomic == atomic) runs.push_back(interval(t.lo, t.hi));
    }
    std::sort(runs.begin(), runs.end(), [](const Strided& a, const Strided& b) { return a.lo < b.lo; });
    std::vector<Strided> joined;
    for (const Strided& r : runs) {
        bool same_tensor = !joined.empty() && gm().find(joined.back().lo) == gm().find(r.lo);
        if (same_tensor && r.lo <= joined.back().hi) {
            joined.back() = interval(joined.back().lo, std::max(joined.back().hi, r.hi));
        } else {
            joined.push_back(r);
        }
    }
    for (const Strided& s : fold(joined)) {
        out.push_back({s, -1, gm().find(s.lo), write, atomic});
        if (out.back().tensor >= 0) gm().note(out.back().tensor, write, atomic);
    }
}

// 23 cycles to start, 12 to drain, two loads and one store of 256 bytes per cycle (hw-native-sys/pto-isa,
// include/pto/costmodel/a5/VfSim/params/uarch.csv).
uint32_t modelled_cycles(const std::vector<Touch>& touches) {
    uint64_t read = 0, written = 0;
    for (const Touch& t : touches) (t.write ? written : read) += t.where.bytes();
    return static_cast<uint32_t>(35 + std::max((read + 511) / 512, (written + 255) / 256));
}

void execute(Run& run, uint8_t* ub, TouchMap& map) {
    uint8_t* stack = core_stacks().take();
    run.fiber.start(stack, core_stacks().bytes(), body, &run);
    current = &run;
    touching = {reinterpret_cast<uintptr_t>(ub), map.bytes(), map.reads(), map.writes(), true};
    set_running(run.core);
    run.fiber.enter();
    set_running(nullptr);
    touching.active = false;
    current = nullptr;
    core_stacks().give(stack);
}

}  // namespace

void report_thread_races(const std::vector<ThreadOrder::Race>& races) {
    Run& run = *run_now();
    for (Finding& f : thread_findings(*run.op, races, *run.group->launch)) {
        f.core = run.group->where(*run.core);
        run.group->findings.add(std::move(f));
    }
}

bool in_vector_function() { return touching.active; }

void leave_vector_function() {
    leave_simt();  // returns only when no SIMT thread runs
    run_now()->fiber.leave();
    __builtin_unreachable();
}

void abandon_vector_function() {
    run_now()->fiber.leave();
    __builtin_unreachable();
}

void run_vector_function(Group& group, Core& core, const Op& op, uint32_t seq) {
    LocalMemory& memory = group.local[local_index(Space::ub, core.unit)];
    uint8_t* ub = memory.base(memory.capacity());
    TouchMap& map = map_of_thread();
    Run run;
    run.group = &group;
    run.core = &core;
    run.op = &op;
    execute(run, ub, map);
    std::vector<Touch> touches;
    collect_ub(run, map.reads(), false, touches);
    collect_ub(run, map.writes(), true, touches);
    touching = {};
    for (bool write : {false, true}) {
        for (bool atomic : {false, true}) collect_gm(run, write, atomic, touches);
    }
    if (tracing()) group.touched = touches;
    const_cast<Op&>(op).cycles = modelled_cycles(touches);
    if (profile().hazards) judge_accesses(group, core, op, seq, touches);
}

static void touch_gm(Run& run, uintptr_t at, size_t bytes, bool write, bool atomic) {
    auto& list = run.gm_touches;
    if (!list.empty() && list.back().write == write && list.back().atomic == atomic && list.back().hi == at &&
        gm().find(list.back().lo) == gm().find(at)) {
        list.back().hi += bytes;
        return;
    }
    list.push_back({at, at + bytes, write, atomic});
}

// The kernel's own code follows a pointer: pipe S reads global memory, and waits for the value before it goes on.
static void touch_from_scalar_code(uintptr_t at, size_t bytes, bool write) {
    constexpr uintptr_t kOnChip = uintptr_t{1} << 25;  // on-chip pointers of the C API start at 0
    if (at < kOnChip) unsupported("scalar access to on-chip memory by pointer");
    if (at - reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) < kGuardZone) return;
    int tensor = gm().near(at);
    if (tensor < 0) return;
    if (write) unsupported("scalar store to global memory by pointer");
    Region word;
    word.base = at;
    word.row_bytes = bytes;
    bool outside = at < gm()[tensor].base || at + bytes > gm()[tensor].base + gm()[tensor].bytes;
    scalar_read("scalar load", word);
    if (outside) stop_core();  // reported; the load itself would end the process
}

void touch_slowly(const void* p, size_t bytes, bool write, bool atomic, const void* pc) {
    auto at = reinterpret_cast<uintptr_t>(p);
    if (!touching.active) {
        if (running()) touch_from_scalar_code(at, bytes, write);
        return;
    }
    uintptr_t offset = at - touching.ub;
    if (offset < touching.size) {
        uintptr_t end = std::min<uintptr_t>(offset + bytes, touching.size);
        for (uintptr_t i = offset; i < end; ++i) {
            uint8_t mark = i % 2 ? kOddByte : kEvenByte;
            if (write)
                touching.writes[i / 2] |= mark;
            else
                touching.reads[i / 2] |= mark & ~touching.writes[i / 2];
        }
        if (touching.threads && !atomic) touch_by_thread(offset, end - offset, write, pc);
        return;
    }
    // A variable of the function. No tensor can be so close above: each has a guard zone of kGuardZone in front.
    if (at - reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) < kGuardZone) return;
    int tensor = gm().near(at);
    if (tensor < 0) return;  // some other memory of the host
    const Tensor& t = gm()[tensor];
    Run& run = *run_now();
    if (at >= t.base && at + bytes <= t.base + t.bytes) {
        if (touching.threads && !atomic) touch_global_by_thread(at, bytes, write, pc);
        return touch_gm(run, at, bytes, write, atomic);
    }
    out_of_bounds(run, Space::gm, run.group->launch->tensor_name(tensor), at - t.base, at + bytes - t.base, t.bytes,
                  write);
    leave_vector_function();
}

}  // namespace aicore::engine

namespace aicore {

using namespace engine;

uint8_t* ub_base() {
    if (!touching.active) unsupported("the address of UB outside of a vector function");
    return reinterpret_cast<uint8_t*>(touching.ub);
}

void vf_within(const Extent* pieces, size_t count, bool with_loads) {
    auto& within = run_now()->within;
    run_now()->with_loads = with_loads;
    within.assign(pieces, pieces + count);
    std::sort(within.begin(), within.end(), [](const Extent& a, const Extent& b) { return a.lo < b.lo; });
}

void vf_access(const void* host, size_t bytes, bool write) { touch_slowly(host, bytes, write, false); }

void vf_atomic(const void* host, size_t bytes) { touch_slowly(host, bytes, true, true); }

}  // namespace aicore
