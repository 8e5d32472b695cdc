// After a launch: what its blocks did to the tensors, taken together.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "hazard/bitmap.h"
#include "hazard/gm_log.h"
#include "verdict/findings.h"

namespace aicore::engine {

class Launch;

class BlockComparison {
public:
    using Tracks = std::vector<std::vector<std::unique_ptr<GmTrack>>>;  // per block, per tensor

    BlockComparison(const Launch& launch, const Tracks& tracks, Findings& findings);

    // Accesses of different blocks to the same bytes that no synchronisation between blocks orders.
    void compare();
    // Tensors that the kernel wrote only in part, and nobody before it.
    void check_written();
    uint64_t written_bytes(int tensor) const;
    // What was written counts as initialised from now on.
    void keep_written();

private:
    struct Hit {
        uint32_t block;
        const GmEntry* entry;
        bool later;  // the other block comes later in the grid
    };

    const GmTrack* track(uint32_t block, int tensor) const;
    void compare_tensor(int tensor);
    void forward(int tensor, std::vector<Hit>& hits);
    void backward(int tensor, std::vector<Hit>& hits);
    // True when something unordered was found.
    bool resolve(int tensor, const Hit& hit);
    void report(int tensor, uint32_t first_block, const GmEntry& first, uint32_t second_block, const GmEntry& second);
    void check_tensor(int tensor, const Bitmap& written);
    const GmEntry* last_writer(int tensor, uint64_t before, uint32_t& block) const;

    const Launch& launch_;
    const Tracks& tracks_;
    Findings& findings_;
    std::map<int, Bitmap> written_;
    std::map<int, bool> read_;
};

}  // namespace aicore::engine
