#include "shape.h"

#include <algorithm>

namespace aicore::ops {
namespace {

// Splits runs of lanes into pieces.
class Splitter {
public:
    Splitter(const VecShape& s, const Lanes* lanes, int operands, VisitPiece visit, void* context)
        : shape_(s), lanes_(lanes), operands_(operands), visit_(visit), context_(context) {
        for (int i = 0; i < operands; ++i) {
            if (lanes[i].blk == 1) continue;
            const uint32_t in_block = kBlock / lanes[i].size;
            affine_ = affine_ && (cut_ == 0 || cut_ == in_block);
            cut_ = cut_ == 0 ? in_block : std::min(cut_, in_block);
        }
    }

    // Lanes [first, last) of every repeat.
    void run(uint32_t first, uint32_t last) {
        if (cut_ == 0) return add(first, last - first, 1);
        const uint32_t inside = std::min<uint32_t>(last, static_cast<uint32_t>(round_up(first, cut_)));
        if (inside > first) add(first, inside - first, 1);
        const uint32_t whole = (last - inside) / cut_;
        if (affine_ && whole > 0) {
            add(inside, cut_, whole);
        } else {
            for (uint32_t b = 0; b < whole; ++b) add(inside + b * cut_, cut_, 1);
        }
        const uint32_t rest = inside + whole * cut_;
        if (rest < last) add(rest, last - rest, 1);
    }

private:
    void add(uint32_t lane, uint32_t n, uint32_t inner) {
        Piece p;
        p.outer = shape_.repeats;
        p.inner = inner;
        p.n = n;
        for (int i = 0; i < operands_; ++i) {
            const Lanes& l = lanes_[i];
            const uint32_t in_block = kBlock / l.size;
            p.at[i].offset = int64_t{lane / in_block} * l.blk * kBlock + int64_t{lane % in_block} * l.size;
            p.at[i].outer = int64_t{l.rep} * kBlock;
            p.at[i].inner = l.blk == 1 ? int64_t{n} * l.size : int64_t{l.blk} * kBlock;
        }
        join_repeats(p);
        visit_(context_, p);
    }

    // Repeats that continue each other in every operand are one run.
    void join_repeats(Piece& p) const {
        if (p.inner != 1) return;
        for (int i = 0; i < operands_; ++i) {
            if (p.at[i].outer != static_cast<int64_t>(p.n * lanes_[i].size)) return;
        }
        p.n *= p.outer;
        p.outer = 1;
    }

    const VecShape& shape_;
    const Lanes* lanes_;
    int operands_;
    VisitPiece visit_;
    void* context_;
    uint32_t cut_ = 0;    // lanes of the smallest block that is not followed by the next one; 0: all are contiguous
    bool affine_ = true;  // all such blocks have the same number of lanes
};

bool lane_set(const VecShape& s, uint32_t lane) { return lane >= 128 || (s.mask[lane / 64] >> (lane % 64)) & 1; }

}  // namespace

void visit_pieces(const VecShape& s, const Lanes* lanes, int operands, VisitPiece visit, void* context) {
    if (s.count > 0) {
        Piece p;
        p.n = s.count;
        return visit(context, p);
    }
    if (s.repeats == 0) return;
    uint32_t widest = 1;
    for (int i = 0; i < operands; ++i) widest = std::max(widest, lanes[i].size);
    if (widest == 1 && (s.mask[0] & s.mask[1]) != ~0ull) unsupported("bit mask over elements of one byte");
    const uint32_t lanes_per_repeat = kRepeat / widest;
    Splitter splitter(s, lanes, operands, visit, context);
    for (uint32_t first = 0; first < lanes_per_repeat;) {
        uint32_t last = first;
        while (last < lanes_per_repeat && lane_set(s, last)) ++last;
        if (last > first) splitter.run(first, last);
        first = last + 1;
    }
}

Piece block_of(const Piece& p, uint32_t block) {
    Piece one = p;
    one.inner = 1;
    for (Piece::At& a : one.at) a.offset += block * a.inner;
    return one;
}

bool region_of(Region& r, const Mem& m, const Piece& p, int operand, uint32_t size, bool write) {
    const Piece::At& a = p.at[operand];
    const bool flat = fold(r, offset(m, a.offset), p.n * size, {{p.outer, a.outer}, {p.inner, a.inner}});
    r.write = write;
    // A run that starts inside a block cannot show whether the operand itself is aligned to one.
    const uint64_t lowest = static_cast<uint64_t>(a.offset) & -static_cast<uint64_t>(a.offset);
    if (a.offset % r.align != 0) r.align = static_cast<uint16_t>(lowest);
    return flat;
}

uint64_t repeats_of(const VecShape& s, uint32_t widest) {
    return s.count > 0 ? div_up(s.count * widest, kRepeat) : s.repeats;
}

}  // namespace aicore::ops
