// TBufPool: a part of UB or L1 that hands out buffers, and that several stages of a kernel may share.
// Behaviour: asc-devkit, docs TBufPool and TPipe InitBufPool.
#pragma once

#include "ascendc/tensor_api/tque.h"

namespace AscendC {

template <TPosition position, uint32_t bufIDSize = 4>
class TBufPool {
    static constexpr aicore::Space kSpace = aicore::ascendc::space_of(position);
    static_assert(kSpace == aicore::Space::ub || kSpace == aicore::Space::l1, "a TBufPool lies in UB or in L1");
    static_assert(bufIDSize <= 16, "a TBufPool hands out 16 buffers at most");

public:
    static constexpr TPosition poolPos = position;

    // The memory that the pool manages; called by InitBufPool.
    void attach(uint32_t address, uint32_t bytes) {
        start_ = next_ = address;
        end_ = address + bytes;
        used_ = 0;
    }
    uint32_t address() const { return start_; }
    uint32_t bytes() const { return end_ - start_; }

    template <class Queue>
    bool InitBuffer(Queue& queue, uint8_t num, uint32_t bytes) {
        static_assert(Queue::isTQue, "InitBuffer(que, num, len) is for a TQue; for a TBuf write InitBuffer(buf, len)");
        const aicore::ascendc::QueueType& type = Queue::type();
        if (type.space() != kSpace) other_memory();
        queue.attach(place(&type, num, TPipe::round_up(bytes)), num);
        return true;
    }
    template <TPosition where>
    bool InitBuffer(TBuf<where>& buffer, uint32_t bytes) {
        static_assert(aicore::ascendc::space_of(where) == kSpace, "the buffer lies in another memory than its pool");
        const uint32_t rounded = TPipe::round_up(bytes);
        buffer.attach(place(nullptr, 1, rounded), rounded);
        return true;
    }
    // A part of this pool as a pool of its own; or the same part as that of another pool.
    template <class Pool>
    bool InitBufPool(Pool& pool, uint32_t bytes) {
        const uint32_t rounded = TPipe::round_up(bytes);
        pool.attach(take(rounded), rounded);
        return true;
    }
    template <class Pool, class Shared>
    bool InitBufPool(Pool& pool, uint32_t bytes, Shared& shared) {
        return TPipe::share_pool(pool, bytes, shared);
    }
    // Everything that uses its buffers is complete before what follows (docs, TBufPool, constraints 2 and 4).
    void Reset() {
        pipe().drain(start_, end_, kSpace);
        aicore::barrier_all();
        next_ = start_;
        used_ = 0;
    }

private:
    using Buffer = aicore::ascendc::Buffer;
    using QueueType = aicore::ascendc::QueueType;
    // What one InitBuffer was given; the same call behind a Reset gets it again.
    struct Part {
        Buffer* first = nullptr;
        const QueueType* type = nullptr;
        uint32_t num = 0, address = 0, bytes = 0;

        bool operator==(const Part& other) const {
            return type == other.type && num == other.num && address == other.address && bytes == other.bytes;
        }
    };

    static TPipe& pipe() { return *aicore::ascendc::state().pipe; }

    // `type`: of the queue, or null for a TBuf.
    Buffer* place(const QueueType* type, uint8_t num, uint32_t bytes) {
        const uint32_t at = used_;
        Part wanted{nullptr, type, num, reserve(num, bytes), bytes};
        Part& part = parts_[at];
        if (part.first != nullptr && part == wanted) return part.first;
        wanted.first = type != nullptr ? pipe().place_queue(*type, num, wanted.address, bytes)
                                       : pipe().place_buffers(wanted.address, num, bytes);
        part = wanted;
        return part.first;
    }

    uint32_t reserve(uint32_t num, uint32_t bytes) {
        used_ += num;
        if (used_ > bufIDSize) {
            const aicore::ascendc::Message message(
                "this TBufPool hands out %u buffers (its bufIDSize), and this InitBuffer asks for the %uth", bufIDSize,
                used_);
            aicore::ascendc::stop("overflow", message.text, "give the pool a larger bufIDSize, 16 at most");
        }
        return take(num * bytes);
    }
    uint32_t take(uint32_t bytes) {
        if (end_ == start_) {
            aicore::ascendc::stop("queue-alloc", "a TBufPool that has no memory hands out a part of it",
                                  "write pipe.InitBufPool(pool, bytes) first");
        }
        if (uint64_t{next_} + bytes > end_ && aicore::ascendc::owns(kSpace)) {
            const aicore::ascendc::Message message(
                "a TBufPool of %u bytes, of which %u are taken, is asked for %u more", end_ - start_, next_ - start_,
                bytes);
            aicore::ascendc::stop("overflow", message.text, "make the pool larger, or its buffers smaller");
        }
        const uint32_t address = next_;
        next_ += bytes;
        return address;
    }
    [[noreturn]] static void other_memory() {
        aicore::ascendc::stop("overflow", "a TBufPool hands out buffers to a queue of another memory",
                              "give the pool the position of the queue");
    }

    uint32_t start_ = 0, next_ = 0, end_ = 0, used_ = 0;
    Part parts_[bufIDSize];
};

}  // namespace AscendC
