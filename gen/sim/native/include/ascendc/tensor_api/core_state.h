// What a core remembers between calls of the AscendC API: sticky registers and the current TPipe.
#pragma once

#include <cstdarg>
#include <cstdio>

#include "ascendc/tensor_api/enums.h"
#include "ascendc/tensor_api/scalar.h"

namespace AscendC {
class TPipe;
}

namespace aicore::ascendc {

// A sentence for a finding.
struct Message {
    char text[512];

    __attribute__((format(printf, 2, 3))) explicit Message(const char* format, ...) {
        va_list args;
        va_start(args, format);
        std::vsnprintf(text, sizeof text, format, args);
        va_end(args);
    }
};

// Repetitions of a copy, strides in bytes; a size of 0: not set.
struct LoopMode {
    uint32_t inner, outer;
    uint64_t inner_src, inner_dst, outer_src, outer_dst;
};

// The feature map that LoadData (3D) unfolds, and how it repeats.
struct MapDescription {
    uint16_t h, w;
    uint8_t pads[4];  // left, right, top, bottom
};
struct LoadRepeat {
    bool set;
    uint16_t stride;
    uint8_t times, mode;
    uint16_t dst_stride;
};

// Tiles of one copy from L0C: SetFixpipeNz2ndFlag.
struct NdTiles {
    uint16_t count;
    uint16_t src_stride;
    uint32_t dst_stride;
};

// Allocations in UB whose addresses the kernel has asked for.
struct Taken {
    static constexpr uint32_t kMost = 16;
    struct Piece {
        uint32_t lo, hi;
    };
    Piece pieces[kMost];
    uint32_t count;
    bool too_many;

    void note(uint32_t lo, uint32_t hi) {
        for (uint32_t i = 0; i < count; ++i) {
            if (pieces[i].lo == lo && pieces[i].hi == hi) return;
        }
        too_many |= count == kMost;
        if (!too_many) pieces[count++] = {lo, hi};
    }
};

// Zeroed when a launch starts the core; that is the state InitSocState leaves (docs, InitSocState).
struct CoreState {
    AscendC::TPipe* pipe;
    uint64_t mask_off[2];  // complement of the vector mask: every lane of a fresh core is on
    bool counter_mode;     // SetMaskCount: the mask is a number of elements
    bool pad_set;          // SetPadValue was called
    uint64_t pad_bits;
    bool deq_scale_set;  // SetDeqScale with a half, whose bits are these
    uint16_t deq_scale;
    ops::Atomic atomic;
    ops::DType atomic_type;
    uint32_t mutexes;         // ids of buffer mutexes in use, one bit each
    uint64_t compared[2];     // the register of comparisons (CMPMASK), as the V pipe left it
    uint64_t sum;             // the last sum of ReduceSum over a count, likewise
    uint64_t sum_at;          // where that went: 1 + the address in UB; 0: nowhere yet
    LoopMode loops[2];        // SetLoopModePara, by the direction of the copy
    uint64_t kept;            // how many elements the last GatherMask kept, as the V pipe left it
    uint64_t merged;          // how many pairs of each list the last MrgSort took, 16 bits each, likewise
    uint64_t atomic_result;   // what a number was before the last atomic operation of the scalar unit
    bool hf32, hf32_to_away;  // SetHF32Mode, SetHF32TransMode: a fresh core rounds to even
    MapDescription map;       // SetFmatrix
    uint64_t map_pad;         // SetLoadDataPaddingValue
    LoadRepeat load_repeat;   // SetLoadDataRepeat
    uint64_t quant_scalar;    // SetFixpipePreQuantFlag
    bool quant_tensor_set;    // SetFixPipeConfig, and the address in FB
    uint64_t quant_tensor;
    NdTiles nd_tiles;
    Taken taken;
    bool stopped;  // by stop(): what still runs while the core is taken down is no part of the kernel
};
static_assert(sizeof(CoreState) <= kFaceStateBytes);

inline CoreState& state() { return *static_cast<CoreState*>(face_state()); }

// Reports what leaves the kernel no way on (`message`; `remedy` is what to write), and ends the core.
[[noreturn]] inline void stop(const char* code, const char* message, const char* remedy = "") {
    finding(code, message, remedy);
    state().stopped = true;
    stop_core();
}

}  // namespace aicore::ascendc
