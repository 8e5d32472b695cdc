#include "launch/trace.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <unordered_set>

#include "launch/launch.h"
#include "launch/profile.h"
#include "memory/gm.h"
#include "record/site.h"
#include "verdict/json.h"
#include "verdict/unwritten_report.h"
#include "verdict/words.h"

namespace aicore::engine {

namespace {

const char* path() {
    static const char* value = std::getenv("AICORE_TRACE");
    return value;
}

const char* kind_word(OpKind kind) {
    switch (kind) {
        case OpKind::instr:
            return "instr";
        case OpKind::scalar_read:
            return "scalar_read";
        case OpKind::scalar_write:
            return "scalar_write";
        case OpKind::register_read:
            return "register_read";
        case OpKind::vector_function:
            return "vector_function";
        case OpKind::set_flag:
            return "set_flag";
        case OpKind::wait_flag:
            return "wait_flag";
        case OpKind::pipe_barrier:
            return "pipe_barrier";
        case OpKind::barrier_all:
            return "barrier_all";
        case OpKind::cross_set:
            return "cross_set";
        case OpKind::cross_wait:
            return "cross_wait";
        case OpKind::sync_all:
            return "sync_all";
        case OpKind::word_signal:
            return "word_signal";
        case OpKind::word_wait:
            return "word_wait";
        case OpKind::mutex_lock:
            return "mutex_lock";
        case OpKind::mutex_unlock:
            return "mutex_unlock";
    }
    return "";
}

void write_touch(Json& json, const Touch& t) {
    json.open('[');
    uint64_t base = 0;
    if (t.tensor >= 0) {
        base = gm()[t.tensor].base;
        json.string("GM").string("").number(static_cast<uint64_t>(t.tensor));
    } else {
        // One UB per AIV; every other memory is the AIC's.
        json.string(word(local_space(t.local))).string(unit_word(local_unit(t.local))).null();
    }
    json.number(t.where.lo - base).number(t.where.rows).number(t.where.len).number(t.where.pitch);
    std::string how = t.write ? "w" : "r";
    if (t.atomic) how += 'a';
    if (t.junk) how += 'j';
    json.string(how).close(']');
}

void write_touches(Json& json, const Core& core, const Op& op) {
    json.key("touches").open('[');
    if (op.kind == OpKind::vector_function || op.find) {
        for (const Touch& t : core.group->touched) write_touch(json, t);
    } else {
        for (int i = 0; i < op.region_count; ++i) {
            const Region& r = op.regions[i];
            if (r.empty()) continue;
            Touch t = touch_of(core, r);
            if (t.local >= 0 || t.tensor >= 0) write_touch(json, t);
        }
    }
    json.close(']');
}

// Of global memory: the tensor, and the offset in it.
std::string address_word(uint64_t address) {
    const int tensor = gm().near(address);
    return tensor < 0 ? "" : text("%d+%d", tensor, static_cast<int>(address - gm()[tensor].base));
}

// Synchronisation has fields of its own, data has regions.
void write_details(Json& json, const Core& core, const Op& op) {
    switch (op.kind) {
        case OpKind::set_flag:
        case OpKind::wait_flag:
            json.key("other").string(word(op.other)).key("id").integer(op.id);
            return;
        case OpKind::cross_set:
        case OpKind::cross_wait:
            json.key("mode").integer(op.mode).key("id").integer(op.id);
            return;
        case OpKind::sync_all:
            json.key("only_aiv").boolean(op.blocking);
            if (op.value != 0) json.key("id").integer(op.id).key("words").string(address_word(op.value));
            return;
        case OpKind::word_signal:
        case OpKind::word_wait:
            json.key("blocking").boolean(op.blocking).key("words").string(address_word(op.value));
            return;
        case OpKind::mutex_lock:
        case OpKind::mutex_unlock:
            json.key("id").integer(op.id).key("blocking").boolean(op.blocking);
            return;
        case OpKind::pipe_barrier:
        case OpKind::barrier_all:
            return;
        default:
            if (op.order_class) json.key("order_class").number(op.order_class);
            if (op.unit_flag) json.key("unit_flag").number(op.unit_flag);
            if (op.continues) json.key("continues").boolean(true);
            if (op.skip) json.key("skipped").boolean(true);
            write_touches(json, core, op);
    }
}

void write_line(const Core& core, const Op& op, const char* state, uint64_t start, uint64_t cycles) {
    Group& group = *core.group;
    Json json;
    json.open('{');
    json.key("block").number(group.block).key("core").string(unit_word(core.unit)).key("pipe").string(word(op.pipe));
    json.key("index").number(op.index).key("kind").string(kind_word(op.kind)).key("name").string(op.name);
    json.key("site").number(op.site);
    write_details(json, core, op);
    if (*state) {
        json.key("state").string(state);
    } else {
        json.key("start").number(start).key("end").number(start + cycles);
    }
    json.close('}');
    group.trace.lines += json.text();
    group.trace.lines += '\n';
    group.trace.sites.push_back(op.site);
}

void write_header(std::string& out, const Launch& launch) {
    Json json;
    json.open('{').key("launch").string(launch.kernel()).key("kind").string(launch.kind_name());
    json.key("blocks").number(launch.blocks());
    json.key("chip").string(profile().chip == Chip::dav2201 ? "2201" : "3510");
    json.key("tensors").open('[');
    for (int t = 0; t < static_cast<int>(gm().size()); ++t) {
        if (!gm()[t].alive) continue;
        json.open('{').key("index").number(static_cast<uint64_t>(t)).key("name").string(launch.tensor_name(t));
        json.key("bytes").number(gm()[t].bytes).close('}');
    }
    json.close(']').close('}');
    out += json.text() + "\n";
}

void write_site(std::string& out, uint32_t site) {
    Json json;
    json.open('{').key("site").number(site).key("stack").open('[');
    const Stack& stack = stack_of(site);
    for (int i = 0; i < stack.count; ++i) json.number(stack.frames[static_cast<size_t>(i)]);
    json.close(']');
    if (stack.count == 1 && (stack.frames[0] & kNamed) != 0) {
        json.key("source");
        write_frames(json, stack.frames[0]);
    }
    json.close('}');
    out += json.text() + "\n";
}

}  // namespace

bool tracing() { return path() != nullptr; }

void write_trace(const Core& core, const Op& op, uint64_t start, uint64_t cycles) {
    write_line(core, op, "", start, cycles);
}

void write_pending(const Core& core) {
    for (const Lane& lane : core.lanes) {
        for (const Op* op = lane.head; op; op = op->next) {
            if (op->kind == OpKind::vector_function) core.group->touched.clear();
            write_line(core, *op, "pending", 0, 0);
        }
    }
}

void flush_trace(const Launch& launch, const std::vector<BlockTrace>& blocks) {
    static auto* known = new std::unordered_set<uint32_t>;
    std::FILE* file = std::fopen(path(), "a");
    if (!file) return;
    std::string head;
    write_header(head, launch);
    for (const BlockTrace& block : blocks) {
        for (uint32_t site : block.sites) {
            if (known->insert(site).second) write_site(head, site);
        }
    }
    std::fwrite(head.data(), 1, head.size(), file);
    for (const BlockTrace& block : blocks) std::fwrite(block.lines.data(), 1, block.lines.size(), file);
    std::fclose(file);
}

}  // namespace aicore::engine
