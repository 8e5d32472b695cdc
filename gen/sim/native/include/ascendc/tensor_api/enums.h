// Enumerations of the AscendC tensor API and what they stand for on the model.
// Names and orders: asc-devkit, impl/basic_api/common_types.h and kernel_event.h; docs "TPosition", "HardEvent".
#pragma once

#include <cstdint>

#include "aicore/core.h"
#include "ascendc/tensor_api/qualifiers.h"

enum pipe_t { PIPE_S = 0, PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_ALL, PIPE_FIX = 10 };

enum event_t { EVENT_ID0 = 0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };

enum QuantMode_t {
    NoQuant = 0,
    F322F16,
    F322BF16,
    DEQF16,
    VDEQF16,
    QF322B8_PRE,
    VQF322B8_PRE,
    REQ8,
    VREQ8,
    QF322FP8_PRE,
    VQF322FP8_PRE,
    QF322HIF8_PRE,
    VQF322HIF8_PRE,
    QF322HIF8_PRE_HYBRID,
    VQF322HIF8_PRE_HYBRID,
    QS322BF16_PRE,
    VQS322BF16_PRE,
    QF322F16_PRE,
    VQF322F16_PRE,
    QF322BF16_PRE,
    VQF322BF16_PRE,
    QF322F32_PRE,
    VQF322F32_PRE,
};

namespace AscendC {

using TEventID = int8_t;
using MutexID = uint8_t;

enum class TPosition : uint8_t {
    GM,
    A1,
    A2,
    B1,
    B2,
    C1,
    C2,
    CO1,
    CO2,
    VECIN,
    VECOUT,
    VECCALC,
    LCM = VECCALC,
    SPM,
    SHM = SPM,
    TSCM,
    C2PIPE2GM,
    C2PIPE2LOCAL,
    MAX
};
using QuePosition = TPosition;

enum class Hardware : uint8_t { GM, UB, L1, L0A, L0B, L0C, BIAS, FIXBUF, MAX };

enum class HardEvent : uint8_t {
    MTE2_MTE1,
    MTE1_MTE2,
    MTE1_M,
    M_MTE1,
    MTE2_V,
    V_MTE2,
    MTE3_V,
    V_MTE3,
    M_V,
    V_M,
    V_V,
    MTE3_MTE1,
    MTE1_MTE3,
    MTE1_V,
    MTE2_M,
    M_MTE2,
    V_MTE1,
    M_FIX,
    FIX_M,
    MTE3_MTE2,
    MTE2_MTE3,
    S_V,
    V_S,
    S_MTE2,
    MTE2_S,
    S_MTE3,
    MTE3_S,
    MTE2_FIX,
    FIX_MTE2,
    FIX_S,
    M_S,
    FIX_MTE3,
    MTE1_FIX,
    FIX_MTE1,
    FIX_FIX,
    MAX
};

enum class RoundMode { CAST_NONE = 0, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC, CAST_ODD };
enum class CMPMODE : uint8_t { LT = 0, GT, EQ, LE, GE, NE };
enum class SELMODE : uint8_t { VSEL_CMPMASK_SPR = 0, VSEL_TENSOR_SCALAR_MODE, VSEL_TENSOR_TENSOR_MODE };
enum class TransposeType : uint8_t {
    TRANSPOSE_TYPE_NONE,
    TRANSPOSE_NZ2ND_0213,
    TRANSPOSE_NZ2NZ_0213,
    TRANSPOSE_NZ2NZ_012_WITH_N,
    TRANSPOSE_NZ2ND_012_WITH_N,
    TRANSPOSE_NZ2ND_012_WITHOUT_N,
    TRANSPOSE_NZ2NZ_012_WITHOUT_N,
    TRANSPOSE_ND2ND_ONLY,
    TRANSPOSE_ND_UB_GM,
    TRANSPOSE_GRAD_ND_UB_GM,
    TRANSPOSE_ND2ND_B16,
    TRANSPOSE_NCHW2NHWC,
    TRANSPOSE_NHWC2NCHW,
};
enum class ReduceOrder { ORDER_VALUE_INDEX = 0, ORDER_INDEX_VALUE, ORDER_ONLY_VALUE, ORDER_ONLY_INDEX };
enum class ReduceType : uint8_t { SUM = 0, MAX, MIN };
enum class MaskMode : uint8_t { NORMAL = 0, COUNTER };
enum class CacheMode : uint8_t { CACHE_MODE_DISABLE = 0, CACHE_MODE_NORMAL, CACHE_MODE_LAST, CACHE_MODE_PERSISTENT };
enum class DataFormat : uint8_t { ND = 0, NZ, NCHW, NC1HWC0, NHWC };
enum class HF32Mode { ENABLE, DISABLE };
enum class HF32TransMode { NEAREST_ZERO, NEAREST_EVEN };
enum class FmatrixMode : uint8_t { FMATRIX_LEFT = 0, FMATRIX_RIGHT };
enum class MemDsbT : uint8_t { ALL = 0, DDR, UB, SEQ };
enum class CacheLine : uint64_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE };
enum class DcciDst : uint64_t { CACHELINE_ALL = 0, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };

namespace Pattern::Reduce {
struct AR {};
struct RA {};
}  // namespace Pattern::Reduce

constexpr int32_t MIX = 0;
constexpr int32_t AIC = 1;
constexpr int32_t AIV = 2;

}  // namespace AscendC

namespace aicore::ascendc {

using AscendC::HardEvent;
using AscendC::TPosition;

inline constexpr Chip kChip = __NPU_ARCH__ == 2201 ? Chip::dav2201 : Chip::dav3510;

constexpr Space space_of(TPosition position) {
    switch (position) {
        case TPosition::A1:
        case TPosition::B1:
        case TPosition::C1:
        case TPosition::TSCM:
            return Space::l1;
        case TPosition::A2:
            return Space::l0a;
        case TPosition::B2:
            return Space::l0b;
        case TPosition::C2:
            return Space::bt;
        case TPosition::CO1:
            return Space::l0c;
        case TPosition::VECIN:
        case TPosition::VECOUT:
        case TPosition::VECCALC:
            return Space::ub;
        case TPosition::C2PIPE2GM:
            return Space::fb;
        default:
            return Space::gm;
    }
}

constexpr const char* name_of(TPosition position) {
    constexpr const char* kNames[] = {"GM",  "A1",    "A2",     "B1",      "B2",  "C1",   "C2",        "CO1",
                                      "CO2", "VECIN", "VECOUT", "VECCALC", "SPM", "TSCM", "C2PIPE2GM", "C2PIPE2LOCAL"};
    return position < TPosition::MAX ? kNames[static_cast<int>(position)] : "?";
}

constexpr const char* name_of(Space space) {
    constexpr const char* kNames[] = {"GM", "L1", "L0A", "L0B", "L0C", "UB", "BT", "FB", "L0A_MX", "L0B_MX"};
    return kNames[static_cast<int>(space)];
}

struct PipePair {
    Pipe from, to;
};

constexpr PipePair pipes_of(HardEvent event) {
    constexpr Pipe S = Pipe::s, V = Pipe::v, M = Pipe::m, MTE1 = Pipe::mte1, MTE2 = Pipe::mte2, MTE3 = Pipe::mte3,
                   FIX = Pipe::fix;
    constexpr PipePair kPairs[] = {{MTE2, MTE1}, {MTE1, MTE2}, {MTE1, M},    {M, MTE1},   {MTE2, V},   {V, MTE2},
                                   {MTE3, V},    {V, MTE3},    {M, V},       {V, M},      {V, V},      {MTE3, MTE1},
                                   {MTE1, MTE3}, {MTE1, V},    {MTE2, M},    {M, MTE2},   {V, MTE1},   {M, FIX},
                                   {FIX, M},     {MTE3, MTE2}, {MTE2, MTE3}, {S, V},      {V, S},      {S, MTE2},
                                   {MTE2, S},    {S, MTE3},    {MTE3, S},    {MTE2, FIX}, {FIX, MTE2}, {FIX, S},
                                   {M, S},       {FIX, MTE3},  {MTE1, FIX},  {FIX, MTE1}, {FIX, FIX}};
    return kPairs[static_cast<int>(event)];
}

constexpr Pipe pipe_of(pipe_t pipe) {
    switch (pipe) {
        case PIPE_V:
            return Pipe::v;
        case PIPE_M:
            return Pipe::m;
        case PIPE_MTE1:
            return Pipe::mte1;
        case PIPE_MTE2:
            return Pipe::mte2;
        case PIPE_MTE3:
            return Pipe::mte3;
        case PIPE_FIX:
            return Pipe::fix;
        default:
            return Pipe::s;
    }
}

inline bool is_aiv() { return core().kind == CoreKind::aiv; }
inline bool is_aic() { return core().kind == CoreKind::aic; }

// Whether the calling core carries out a call that is one for cores of `kind`. The other kind passes over it, so that
// both kinds of a mixed kernel may execute it; in a kernel without such cores that is a mistake, and reported.
inline bool runs_on(CoreKind kind) { return core().kind == kind || elsewhere(kind); }
inline bool on_aiv() { return runs_on(CoreKind::aiv); }
inline bool on_aic() { return runs_on(CoreKind::aic); }

// Pipes of the two core kinds (asc-devkit, impl/basic_api/kernel_event.h: IsSplitVectorPipe, IsSplitCubePipe). Code of
// a mixed kernel that both kinds execute means only the kind that has the pipe.
inline bool has_pipe(Pipe pipe) {
    switch (pipe) {
        case Pipe::s:
        case Pipe::mte2:
            return true;
        case Pipe::v:
            return is_aiv();
        case Pipe::mte3:
            return is_aiv() || kChip == Chip::dav2201;  // dav-2201: L1 -> GM
        default:
            return is_aic();
    }
}

// The kind of core that owns a memory.
inline bool owns(Space space) { return space == Space::ub ? is_aiv() : space == Space::gm || is_aic(); }

}  // namespace aicore::ascendc
