// The report of the process: JSON at AICORE_REPORT, written whole or not at all.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "replay/sync_log.h"
#include "verdict/counts.h"
#include "verdict/findings.h"
#include "verdict/unwritten_report.h"

namespace aicore::engine {

struct TensorReport {
    size_t index = 0;  // among the pointer arguments
    std::string name;  // what messages call it
    uint64_t bytes = 0;
    uint64_t written_bytes = 0;
};

struct LaunchReport {
    std::string kernel;
    std::string kind;
    uint32_t blocks = 0;
    std::string unsupported;  // empty: nothing was missing
    Place unsupported_at;
    Findings findings;
    std::vector<TensorReport> tensors;
    std::vector<ReadReport> reads_unwritten;
    CountTable counts;
    SyncLog sync;
    uint64_t cycles = 0;
};

// Keeps the launch for the report, which is written when the process ends.
void add_to_report(LaunchReport launch);
// A mistake of the host's program, told with its last launch.
bool any_launch();
void add_to_last_launch(Finding finding);
std::string report_json();

// Host code needs what the model does not have: writes the report and ends the process.
[[noreturn]] void host_unsupported(const char* what);

// verdict/crash.cpp: a signal of the kernel becomes a report that says "crashed". Per host thread.
void catch_crashes();

}  // namespace aicore::engine
