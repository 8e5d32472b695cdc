// TQue, TQueBind and TBuf: buffers of on-chip memory and the protocol that orders their use.
//
//     free --AllocTensor--> occupied --EnQue--> enqueued --DeQue--> dequeued --FreeTensor--> free
//
// The machine checks nothing of this: a step out of order reads or writes a buffer that another pipe still uses, or
// waits for ever. Here each such step is a finding.
// Behaviour: asc-devkit, docs TQue, impl/basic_api/kernel_tquebind_impl.h, dav_3510/kernel_tpipe_impl_c310_vec.h.
#pragma once

#include "ascendc/tensor_api/tpipe.h"

namespace aicore::ascendc {

// The run-time part of a queue; one for all types.
class QueueCore {
public:
    void attach(Buffer* first, int count) { first_ = first, count_ = count, cursor_ = used_ = 0; }
    int count() const { return count_; }
    bool idle(const Buffer* buffer) const { return buffer->state == BufferState::free; }
    bool has_idle() const {
        for (int i = 0; i < count_; ++i) {
            if (idle(first_ + i)) return true;
        }
        return false;
    }

    Buffer* alloc(const QueueType& type) {
        require_buffers(type, "AllocTensor");
        for (int tried = 0; tried < count_; ++tried) {
            Buffer* buffer = first_ + cursor_;
            cursor_ = (cursor_ + 1) % count_;
            if (!idle(buffer)) continue;
            buffer->state = BufferState::occupied;
            wait_until_free(type, buffer);
            return buffer;
        }
        never_free(type);
    }

    // `events`: those of the stream, or of the positions that the call names.
    // False: the step was out of order and did not happen.
    bool enqueue(const QueueType& type, Buffer* buffer, const StreamEvents& events) {
        require_own(type, buffer, "queue-enque", "EnQue");
        if (buffer->state != BufferState::occupied && buffer->state != BufferState::dequeued) {
            fault("queue-enque", type, "EnQue",
                  buffer->state == BufferState::free ? "was freed" : "is in the queue already",
                  "write EnQue() once after AllocTensor() or DeQue()");
            return false;
        }
        buffer->state = BufferState::enqueued;
        if (by_mutex()) {
            touch_mutex(pipes_of(events.enqueue).from, buffer->mutex, false);
        } else {
            if (type.depth != 0) {
                buffer->enqueue_event = events.enqueue;
                buffer->enqueue_id = events.enqueue == HardEvent::V_V ? 0 : pipe()->AllocEventID(events.enqueue);
            }
            set_event(buffer->enqueue_event, buffer->enqueue_id);
        }
        return true;
    }

    void dequeue(const QueueType& type, Buffer* buffer, const StreamEvents& events) {
        buffer->state = BufferState::dequeued;
        if (by_mutex()) {
            touch_mutex(pipes_of(events.enqueue).to, buffer->mutex, true);
        } else if (buffer->enqueue_id != kNoEvent) {
            wait_event(events.enqueue, buffer->enqueue_id);
            if (type.depth == 0) return;
            if (events.enqueue != HardEvent::V_V) pipe()->ReleaseEventID(events.enqueue, buffer->enqueue_id);
            buffer->enqueue_id = kNoEvent;
        }
    }

    void release(const QueueType& type, Buffer* buffer) {
        require_own(type, buffer, "queue-free", "FreeTensor");
        if (buffer->state == BufferState::free) {
            fault("queue-free", type, "FreeTensor", "is free already",
                  "write FreeTensor() once for every AllocTensor()");
            return;
        }
        if (buffer->state == BufferState::enqueued) {
            fault("queue-free", type, "FreeTensor", "is still in the queue",
                  "write DeQue() first, and free what it returns");
            dequeue_for_free(type, buffer);
        }
        if (by_mutex()) {
            touch_mutex(type.consumer(), buffer->mutex, false);
        } else {
            if (type.depth != 0) {
                buffer->free_event = type.events.release;
                buffer->free_id = pipe()->AllocEventID(type.events.release);
            }
            set_event(buffer->free_event, buffer->free_id);
        }
        buffer->state = BufferState::free;
        ++buffer->frees;
        buffer->freed_at = place();
    }

    // Waits for the flags of all free buffers (FreeAllEvent).
    void drain() {
        for (Buffer* buffer = first_; !by_mutex() && buffer != first_ + count_; ++buffer) {
            if (buffer->free_id == kNoEvent) continue;
            wait_event(buffer->free_event, buffer->free_id);
            pipe()->ReleaseEventID(buffer->free_event, buffer->free_id);
            buffer->free_id = kNoEvent;
        }
    }

    // The FIFO between EnQue and DeQue holds `depth` buffers.
    void push(const QueueType& type, Buffer* buffer, Buffer** fifo) {
        if (used_ == type.depth) {
            const Message name = describe(type, count_, *first_);
            const Message message(
                "%s: EnQue into a queue that holds %d tensor%s already, as many as its depth: the oldest is lost",
                name.text, used_, used_ == 1 ? "" : "s");
            stop("queue-depth", message.text,
                 "write DeQue() before the next EnQue(), or give the queue a larger depth");
        }
        fifo[(head_ + used_) % type.depth] = buffer;
        ++used_;
    }
    Buffer* pop(const QueueType& type, Buffer** fifo) {
        require_buffers(type, "DeQue");
        if (used_ == 0) {
            const Message name = describe(type, count_, *first_);
            const Message message("%s: DeQue from a queue that holds no tensor", name.text);
            stop("queue-deque", message.text, "write EnQue() after the tensor is filled, before this DeQue()");
        }
        Buffer* buffer = fifo[head_];
        head_ = (head_ + 1) % type.depth;
        --used_;
        return buffer;
    }
    int used() const { return used_; }

    void require_own(const QueueType& type, const Buffer* buffer, const char* code, const char* call) const {
        require_buffers(type, call);
        if (buffer >= first_ && buffer < first_ + count_) return;
        const Message name = describe(type, count_, *first_);
        const Message message("%s: %s of a tensor that does not come from this queue's AllocTensor()", name.text, call);
        stop(code, message.text, "give it the tensor that this queue's AllocTensor() or DeQue() returned");
    }

private:
    static AscendC::TPipe* pipe() { return state().pipe; }

    // Takes the flag that the missing DeQue() would have taken, so that nothing else follows from it.
    void dequeue_for_free(const QueueType& type, Buffer* buffer) {
        if (by_mutex() || buffer->enqueue_id == kNoEvent || buffer->enqueue_event == HardEvent::V_V) return;
        wait_event(buffer->enqueue_event, buffer->enqueue_id);
        if (type.depth == 0) return;
        pipe()->ReleaseEventID(buffer->enqueue_event, buffer->enqueue_id);
        buffer->enqueue_id = kNoEvent;
    }

    void wait_until_free(const QueueType& type, Buffer* buffer) {
        if (by_mutex()) {
            touch_mutex(type.producer(), buffer->mutex, true);
        } else if (buffer->free_id != kNoEvent) {
            wait_event(buffer->free_event, buffer->free_id);
            if (type.depth == 0) return;
            pipe()->ReleaseEventID(buffer->free_event, buffer->free_id);
            buffer->free_id = kNoEvent;
        }
    }

    void require_buffers(const QueueType& type, const char* call) const {
        if (count_ != 0) return;
        const Message message("%s of a TQue at %s that has no buffers", call, name_of(type.position));
        stop("queue-alloc", message.text, "write pipe.InitBuffer(queue, num, bytes) first");
    }
    [[noreturn]] void never_free(const QueueType& type) const {
        int held[4] = {};
        for (int i = 0; i < count_; ++i) ++held[static_cast<int>(first_[i].state)];
        const Message name = describe(type, count_, *first_);
        const Message message(
            "%s: AllocTensor never returns, every buffer is in use (%d allocated, %d enqueued, %d dequeued)", name.text,
            held[static_cast<int>(BufferState::occupied)], held[static_cast<int>(BufferState::enqueued)],
            held[static_cast<int>(BufferState::dequeued)]);
        stop("queue-alloc", message.text,
             "write FreeTensor() after the last use of a tensor, or give the queue more buffers in InitBuffer");
    }
    void fault(const char* code, const QueueType& type, const char* call, const char* detail,
               const char* remedy) const {
        const Message name = describe(type, count_, *first_);
        const Message message("%s: %s of a tensor that %s", name.text, call, detail);
        finding(code, message.text, remedy);
    }

    Buffer* first_ = nullptr;
    int count_ = 0;
    int cursor_ = 0;           // AllocTensor goes round the buffers
    int head_ = 0, used_ = 0;  // of the FIFO
};

}  // namespace aicore::ascendc

namespace AscendC {

// A queue from `source` to `destination`. `config` other than 0 (TQueConfig) is not modelled.
template <TPosition source, TPosition destination, int32_t depth, auto config = 0>
class TQueBind {
public:
    static constexpr bool isTQue = true;
    static_assert(std::is_integral_v<decltype(config)>, "a TQueConfig is not modelled");

    static const aicore::ascendc::QueueType& type() { return kType; }
    void attach(aicore::ascendc::Buffer* first, int count) { core_.attach(first, count); }

    template <class T>
    LocalTensor<T> AllocTensor() {
        static_assert(depth != 0, "a queue of depth 0 allocates in place: AllocTensor(tensor)");
        return tensor<T>(core_.alloc(kType));
    }
    template <class T>
    void AllocTensor(LocalTensor<T>& in_place) {
        static_assert(depth == 0, "only a queue of depth 0 allocates in place");
        in_place = tensor<T>(core_.alloc(kType));
    }

    template <class T>
    bool EnQue(const LocalTensor<T>& tensor) {
        return enqueue(tensor.buffer(), kType.events);
    }
    // EnQue/DeQue that name the positions between which the tensor really moves.
    template <TPosition from, TPosition to, class T>
    bool EnQue(const LocalTensor<T>& tensor) {
        static_assert(depth != 0, "a queue of depth 0 takes no positions");
        return enqueue(tensor.buffer(), user_events<from, to>());
    }

    template <class T>
    LocalTensor<T> DeQue() {
        static_assert(depth != 0, "a queue of depth 0 dequeues in place: DeQue(tensor)");
        return dequeue<T>(kType.events);
    }
    template <TPosition from, TPosition to, class T>
    LocalTensor<T> DeQue() {
        static_assert(depth != 0, "a queue of depth 0 takes no positions");
        return dequeue<T>(user_events<from, to>());
    }
    template <class T>
    void DeQue(LocalTensor<T>& in_place) {
        static_assert(depth == 0, "only a queue of depth 0 dequeues in place");
        core_.require_own(kType, in_place.buffer(), "queue-deque", "DeQue");
        core_.dequeue(kType, in_place.buffer(), kType.events);
    }

    template <class T>
    void FreeTensor(LocalTensor<T>& tensor) {
        core_.release(kType, tensor.buffer());
    }
    void FreeAllEvent() { core_.drain(); }

    bool VacantInQue() const { return core_.used() < depth; }
    bool HasTensorInQue() const { return core_.used() > 0; }
    bool HasIdleBuffer() const { return core_.has_idle(); }
    int32_t GetTensorCountInQue() const { return core_.used(); }

private:
    static constexpr aicore::ascendc::QueueType kType{source, destination,
                                                      aicore::ascendc::buffer_position(source, destination), depth,
                                                      aicore::ascendc::stream_events(source, destination)};
    static_assert(kType.events.enqueue != HardEvent::MAX, "no data stream connects these two positions");

    template <TPosition from, TPosition to>
    static constexpr aicore::ascendc::StreamEvents user_events() {
        constexpr aicore::ascendc::StreamEvents events = aicore::ascendc::stream_events(from, to);
        static_assert(events.enqueue != HardEvent::MAX, "EnQue and DeQue take two of GM, VECIN, VECCALC, VECOUT");
        return events;
    }

    bool enqueue(aicore::ascendc::Buffer* buffer, const aicore::ascendc::StreamEvents& events) {
        if (!core_.enqueue(kType, buffer, events)) return false;
        if constexpr (depth != 0) core_.push(kType, buffer, fifo_);
        return true;
    }
    template <class T>
    LocalTensor<T> dequeue(const aicore::ascendc::StreamEvents& events) {
        aicore::ascendc::Buffer* buffer = core_.pop(kType, fifo_);
        core_.dequeue(kType, buffer, events);
        return tensor<T>(buffer);
    }
    template <class T>
    static LocalTensor<T> tensor(aicore::ascendc::Buffer* buffer) {
        return LocalTensor<T>::in_buffer(kType.position, buffer->address, buffer->bytes, buffer->address,
                                         buffer->address + buffer->bytes, buffer);
    }

    aicore::ascendc::QueueCore core_;
    aicore::ascendc::Buffer* fifo_[depth == 0 ? 1 : depth] = {};
};

template <TPosition position, int32_t depth, auto config = 0>
class TQue : public TQueBind<aicore::ascendc::queue_source(position), aicore::ascendc::queue_destination(position),
                             depth, config> {};

// A buffer without a protocol: the kernel orders its use itself.
template <TPosition position = TPosition::LCM>
class TBuf {
public:
    static constexpr bool isTQue = false;

    void attach(aicore::ascendc::Buffer* buffer, uint32_t bytes) { buffer_ = buffer, bytes_ = bytes; }

    template <class T>
    LocalTensor<T> Get() {
        return window<T>(0, bytes_);
    }
    template <class T>
    LocalTensor<T> Get(uint32_t elements) {
        return window<T>(0, elements * static_cast<uint32_t>(sizeof(T)));
    }
    // `elements` of T from `offset` bytes on. The window rounded up to 32 bytes is what the tensor may touch.
    template <class T>
    LocalTensor<T> GetWithOffset(uint32_t elements, uint32_t offset) {
        return window<T>(offset, elements * static_cast<uint32_t>(sizeof(T)));
    }

private:
    template <class T>
    LocalTensor<T> window(uint32_t offset, uint32_t bytes) const {
        if (buffer_ == nullptr) {
            aicore::ascendc::stop("queue-alloc", "Get of a TBuf that has no memory",
                                  "write pipe.InitBuffer(buffer, bytes) first");
        }
        constexpr uint32_t kBlock = aicore::ascendc::kBlockBytes;
        const uint32_t lo = buffer_->address + offset;
        const uint64_t end = uint64_t{offset} + (uint64_t{bytes} + kBlock - 1) / kBlock * kBlock;
        const uint32_t hi = buffer_->address + static_cast<uint32_t>(end < bytes_ ? end : bytes_);
        return LocalTensor<T>::in_buffer(position, lo, bytes, lo, hi, buffer_);
    }

    aicore::ascendc::Buffer* buffer_ = nullptr;
    uint32_t bytes_ = 0;
};

}  // namespace AscendC
