#include "launch/launch.h"

#include <algorithm>

#include "hazard/blocks.h"
#include "launch/profile.h"
#include "launch/trace.h"
#include "launch/workers.h"
#include "memory/gm.h"
#include "verdict/fold.h"
#include "verdict/redundant.h"
#include "verdict/words.h"

namespace aicore::engine {

const char* Launch::kind_name() const {
    constexpr const char* words[] = {"vector", "cube", "mix_1_0", "mix_0_1", "mix_1_1", "mix_1_2"};
    return words[static_cast<size_t>(kind_)];
}

Launch::Launch(const char* kernel, KernelKind kind, uint32_t blocks, void (*fn)(const void*), const void* args,
               const void* const* tensors, size_t tensor_count)
    : kernel_(kernel), kind_(kind), blocks_(blocks), fn_(fn), args_(args) {
    for (size_t i = 0; i < tensor_count; ++i) tensors_.push_back(gm().find(reinterpret_cast<uint64_t>(tensors[i])));
    bool units[kUnits];
    for (int unit = 0; unit < kUnits; ++unit) units[unit] = has_unit(unit);
    inter_.reset(blocks, units);
    findings_.resize(blocks);
    tracks_.resize(blocks);
    unwritten_.resize(blocks);
    core_cycles_.resize(std::min<size_t>(blocks, resident_blocks()));
    if (tracing()) traces_.resize(blocks);
}

bool Launch::has_unit(int unit) const {
    switch (kind_) {
        case KernelKind::vector:
        case KernelKind::mix_0_1:
            return unit == 1;
        case KernelKind::cube:
        case KernelKind::mix_1_0:
            return unit == 0;
        case KernelKind::mix_1_1:
            return unit <= 1;
        case KernelKind::mix_1_2:
            return true;
    }
    return false;
}

uint32_t Launch::resident_blocks() const {
    return resident_cores(profile().chip, has_unit(0) ? CoreKind::aic : CoreKind::aiv);
}

void Launch::abort(const std::string& what, const Place& where) {
    std::lock_guard lock(mutex_);
    if (unsupported_.empty()) {
        unsupported_ = what;
        unsupported_at_ = where;
    }
    aborted_.store(true, std::memory_order_relaxed);
}

std::string Launch::tensor_name(int tensor) const {
    const std::string& label = gm()[tensor].label;
    if (!label.empty()) return label;
    auto at = std::find(tensors_.begin(), tensors_.end(), tensor);
    if (at != tensors_.end()) return text("argument %d", static_cast<int>(at - tensors_.begin()) + 1);
    return text("tensor %d", tensor + 1);
}

void Launch::block_ended(Group& group) {
    std::lock_guard lock(mutex_);
    findings_[group.block] = std::move(group.findings);
    group.unwritten.finish(group.accesses, group.tensors);
    tracks_[group.block] = std::move(group.tensors);
    unwritten_[group.block] = std::move(group.unwritten);
    sync_.merge(group.sync);
    if (tracing()) {
        for (const Core& core : group.cores) write_pending(core);
        traces_[group.block] = std::move(group.trace);
    }
    met_ |= group.meets_blocks;
    incomplete_ |= group.stuck || group.stopped || group.skipped;
    uint64_t finish = 0;
    for (Core& core : group.cores) {
        core.counts.merge_into(counts_);
        finish = std::max(finish, core.finish);
    }
    core_cycles_[group.block % core_cycles_.size()] += finish;
    group.findings = {};
    group.unwritten.clear();
    group.tensors.clear();
}

LaunchReport Launch::run() {
    run_blocks(*this);
    LaunchReport out;
    out.kernel = kernel_;
    out.kind = kind_name();
    out.blocks = blocks_;
    out.unsupported = unsupported_;
    out.unsupported_at = unsupported_at_;
    collect(out);
    if (tracing()) flush_trace(*this, traces_);
    return out;
}

void Launch::collect(LaunchReport& out) {
    for (int tensor = 0; tensor < static_cast<int>(gm().size()); ++tensor) {
        if (gm()[tensor].stored) gm()[tensor].stored_as = tensor_name(tensor);
    }
    for (const Findings& f : findings_) out.findings.merge(f);
    if (!aborted()) {
        if (!incomplete_) report_flags_left(inter_, kernel_, out.findings);
        BlockComparison blocks(*this, tracks_, out.findings);
        blocks.compare();
        if (!met_) shared_lines_.report(*this, out.findings);
        if (!incomplete_) blocks.check_written();
        for (size_t i = 0; i < tensors_.size(); ++i) {
            if (tensors_[i] < 0) continue;
            const int t = tensors_[i];
            out.tensors.push_back({i, tensor_name(t), gm()[t].bytes, blocks.written_bytes(t)});
        }
        blocks.keep_written();
        out.reads_unwritten = collect_unwritten(*this, unwritten_, tracks_);
    }
    out.findings = fold(std::move(out.findings));
    bool whole = profile().deep && !aborted() && !incomplete_ && profile().hazards && !out.findings.errors();
    if (whole) report_redundant(sync_, out.findings);
    out.sync = std::move(sync_);
    out.counts = std::move(counts_);
    for (uint64_t cycles : core_cycles_) out.cycles = std::max(out.cycles, cycles);
}

}  // namespace aicore::engine
