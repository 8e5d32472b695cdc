#include "record/accumulators.h"

#include "record/l0c_cells.h"
#include "replay/group.h"
#include "verdict/words.h"

namespace aicore::engine {

void Accumulators::start(Cell& cell, const Op& op) {
    bool again = cell.state == State::open && !cell.loaded && !stored_.contains(cell.tile);
    Fault fault = again ? Fault::started_twice : Fault::none;
    cell = {State::open, fault, false, false, op.site, op.index + 1, op.name};
}

void Accumulators::add(Cell& cell, const Op& op) {
    if (cell.state == State::open) return;
    cell = {State::open, Fault::not_started, cell.state == State::stored, false, op.site, 0, op.name};
}

void Accumulators::report(Core& core, const Cell& cell, const Op& store, uint64_t at) {
    bool twice = cell.fault == Fault::started_twice;
    const char* code = twice ? "accumulator-initialised-twice" : "accumulator-not-initialised";
    Findings& findings = core.group->findings;
    if (findings.known(code, "M", cell.site, store.site)) return;
    Finding f;
    f.code = code;
    f.edge = "M";
    f.space = "L0C";
    f.lo = at;
    f.hi = at + kCell;
    std::string bytes = bytes_word(f.lo, f.hi);
    if (twice) {
        f.message = text("%s starts the sums in L0C, %s, anew: those before it are lost, and %s stores the rest",
                         cell.name, bytes.c_str(), store.name);
        f.remedy.text = "start the accumulator only in the first Mmad of a tile that is stored";
    } else {
        f.message =
            text("%s adds to L0C, %s, which %s, and %s stores the sum", cell.name, bytes.c_str(),
                 cell.after_store ? "was stored before and not started anew" : "no Mmad has started", store.name);
        f.remedy.text =
            "start the accumulator, at zero or from the bias, in the first Mmad of each tile that is stored";
    }
    f.remedy.fix = Fix("init");
    f.remedy.fix.with("value", twice ? 0 : 1);
    f.core = core.group->where(core);
    f.first = {cell.name, "M", cell.site};
    f.second = {store.name, word(store.pipe), store.site};
    findings.add(std::move(f));
}

void Accumulators::see(Core& core, const Op& op) {
    bool writes = false, reads = false;
    for (int i = 0; i < op.region_count; ++i) {
        if (op.regions[i].space != Space::l0c) continue;
        (op.regions[i].write ? writes : reads) = true;
    }
    if (!writes && !reads) return;
    for (int i = 0; i < op.region_count; ++i) {
        const Region& r = op.regions[i];
        if (op.pipe != Pipe::m && r.write) {
            each_cell_of(cells_, kCell, r,
                         [&](Cell& cell, uint64_t) { cell = {State::open, Fault::none, false, true, 0, 0, ""}; });
        } else if (op.pipe != Pipe::m) {
            each_cell_of(cells_, kCell, r, [&](Cell& cell, uint64_t at) {
                if (cell.fault != Fault::none) report(core, cell, op, at);
                cell.fault = Fault::none;
                if (cell.tile != 0) stored_.insert(cell.tile);
                cell.state = State::stored;
            });
        } else if (r.write) {
            each_cell_of(cells_, kCell, r, [&](Cell& cell, uint64_t) { reads ? add(cell, op) : start(cell, op); });
        }
    }
}

}  // namespace aicore::engine
