// Reads of never-written bytes of a whole launch, for the report.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hazard/gm_log.h"
#include "hazard/unwritten.h"
#include "verdict/findings.h"
#include "verdict/json.h"

namespace aicore::engine {

class Launch;

struct StoreReport {
    Place place;
    std::string core;
    int tensor = -1;
    RangeSet bytes;
};

struct ReadReport {
    Place place;
    std::string core;  // where it was seen first
    std::string space;
    std::string tensor;  // of global memory: its name
    RangeSet bytes;
    uint64_t count = 0;
    bool written_later = false;
    bool decides = false;
    std::vector<StoreReport> stores;
};

using Tracks = std::vector<std::vector<std::unique_ptr<GmTrack>>>;  // per block, per tensor

// Those of all blocks that no other block can have written, equal ones as one.
std::vector<ReadReport> collect_unwritten(const Launch& launch, std::vector<Unwritten>& blocks, const Tracks& tracks);

void write_unwritten(Json& json, const std::vector<ReadReport>& reads);
// verdict/report.cpp
void write_place(Json& json, const char* key, const Place& place);
// verdict/report.cpp: the frames of a position in a source that the program interprets (record/site.h).
void write_frames(Json& json, uint64_t name);

}  // namespace aicore::engine
