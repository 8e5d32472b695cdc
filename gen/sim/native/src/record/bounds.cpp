#include "record/bounds.h"

#include <cinttypes>
#include <cstdlib>

#include "hazard/strided.h"
#include "launch/launch.h"
#include "launch/profile.h"
#include "memory/gm.h"
#include "memory/local.h"
#include "replay/group.h"
#include "verdict/words.h"

namespace aicore::engine {

namespace {

struct Checked {
    Core& core;
    Op& op;
    const Region& region;
    Strided where;
};

void report(const Checked& c, const char* code, uint64_t base, std::string message, std::string remedy,
            uint64_t holder_lo = 0, uint64_t holder_hi = 0) {
    Group& group = *c.core.group;
    if (group.findings.known(code, word(c.region.space), c.op.site, 0)) return;
    Finding f;
    f.code = code;
    f.edge = word(c.region.space);
    f.message = std::move(message);
    f.remedy.text = std::move(remedy);
    f.space = word(c.region.space);
    f.lo = c.where.lo - base;
    f.hi = c.where.hi - base;
    f.core = group.where(c.core);
    f.first = {c.op.name, word(c.op.pipe), c.op.site};
    f.links.from = c.core.lane_id(c.op.pipe);
    f.links.holder_lo = holder_lo;
    f.links.holder_hi = holder_hi;
    group.findings.add(std::move(f));
}

void not_executed(const Checked& c) {
    c.op.skip = true;
    c.core.group->skipped = true;
}

void out_of_bounds(const Checked& c, uint64_t base, const std::string& holder, uint64_t lo, uint64_t hi) {
    c.op.outside = true;
    report(c, "out-of-bounds", base,
           text("%s %s %s of %s, which holds %s", c.op.name, c.region.write ? "writes" : "reads",
                bytes_word(c.where.lo - base, c.where.hi - base).c_str(), holder.c_str(), bytes_word(lo, hi).c_str()),
           text("shorten the access or make the %s larger", c.region.space == Space::gm ? "tensor" : "buffer"), lo, hi);
}

void no_tensor(const Checked& c) {
    not_executed(c);
    report(c, "out-of-bounds", 0,
           text("%s %s global memory at address 0x%" PRIx64 ", where no tensor is", c.op.name,
                c.region.write ? "writes" : "reads", c.where.lo),
           "check the pointer and the offset that is added to it");
}

void check_gm(const Checked& c) {
    int tensor = gm().find(c.where.lo);
    if (tensor < 0) tensor = gm().near(c.where.lo);
    if (tensor < 0) return no_tensor(c);
    const Tensor& t = gm()[tensor];
    std::string name = c.core.group->launch->tensor_name(tensor);
    if (c.where.lo < t.base || c.where.hi > t.base + t.bytes) {
        not_executed(c);
        return out_of_bounds(c, t.base, name, 0, t.bytes);
    }
    bool known = c.region.lo != c.region.hi;
    if (known && (c.where.lo < c.region.lo || c.where.hi > c.region.hi)) {
        out_of_bounds(c, t.base, "the view of " + name, c.region.lo - t.base, c.region.hi - t.base);
    }
}

void check_local(const Checked& c) {
    Chip chip = profile().chip;
    uint64_t size = hardware_capacity(chip, c.region.space), allocatable = usable_capacity(chip, c.region.space);
    const char* space = word(c.region.space);
    if (c.where.hi > size || c.where.hi < c.where.lo) {
        not_executed(c);
        return out_of_bounds(c, 0, text("%s of this chip", space), 0, size);
    }
    bool known = c.region.lo != c.region.hi;
    if (known && c.region.hi > allocatable) {
        report(c, "overflow", 0,
               text("%s uses a buffer of %s that ends at byte %" PRIu64 ", but a kernel may allocate %" PRIu64
                    " bytes of %s on this chip",
                    c.op.name, space, c.region.hi, allocatable, space),
               "use smaller tiles or fewer buffers");
    }
    if (known && (c.where.lo < c.region.lo || c.where.hi > c.region.hi)) {
        out_of_bounds(c, 0, text("its buffer in %s", space), c.region.lo, c.region.hi);
    }
}

void check_alignment(const Checked& c) {
    if (c.region.align <= 1 || c.region.base % c.region.align == 0) return;
    int tensor = c.region.space == Space::gm ? gm().find(c.region.base) : -1;
    uint64_t base = tensor >= 0 ? gm()[tensor].base : 0;
    report(c, "misaligned", base,
           text("%s %s %s from byte %" PRIu64 ", which is not a multiple of %u", c.op.name,
                c.region.write ? "writes" : "reads", word(c.region.space), c.region.base - base, c.region.align),
           text("move the start to a multiple of %u bytes", c.region.align));
}

// Rows that are stored over each other: a stride in the wrong unit, mostly.
void check_rows(const Checked& c) {
    const Region& r = c.region;
    uint64_t distance = static_cast<uint64_t>(std::abs(r.pitch));
    if (r.space != Space::gm || !r.write || r.atomic || r.rows < 2 || distance >= r.row_bytes) return;
    int tensor = gm().find(c.where.lo);
    uint64_t base = tensor >= 0 ? gm()[tensor].base : c.where.lo;
    report(
        c, "operand-overlap", base,
        text("%s stores %u rows of %" PRIu64 " bytes %" PRIu64 " bytes apart: each overwrites a part of the one before",
             c.op.name, r.rows, r.row_bytes, distance),
        "check the unit of the stride (elements, bytes or blocks of 32 bytes) and whether it counts the row itself");
}

bool pipe_exists(const Core& core, Pipe pipe) {
    bool cube_only = pipe == Pipe::m || pipe == Pipe::mte1 || pipe == Pipe::fix;
    return core.unit == 0 ? pipe != Pipe::v : !cube_only;
}

void wrong_core(Core& core, Op& op) {
    op.skip = true;
    const char* kind = core.unit == 0 ? "AIC" : "AIV";
    if (core.group->findings.known("wrong-core", word(op.pipe), op.site, 0)) return;
    Finding f;
    f.code = "wrong-core";
    f.edge = word(op.pipe);
    f.message = text("%s runs on pipe %s, which an %s does not have", op.name, word(op.pipe), kind);
    f.remedy.text = text("issue it on the %s only", core.unit == 0 ? "AIV" : "AIC");
    f.core = core.group->where(core);
    f.first = {op.name, word(op.pipe), op.site};
    core.group->findings.add(std::move(f));
}

// A memory that the unit does not have, or a partner core that the kernel does not run on.
bool unit_has(const Core& core, const Region& region) {
    if (region.space == Space::gm) return true;
    int unit = region.unit == Unit::self ? core.unit : static_cast<int>(region.unit);
    return unit < kUnits && local_index(region.space, unit) >= 0 &&
           (unit == core.unit || core.group->cores[unit].present());
}

void no_memory(const Checked& c) {
    c.op.skip = true;
    int unit = c.region.unit == Unit::self ? c.core.unit : static_cast<int>(c.region.unit);
    report(
        c, "wrong-core", 0,
        text("%s uses %s of %s, which %s", c.op.name, word(c.region.space), unit < kUnits ? unit_word(unit) : "a core",
             unit == 0 ? "has none" : "does not take part in this kernel"),
        "launch the kernel with the cores it uses");
}

void check_region(const Checked& c) {
    if (!unit_has(c.core, c.region)) return no_memory(c);
    if (c.region.most) return check_alignment(c);
    if (c.region.space == Space::gm) {
        check_gm(c);
    } else {
        check_local(c);
    }
    check_alignment(c);
    check_rows(c);
}

}  // namespace

void check_instruction(Core& core, Op& op) {
    if (!pipe_exists(core, op.pipe)) return wrong_core(core, op);
    for (int i = 0; i < op.region_count; ++i) {
        const Region& region = op.regions[i];
        if (!region.empty()) check_region({core, op, region, strided(region)});
    }
}

bool check_found(Core& core, Op& op, const Region& region) {
    const bool skipped = op.skip;
    op.skip = false;
    check_region({core, op, region, strided(region)});
    const bool inside = !op.skip;
    op.skip = skipped;
    return inside;
}

}  // namespace aicore::engine
