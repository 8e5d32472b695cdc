// Lines of the data cache of one core that its scalar unit has written and that global memory does not have yet: they
// get there with DataCacheCleanAndInvalid, or at a time of their own.
// Source: asc-devkit, docs, 缓存控制, DataCacheCleanAndInvalid; GlobalTensor, SetValue.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "record/op.h"

namespace aicore::engine {

struct Core;

inline constexpr uint64_t kCacheLine = 64;

class DataCache {
public:
    // The scalar unit stores `bytes` at `at`; `site` is where. True for the first ones of a line in a row.
    bool write(uint64_t at, uint64_t bytes, uint32_t site) {
        dirty_[at] = {at + bytes, site};
        return std::exchange(line_, at / kCacheLine) != at / kCacheLine;
    }
    // The bytes from `at` to the end of its line are written back; all of them.
    void clean(uint64_t at);
    void clean_all() { dirty_.clear(), line_ = 0; }
    bool clean() const { return dirty_.empty(); }
    // Reports an instruction that reads past the cache what only the cache has.
    void check(Core& core, const Op& op);

private:
    struct Piece {
        uint64_t end;
        uint32_t site;
    };
    std::map<uint64_t, Piece> dirty_;  // by address
    uint64_t line_ = 0;                // that was written last
};

}  // namespace aicore::engine
