#include "hazard/blocks.h"

#include <algorithm>
#include <cinttypes>
#include <optional>

#include "launch/launch.h"
#include "launch/profile.h"
#include "memory/gm.h"
#include "verdict/words.h"

namespace aicore::engine {

namespace {

// Is `first` complete, to the knowledge of `second`, before it starts?
bool ordered(uint32_t first_block, const GmEntry& first, const GmEntry& second) {
    return second.abroad && second.abroad->blocks[first_block].at[first.access.lane] >= first.access.seq;
}

Place place(const GmEntry& e) { return {e.access.name, word(pipe_of_lane(e.access.lane)), e.access.site}; }

}  // namespace

BlockComparison::BlockComparison(const Launch& launch, const Tracks& tracks, Findings& findings)
    : launch_(launch), tracks_(tracks), findings_(findings) {
    for (const auto& block : tracks_) {
        for (size_t t = 0; t < block.size(); ++t) {
            if (!block[t]) continue;
            auto tensor = static_cast<int>(t);
            if (!block[t]->log.writes().empty()) written_.try_emplace(tensor, gm()[tensor].bytes);
            read_[tensor] |= !block[t]->log.reads().empty();
        }
    }
}

const GmTrack* BlockComparison::track(uint32_t block, int tensor) const {
    const auto& of = tracks_[block];
    return static_cast<size_t>(tensor) < of.size() ? of[static_cast<size_t>(tensor)].get() : nullptr;
}

void BlockComparison::compare() {
    for (auto& [tensor, map] : written_) compare_tensor(tensor);
}

void BlockComparison::compare_tensor(int tensor) {
    std::vector<Hit> hits;
    forward(tensor, hits);
    if (!profile().hazards || tracks_.size() < 2) return;
    if (read_[tensor]) backward(tensor, hits);
    // Blocks that write the same bytes also read what another wrote: that follows.
    bool twice = false;
    for (const Hit& hit : hits) {
        if (hit.entry->access.write) twice |= resolve(tensor, hit);
    }
    for (const Hit& hit : hits) {
        if (!twice && !hit.entry->access.write) resolve(tensor, hit);
    }
}

// Blocks in order: each is held against the bytes that the blocks before it wrote.
void BlockComparison::forward(int tensor, std::vector<Hit>& hits) {
    uint64_t base = gm()[tensor].base;
    Bitmap& plain = written_.at(tensor);
    std::optional<Bitmap> atomic;
    bool judge = profile().hazards && tracks_.size() > 1;
    for (uint32_t block = 0; block < tracks_.size(); ++block) {
        const GmTrack* t = track(block, tensor);
        if (!t) continue;
        auto meets = [&](const GmEntry& e) {
            const Strided& where = e.access.where;
            return plain.any(where, base) || (atomic && !e.access.atomic && atomic->any(where, base));
        };
        if (judge) {
            for (const GmEntry& e : t->log.reads())
                if (meets(e)) hits.push_back({block, &e, false});
            for (const GmEntry& e : t->log.writes())
                if (meets(e)) hits.push_back({block, &e, false});
        }
        for (const GmEntry& e : t->log.writes()) {
            if (e.access.atomic && !atomic) atomic.emplace(plain.size());
            (e.access.atomic ? *atomic : plain).set(e.access.where, base);
        }
    }
    if (atomic) plain.add(*atomic);
}

// And back: reads against what the blocks after it wrote.
void BlockComparison::backward(int tensor, std::vector<Hit>& hits) {
    uint64_t base = gm()[tensor].base;
    Bitmap later(gm()[tensor].bytes);
    for (auto block = static_cast<uint32_t>(tracks_.size()); block-- > 0;) {
        const GmTrack* t = track(block, tensor);
        if (!t) continue;
        for (const GmEntry& e : t->log.reads())
            if (later.any(e.access.where, base)) hits.push_back({block, &e, true});
        for (const GmEntry& e : t->log.writes()) later.set(e.access.where, base);
    }
}

bool BlockComparison::resolve(int tensor, const Hit& hit) {
    bool found = false;
    uint32_t from = hit.later ? hit.block + 1 : 0;
    auto to = hit.later ? static_cast<uint32_t>(tracks_.size()) : hit.block;
    const Access& mine = hit.entry->access;
    for (uint32_t other = from; other < to; ++other) {
        const GmTrack* t = track(other, tensor);
        if (!t) continue;
        for (const GmEntry& e : t->log.writes()) {
            if (!overlaps(e.access.where, mine.where) || (e.access.atomic && mine.atomic)) continue;
            if (ordered(other, e, *hit.entry) || ordered(hit.block, *hit.entry, e)) continue;
            const uint64_t lo = std::max(e.access.where.lo, mine.where.lo);
            if (launch_.shared(lo, std::min(e.access.where.hi, mine.where.hi))) continue;
            // All blocks run the same program: its order tells which access was meant to come first.
            bool mine_first = mine.index < e.access.index || (mine.index == e.access.index && hit.later);
            mine_first ? report(tensor, hit.block, *hit.entry, other, e)
                       : report(tensor, other, e, hit.block, *hit.entry);
            found = true;
        }
    }
    return found;
}

void BlockComparison::report(int tensor, uint32_t first_block, const GmEntry& first, uint32_t second_block,
                             const GmEntry& second) {
    bool both = first.access.write && second.access.write;
    const char* code = both ? "output-written-twice" : first.access.write ? "race-raw" : "race-war";
    std::string edge =
        text("block %s→block %s", word(pipe_of_lane(first.access.lane)), word(pipe_of_lane(second.access.lane)));
    if (findings_.known(code, edge, first.access.site, second.access.site)) return;
    Finding f;
    f.code = code;
    f.edge = edge;
    f.space = "GM";
    uint64_t base = gm()[tensor].base;
    f.lo = std::max(first.access.where.lo, second.access.where.lo) - base;
    f.hi = std::min(first.access.where.hi, second.access.where.hi) - base;
    std::string one = core_word(unit_of_lane(first.access.lane), first_block);
    std::string two = core_word(unit_of_lane(second.access.lane), second_block);
    const char* what = both                 ? "both write"
                       : first.access.write ? "one writes and the other reads"
                                            : "one reads and the other writes";
    f.message = text("%s and %s: %s %s of %s, and nothing orders the blocks", one.c_str(), two.c_str(), what,
                     bytes_word(f.lo, f.hi).c_str(), launch_.tensor_name(tensor).c_str());
    f.remedy = sync_blocks(!launch_.has_unit(0), both);
    if (both && first.access.site == second.access.site) {
        f.remedy = step_over(first.access.where, second.access.where, std::move(f.remedy));
    }
    f.links.tensor = tensor;
    f.core = two;
    f.first = place(first);
    f.second = place(second);
    findings_.add(std::move(f));
}

void BlockComparison::check_written() {
    for (auto& [tensor, map] : written_) {
        Bitmap written = map;
        for (const Range& r : gm()[tensor].initialised.all()) written.set(r.lo, r.hi);
        check_tensor(tensor, written);
    }
}

void BlockComparison::check_tensor(int tensor, const Bitmap& written) {
    uint64_t lo = written.next(0, false);
    if (lo == written.size()) return;
    uint64_t hi = written.next(lo, true), missing = written.size() - written.count();
    std::string name = launch_.tensor_name(tensor);
    Finding f;
    f.code = "output-not-written";
    f.note = read_[tensor];  // written and read back: a workspace, of which a part may stay unused
    f.edge = name;
    f.space = "GM";
    f.links.tensor = tensor;
    f.lo = lo;
    f.hi = hi;
    f.message = text("%s of %s are never written (%" PRIu64 " of its %" PRIu64 " bytes are missing)",
                     bytes_word(lo, hi).c_str(), name.c_str(), missing, written.size());
    f.remedy.text =
        "extend the stores of the last block or the last tile to the end, or let the host initialise the tensor";
    uint32_t block = 0;
    if (const GmEntry* e = last_writer(tensor, lo, block)) {
        f.first = place(*e);
        f.core = core_word(unit_of_lane(e->access.lane), block);
    }
    findings_.add(std::move(f));
}

// The write that ends closest before the gap.
const GmEntry* BlockComparison::last_writer(int tensor, uint64_t before, uint32_t& block) const {
    const GmEntry* best = nullptr;
    uint64_t limit = gm()[tensor].base + before;
    for (uint32_t b = 0; b < tracks_.size(); ++b) {
        const GmTrack* t = track(b, tensor);
        if (!t) continue;
        for (const GmEntry& e : t->log.writes()) {
            if (best && (e.access.where.lo > limit || e.access.where.lo <= best->access.where.lo)) continue;
            best = &e;
            block = b;
        }
    }
    return best;
}

uint64_t BlockComparison::written_bytes(int tensor) const {
    auto at = written_.find(tensor);
    return at == written_.end() ? 0 : at->second.count();
}

void BlockComparison::keep_written() {
    for (auto& [tensor, map] : written_) {
        RangeSet& known = gm()[tensor].initialised;
        for (uint64_t lo = map.next(0, true); lo < map.size();) {
            uint64_t hi = map.next(lo, false);
            known.add(lo, hi);
            lo = map.next(hi, true);
        }
    }
}

}  // namespace aicore::engine
