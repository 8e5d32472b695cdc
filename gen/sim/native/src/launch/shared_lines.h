// Lines of 64 bytes of global memory that several blocks write through their data caches. A core writes a line back as
// a whole, so that what the others have stored there is lost by chance. Source: asc-devkit, docs, GlobalTensor,
// SetValue; DataCacheCleanAndInvalid, example with several cores.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "verdict/findings.h"

namespace aicore::engine {

class Launch;

class SharedLines {
public:
    // The scalar unit of `core`, one of `block`, stores into the line that starts at `at`.
    void note(uint64_t at, uint32_t block, const std::string& core, uint32_t site);
    void report(const Launch& launch, Findings& findings) const;

private:
    struct Writer {
        uint32_t block = 0;
        std::string core;
        uint32_t site = 0;
    };
    struct Line {
        Writer first, last;  // by block
    };
    std::mutex mutex_;
    std::map<uint64_t, Line> lines_;
};

}  // namespace aicore::engine
