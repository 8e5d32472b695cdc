// TPipe: hands out on-chip memory to queues and buffers, and event ids to whoever asks.
// Behaviour: asc-devkit, docs TPipe, impl/basic_api/kernel_tpipe_impl.h and dav_3510/kernel_tpipe_impl_c310.h.
#pragma once

#include "ascendc/tensor_api/queue_buffers.h"

namespace aicore::ascendc {

inline constexpr int kMaxBuffers = 64;  // asc-devkit, impl/basic_api: QBUF_MAX_LEN
inline constexpr int kEventIds = 8;
inline constexpr uint32_t kBlockBytes = 32;

struct QueueEntry {
    QueueType type;
    uint8_t first = 0, count = 0;
};

class QueueCore;

}  // namespace aicore::ascendc

namespace AscendC {

template <TPosition position>
class TBuf;
template <TPosition position, uint32_t bufIDSize>
class TBufPool;

class TPipe {
public:
    TPipe() {
        InitSocState();
        Init();
    }
    ~TPipe() {
        if (!destroyed_ && !aicore::ascendc::state().stopped) Destroy();
    }
    TPipe(const TPipe&) = delete;
    TPipe& operator=(const TPipe&) = delete;

    // Flags M_MTE1 0 to 2 of an AIC are taken and set for the Matmul library for as long as the pipe lives.
    void Init() {
        reset_pool();
        aicore::ascendc::state().pipe = this;
        destroyed_ = false;
        if (!aicore::ascendc::is_aic()) return;
        for (int i = 0; i < 3; ++i) SetFlag<HardEvent::M_MTE1>(AllocEventID<HardEvent::M_MTE1>());
    }
    void Destroy() {
        report_what_is_left();
        drain();
        destroyed_ = true;
        if (aicore::ascendc::is_aic()) {
            for (int id = 0; id < 3; ++id) {
                WaitFlag<HardEvent::M_MTE1>(id);
                ReleaseEventID<HardEvent::M_MTE1>(id);
            }
        }
        aicore::ascendc::state().mutexes = 0;
        aicore::barrier_all();
    }
    void Reset() {
        report_what_is_left();
        drain();
        InitSocState();
        reset_pool();
    }

    // `num` buffers of `bytes` (rounded up to 32) for a queue.
    template <class Queue>
    bool InitBuffer(Queue& queue, uint8_t num, uint32_t bytes) {
        static_assert(Queue::isTQue, "InitBuffer(que, num, len) is for a TQue; for a TBuf write InitBuffer(buf, len)");
        const aicore::ascendc::QueueType& type = Queue::type();
        const uint32_t address = take(type.space(), num, round_up(bytes), "TQue", type.position);
        queue.attach(place_queue(type, num, address, round_up(bytes)), num);
        return true;
    }
    template <TPosition position>
    bool InitBuffer(TBuf<position>& buffer, uint32_t bytes) {
        const uint32_t rounded = round_up(bytes);
        const uint32_t address = take(aicore::ascendc::space_of(position), 1, rounded, "TBuf", position);
        buffer.attach(place_buffers(address, 1, rounded), rounded);
        return true;
    }
    // A pool of its own memory, or of that of another one.
    template <class Pool>
    bool InitBufPool(Pool& pool, uint32_t bytes) {
        const uint32_t rounded = round_up(bytes);
        pool.attach(take(aicore::ascendc::space_of(Pool::poolPos), 1, rounded, "TBufPool", Pool::poolPos), rounded);
        return true;
    }
    template <class Pool, class Shared>
    bool InitBufPool(Pool& pool, uint32_t bytes, Shared& shared) {
        return share_pool(pool, bytes, shared);
    }

    // An event id that is not in use. FetchEventID only looks; AllocEventID keeps it until ReleaseEventID.
    template <HardEvent event>
    TEventID AllocEventID() {
        return AllocEventID(event);
    }
    TEventID AllocEventID(HardEvent event) {
        const TEventID id = FetchEventID(event);
        events_[static_cast<int>(event)] |= static_cast<uint8_t>(1u << id);
        return id;
    }
    template <HardEvent event>
    void ReleaseEventID(TEventID id) {
        ReleaseEventID(event, id);
    }
    void ReleaseEventID(HardEvent event, TEventID id) {
        events_[static_cast<int>(event)] &= static_cast<uint8_t>(~(1u << id));
    }
    template <HardEvent event>
    TEventID FetchEventID() {
        return FetchEventID(event);
    }
    TEventID FetchEventID(HardEvent event) {
        const uint32_t used = events_[static_cast<int>(event)];
        const int id = __builtin_ctz(~used);
        if (id >= aicore::ascendc::kEventIds) no_event_left(event);
        return static_cast<TEventID>(id);
    }

    template <TPosition position>
    uint64_t GetQueueEndAddress() const {
        return next_[static_cast<int>(aicore::ascendc::space_of(position))];
    }
    const aicore::ascendc::QueueEntry& queue(uint8_t index) const { return queues_[index]; }

private:
    template <TPosition position, uint32_t bufIDSize>
    friend class TBufPool;
    using Buffer = aicore::ascendc::Buffer;
    using BufferState = aicore::ascendc::BufferState;

    static uint32_t round_up(uint32_t bytes) {
        return (bytes + aicore::ascendc::kBlockBytes - 1) / aicore::ascendc::kBlockBytes * aicore::ascendc::kBlockBytes;
    }
    void reset_pool() {
        buffer_count_ = queue_count_ = 0;
        for (uint32_t& next : next_) next = 0;
        for (uint8_t& used : events_) used = 0;
    }

    template <class Pool, class Shared>
    static bool share_pool(Pool& pool, uint32_t bytes, Shared& shared) {
        static_assert(aicore::ascendc::space_of(Pool::poolPos) == aicore::ascendc::space_of(Shared::poolPos),
                      "pools that share memory lie in one memory");
        if (round_up(bytes) > shared.bytes()) {
            const aicore::ascendc::Message message("InitBufPool of %u bytes shares the memory of a pool of %u bytes",
                                                   bytes, shared.bytes());
            aicore::ascendc::stop("overflow", message.text, "share the memory of a pool that is as large");
        }
        pool.attach(shared.address(), shared.bytes());
        return true;
    }

    Buffer* place_queue(const aicore::ascendc::QueueType& type, uint8_t num, uint32_t address, uint32_t bytes) {
        Buffer* first = place_buffers(address, num, bytes);
        const auto index = static_cast<uint8_t>(queue_count_);
        queues_[queue_count_++] = {type, static_cast<uint8_t>(first - buffers_), num};
        for (Buffer* buffer = first; buffer != first + num; ++buffer) {
            buffer->queue = index;
            if (aicore::ascendc::by_mutex()) {
                buffer->mutex = AllocMutexID();
            } else if (type.depth == 0) {  // its two event ids stay with the buffer
                buffer->enqueue_event = type.events.enqueue;
                buffer->enqueue_id = AllocEventID(type.events.enqueue);
                buffer->free_event = type.events.release;
                buffer->free_id = AllocEventID(type.events.release);
                aicore::ascendc::set_event(buffer->free_event, buffer->free_id);
            }
        }
        return first;
    }

    // Bump allocation, one line per physical memory; the address of the first buffer.
    uint32_t take(aicore::Space space, uint32_t num, uint32_t bytes, const char* what, TPosition position) {
        uint32_t& next = next_[static_cast<int>(space)];
        const uint64_t end = uint64_t{next} + uint64_t{num} * bytes;
        if (end > aicore::usable(space) && aicore::ascendc::owns(space)) {
            no_room(space, num, bytes, what, position, end);
        }
        const uint32_t address = next;
        next = static_cast<uint32_t>(end);
        return address;
    }
    Buffer* place_buffers(uint32_t address, uint32_t num, uint32_t bytes) {
        if (buffer_count_ + num > aicore::ascendc::kMaxBuffers) {
            aicore::ascendc::stop("overflow", "a TPipe manages 64 buffers, and this InitBuffer asks for more",
                                  "use fewer buffers");
        }
        Buffer* first = buffers_ + buffer_count_;
        for (uint32_t i = 0; i < num; ++i) {
            first[i] = Buffer{};
            first[i].address = address + i * bytes;
            first[i].bytes = bytes;
        }
        buffer_count_ += static_cast<int>(num);
        return first;
    }

    [[noreturn]] void no_room(aicore::Space space, uint32_t num, uint32_t bytes, const char* what, TPosition position,
                              uint64_t end) const {
        const aicore::ascendc::Message message(
            "InitBuffer of a %s at %s asks for %u x %u bytes of %s, where %u bytes are taken: %llu bytes in all, but a "
            "kernel has %llu",
            what, aicore::ascendc::name_of(position), num, bytes, aicore::ascendc::name_of(space),
            next_[static_cast<int>(space)], static_cast<unsigned long long>(end),
            static_cast<unsigned long long>(aicore::usable(space)));
        aicore::ascendc::stop("overflow", message.text, "use smaller tiles or fewer buffers");
    }
    [[noreturn]] void no_event_left(HardEvent event) const {
        const aicore::ascendc::PipePair pipes = aicore::ascendc::pipes_of(event);
        constexpr const char* kPipes[] = {"S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX"};
        const aicore::ascendc::Message message(
            "all 8 event ids of %s -> %s are in use: more than 8 buffers of queues on this stream hold a tensor or "
            "wait to be free",
            kPipes[static_cast<int>(pipes.from)], kPipes[static_cast<int>(pipes.to)]);
        aicore::ascendc::stop("overflow", message.text, "use fewer queues or fewer buffers in InitBuffer");
    }

    // Waits for the flags that FreeTensor set and nobody waited for.
    void drain() {
        for (int i = 0; i < buffer_count_; ++i) drain(buffers_[i]);
    }
    // Of the buffers of a pool; their ids are free again.
    void drain(uint32_t lo, uint32_t hi, aicore::Space space) {
        for (int i = 0; i < queue_count_; ++i) {
            const aicore::ascendc::QueueEntry& queue = queues_[i];
            for (int k = queue.first; k < queue.first + queue.count; ++k) {
                Buffer& buffer = buffers_[k];
                if (queue.type.space() != space || buffer.address < lo || buffer.address >= hi) continue;
                const HardEvent event = buffer.free_event;
                const int8_t id = buffer.free_id;
                if (queue.type.depth != 0 && drain(buffer)) ReleaseEventID(event, id);
            }
        }
    }
    static bool drain(Buffer& buffer) {
        if (buffer.free_id == aicore::ascendc::kNoEvent || buffer.state != BufferState::free) return false;
        aicore::ascendc::wait_event(buffer.free_event, buffer.free_id);
        buffer.free_id = aicore::ascendc::kNoEvent;
        return true;
    }
    void report_what_is_left() const {
        for (int i = 0; i < queue_count_; ++i) report_what_is_left(queues_[i]);
    }
    inline void report_what_is_left(const aicore::ascendc::QueueEntry& queue) const;
    // Their flags are still set: that follows from what was just reported, and is no finding of its own.
    void take_flags_of_enqueued(const aicore::ascendc::QueueEntry& queue) const {
        if (aicore::ascendc::by_mutex()) return;
        for (const Buffer* buffer = buffers_ + queue.first; buffer != buffers_ + queue.first + queue.count; ++buffer) {
            if (buffer->state != BufferState::enqueued || buffer->enqueue_event == HardEvent::V_V) continue;
            aicore::ascendc::wait_event(buffer->enqueue_event, buffer->enqueue_id);
        }
    }

    friend class aicore::ascendc::QueueCore;

    Buffer buffers_[aicore::ascendc::kMaxBuffers];
    aicore::ascendc::QueueEntry queues_[aicore::ascendc::kMaxBuffers];
    int buffer_count_ = 0, queue_count_ = 0;
    uint32_t next_[aicore::kSpaces] = {};
    uint8_t events_[static_cast<int>(HardEvent::MAX)] = {};
    bool destroyed_ = false;
};

}  // namespace AscendC

// The pipe of the running kernel, or null.
inline AscendC::TPipe* GetTPipePtr() { return aicore::ascendc::state().pipe; }

namespace aicore::ascendc {

// "TQue<VECIN, 1> (2 buffers of 1024 bytes, UB 0x0)"
inline Message describe(const QueueType& type, int count, const Buffer& first) {
    const bool named =
        queue_source(type.position) == type.source && queue_destination(type.position) == type.destination;
    if (named) {
        return Message("TQue<%s, %d> (%d buffer%s of %u bytes, %s 0x%x)", name_of(type.position), type.depth, count,
                       count == 1 ? "" : "s", first.bytes, name_of(type.space()), first.address);
    }
    return Message("TQueBind<%s, %s, %d> (%d buffer%s of %u bytes, %s 0x%x)", name_of(type.source),
                   name_of(type.destination), type.depth, count, count == 1 ? "" : "s", first.bytes,
                   name_of(type.space()), first.address);
}

// The machine goes on with the bytes of whoever holds the buffer now (asc-devkit, docs, TQue, FreeTensor).
inline void report_freed(Buffer* buffer) {
    if (buffer->told == buffer->frees) return;
    buffer->told = buffer->frees;
    const QueueEntry& queue = state().pipe->queue(buffer->queue);
    const Message name = describe(queue.type, queue.count, *buffer);
    const Message message("%s: a tensor is used after FreeTensor", name.text);
    finding("queue-free", message.text, "write FreeTensor() after its last use", "FreeTensor", buffer->freed_at,
            {queue.type.space(), buffer->address, uint64_t{buffer->address} + buffer->bytes});
}

}  // namespace aicore::ascendc

inline void AscendC::TPipe::report_what_is_left(const aicore::ascendc::QueueEntry& queue) const {
    using aicore::ascendc::Message;
    const Buffer* first = buffers_ + queue.first;
    int held = 0, waiting = 0;
    for (const Buffer* buffer = first; buffer != first + queue.count; ++buffer) {
        held += buffer->state == BufferState::occupied || buffer->state == BufferState::dequeued;
        waiting += buffer->state == BufferState::enqueued;
    }
    if (held == 0 && waiting == 0) return;
    const Message name = aicore::ascendc::describe(queue.type, queue.count, *first);
    if (waiting != 0) {
        const Message message("%s: %d tensor%s enqueued and never dequeued", name.text, waiting,
                              waiting == 1 ? " was" : "s were");
        aicore::finding("queue-left", message.text, "write DeQue() once for every EnQue()");
        take_flags_of_enqueued(queue);
    }
    if (held != 0) {
        const Message message("%s: %d tensor%s never freed", name.text, held, held == 1 ? " was" : "s were");
        aicore::finding("queue-left", message.text, "write FreeTensor() after the last use of every tensor");
    }
}
