// Arguments that choose a variant of a register instruction. Each is an object of a type of its own, because device
// code compares parameters of these types in `if constexpr`.
#pragma once

#include <cstdint>

#include "aicore/numeric.h"

namespace aicore::c_api {

enum class TagKind { pattern, mode, part, round, saturation, position, half, order, bin, update, barrier, dist };

template <TagKind Kind, int Value>
struct Tag {
    static constexpr TagKind kind = Kind;
    static constexpr int value = Value;
};
template <TagKind Kind, int A, int B>
constexpr bool operator==(Tag<Kind, A>, Tag<Kind, B>) {
    return A == B;
}

// Lanes of a mask pattern: `first` lanes from 0, or every `step`-th. Values are positions in this list.
enum Pattern { kAll, kNone, kVl1, kVl2, kVl3, kVl4, kVl8, kVl16, kVl32, kVl64, kVl128, kM3, kM4, kHalf, kQuarter };

constexpr bool pattern_has(int pattern, int lane, int lanes) {
    switch (pattern) {
        case kAll:
            return true;
        case kNone:
            return false;
        case kVl1:
            return lane < 1;
        case kVl2:
            return lane < 2;
        case kVl3:
            return lane < 3;
        case kVl4:
            return lane < 4;
        case kVl8:
            return lane < 8;
        case kVl16:
            return lane < 16;
        case kVl32:
            return lane < 32;
        case kVl64:
            return lane < 64;
        case kVl128:
            return lane < 128;
        case kM3:
            return lane % 3 == 0;
        case kM4:
            return lane % 4 == 0;
        case kHalf:
            return lane < lanes / 2;
        case kQuarter:
            return lane < lanes / 4;
    }
    return false;
}

}  // namespace aicore::c_api

#define AICORE_C_API_TAG(name, kind, value) \
    inline constexpr aicore::c_api::Tag<aicore::c_api::TagKind::kind, static_cast<int>(value)> name {}

AICORE_C_API_TAG(PAT_ALL, pattern, aicore::c_api::kAll);
AICORE_C_API_TAG(PAT_ALLF, pattern, aicore::c_api::kNone);
AICORE_C_API_TAG(PAT_VL1, pattern, aicore::c_api::kVl1);
AICORE_C_API_TAG(PAT_VL2, pattern, aicore::c_api::kVl2);
AICORE_C_API_TAG(PAT_VL3, pattern, aicore::c_api::kVl3);
AICORE_C_API_TAG(PAT_VL4, pattern, aicore::c_api::kVl4);
AICORE_C_API_TAG(PAT_VL8, pattern, aicore::c_api::kVl8);
AICORE_C_API_TAG(PAT_VL16, pattern, aicore::c_api::kVl16);
AICORE_C_API_TAG(PAT_VL32, pattern, aicore::c_api::kVl32);
AICORE_C_API_TAG(PAT_VL64, pattern, aicore::c_api::kVl64);
AICORE_C_API_TAG(PAT_VL128, pattern, aicore::c_api::kVl128);
AICORE_C_API_TAG(PAT_M3, pattern, aicore::c_api::kM3);
AICORE_C_API_TAG(PAT_M4, pattern, aicore::c_api::kM4);
AICORE_C_API_TAG(PAT_H, pattern, aicore::c_api::kHalf);
AICORE_C_API_TAG(PAT_Q, pattern, aicore::c_api::kQuarter);

// Lanes outside the mask become 0, or keep what the destination held.
AICORE_C_API_TAG(MODE_ZEROING, mode, 0);
AICORE_C_API_TAG(MODE_MERGING, mode, 1);
AICORE_C_API_TAG(MODE_STORED, mode, 2);
AICORE_C_API_TAG(MODE_NO_STORED, mode, 3);

// Which of 2 or 4 narrow lanes lie on a wide one.
AICORE_C_API_TAG(PART_EVEN, part, 0);
AICORE_C_API_TAG(PART_ODD, part, 1);
AICORE_C_API_TAG(PART_P0, part, 0);
AICORE_C_API_TAG(PART_P1, part, 1);
AICORE_C_API_TAG(PART_P2, part, 2);
AICORE_C_API_TAG(PART_P3, part, 3);

AICORE_C_API_TAG(ROUND_R, round, aicore::Round::rint);
AICORE_C_API_TAG(ROUND_A, round, aicore::Round::round);
AICORE_C_API_TAG(ROUND_F, round, aicore::Round::floor);
AICORE_C_API_TAG(ROUND_C, round, aicore::Round::ceil);
AICORE_C_API_TAG(ROUND_Z, round, aicore::Round::trunc);
AICORE_C_API_TAG(ROUND_O, round, aicore::Round::odd);
AICORE_C_API_TAG(ROUND_H, round, 100);  // hybrid: only for HiFloat8, which the model does not have

AICORE_C_API_TAG(RS_DISABLE, saturation, 0);
AICORE_C_API_TAG(RS_ENABLE, saturation, 1);
AICORE_C_API_TAG(POS_LOWEST, position, 0);
AICORE_C_API_TAG(POS_HIGHEST, position, 1);
AICORE_C_API_TAG(LOWER, half, 0);
AICORE_C_API_TAG(HIGHER, half, 1);
AICORE_C_API_TAG(INC_ORDER, order, 0);
AICORE_C_API_TAG(DEC_ORDER, order, 1);
AICORE_C_API_TAG(Bin_N0, bin, 0);
AICORE_C_API_TAG(Bin_N1, bin, 1);
AICORE_C_API_TAG(POST_UPDATE, update, 0);
AICORE_C_API_TAG(DINTLV_B8, dist, 0);
AICORE_C_API_TAG(DINTLV_B16, dist, 1);
AICORE_C_API_TAG(DINTLV_B32, dist, 2);

AICORE_C_API_TAG(VV_ALL, barrier, 0);
AICORE_C_API_TAG(VST_VLD, barrier, 1);
AICORE_C_API_TAG(VLD_VST, barrier, 2);
AICORE_C_API_TAG(VST_VST, barrier, 3);
AICORE_C_API_TAG(VS_ALL, barrier, 4);
AICORE_C_API_TAG(VST_LD, barrier, 5);
AICORE_C_API_TAG(VLD_ST, barrier, 6);
AICORE_C_API_TAG(VST_ST, barrier, 7);
AICORE_C_API_TAG(SV_ALL, barrier, 8);
AICORE_C_API_TAG(ST_VLD, barrier, 9);
AICORE_C_API_TAG(LD_VST, barrier, 10);
AICORE_C_API_TAG(ST_VST, barrier, 11);
AICORE_C_API_TAG(SS_ALL, barrier, 12);
AICORE_C_API_TAG(ST_LD, barrier, 13);
AICORE_C_API_TAG(LD_ST, barrier, 14);
AICORE_C_API_TAG(ST_ST, barrier, 15);
#undef AICORE_C_API_TAG

// Loads and stores of one vector function run in program order here.
template <int Value>
inline void asc_mem_bar(aicore::c_api::Tag<aicore::c_api::TagKind::barrier, Value>) {}
