// The interface of core.h for the running kernel: every call records one operation.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "aicore/core.h"
#include "launch/launch.h"
#include "launch/profile.h"
#include "record/bounds.h"
#include "record/flag_rules.h"
#include "record/running.h"
#include "record/site.h"
#include "replay/group.h"
#include "replay/operations.h"
#include "vector/vector_function.h"
#include "verdict/race.h"
#include "verdict/words.h"

namespace aicore {

using namespace engine;

namespace {

Core& here(const char* call) {
    Core* core = running();
    if (!core) not_in_kernel(call);
    if (in_vector_function()) unsupported("an instruction issued inside of a vector function");
    return *core;
}

uintptr_t stack_end(const Core& core) { return reinterpret_cast<uintptr_t>(core.stack) + core_stacks().bytes(); }

uint32_t site_here(const Core& core, const void* frame) {
    return core.mark != kNoSite ? core.mark : current_site(frame, stack_end(core));
}

Op* make(Core& core, OpKind kind, Pipe pipe, const void* frame, size_t regions = 0, size_t params = 0) {
    Op* op = core.recording.make(regions, params);
    op->kind = kind;
    op->pipe = pipe;
    op->site = core.last_site = site_here(core, frame);
    return op;
}

void record(Core& core, Op* op) {
    core.push(op);
    if (core.since_yield >= profile().stretch()) yield(core, FiberState::ready);
}

FlagName flag_name(const Core& core, const Op& op) {
    bool set = op.kind == OpKind::set_flag;
    return {core.unit, set ? op.pipe : op.other, set ? op.other : op.pipe, op.id};
}

std::string flag_edge(const FlagName& flag) {
    return edge_word(lane_of(flag.unit, flag.from), lane_of(flag.unit, flag.to));
}

bool flag_id_ok(Core& core, const Op& op) {
    if (op.id >= 0 && op.id < kFlagIds) return true;
    Finding f;
    f.code = "flag-id";
    f.edge = flag_edge(flag_name(core, op));
    f.message = text("%s: event ids are 0 to %d", op_word(op).c_str(), kFlagIds - 1);
    f.links.flag = flag_name(core, op);
    f.remedy = other_id(f.links.flag, kFlagIds);
    f.core = core.group->where(core);
    f.first = {op.kind == OpKind::set_flag ? "SetFlag" : "WaitFlag", word(op.pipe), op.site};
    core.group->findings.add(std::move(f));
    return false;
}

// A wait that would take the set of another flag if the chip told flags of a pipe by their id alone, as was seen on
// devices (PTOAS, issue 823). As documented the two are different.
void check_shared_id(Core& core, const Op& wait) {
    if (!profile().deep || profile().flag_identity == FlagIdentity::strict || wait.value == 0) return;
    const Flag* mine = core.flags.find(wait.other, wait.pipe, wait.id, false);
    for (int p = 0; p < kPipes; ++p) {
        Pipe to = static_cast<Pipe>(p);
        const Flag* flag = to == wait.pipe ? nullptr : core.flags.find(wait.other, to, wait.id, false);
        if (!flag || flag->open.empty() || flag->open.front().index > mine->taken.index) continue;
        report_shared_id(*core.group, core, flag->open.front(), mine->taken, {core.unit, wait.other, to, wait.id});
    }
}

// Synchronisation that the profile leaves out.
bool left_out(const Op& op) {
    const auto& drop = profile().drop;
    return !drop.empty() && std::binary_search(drop.begin(), drop.end(), site_key(op.site));
}

void record_sync(Core& core, Op* op) {
    core.group->sync.issue(core, *op);
    core.last_sync = op->site;
    core.last_sync_index = core.next_index;
    record(core, op);
}

// An operation that was reported and is not carried out.
void drop(Core& core, Op* op) { core.recording.release(op); }

Flag& flag_of(Core& core, Pipe from, Pipe to, int id) {
    return core.flags.at(from, to, id, profile().flag_identity == FlagIdentity::strict);
}

}  // namespace

#define AICORE_FRAME __builtin_frame_address(0)

const CoreInfo& core() {
    Core* core = running();
    if (!core) not_in_kernel("core()");
    return core->info;
}

void* face_state() {
    Core* core = running();
    if (!core) not_in_kernel("face_state()");
    return core->face;
}

uint64_t capacity(Space space) { return hardware_capacity(profile().chip, space); }
uint64_t usable(Space space) { return usable_capacity(profile().chip, space); }

void emit(const Instr& instr) {
    Core& core = here(instr.name);
    uint32_t previous = core.last_site;
    Op* op = make(core, OpKind::instr, instr.pipe, AICORE_FRAME, instr.region_count, instr.body ? kParamBytes : 0);
    if (instr.continues) op->site = core.last_site = previous;
    op->name = instr.name;
    op->order_class = instr.order_class;
    op->unit_flag = instr.unit_flag;
    op->continues = instr.continues;
    op->body = instr.body;
    op->find = instr.find;
    op->cycles = instr.cycles;
    std::memcpy(static_cast<void*>(op->regions), instr.regions, instr.region_count * sizeof(Region));
    if (instr.body) std::memcpy(op->params, instr.params, kParamBytes);
    check_instruction(core, *op);
    if (core.unit == 0 && !op->skip && profile().hazards) {
        core.accumulators.see(core, *op);
        core.unit_flags.see(*op);
    }
    if (!core.data_cache.clean() && profile().hazards) core.data_cache.check(core, *op);
    record(core, op);
}

void set_flag(Pipe from, Pipe to, int id) {
    Core& core = here("SetFlag");
    Op* op = make(core, OpKind::set_flag, from, AICORE_FRAME);
    op->other = to;
    op->id = static_cast<int16_t>(id);
    if (left_out(*op) || !flag_id_ok(core, *op)) return drop(core, op);
    check_reserved_id(core, *op);
    op->index = core.next_index;
    Flag& flag = flag_of(core, from, to, id);
    OpenSet older;
    if (flag.issue_set(*op, older)) {
        report_set_twice(*core.group, core, *op, older);
    } else if (flag.open.size() > 1) {  // only under the strict identity
        FlagName name{core.unit, from, flag.open.front().to, id};
        report_shared_id(*core.group, core, flag.open.front(), flag.open.back(), name);
    }
    record_sync(core, op);
}

void wait_flag(Pipe from, Pipe to, int id) {
    Core& core = here("WaitFlag");
    Op* op = make(core, OpKind::wait_flag, to, AICORE_FRAME);
    op->other = from;
    op->id = static_cast<int16_t>(id);
    if (left_out(*op) || !flag_id_ok(core, *op)) return drop(core, op);
    Flag& flag = flag_of(core, from, to, id);
    flag.issue_wait(*op);
    check_pair(core, *op, op->value ? &flag.taken : nullptr);
    check_shared_id(core, *op);
    record_sync(core, op);
}

static void record_barrier(OpKind kind, Pipe pipe, const void* frame) {
    Core& core = here("PipeBarrier");
    Op* op = make(core, kind, pipe, frame);
    left_out(*op) ? drop(core, op) : record_sync(core, op);
}

void pipe_barrier(Pipe pipe) { record_barrier(OpKind::pipe_barrier, pipe, AICORE_FRAME); }

void barrier_all() { record_barrier(OpKind::barrier_all, Pipe::s, AICORE_FRAME); }

static bool cross_mode_ok(const Op& op) {
    return op.mode == 0 || op.mode == 1 || op.mode == 2 || (op.mode == 4 && profile().chip == Chip::dav3510);
}

static bool cross_id_ok(Core& core, const Op& op) {
    bool aic = core.unit == 0;
    int ids = op.mode == 4 && aic ? kIntraIds : kCrossIds;
    if (op.id >= 0 && op.id < ids && cross_mode_ok(op)) return true;
    Finding f;
    f.code = "flag-id";
    f.message = text("%s: ids are 0 to %d; modes are 0, 1, 2, and 4 on dav-3510", op_word(op).c_str(), ids - 1);
    f.remedy.text = "use an id and a mode that exist";
    f.core = core.group->where(core);
    f.first = {op.kind == OpKind::cross_set ? "CrossCoreSetFlag" : "CrossCoreWaitFlag", word(op.pipe), op.site};
    core.group->findings.add(std::move(f));
    return false;
}

// An id that does not exist is reported and cut to its low bits, as the chip does (asc-devkit, docs, CrossCoreSetFlag);
// false where the mode does not exist, and the operation is not carried out.
static bool cross_ok(Core& core, Op& op) {
    if (cross_id_ok(core, op)) return true;
    int ids = op.mode == 4 && core.unit == 0 ? kIntraIds : kCrossIds;
    op.id = static_cast<int16_t>(op.id & (ids - 1));
    return cross_mode_ok(op);
}

// Cores of a kernel of one kind only are started without what carries their signals (asc-devkit, docs,
// CrossCoreSetFlag and SyncAll, constraints). A note: samples of the same source do it all the same.
static void note_kernel_kind(Core& core, const Op& op, const char* call) {
    const Launch& launch = *core.group->launch;
    if (launch.kind() != KernelKind::vector && launch.kind() != KernelKind::cube) return;
    const bool vector = launch.kind() == KernelKind::vector;
    if (core.group->findings.known("sync-kernel-kind", "", op.site, 0)) return;
    Finding f;
    f.code = "sync-kernel-kind";
    f.note = true;
    f.message = text(
        "%s in a kernel declared %s: its documentation asks for %s, with which the cores are scheduled "
        "together",
        call, vector ? "__vector__" : "__cube__", vector ? "__mix__(0, 1)" : "__mix__(1, 0)");
    f.remedy.text = text("declare the kernel %s", vector ? "__mix__(0, 1)" : "__mix__(1, 0)");
    f.core = core.group->where(core);
    f.first = {call, word(op.pipe), op.site};
    core.group->findings.add(std::move(f));
}

void cross_set(int mode, Pipe pipe, int id) {
    Core& core = here("CrossCoreSetFlag");
    Op* op = make(core, OpKind::cross_set, pipe, AICORE_FRAME);
    op->mode = static_cast<int8_t>(mode);
    op->id = static_cast<int16_t>(id);
    if (left_out(*op) || !cross_ok(core, *op)) return drop(core, op);
    note_kernel_kind(core, *op, "CrossCoreSetFlag");
    note_cross(core, *op);
    core.group->meets_blocks |= mode == 0;
    record_sync(core, op);
}

// On dav-2201 a wait stops the whole core; on dav-3510 only the pipe (asc-devkit, docs, 3510架构迁移指导).
void cross_wait(int mode, Pipe pipe, int id) {
    Core& core = here("CrossCoreWaitFlag");
    Pipe stopped = profile().chip == Chip::dav2201 ? Pipe::s : pipe;
    Op* op = make(core, OpKind::cross_wait, stopped, AICORE_FRAME);
    op->mode = static_cast<int8_t>(mode);
    op->id = static_cast<int16_t>(id);
    if (left_out(*op) || !cross_ok(core, *op)) return drop(core, op);
    note_cross(core, *op);
    record_sync(core, op);
}

void sync_all(bool only_aiv) {
    Core& core = here("SyncAll");
    if (only_aiv && core.unit == 0) return;  // no AIC takes part
    Op* op = make(core, OpKind::sync_all, Pipe::s, AICORE_FRAME);
    op->blocking = only_aiv;
    if (left_out(*op)) return drop(core, op);
    note_kernel_kind(core, *op, "SyncAll");
    core.group->meets_blocks = true;
    record_sync(core, op);
}

void sync_by_words(const void* words, const void* own, uint32_t cores) {
    Core& core = here("SyncAll");
    Op* op = make(core, OpKind::sync_all, Pipe::s, AICORE_FRAME);
    op->blocking = true;
    op->value = reinterpret_cast<uint64_t>(words);
    op->word = reinterpret_cast<uint64_t>(own);
    op->id = static_cast<int16_t>(cores);
    core.group->launch->inter().share(op->value, op->value + uint64_t{cores} * kWordBytes);
    if (left_out(*op)) return drop(core, op);
    core.group->meets_blocks = true;
    record_sync(core, op);
}

static void record_word(const char* name, OpKind kind, const void* word, bool blocking, const void* frame) {
    Core& core = here(name);
    Op* op = make(core, kind, Pipe::s, frame);
    op->name = name;
    op->blocking = blocking;
    op->value = op->word = reinterpret_cast<uint64_t>(word);
    if (!core.group->launch->inter().claim_word(core, op->value, kind == OpKind::word_signal)) {
        unsupported("signals by a word of global memory between more than two cores");
    }
    core.group->launch->inter().share(op->value, op->value + kWordBytes);
    core.group->meets_blocks = true;
    record(core, op);
}

void signal_by_word(const char* name, const void* word, bool counted) {
    record_word(name, OpKind::word_signal, word, !counted, AICORE_FRAME);
}

void wait_for_word(const char* name, const void* word) {
    record_word(name, OpKind::word_wait, word, false, AICORE_FRAME);
}

void share_words(const void* words, uint64_t bytes) {
    const auto lo = reinterpret_cast<uint64_t>(words);
    here("synchronisation by words").group->launch->inter().share(lo, lo + bytes);
}

uint64_t register_read(const char* name, Pipe pipe, const void* at) {
    Core& core = here(name);
    Op* op = make(core, OpKind::register_read, Pipe::s, AICORE_FRAME);
    op->name = name;
    op->cycles = 1;
    op->other = pipe;
    op->value = reinterpret_cast<uint64_t>(at);
    core.push(op);
    yield(core, FiberState::needs_value);
    return core.value;
}

uint64_t scalar_read(const char* name, const Region& at) {
    Core& core = here(name);
    Op* op = make(core, OpKind::scalar_read, Pipe::s, AICORE_FRAME, 1);
    op->name = name;
    op->cycles = 1;
    op->regions[0] = at;
    check_instruction(core, *op);
    core.value = ~uint64_t{0};
    core.push(op);
    yield(core, FiberState::needs_value);
    return core.value;
}

void written_to_cache(const void* at, size_t bytes) {
    Core& core = here("a scalar store");
    const auto lo = reinterpret_cast<uint64_t>(at), line = lo / kCacheLine * kCacheLine;
    if (core.data_cache.write(lo, bytes, core.last_site)) {
        core.group->launch->shared_lines().note(line, core.info.block, core.group->where(core), core.last_site);
    }
}

void clean_cache(const void* at) {
    Core& core = here("DataCacheCleanAndInvalid");
    at ? core.data_cache.clean(reinterpret_cast<uint64_t>(at)) : core.data_cache.clean_all();
}

uint64_t cycle_count() {
    Core& core = here("the clock");
    Op* op = make(core, OpKind::scalar_read, Pipe::s, AICORE_FRAME);
    op->name = "GetSystemCycle";
    op->cycles = 1;
    core.push(op);
    yield(core, FiberState::needs_value);
    return core.value;
}

void scalar_write(const char* name, const Region& at, uint64_t value) {
    Core& core = here(name);
    Op* op = make(core, OpKind::scalar_write, Pipe::s, AICORE_FRAME, 1);
    op->name = name;
    op->cycles = 1;
    op->regions[0] = at;
    op->regions[0].write = true;
    op->value = value;
    check_instruction(core, *op);
    record(core, op);
}

void vector_function(const char* name, void (*fn)(const void* args), const void* args, size_t arg_bytes) {
    Core& core = here(name);
    Op* op = make(core, OpKind::vector_function, Pipe::v, AICORE_FRAME, 0, arg_bytes);
    op->name = name;
    op->function = fn;
    op->cycles = 1;
    if (arg_bytes) std::memcpy(op->params, args, arg_bytes);
    check_instruction(core, *op);
    record(core, op);
}

void finding(const char* code, const char* message, const char* remedy) {
    Core* core = running();
    if (!core) {
        std::fprintf(stderr, "crosstree: %s: %s\n", code, message);
        std::exit(70);
    }
    Finding f;
    f.code = code;
    f.message = message;
    f.remedy.text = remedy;
    f.core = core->group->where(*core);
    uint32_t site = in_vector_function() ? core->last_site : site_here(*core, AICORE_FRAME);
    f.first = {"", "S", site};
    core->group->findings.add(std::move(f));
}

bool elsewhere(CoreKind kind) {
    Core& core = here("a call for the other kind of core");
    const Launch& launch = *core.group->launch;
    const bool aiv = kind == CoreKind::aiv;
    if (core.told_elsewhere || (aiv ? launch.has_unit(1) || launch.has_unit(2) : launch.has_unit(0))) return false;
    core.told_elsewhere = true;  // what follows is of the same mistake
    core.group->skipped = true;
    Finding f;
    f.code = "wrong-core";
    f.message = text("%s does nothing on an %s, and this kernel has no %s",
                     aiv ? "a vector instruction" : "a Cube instruction", aiv ? "AIC" : "AIV", aiv ? "AIV" : "AIC");
    f.remedy.text = text("launch the kernel with the cores it uses: as %s, or as __mix__(1, 2) with both kinds",
                         aiv ? "__vector__" : "__cube__");
    f.core = core.group->where(core);
    f.first = {"", "S", site_here(core, AICORE_FRAME)};
    core.group->findings.add(std::move(f));
    return false;
}

uint32_t place() { return site_here(here("a place in the kernel"), AICORE_FRAME); }

uint32_t source_place(const SourceFrame* frames, size_t count, const char* call) {
    std::vector<NamedFrame> named;
    for (size_t i = 0; i < count; ++i) named.push_back({frames[i].function, frames[i].file, frames[i].line});
    return named_site(std::move(named), call);
}

void mark(uint32_t source_place) { here("mark").mark = source_place; }

void finding(const char* code, const char* message, const char* remedy, const char* call, uint32_t earlier,
             const Extent& bytes) {
    Core& core = here("a finding");
    Finding f;
    f.code = code;
    f.message = message;
    f.remedy = {remedy, Fix("freed")};
    f.space = word(bytes.space);
    f.lo = bytes.lo;
    f.hi = bytes.hi;
    f.core = core.group->where(core);
    f.first = {call, "S", earlier};
    f.second = {"use", "S", site_here(core, AICORE_FRAME)};
    core.group->findings.add(std::move(f));
}

void unsupported(const char* what) {
    Core* core = running();
    if (!core) host_unsupported(what);
    uint32_t site = in_vector_function() ? core->last_site : site_here(*core, AICORE_FRAME);
    core->group->launch->abort(what, {"", "S", site});
    if (in_vector_function()) leave_vector_function();
    end_core(*core, FiberState::stopped);
}

void stop_core() {
    Core* core = running();
    if (!core) not_in_kernel("stop_core()");
    core->group->stopped = true;
    if (in_vector_function()) leave_vector_function();
    end_core(*core, FiberState::stopped);
}

}  // namespace aicore
