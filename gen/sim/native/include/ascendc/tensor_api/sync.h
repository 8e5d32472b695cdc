// Synchronisation inside a core, between cores, and what a core knows about itself.
#pragma once

#include "ascendc/tensor_api/tensor.h"

#define ASCEND_IS_AIC (::aicore::ascendc::is_aic())
#define ASCEND_IS_AIV (::aicore::ascendc::is_aiv())
#define ASCEND_IS_NOT_AIC (!::aicore::ascendc::is_aic())
#define ASCEND_IS_NOT_AIV (!::aicore::ascendc::is_aiv())

// Builtin variables of the device compiler.
struct CoreTypeBuiltin {
    operator int32_t() const { return aicore::ascendc::is_aiv() ? AscendC::AIV : AscendC::AIC; }
};
inline constexpr CoreTypeBuiltin g_coreType{};

namespace AscendC {

// ---- event flags and barriers (docs: SetFlag-WaitFlag(ISASI), PipeBarrier(ISASI)) -----------------------------------

template <HardEvent event>
void SetFlag(int32_t id) {
    constexpr aicore::ascendc::PipePair pipes = aicore::ascendc::pipes_of(event);
    if (!aicore::ascendc::has_pipe(pipes.from) || !aicore::ascendc::has_pipe(pipes.to)) return;
    aicore::set_flag(pipes.from, pipes.to, id);
}

template <HardEvent event>
void WaitFlag(int32_t id) {
    constexpr aicore::ascendc::PipePair pipes = aicore::ascendc::pipes_of(event);
    if (!aicore::ascendc::has_pipe(pipes.from) || !aicore::ascendc::has_pipe(pipes.to)) return;
    aicore::wait_flag(pipes.from, pipes.to, id);
}

template <pipe_t pipe>
void PipeBarrier() {
    static_assert(pipe != PIPE_S, "PipeBarrier<PIPE_S> does not exist: the scalar unit waits for itself");
    // The 950 orders V by itself, and there this call is empty (asc-devkit, impl/basic_api/kernel_reg.h).
    if constexpr (pipe == PIPE_V && __NPU_ARCH__ == 3510) return;
    if constexpr (pipe == PIPE_ALL) {
        aicore::barrier_all();
    } else if (aicore::ascendc::has_pipe(aicore::ascendc::pipe_of(pipe))) {
        aicore::pipe_barrier(aicore::ascendc::pipe_of(pipe));
    }
}

// The flags of one pair of pipes.
template <pipe_t source, pipe_t destination>
class TQueSync {
public:
    void SetFlag(TEventID id) { flag(aicore::set_flag, id); }
    void WaitFlag(TEventID id) { flag(aicore::wait_flag, id); }

private:
    static void flag(void (*operation)(aicore::Pipe, aicore::Pipe, int), TEventID id) {
        const aicore::Pipe from = aicore::ascendc::pipe_of(source), to = aicore::ascendc::pipe_of(destination);
        if (aicore::ascendc::has_pipe(from) && aicore::ascendc::has_pipe(to)) operation(from, to, id);
    }
};

// Where a kernel is one of several that a SuperKernel calls, what stands behind the first of these, and before the
// second one, may run beside its neighbours. One kernel alone has none.
template <pipe_t aiv_pipe = PIPE_MTE3, pipe_t aic_pipe = PIPE_FIX, bool force = false>
void SetNextTaskStart() {}
template <bool force = false>
void WaitPreTaskEnd() {}

// Scalar accesses of the model are complete when they return; these wait for nothing more.
template <MemDsbT scope>
void DataSyncBarrier() {}
template <class T, CacheLine line, DcciDst destination = DcciDst::CACHELINE_ALL, class Tensor>
void DataCacheCleanAndInvalid(const Tensor& tensor) {
    const bool all = line == CacheLine::ENTIRE_DATA_CACHE;
    if (tensor.mem().space == aicore::Space::gm) {
        aicore::clean_cache(all ? nullptr : reinterpret_cast<const void*>(tensor.mem().addr));
    }
}

// ---- between cores (docs: CrossCoreSetFlag(ISASI), CrossCoreWaitFlag(ISASI), SyncAll) -------------------------------

template <uint8_t mode, pipe_t pipe>
void CrossCoreSetFlag(uint16_t id) {
    static_assert(mode <= 2 || (mode == 4 && __NPU_ARCH__ == 3510),
                  "CrossCoreSetFlag knows the modes 0, 1 and 2, and 4 on the Ascend 950");
    if (!aicore::ascendc::has_pipe(aicore::ascendc::pipe_of(pipe))) return;
    aicore::cross_set(mode, aicore::ascendc::pipe_of(pipe), id);
}

template <uint8_t mode = 0, pipe_t pipe = PIPE_S>
void CrossCoreWaitFlag(uint16_t id) {
    if (!aicore::ascendc::has_pipe(aicore::ascendc::pipe_of(pipe))) return;
    aicore::cross_wait(mode, aicore::ascendc::pipe_of(pipe), id);
}

template <bool only_aiv = true>
void SyncAll() {
    if (only_aiv && !aicore::ascendc::is_aiv()) return;
    aicore::sync_all(only_aiv);
}

// ---- buffer mutexes of the Ascend 950 (docs: Mutex(ISASI), Lock, Unlock) --------------------------------------------

class Mutex {
public:
    template <pipe_t pipe>
    static void Lock(MutexID id) {
        if (__NPU_ARCH__ == 3510 && aicore::ascendc::has_pipe(aicore::ascendc::pipe_of(pipe))) {
            aicore::mutex_lock(aicore::ascendc::pipe_of(pipe), id, true);
        }
    }
    template <pipe_t pipe>
    static void Unlock(MutexID id) {
        if (__NPU_ARCH__ == 3510 && aicore::ascendc::has_pipe(aicore::ascendc::pipe_of(pipe))) {
            aicore::mutex_unlock(aicore::ascendc::pipe_of(pipe), id, true);
        }
    }
};

inline MutexID AllocMutexID() {
    if (__NPU_ARCH__ == 2201) return 0;
    constexpr int kMutexes = 28;
    uint32_t& used = aicore::ascendc::state().mutexes;
    const int id = used == ~0u ? 32 : __builtin_ctz(~used);
    if (id >= kMutexes) {
        aicore::ascendc::stop(
            "overflow",
            "a core of the Ascend 950 has 28 buffer mutexes (ids 0 to 27), one for each buffer of its "
            "queues; this kernel needs a 29th",
            "use fewer queues or fewer buffers in InitBuffer");
    }
    used |= 1u << id;
    return static_cast<MutexID>(id);
}

inline void ReleaseMutexID(MutexID id) { aicore::ascendc::state().mutexes &= ~(1u << id); }

// ---- the core -------------------------------------------------------------------------------------------------------

// In a kernel with AICs and AIVs, blocks are numbered per kind: AIC 0..n-1, AIV 0..2n-1 (docs, GetBlockIdx).
inline int64_t GetBlockIdx() {
    const aicore::CoreInfo& me = aicore::core();
    return me.kind == aicore::CoreKind::aiv && me.sub_blocks == 2 ? int64_t{me.block} * 2 + me.sub_block : me.block;
}
inline int64_t GetBlockNum() { return aicore::core().block_num; }
inline int64_t GetSubBlockIdx() { return aicore::core().sub_block; }
inline int64_t GetSubBlockNum() { return aicore::core().sub_blocks == 0 ? 1 : aicore::core().sub_blocks; }
inline int64_t GetTaskRatio() { return aicore::ascendc::is_aiv() ? GetSubBlockNum() : 1; }
inline int64_t GetTaskRation() { return GetTaskRatio(); }

inline void SetAtomicNone() { aicore::ascendc::state().atomic = aicore::ops::Atomic::none; }
inline void DisableDmaAtomic() { SetAtomicNone(); }
template <class T>
void SetAtomicAdd() {
    aicore::ascendc::state().atomic = aicore::ops::Atomic::add;
    aicore::ascendc::state().atomic_type = aicore::ascendc::dtype_of<T>();
}
// The element type alone, for an operation that is set otherwise.
template <class T>
void SetAtomicType() {
    aicore::ascendc::state().atomic_type = aicore::ascendc::dtype_of<T>();
}
enum class AtomicDtype { ATOMIC_NONE = 0, ATOMIC_F32, ATOMIC_F16, ATOMIC_S16, ATOMIC_S32, ATOMIC_S8, ATOMIC_BF16 };
enum class AtomicOp { ATOMIC_SUM = 0 };
template <AtomicDtype type, AtomicOp op>
void SetStoreAtomicConfig() {
    using aicore::ops::DType;
    constexpr DType kTypes[] = {DType::f32, DType::f32, DType::f16, DType::i16, DType::i32, DType::i8, DType::bf16};
    const bool on = type != AtomicDtype::ATOMIC_NONE;
    aicore::ascendc::state().atomic = on ? aicore::ops::Atomic::add : aicore::ops::Atomic::none;
    aicore::ascendc::state().atomic_type = kTypes[static_cast<int>(type)];
}
template <class T>
void SetAtomicMax() {
    aicore::ascendc::state().atomic = aicore::ops::Atomic::max;
    aicore::ascendc::state().atomic_type = aicore::ascendc::dtype_of<T>();
}
template <class T>
void SetAtomicMin() {
    aicore::ascendc::state().atomic = aicore::ops::Atomic::min;
    aicore::ascendc::state().atomic_type = aicore::ascendc::dtype_of<T>();
}

inline void InitSocState() {
    aicore::ascendc::CoreState& me = aicore::ascendc::state();
    me.atomic = aicore::ops::Atomic::none;
    me.counter_mode = false;
    me.mask_off[0] = me.mask_off[1] = 0;
}

}  // namespace AscendC

struct BlockIndexBuiltin {
    operator int64_t() const { return AscendC::GetBlockIdx(); }
};
inline constexpr BlockIndexBuiltin block_idx{};
