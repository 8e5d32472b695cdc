// One kernel launch: its blocks, shared out to host threads, and what all of them found.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "aicore/core.h"
#include "launch/interblock.h"
#include "launch/shared_lines.h"
#include "replay/group.h"
#include "verdict/report.h"

namespace aicore::engine {

class Launch {
public:
    Launch(const char* kernel, KernelKind kind, uint32_t blocks, void (*fn)(const void*), const void* args,
           const void* const* tensors, size_t tensor_count);

    // Runs all blocks, compares them with each other, and returns what goes into the report.
    LaunchReport run();

    const std::string& kernel() const { return kernel_; }
    uint32_t blocks() const { return blocks_; }
    KernelKind kind() const { return kind_; }
    bool has_aics() const { return kind_ != KernelKind::vector && kind_ != KernelKind::mix_0_1; }
    const char* kind_name() const;
    bool has_unit(int unit) const;
    // How many blocks run at a time on the largest chip of the kind.
    uint32_t resident_blocks() const;
    void call_kernel() const { fn_(args_); }
    InterBlock& inter() { return inter_; }
    SharedLines& shared_lines() { return shared_lines_; }
    bool shared(uint64_t lo, uint64_t hi) const { return inter_.shared(lo, hi); }

    // The kernel needs something that the model lacks, at this place: the other blocks stop at their next instruction.
    void abort(const std::string& what, const Place& where);
    bool aborted() const { return aborted_.load(std::memory_order_relaxed); }

    // What a message calls a tensor: its label, or its place among the arguments.
    std::string tensor_name(int tensor) const;

private:
    friend class Workers;
    void block_ended(Group& group);
    void judge_blocks();
    void collect(LaunchReport& out);

    std::string kernel_;
    KernelKind kind_;
    uint32_t blocks_;
    void (*fn_)(const void*);
    const void* args_;
    std::vector<int> tensors_;  // index of the tensor in global memory, per pointer argument; -1: none
    mutable InterBlock inter_;
    SharedLines shared_lines_;
    bool met_ = false;  // blocks wait for each other: who writes a line, and when, is theirs to say
    std::atomic<bool> aborted_{false};
    std::mutex mutex_;
    std::string unsupported_;
    Place unsupported_at_;
    // Per block, in the order of the grid, so that the verdict does not depend on host threads.
    std::vector<Findings> findings_;
    std::vector<std::vector<std::unique_ptr<GmTrack>>> tracks_;
    std::vector<Unwritten> unwritten_;
    SyncLog sync_;
    std::vector<BlockTrace> traces_;
    std::vector<uint64_t> core_cycles_;
    CountTable counts_;
    bool incomplete_ = false;  // a block did not run to its end: what it left undone is no finding of its own
};

}  // namespace aicore::engine
