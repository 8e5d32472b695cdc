// Order between pipes and between cores. (asc-devkit, docs/zh/api/SIMD-API/C-API/sync.)
#pragma once

#include "c_api/face/enums.h"
#include "c_api/face/qualifiers.h"

// Sets the flag (src, dst, id) when everything issued to `src` before is done.
inline void asc_sync_notify(pipe_t src, pipe_t dst, event_t id) {
    using aicore::c_api::to_pipe;
    aicore::set_flag(to_pipe(src, "asc_sync_notify from PIPE_ALL"), to_pipe(dst, "asc_sync_notify to PIPE_ALL"),
                     static_cast<int>(id));
}
// Stalls `dst` until the flag is set, and clears it.
inline void asc_sync_wait(pipe_t src, pipe_t dst, event_t id) {
    using aicore::c_api::to_pipe;
    aicore::wait_flag(to_pipe(src, "asc_sync_wait from PIPE_ALL"), to_pipe(dst, "asc_sync_wait to PIPE_ALL"),
                      static_cast<int>(id));
}
inline void asc_sync_notify(pipe_t src, pipe_t dst, int id) { asc_sync_notify(src, dst, static_cast<event_t>(id)); }
inline void asc_sync_wait(pipe_t src, pipe_t dst, int id) { asc_sync_wait(src, dst, static_cast<event_t>(id)); }

// All pipes are drained before the kernel's scalar code goes on.
inline void asc_sync() { aicore::barrier_all(); }
inline void asc_sync_pipe(pipe_t pipe) {
    if (pipe == PIPE_ALL) return asc_sync();
    aicore::pipe_barrier(aicore::c_api::to_pipe(pipe, "asc_sync_pipe"));
}

// Mutexes 0..31. A blocking lock stalls `pipe` until every unlock of the id that stands before it in the program is
// done.
inline void asc_lock(pipe_t pipe, int id, ascMutexExecuteMode mode = ASC_LOCK_BLOCK) {
    aicore::mutex_lock(aicore::c_api::to_pipe(pipe, "asc_lock of PIPE_ALL"), id, mode == ASC_LOCK_BLOCK);
}
inline void asc_unlock(pipe_t pipe, int id, ascMutexExecuteMode mode = ASC_LOCK_BLOCK) {
    aicore::mutex_unlock(aicore::c_api::to_pipe(pipe, "asc_unlock of PIPE_ALL"), id, mode == ASC_LOCK_BLOCK);
}

// Counters between cores. intra: the Cube core and one Vector core of a block (ids 16..31 of the Cube core are the
// second Vector core's 0..15). block: the Cube core and both Vector cores. subblock: the Vector cores of a block.
// inter: the same kind of core in every block.
inline void asc_sync_intra_arrive(pipe_t pipe, int id) {
    aicore::cross_set(4, aicore::c_api::to_pipe(pipe, "asc_sync_intra_arrive on PIPE_ALL"), id);
}
inline void asc_sync_intra_wait(pipe_t pipe, int id) {
    aicore::cross_wait(4, aicore::c_api::to_pipe(pipe, "asc_sync_intra_wait on PIPE_ALL"), id);
}
inline void asc_sync_block_arrive(pipe_t pipe, int id) {
    aicore::cross_set(2, aicore::c_api::to_pipe(pipe, "asc_sync_block_arrive on PIPE_ALL"), id);
}
inline void asc_sync_block_wait(pipe_t pipe, int id) {
    aicore::cross_wait(2, aicore::c_api::to_pipe(pipe, "asc_sync_block_wait on PIPE_ALL"), id);
}
inline void asc_sync_subblock_arrive(pipe_t pipe, int id) {
    aicore::cross_set(1, aicore::c_api::to_pipe(pipe, "asc_sync_subblock_arrive on PIPE_ALL"), id);
}
inline void asc_sync_subblock_wait(pipe_t pipe, int id) {
    aicore::cross_wait(1, aicore::c_api::to_pipe(pipe, "asc_sync_subblock_wait on PIPE_ALL"), id);
}
inline void asc_sync_inter_arrive(pipe_t pipe, int id) {
    aicore::cross_set(0, aicore::c_api::to_pipe(pipe, "asc_sync_inter_arrive on PIPE_ALL"), id);
}
inline void asc_sync_inter_wait(pipe_t pipe, int id) {
    aicore::cross_wait(0, aicore::c_api::to_pipe(pipe, "asc_sync_inter_wait on PIPE_ALL"), id);
}
