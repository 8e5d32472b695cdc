#include "record/unit_flags.h"

#include <algorithm>
#include <set>
#include <utility>

#include "record/l0c_cells.h"
#include "replay/group.h"
#include "verdict/words.h"

namespace aicore::engine {

void UnitFlags::see(const Op& op) {
    if (op.unit_flag == 0 && cells_.empty()) return;
    for (int i = 0; i < op.region_count; ++i) {
        if (op.regions[i].write != (op.pipe == Pipe::m)) continue;
        each_cell_of(cells_, kCell, op.regions[i], [&](Cell& cell, uint64_t) {
            if (op.unit_flag == 0) cell.unused = true;
            if (cell.unused || cell.waiting.size() == kMostWaiting) return;
            cell.waiting.push_back({op.pipe, op.unit_flag, op.site, op.name});
            go_on(cell);
        });
    }
}

// Each pipe keeps its order; which of the two may go on, the bit says.
void UnitFlags::go_on(Cell& cell) {
    auto& waiting = cell.waiting;
    while (true) {
        const Pipe free = cell.set ? Pipe::fix : Pipe::m;
        const auto next =
            std::find_if(waiting.begin(), waiting.end(), [&](const Use& use) { return use.pipe == free; });
        if (next == waiting.end()) return;
        cell.last = *next;
        waiting.erase(next);
        if (cell.last.mode == 3) cell.set = !cell.set;
    }
}

void UnitFlags::report(Core& core) const {
    std::set<std::pair<uint32_t, uint32_t>> told;  // a tile has many cells, and one mistake
    for (size_t i = 0; i < cells_.size(); ++i) {
        const Cell& cell = cells_[i];
        const uint32_t waits = cell.waiting.empty() ? 0 : cell.waiting.front().site;
        if (at_fault(cell) && told.emplace(waits, cell.last.site).second) report(core, cell, i * kCell);
    }
}

// Only what follows from an instruction that leaves the bit by its mode: how much of a tile an instruction touches that
// does not have it whole, the documents leave open.
bool UnitFlags::at_fault(const Cell& cell) {
    const Pipe keeper = cell.set ? Pipe::fix : Pipe::m;
    return !cell.unused && cell.last.mode == 2 && cell.last.pipe == keeper && (cell.set || !cell.waiting.empty());
}

void UnitFlags::report(Core& core, const Cell& cell, uint64_t at) {
    const bool stuck = !cell.waiting.empty();
    const Use& waits = stuck ? cell.waiting.front() : cell.last;
    Findings& findings = core.group->findings;
    Finding f;
    f.code = stuck ? "wait-without-set" : "flag-left-set";
    f.edge = cell.set ? edge_word(core.lane_id(Pipe::fix), core.lane_id(Pipe::m))
                      : edge_word(core.lane_id(Pipe::m), core.lane_id(Pipe::fix));
    if (findings.known(f.code, f.edge, waits.site, stuck ? cell.last.site : 0)) return;
    f.space = "L0C";
    f.lo = at;
    f.hi = at + kCell;
    const std::string bytes = bytes_word(f.lo, f.hi);
    if (stuck) {
        f.message = text(
            "%s waits until the unit flag of L0C, %s, is %d, which it never is: the last %s there has "
            "unitFlag 2, which leaves it as it is",
            waits.name, bytes.c_str(), cell.set ? 0 : 1, cell.last.name);
        f.second = {cell.last.name, word(cell.last.pipe), cell.last.site};
    } else {
        f.message = text(
            "%s with unitFlag 2 leaves the unit flag of L0C, %s, at 1 when the core ends, and the next Mmad "
            "that writes there never starts",
            waits.name, bytes.c_str());
    }
    f.remedy.text = text("give the last %s of the tile unitFlag 3", cell.last.name);
    f.core = core.group->where(core);
    f.first = {waits.name, word(waits.pipe), waits.site};
    findings.add(std::move(f));
}

}  // namespace aicore::engine
