// The buffers of a TPipe, and what the data stream of a queue (source position -> destination position) implies: where
// its buffers lie, which event flags guard them, and which pipes produce and consume.
// Source: asc-devkit, impl/basic_api/kernel_event.h (GetPosition, GetBufferLogicPos, GetQueEvt, GetPipe).
#pragma once

#include "ascendc/tensor_api/sync.h"

namespace aicore::ascendc {

enum class BufferState : uint8_t { free, occupied, enqueued, dequeued };

inline constexpr int8_t kNoEvent = -1;

struct Buffer {
    uint32_t address = 0, bytes = 0;
    BufferState state = BufferState::free;
    int8_t enqueue_id = kNoEvent;  // ids of event flags that are set and not yet waited for
    int8_t free_id = kNoEvent;
    HardEvent enqueue_event = HardEvent::MAX;
    HardEvent free_event = HardEvent::MAX;
    uint8_t mutex = 0;
    uint8_t queue = 0;  // index of its queue in the TPipe
    uint32_t frees = 0;
    uint32_t freed_at = 0;  // the place of the last FreeTensor
    uint32_t told = 0;      // the value of `frees` when a use after FreeTensor was reported
};

inline uint32_t frees_of(const Buffer* buffer) { return buffer->frees; }

// The stream of a queue that is named by one position only.
constexpr TPosition queue_source(TPosition position) {
    switch (position) {
        case TPosition::A1:
        case TPosition::B1:
        case TPosition::C1:
        case TPosition::VECIN:
            return TPosition::GM;
        case TPosition::A2:
            return TPosition::A1;
        case TPosition::B2:
            return TPosition::B1;
        case TPosition::C2:
            return TPosition::C1;
        case TPosition::C2PIPE2GM:
            return TPosition::B1;
        case TPosition::CO1:
        case TPosition::CO2:
        case TPosition::VECOUT:
            return position;
        default:
            return TPosition::MAX;
    }
}
constexpr TPosition queue_destination(TPosition position) {
    switch (position) {
        case TPosition::CO1:
            return TPosition::CO2;
        case TPosition::CO2:
        case TPosition::VECOUT:
            return TPosition::GM;
        default:
            return queue_source(position) == TPosition::MAX ? TPosition::MAX : position;
    }
}

// Where the buffers of a stream lie: at the destination, or at the source where the destination is global memory.
constexpr TPosition buffer_position(TPosition source, TPosition destination) {
    return destination == TPosition::GM || destination == TPosition::CO2 ? source : destination;
}

struct StreamEvents {
    HardEvent enqueue = HardEvent::MAX, release = HardEvent::MAX;
};

constexpr StreamEvents stream_events(TPosition source, TPosition destination) {
    const Space from = space_of(source), to = space_of(destination);
    using E = HardEvent;
    if (from == Space::gm) {
        if (to == Space::ub) return {E::MTE2_V, E::V_MTE2};
        if (to == Space::l1) return {E::MTE2_MTE1, E::MTE1_MTE2};
        if (to == Space::l0a || to == Space::l0b) return {E::MTE2_M, E::M_MTE2};
    }
    if (from == Space::ub) {
        if (to == Space::gm) return {E::V_MTE3, E::MTE3_V};
        if (to == Space::l1) return {E::MTE3_MTE1, E::MTE1_MTE3};
        if (to == Space::ub) return {E::MTE2_MTE3, E::MTE3_MTE2};
    }
    if (from == Space::l1) {
        if (to == Space::ub) return {E::MTE1_V, E::V_MTE1};
        if (to == Space::fb) return {E::MTE1_FIX, E::FIX_MTE1};
        if (to == Space::l0a || to == Space::l0b || to == Space::bt) return {E::MTE1_M, E::M_MTE1};
    }
    if (from == Space::l0c && to == Space::gm) return {E::M_FIX, E::FIX_M};
    return {};
}

// All that the run-time part of a queue needs to know about its type.
struct QueueType {
    TPosition source, destination, position;
    int depth;
    StreamEvents events;

    Space space() const { return space_of(position); }
    Pipe producer() const { return pipes_of(events.enqueue).from; }
    Pipe consumer() const { return pipes_of(events.enqueue).to; }
};

// A core synchronises its queues by buffer mutexes (AIV of the Ascend 950) or by event flags (all others).
inline bool by_mutex() { return kChip == Chip::dav3510 && is_aiv(); }

// Event flags whose event is known at run time only.
inline void set_event(HardEvent event, int id) {
    const PipePair pipes = pipes_of(event);
    if (has_pipe(pipes.from) && has_pipe(pipes.to)) set_flag(pipes.from, pipes.to, id);
}
inline void wait_event(HardEvent event, int id) {
    const PipePair pipes = pipes_of(event);
    if (has_pipe(pipes.from) && has_pipe(pipes.to)) wait_flag(pipes.from, pipes.to, id);
}

// One step of a queue on a buffer's mutex: taking it waits for the other side (`blocking`), giving it does not.
inline void touch_mutex(Pipe pipe, int id, bool blocking) {
    if (!has_pipe(pipe)) return;
    mutex_lock(pipe, id, blocking);
    mutex_unlock(pipe, id, blocking);
}

}  // namespace aicore::ascendc
