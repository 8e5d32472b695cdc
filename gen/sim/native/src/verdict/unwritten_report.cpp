#include "verdict/unwritten_report.h"

#include <algorithm>

#include "launch/launch.h"
#include "memory/gm.h"
#include "verdict/words.h"

namespace aicore::engine {

namespace {

constexpr size_t kMaxRanges = 4096;  // in the report; a longer list becomes its hull
constexpr uint64_t kMaxRows = 1 << 16;

void add_rows(RangeSet& to, const Strided& where, uint64_t base) {
    for (uint64_t i = 0; i < where.rows; ++i) {
        uint64_t lo = where.lo - base + i * where.pitch;
        to.add(lo, lo + where.len);
    }
}

// Drops what another block writes, not atomically: a synchronisation between the blocks may order it before.
RangeSet left_of(const UnwrittenRead& read, const Tracks& tracks) {
    const Tensor& tensor = gm()[read.tensor];
    RangeSet others, left;
    for (size_t block = 0; block < tracks.size(); ++block) {
        auto at = static_cast<size_t>(read.tensor);
        if (block == read.block || tracks[block].size() <= at || !tracks[block][at]) continue;
        for (const GmEntry& e : tracks[block][at]->log.writes()) {
            if (!e.access.atomic && e.access.where.rows <= kMaxRows) add_rows(others, e.access.where, tensor.base);
        }
    }
    for (const Range& r : read.bytes.all()) {
        others.each_gap(r.lo, r.hi, [&](uint64_t lo, uint64_t hi) { left.add(lo, hi); });
    }
    return left;
}

void add_all(RangeSet& to, const RangeSet& from) {
    for (const Range& r : from.all()) to.add(r.lo, r.hi);
}

ReadReport& entry_for(const Launch& launch, const UnwrittenRead& read, std::vector<ReadReport>& out) {
    std::string space = read.tensor >= 0 ? "GM" : word(local_space(read.local));
    std::string tensor = read.tensor >= 0 ? launch.tensor_name(read.tensor) : "";
    for (ReadReport& known : out) {
        if (known.place.site == read.site && known.space == space && known.tensor == tensor) return known;
    }
    ReadReport fresh;
    fresh.place = {read.name, word(read.pipe), read.site};
    fresh.core = core_word(read.unit, read.block);
    fresh.space = space;
    fresh.tensor = tensor;
    out.push_back(std::move(fresh));
    return out.back();
}

void add_store(ReadReport& read, const UnwrittenStore& store) {
    auto at = std::find_if(read.stores.begin(), read.stores.end(), [&](const StoreReport& s) {
        return s.place.site == store.site && s.tensor == store.tensor;
    });
    if (at == read.stores.end()) {
        Place place{store.name, word(store.pipe), store.site};
        read.stores.push_back({place, core_word(store.unit, store.block), store.tensor, {}});
        at = read.stores.end() - 1;
    }
    add_all(at->bytes, store.bytes);
}

void write_ranges(Json& json, const RangeSet& set) {
    const auto& all = set.all();
    json.open('[');
    if (all.size() > kMaxRanges) {
        json.open('[').number(all.front().lo).number(all.back().hi).close(']');
    } else {
        for (const Range& r : all) json.open('[').number(r.lo).number(r.hi).close(']');
    }
    json.close(']');
}

}  // namespace

std::vector<ReadReport> collect_unwritten(const Launch& launch, std::vector<Unwritten>& blocks, const Tracks& tracks) {
    std::vector<ReadReport> out;
    for (Unwritten& block : blocks) {
        for (size_t i = 0; i < block.reads.size(); ++i) {
            UnwrittenRead& read = block.reads[i];
            if (read.tensor >= 0 && !read.junk) read.bytes = left_of(read, tracks);
            if (read.bytes.all().empty()) continue;
            ReadReport& entry = entry_for(launch, read, out);
            add_all(entry.bytes, read.bytes);
            entry.count += read.count;
            entry.written_later |= read.written_later;
            entry.decides |= read.decides;
            for (const UnwrittenStore& store : block.stores) {
                if (store.read == i) add_store(entry, store);
            }
        }
    }
    return out;
}

void write_unwritten(Json& json, const std::vector<ReadReport>& reads) {
    json.key("reads_unwritten").open('[');
    for (const ReadReport& r : reads) {
        json.open('{');
        write_place(json, "place", r.place);
        json.key("core").string(r.core).key("space").string(r.space).key("tensor").string(r.tensor);
        json.key("bytes").open('[').number(r.bytes.all().front().lo).number(r.bytes.all().back().hi).close(']');
        json.key("count").number(r.count).key("decides").boolean(r.decides);
        json.key("written_later").boolean(r.written_later);
        json.key("stores").open('[');
        for (const StoreReport& s : r.stores) {
            json.open('{');
            write_place(json, "place", s.place);
            json.key("core").string(s.core).key("tensor").number(static_cast<uint64_t>(s.tensor)).key("ranges");
            write_ranges(json, s.bytes);
            json.close('}');
        }
        json.close(']').close('}');
    }
    json.close(']');
}

}  // namespace aicore::engine
