// A vector instruction's lanes as pieces: nested loops over contiguous runs, the same for every operand.
#pragma once

#include "builder.h"

namespace aicore::ops {

// How one operand lies in UB: bytes per element, 32-byte blocks from block to block and from repeat to repeat.
struct Lanes {
    uint32_t size;
    uint32_t blk, rep;
};

// for o < outer, i < inner: `n` contiguous elements of each operand, at offset + o * outer_stride + i * inner_stride.
struct Piece {
    uint32_t outer = 1, inner = 1;
    uint64_t n = 0;
    struct At {
        int64_t offset = 0, outer = 0, inner = 0;  // bytes
    } at[3];
};

inline constexpr int kMaxPieces = 64;  // a mask of 128 lanes has at most 64 runs

// The pieces of a shape over `operands` operands. At most kMaxPieces per call of `visit`-free use: runs are split at
// blocks only where an operand's blocks are not contiguous.
struct Pieces {
    Piece piece[kMaxPieces * 2];
    int count = 0;
};
Pieces pieces_of(const VecShape& s, const Lanes* lanes, int operands);

// One region for all elements of an operand of a piece. False when that takes more than two dimensions.
bool region_of(Region& r, const Mem& m, const Piece& p, int operand, uint32_t size, bool write);

// The repeats that an instruction of this shape takes, for its modelled duration.
uint64_t repeats_of(const VecShape& s, uint32_t widest);

}  // namespace aicore::ops
