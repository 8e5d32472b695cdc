// Every source position that synchronises, with what came of it: whether a wait or a barrier told its pipe anything.
#pragma once

#include <cstdint>
#include <vector>

#include "record/op.h"
#include "replay/clock.h"

namespace aicore::engine {

struct Core;

struct SyncSite {
    bool used = false;
    OpKind kind = OpKind::instr;
    int lane = 0;
    Pipe other = Pipe::s;
    int id = 0, mode = 0;
    uint64_t issued = 0;
    uint64_t taught = 0;             // how often it told its pipe something
    bool last = false;               // the last operation of a core
    std::vector<uint32_t> partners;  // sites whose sets it took
};

// By site (record/site.h).
class SyncLog {
public:
    void issue(const Core& core, const Op& op);
    void link(uint32_t wait, uint32_t set);
    void teach(uint32_t site) { ++at(site).taught; }
    void end(uint32_t site) { at(site).last = true; }
    void merge(const SyncLog& other);
    void clear() { sites_.clear(); }
    const std::vector<SyncSite>& sites() const { return sites_; }

private:
    SyncSite& at(uint32_t site) {
        if (site >= sites_.size()) sites_.resize(site + 1);
        return sites_[site];
    }
    std::vector<SyncSite> sites_;
};

// What an operation is about to add to the knowledge of its pipe.
class Lesson {
public:
    Lesson(const Core& core, const Op& op);
    // After it was executed.
    bool learnt(const Core& core) const;

private:
    int lane_;
    Clock before_;
    const Abroad* abroad_;
};

}  // namespace aicore::engine
