// What the verdict depends on beside the kernel (environment AICORE_PROFILE).
#pragma once

#include <cstdint>
#include <vector>

#include "aicore/core.h"
#include "replay/schedule.h"

namespace aicore::engine {

enum class FlagIdentity : uint8_t { doc, strict };  // keyed by (from, to, id) or by (from, id)
enum class CrossFlag : uint8_t { counter, binary };
enum class KTail : uint8_t { group, exact };  // does Mmad multiply whole C0 groups of K, or k lanes?

struct Profile {
    Chip chip = Chip::dav2201;
    bool auto_sync = false;
    FlagIdentity flag_identity = FlagIdentity::doc;
    CrossFlag cross_flag = CrossFlag::counter;
    KTail k_tail = KTail::group;
    unsigned threads = 0;  // 0: all cores of the host
    bool hazards = true;   // always off where the schedule takes a pipe out of order
    Schedule schedule;
    unsigned poison = 0;         // seed of what never-written memory holds; 0: NaN
    std::vector<uint64_t> drop;  // synchronisation that is left out, by site_key(); sorted
    bool deep = false;           // remarks that are worth a look only when asked for, and the list of synchronisation
    int variant = 0;             // of the program: aicore::variant()

    // The hardware of dav-3510 keeps vector instructions in order; on dav-2201 bisheng's --cce-auto-sync puts a barrier
    // between those of an AIV (asc-devkit, docs, 同步控制/核内同步/关键特性说明).
    bool vector_in_order() const { return chip == Chip::dav3510 || auto_sync; }
    // So many operations a core goes on recording before the replay gets its turn: few, so that what they touch is
    // still in the cache; many, so that an adversarial schedule has something to choose from.
    uint32_t stretch() const { return schedule.adversarial() ? 1u << 17 : 2048; }
};

// Parsed once, at the first call. An unknown key or value ends the process with a message.
const Profile& profile();

// Bytes of a memory that an access may touch, and that a kernel may allocate.
uint64_t hardware_capacity(Chip chip, Space space);
uint64_t usable_capacity(Chip chip, Space space);
// Most AICs, or AIVs, that a chip of the kind has: as many blocks are resident at a time.
uint32_t resident_cores(Chip chip, CoreKind kind);

}  // namespace aicore::engine
