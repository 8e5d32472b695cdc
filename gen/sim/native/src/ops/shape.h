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

// Visits the pieces of a shape, in the order of the lanes. A run of lanes is split at blocks only where the blocks of
// an operand do not follow each other.
using VisitPiece = void (*)(void* context, const Piece& piece);
void visit_pieces(const VecShape& s, const Lanes* lanes, int operands, VisitPiece visit, void* context);

template <class F>
void for_each_piece(const VecShape& s, const Lanes* lanes, int operands, F&& f) {
    visit_pieces(
        s, lanes, operands,
        [](void* context, const Piece& p) { (*static_cast<std::remove_reference_t<F>*>(context))(p); }, &f);
}

// One block of a piece whose blocks cannot be described together.
Piece block_of(const Piece& p, uint32_t block);

// One region for all elements of an operand of a piece. False when that takes more than two dimensions.
bool region_of(Region& r, const Mem& m, const Piece& p, int operand, uint32_t size, bool write);

// The repeats that an instruction of this shape takes, for its modelled duration.
uint64_t repeats_of(const VecShape& s, uint32_t widest);

}  // namespace aicore::ops
