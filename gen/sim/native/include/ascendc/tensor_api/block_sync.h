// Synchronisation of AIVs by words of global memory: SyncAll with a workspace, IBSet and IBWait, and blocks in their
// order. Source: asc-devkit, docs SIMD-API / synchronisation, between cores; the steps of the calls:
// impl/basic_api/dav_c220/kernel_operator_sync_impl.h, kernel_operator_determine_compute_sync_impl.h.
#pragma once

#include "ascendc/tensor_api/data_copy.h"
#include "ascendc/tensor_api/sync.h"
#include "ascendc/tensor_api/vector.h"

namespace aicore::ascendc {

inline constexpr uint32_t kWordStride = 8;  // int32 words: each core has a block of 32 bytes

using Words = const AscendC::GlobalTensor<int32_t>&;

// The word of a block and an event. What is out of range would be the word of another pair: the core ends.
template <bool only_aiv>
AscendC::GlobalTensor<int32_t> signal_word(const char* call, Words words, int32_t block, int32_t event) {
    const auto cores = AscendC::GetBlockNum() * (only_aiv ? 1 : 2);
    if (block < 0 || block >= cores) {
        const Message message("%s: blockIdx is %d, and there are %lld cores: 0 to %lld", call, block,
                              static_cast<long long>(cores), static_cast<long long>(cores - 1));
        stop("argument-range", message.text, "name the core that waits, or that is waited for, by its index");
    }
    const auto index = static_cast<int64_t>(cores) * event + block;
    return words[static_cast<uint64_t>(index * kWordStride)];
}

inline void refuse_pairs_of_aivs(const char* call) {
    if (core().sub_blocks == 2) unsupported(call);
}

}  // namespace aicore::ascendc

namespace AscendC {

// All AIVs, or the first `used_cores` of them. On the device each counts its calls in a word of its own and polls the
// others'.
template <bool only_aiv = true>
void SyncAll(const GlobalTensor<int32_t>& words, const LocalTensor<int32_t>& local, int32_t used_cores = 0) {
    namespace face = aicore::ascendc;
    if (!face::on_aiv()) return;
    face::refuse_pairs_of_aivs("AscendC::SyncAll(with a workspace, in a kernel with two AIVs to a block)");
    const auto all = static_cast<uint32_t>(GetBlockNum()), me = static_cast<uint32_t>(GetBlockIdx());
    face::check_range("SyncAll", "usedCores", static_cast<uint64_t>(used_cores), 0, all);
    const uint32_t cores = used_cores <= 0 || static_cast<uint32_t>(used_cores) > all ? all : used_cores;
    if (me >= cores) {
        const face::Message message("SyncAll: block %u calls it, and usedCores is %u: only blocks 0 to %u take part",
                                    me, cores, cores - 1);
        aicore::finding("argument-range", message.text, "let only the blocks that take part call it");
        return;
    }
    PipeBarrier<PIPE_ALL>();
    aicore::ops::poll_words("SyncAll", local.mem(), words.mem(), cores * 32);
    const uint64_t mine = uint64_t{me} * face::kWordStride;
    aicore::sync_by_words(words.GetPhyAddr(), words.GetPhyAddr() + mine, cores);
    aicore::ops::count_word("SyncAll", words[mine].mem());
    PipeBarrier<PIPE_ALL>();
}

// One AIV tells another that it may go on. All arguments but `local` are those of the partner's call.
template <bool only_aiv = true>
void IBSet(const GlobalTensor<int32_t>& words, const LocalTensor<int32_t>& local, int32_t blockIdx, int32_t eventID) {
    if (!aicore::ascendc::on_aiv()) return;
    const auto word = aicore::ascendc::signal_word<only_aiv>("IBSet", words, blockIdx, eventID);
    PipeBarrier<PIPE_ALL>();
    aicore::ops::poll_words("IBSet", local.mem(), word.mem(), 32);
    aicore::signal_by_word("IBSet", word.GetPhyAddr(), false);
    aicore::ops::store_word("IBSet", word.mem(), 0);
    PipeBarrier<PIPE_ALL>();
}
template <bool only_aiv = true>
void IBWait(const GlobalTensor<int32_t>& words, const LocalTensor<int32_t>& local, int32_t blockIdx, int32_t eventID) {
    if (!aicore::ascendc::on_aiv()) return;
    const auto word = aicore::ascendc::signal_word<only_aiv>("IBWait", words, blockIdx, eventID);
    PipeBarrier<PIPE_ALL>();
    aicore::ops::poll_words("IBWait", local.mem(), word.mem(), 32);
    aicore::wait_for_word("IBWait", word.GetPhyAddr());
    aicore::ops::store_word("IBWait", word.mem(), 0);
    PipeBarrier<PIPE_ALL>();
}

// Blocks one after the other: each waits for the one before it and lets the next one go on; the last lets the first one
// begin its next round, whose number stands behind the words in UB.
inline void InitDetermineComputeWorkspace(GlobalTensor<int32_t>& words, LocalTensor<int32_t>& local) {
    if (!aicore::ascendc::on_aiv()) return;
    aicore::ascendc::refuse_pairs_of_aivs("AscendC::InitDetermineComputeWorkspace(with two AIVs to a block)");
    const auto blocks = static_cast<uint32_t>(GetBlockNum());
    aicore::share_words(words.GetPhyAddr(), uint64_t{blocks} * aicore::ascendc::kWordStride * sizeof(int32_t));
    PipeBarrier<PIPE_ALL>();
    if (GetBlockIdx() == 0) {
        Duplicate(local, 0, static_cast<int32_t>(blocks * aicore::ascendc::kWordStride));
        PipeBarrier<PIPE_ALL>();
        for (uint32_t i = 0; i < blocks; ++i) {
            aicore::ops::store_word("InitDetermineComputeWorkspace", words[i * aicore::ascendc::kWordStride].mem(), 0);
        }
    }
    local.SetValue(blocks * aicore::ascendc::kWordStride, 1);
    PipeBarrier<PIPE_ALL>();
}
inline void WaitPreBlock(GlobalTensor<int32_t>& words, LocalTensor<int32_t>& local) {
    if (!aicore::ascendc::on_aiv()) return;
    const auto blocks = static_cast<uint32_t>(GetBlockNum()), me = static_cast<uint32_t>(GetBlockIdx());
    PipeBarrier<PIPE_ALL>();
    const int32_t round = local.GetValue(blocks * aicore::ascendc::kWordStride);
    const auto word = words[me * aicore::ascendc::kWordStride];
    aicore::ops::poll_words("WaitPreBlock", local.mem(), words.mem(), blocks * 32);
    if (me != 0 || round != 1) aicore::wait_for_word("WaitPreBlock", word.GetPhyAddr());
    PipeBarrier<PIPE_ALL>();
}
inline void NotifyNextBlock(GlobalTensor<int32_t>& words, LocalTensor<int32_t>& local) {
    if (!aicore::ascendc::on_aiv()) return;
    const auto blocks = static_cast<uint32_t>(GetBlockNum()), me = static_cast<uint32_t>(GetBlockIdx());
    PipeBarrier<PIPE_ALL>();
    const uint32_t counter = blocks * aicore::ascendc::kWordStride;
    const int32_t round = local.GetValue(counter);
    const auto next = words[(me + 1) % blocks * aicore::ascendc::kWordStride];
    aicore::ops::store_word("NotifyNextBlock", next.mem(), round);
    aicore::signal_by_word("NotifyNextBlock", next.GetPhyAddr(), true);
    local.SetValue(counter, round + 1);
    PipeBarrier<PIPE_ALL>();
}

}  // namespace AscendC
