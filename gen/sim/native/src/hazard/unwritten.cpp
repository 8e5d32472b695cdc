#include "hazard/unwritten.h"

#include <algorithm>

#include "replay/core.h"
#include "replay/group.h"

namespace aicore::engine {

namespace {

constexpr size_t kKinds = 1024;         // reads, and stores, that are told apart in one block
constexpr uint64_t kMaxRows = 1 << 16;  // of an access; beyond, its bytes count as not written
constexpr size_t kWhole = 64;

template <class F>
void each_row(const Strided& s, F&& visit) {
    for (uint64_t i = 0; i < s.rows; ++i) visit(s.lo + i * s.pitch, s.lo + i * s.pitch + s.len);
}

// The bytes of `where`, from `base` on, that are in none of the accesses (and not in `initialised`).
RangeSet missing_bytes(const Strided& where, uint64_t base, const AccessList& written, const RangeSet* initialised) {
    RangeSet known, missing;
    written.each_touching(where, false, [&](const Access& a) {
        if (a.junk || a.where.rows > kMaxRows) return;
        each_row(a.where, [&](uint64_t lo, uint64_t hi) { known.add(lo - base, hi - base); });
    });
    if (initialised) {
        for (const Range& r : initialised->all()) known.add(r.lo, r.hi);
    }
    each_row(where, [&](uint64_t lo, uint64_t hi) {
        known.each_gap(lo - base, hi - base, [&](uint64_t from, uint64_t to) { missing.add(from, to); });
    });
    return missing;
}

void add_rows(RangeSet& to, const Strided& where, uint64_t base) {
    if (where.rows > kMaxRows) return to.add(where.lo - base, where.hi - base);
    each_row(where, [&](uint64_t lo, uint64_t hi) { to.add(lo - base, hi - base); });
}

}  // namespace

bool is_written(const Strided& where, const Tensor& tensor, const AccessList& accesses) {
    return missing_bytes(where, tensor.base, accesses, &tensor.initialised).all().empty();
}

bool Unwritten::known_whole(const Touch& read) const {
    if (read.local < 0) return false;
    const auto& list = whole_[read.local];
    return std::any_of(list.begin(), list.end(), [&](const Strided& s) { return covers(s, read.where); });
}

void Unwritten::finish(const AccessList* local, const std::vector<std::unique_ptr<GmTrack>>& tensors) {
    for (UnwrittenRead& read : reads) {
        if (read.junk) continue;
        uint64_t base = read.tensor >= 0 ? gm()[read.tensor].base : 0;
        const AccessList& written =
            read.tensor >= 0 ? tensors[static_cast<size_t>(read.tensor)]->accesses : local[read.local];
        for (const Range& r : read.bytes.all()) {
            Strided where = interval(base + r.lo, base + r.hi);
            read.written_later |= !missing_bytes(where, base, written, nullptr).covers(r.lo, r.hi);
        }
    }
}

uint16_t Unwritten::judge_slowly(const Core& core, const Op& op, const Touch& read, const ReadOrigin& origin,
                                 const AccessList& written) {
    // Whether an accumulator was started is a rule of its own.
    if (op.pipe == Pipe::m && read.local == local_index(Space::l0c, 0)) return origin.taint();
    const RangeSet* initialised = nullptr;
    uint64_t base = 0;
    if (read.tensor >= 0) {
        initialised = &gm()[read.tensor].initialised;
        base = gm()[read.tensor].base;
    }
    RangeSet missing;
    if (!origin.covered() && !known_whole(read)) {
        if (initialised && initialised->covers(read.where.lo - base, read.where.hi - base)) return origin.taint();
        missing = missing_bytes(read.where, base, written, initialised);
        if (missing.all().empty() && read.local >= 0) {
            auto& list = whole_[read.local];
            if (list.size() >= kWhole) list.erase(list.begin());
            list.push_back(read.where);
        }
    }
    if (missing.all().empty() && !origin.junk()) return origin.taint();
    for (size_t i = 0; i < reads.size(); ++i) {
        UnwrittenRead& known = reads[i];
        if (known.site != op.site || known.local != read.local || known.tensor != read.tensor) continue;
        ++known.count;
        known.junk |= origin.junk();
        for (const Range& r : missing.all()) known.bytes.add(r.lo, r.hi);
        return static_cast<uint16_t>(i + 1);
    }
    if (reads.size() >= kKinds) return static_cast<uint16_t>(kKinds);
    UnwrittenRead found{op.name, op.pipe, op.site, core.unit, core.info.block, read.local, read.tensor};
    found.bytes = std::move(missing);
    found.junk = origin.junk();
    found.count = 1;
    if (found.bytes.all().empty()) add_rows(found.bytes, read.where, base);
    reads.push_back(std::move(found));
    return static_cast<uint16_t>(reads.size());
}

void Unwritten::stored(const Core& core, const Op& op, const Touch& write, uint16_t taint) {
    size_t read = taint - 1u;
    auto at = std::find_if(stores.begin(), stores.end(), [&](const UnwrittenStore& s) {
        return s.read == read && s.site == op.site && s.tensor == write.tensor;
    });
    if (at == stores.end()) {
        if (stores.size() >= kKinds) return;
        stores.push_back({read, op.name, op.pipe, op.site, core.unit, core.info.block, write.tensor, {}});
        at = stores.end() - 1;
    }
    add_rows(at->bytes, write.where, gm()[write.tensor].base);
}

void Unwritten::clear() {
    reads.clear();
    stores.clear();
    for (auto& list : whole_) list.clear();
}

}  // namespace aicore::engine
