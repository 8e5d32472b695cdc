// GroupBarrier: one group of AIVs waits until all of another group have arrived. Source: asc-devkit, docs SIMD-API /
// groups of cubes, GroupBarrier; how often a core may arrive before the others have waited:
// impl/basic_api/dav_c220/core_mng/roc/kernel_operator_group_barrier_impl.h.
#pragma once

#include "ascendc/tensor_api/argument_range.h"
#include "ascendc/tensor_api/sync.h"

namespace aicore::ascendc {

inline constexpr uint32_t kBarrierLine = 512, kBarrierWord = 32;  // bytes; a line for each waiting core

}  // namespace aicore::ascendc

namespace AscendC {

enum class PipeMode : uint8_t { SCALAR_MODE = 0, MTE3_MODE = 1, MAX };

template <PipeMode mode>
class GroupBarrier {
    static_assert(mode == PipeMode::MTE3_MODE, "GroupBarrier signals with MTE3_MODE only");

public:
    GroupBarrier(GM_ADDR workspace, uint32_t arrive_size, uint32_t wait_size)
        : workspace_(workspace), arrive_size_(arrive_size), wait_size_(wait_size) {
        if (!aicore::ascendc::on_aiv()) return;
        if (reinterpret_cast<uintptr_t>(workspace) % aicore::ascendc::kBarrierLine != 0) {
            aicore::finding("misaligned", "the workspace of a GroupBarrier does not start at a multiple of 512 bytes",
                            "let it start at a multiple of 512 bytes");
        }
        if (arrive_size > aicore::ascendc::kBarrierLine / aicore::ascendc::kBarrierWord) {
            aicore::unsupported("AscendC::GroupBarrier(of more than 16 cores that arrive)");
        }
    }

    void Arrive(uint32_t index) {
        if (!aicore::ascendc::on_aiv()) return;
        if (index >= arrive_size_) outside("Arrive", "arriveIndex", index, arrive_size_);
        PipeBarrier<PIPE_ALL>();
        for (uint32_t waiting = 0; waiting < wait_size_; ++waiting) {
            const int32_t* word = word_of(waiting, index);
            aicore::scalar_read("Arrive", aicore::ascendc::shared_scalar(word, false));  // it has to be cleared
            aicore::signal_by_word("Arrive", word, false);
            aicore::ops::count_word("Arrive", memory_of(word));
        }
        PipeBarrier<PIPE_ALL>();
    }
    void Wait(uint32_t index) {
        if (!aicore::ascendc::on_aiv()) return;
        if (index >= wait_size_) outside("Wait", "waitIndex", index, wait_size_);
        PipeBarrier<PIPE_ALL>();
        for (uint32_t arriving = 0; arriving < arrive_size_; ++arriving) {
            aicore::wait_for_word("Wait", word_of(index, arriving));
        }
        PipeBarrier<PIPE_ALL>();
    }
    uint64_t GetWorkspaceLen() const {
        const uint32_t lines = arrive_size_ > wait_size_ ? arrive_size_ : wait_size_;
        return uint64_t{lines} * aicore::ascendc::kBarrierLine;
    }

private:
    const int32_t* word_of(uint32_t waiting, uint32_t arriving) const {
        return reinterpret_cast<const int32_t*>(workspace_ + waiting * aicore::ascendc::kBarrierLine +
                                                arriving * aicore::ascendc::kBarrierWord);
    }
    static aicore::ops::Mem memory_of(const int32_t* word) {
        return {aicore::Space::gm, reinterpret_cast<uintptr_t>(word), 0, 0, aicore::Unit::self};
    }
    [[noreturn]] static void outside(const char* call, const char* argument, uint32_t index, uint32_t size) {
        const aicore::ascendc::Message message("GroupBarrier::%s: %s is %u, and the group has %u cores: 0 to %u", call,
                                               argument, index, size, size - 1);
        aicore::ascendc::stop("argument-range", message.text, "number the cores of the group from 0 on");
    }

    GM_ADDR workspace_;
    uint32_t arrive_size_, wait_size_;
};

}  // namespace AscendC
