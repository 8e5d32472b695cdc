// Instructions of the AI Core, once, for every face: each function below computes the regions and records one
// instruction. Units are bytes and elements as named; faces convert from the units of their API.
#pragma once

#include "aicore/core.h"
#include "aicore/float8.h"
#include "aicore/numeric.h"

namespace aicore::ops {

// The types from e4m3 on exist in the Cube only; two elements of i4, e2m1 and e1m2 share a byte, the first one in the
// low half.
enum class DType : uint8_t { f32, f16, bf16, i64, u64, i32, u32, i16, u16, i8, u8, e4m3, e5m2, hif8, i4, e2m1, e1m2 };
size_t size_of(DType t);  // bytes; 1 where an element has half of it

// A position in a memory: GM host address or on-chip byte offset, with the bounds of its allocation where known.
// `Mem{}` stands for an absent operand where one is optional (a temporary buffer, the second source).
struct Mem {
    Space space = Space::gm;
    uint64_t addr = 0;
    uint64_t lo = 0, hi = 0;
    Unit unit = Unit::self;
};
// Whether the first bytes of two operands have some in common.
inline bool overlap(const Mem& a, uint64_t a_bytes, const Mem& b, uint64_t b_bytes) {
    return a.space == b.space && a_bytes != 0 && b_bytes != 0 && a.addr < b.addr + b_bytes && b.addr < a.addr + a_bytes;
}

// ---- bursts (MTE2, MTE3, V; GM <-> UB, GM -> L1, UB -> UB, UB -> L1, L1 -> UB/BT/FB) --------------------------------
enum class Atomic : uint8_t { none, add, max, min };
enum class PadFill : uint8_t { none, first_element, value };  // none: bytes up to the next 32 B are poisoned
struct Burst {
    uint32_t rows = 1;
    uint64_t row_bytes = 0;  // bytes read from the source per row
    int64_t src_pitch = 0;   // start to start, bytes
    int64_t dst_pitch = 0;
    // A row of the destination is [left_pad | row_bytes | right_pad | rest of the last 32-B block]; all of it is
    // written.
    uint32_t left_pad = 0;         // bytes; the row itself starts after them
    uint32_t right_pad = 0;        // bytes
    bool pad_to_block = false;     // GM -> UB: the rest of the last 32-B block of each row is written too
    PadFill fill = PadFill::none;  // what both pads and the rest of the block get
    uint64_t pad_value = 0;
    uint8_t elem = 1;  // bytes per element of the padding
    Atomic atomic = Atomic::none;
    DType atomic_type = DType::f32;
};
void burst(const char* name, Pipe pipe, Mem dst, Mem src, const Burst& b);

// GM -> UB over up to five loops, the innermost first (NDDMA of dav-3510). Strides in elements; the source of a loop
// starts behind its padding on the left.
struct NdDma {
    static constexpr int kMost = 5;
    int loops = 1;
    uint64_t src_stride[kMost] = {};
    uint32_t dst_stride[kMost] = {}, size[kMost] = {};
    uint8_t left[kMost] = {}, right[kMost] = {};  // elements of padding
    bool nearest = false;                         // paddings repeat the element beside them, else they are `value`
    uint8_t elem = 2;
    uint64_t value = 0;
};
void nd_dma(const char* name, Mem dst_ub, Mem src_gm, const NdDma& p);

// GM -> L1, ND to NZ. Element (n, d) of matrix i goes to 32-B block
// i * dst_matrix_stride + (d / C0) * c0_stride + n * n_stride, column d % C0. Columns d..roundup(d, C0) become 0.
struct Nd2Nz {
    uint32_t matrices = 1, n = 0, d = 0;
    uint64_t src_row_pitch = 0;      // bytes
    uint64_t src_matrix_pitch = 0;   // bytes
    uint32_t c0_stride = 0;          // 32-B blocks
    uint32_t n_stride = 1;           // 32-B blocks
    uint32_t dst_matrix_stride = 0;  // 32-B blocks
    uint8_t elem = 2;                // bytes
    bool transposed = false;         // DN2NZ: the source holds d rows of n elements
};
void nd2nz(const char* name, Mem dst_l1, Mem src_gm, const Nd2Nz& p);

// Fills `repeat` runs of `blocks` 32-B blocks, `gap` blocks apart (end to start), with an element.
void fill(const char* name, Pipe pipe, Mem dst, uint32_t repeat, uint32_t blocks, uint32_t gap, uint64_t value,
          uint8_t elem);

// L1 -> L0A / L0B in 512-B fractals: for i < outer, j < inner:
// dst fractal i * dst_outer + j * dst_inner  <-  src fractal i * src_outer + j * src_inner.
// transpose: each square of elements is transposed (16x16 of 2 bytes = one fractal; 16x16 of 4 bytes = two
// neighbouring fractals src_pair/dst_pair apart; 32x32 of 1 byte likewise; 64x64 of half a byte = four of them).
struct Fractals {
    uint32_t outer = 1, inner = 1;
    int32_t src_outer = 0, src_inner = 0;
    int32_t dst_outer = 0, dst_inner = 0;
    bool transpose = false;
    int32_t src_pair = 1, dst_pair = 1;
    uint8_t elem = 2;  // bytes; 0: half of one
};
void load_fractals(const char* name, Mem dst_l0, Mem src_l1, const Fractals& f);

// L1 -> L0B (dav-2201): `fractals` of a matrix of which two of four rows were kept, one after the other, and as many of
// its indices (128 bytes each) to the memory beside L0B, a quarter as far from its start.
void load_sparse(const char* name, Mem dst_l0b, Mem src_l1, Mem indices_l1, uint32_t fractals);

// L1 -> L0A / L0B out of a feature map NC1HWC0 (N = 1, C0 of 32 bytes), unfolded: row m of the unfolded matrix is the
// position ho * Wo + wo of the window, column k = ((c1 * filter_h + fh) * filter_w + fw) * C0 + c0 a point of it. The
// part [m_start, m_start + m) x [k_start, k_start + k) of it becomes L0A's layout (ZZ on dav-2201, NZ on dav-3510) or,
// transposed, the layout of L0A or L0B (ZN). Positions in the padding have the value of `pad`; rows that the matrix
// does not have are poisoned.
struct Im2col {
    uint32_t h = 0, w = 0;
    uint32_t pad_left = 0, pad_right = 0, pad_top = 0, pad_bottom = 0;
    uint32_t stride_h = 1, stride_w = 1, filter_h = 1, filter_w = 1, dilation_h = 1, dilation_w = 1;
    uint32_t m_start = 0, m = 0;
    uint32_t k_start = 0, k = 0;  // elements; whole C0 groups
    uint32_t dst_stride = 0;      // dav-3510: fractals between columns of fractals
    bool transpose = false;
    uint8_t elem = 2;
    uint64_t pad = 0;
};
void im2col(const char* name, Mem dst_l0, Mem src_l1, const Im2col& p);

// L0A x L0B -> L0C. A is ZZ on dav-2201 and NZ on dav-3510; B is (k group, n block), C0 x 16 fractals; C is NZ with
// 16 x 16 fractals. K is eaten in whole C0 groups of the *loaded* data up to ceil(k / C0); lanes k.. of the last group
// must not count (the hardware reads them; they must be zero on one side): they are multiplied like the rest.
// `b` differs from `a` only among e4m3 and e5m2, and among e2m1 and e1m2. `hf32`: how operands of type f32 are rounded
// before they are multiplied. `scaled` (dav-3510): an E8M0 factor for each 32 elements of K of a row of A and of a
// column of B, in L0A_MX and L0B_MX, a 16th as far from their start: fractals of 16 rows of two factors, those of the
// same rows (columns) one after the other. `sparse` (dav-2201): of four elements of a row of A two are multiplied, by
// the indices that load_sparse() brought; B has half as many rows.
struct Mmad {
    uint32_t m = 0, k = 0, n = 0;
    DType a = DType::f16, b = DType::f16, c = DType::f32;
    Hf32 hf32 = Hf32::off;
    bool init = true;   // C starts at 0, else accumulates
    bool bias = false;  // C starts from the bias table
    uint8_t unit_flag = 0;
    bool align_k = false;  // dav-2201, f32: a row of fractals of A has an even number of them
    bool gemv = false;     // m == 1 and GEMV not disabled: A is plain ND
    bool scaled = false, sparse = false;
    Mem bias_table{Space::bt};  // bias: n elements of type c
};
void mmad(const char* name, Mem c, Mem a, Mem b, const Mmad& p);

// L0C -> GM, L1 or UB. `scaled`: times a factor, from f32 to i8, u8 (on dav-3510 also f16, bf16, e4m3, hif8), from i32
// to i8, u8, f16 (on dav-3510 also bf16).
enum class Quant : uint8_t { none, f32_to_f16, f32_to_bf16, scaled };
enum class OutFormat : uint8_t { nd, nz, dn };
struct Fixpipe {
    uint32_t n = 0, m = 0;    // elements
    uint32_t src_stride = 0;  // rows of the L0C tile: distance of 16-column groups, in rows of 16 elements
    // Elements between rows (nd), between columns (dn), or between columns of fractals (nz: of 16 elements, of 32 where
    // they have 8 bits, of 8 with channel_split).
    uint64_t dst_stride = 0;
    DType src = DType::f32, dst = DType::f32;
    Quant quant = Quant::none;
    OutFormat format = OutFormat::nd;
    bool relu = false;
    uint8_t unit_flag = 0;
    uint8_t dual = 0;       // 0 one UB, 1 rows split over AIV0/AIV1, 2 columns split
    uint8_t sub_block = 0;  // dual == 0: which AIV
    Atomic atomic = Atomic::none;
    bool saturate = false;  // CTRL[48] = 0: overflow of quant gives the largest value, NaN gives 0
    bool channel_split = false;
    uint64_t factor = 0;      // scaled: the word that the API calls QUANT_PRE
    Mem factors;              // scaled, one word for each column: in FB
    uint32_t matrices = 1;    // that many tiles
    uint32_t src_matrix = 0;  // from one to the next: rows of 16 elements of L0C
    uint64_t dst_matrix = 0;  // elements
};
void fixpipe(const char* name, Mem dst, Mem src_l0c, const Fixpipe& p);

// ---- vector instructions (pipe V, UB) ------------------------------------------------------------------------------
// clang-format off
enum class VecOp : uint8_t {
    // two sources
    add, sub, mul, div, max, min, and_, or_, mul_add_dst, fused_mul_add,
    // source and scalar
    adds, muls, maxs, mins, leaky_relu, axpy, shift_left, shift_right,
    // one source
    exp, ln, abs, reciprocal, sqrt, rsqrt, relu, not_, copy,
    // no source
    duplicate,
    // composite (adv_api), count form only; src1 is the temporary buffer that is overwritten (Mem{}: none)
    sigmoid, silu, tanh, sin, cos, erf, gelu,
    power,  // use power() below: it has two sources and a temporary buffer
    round,  // to an integral value, ties to even
    xor_,   // two sources
    add_relu, sub_relu, abs_sub, prelu, exp_sub,
    mul_add_relu,  // relu(src0 * dst + src1)
    neg, truncate,
    shift_left_by, shift_right_by,  // two sources, the second one of signed elements of the same size
};
// clang-format on
using Round = aicore::Round;

// Which elements an instruction touches. count > 0: that many contiguous elements. Otherwise `repeats` repeats of up
// to 8 blocks of 32 bytes, strides in 32-B blocks, lanes by mask (bit i = element i of the repeat).
struct VecShape {
    uint64_t count = 0;
    uint32_t repeats = 0;
    uint64_t mask[2] = {~0ull, ~0ull};
    uint32_t dst_blk = 1, src0_blk = 1, src1_blk = 1;
    uint32_t dst_rep = 8, src0_rep = 8, src1_rep = 8;
};
// dst = op(src0, src1, scalar); unused operands are ignored. `type` is the element type of all operands.
// mul_add_dst: dst = src0 * src1 + dst; fused_mul_add: dst = src0 * dst + src1, and mul_add_relu the same without what
// is negative; axpy: dst = src0 * scalar + dst; all round once. max, min, relu and the reductions by max and min give
// NaN when an operand is NaN, and max(-0, +0) is +0. gelu is the tanh form. Integers wrap.
void vec(const char* name, VecOp op, DType type, Mem dst, Mem src0, Mem src1, double scalar, const VecShape& s);
// The scalar of a call as what it takes part in as one of two sources: `op` is one with two sources. It lies in UB
// (`one`), or is a number whose bits are `bits`; `first`: it is the first source.
struct ScalarOperand {
    Mem one;
    uint64_t bits = 0;
    bool first = false;
};
void vec_with_scalar(const char* name, VecOp op, DType type, Mem dst, Mem src, const ScalarOperand& scalar,
                     const VecShape& s);
// low: the product of 32-bit integers without its upper half, high: that half.
void multiply_long(const char* name, DType type, Mem low, Mem high, Mem src0, Mem src1, uint64_t count);
// dst = the result of `op` on src0 and src1, a result of the sources' type, converted. `scalar`: what stands for src1
// where that is absent. deq_relu: the sum of int32, times a half, to half, without what is negative.
enum class Fused : uint8_t { add_relu, sub_relu, mul, deq_relu };
struct FusedCast {
    Fused op = Fused::mul;
    DType dst = DType::f16, src = DType::f32;
    Round round = Round::rint;
    bool saturate = false;
    double factor = 1.0;  // deq_relu
};
void fused_cast(const char* name, const FusedCast& f, Mem dst, Mem src0, Mem src1, const VecShape& s);
void fused_cast_with_scalar(const char* name, const FusedCast& f, Mem dst, Mem src, const ScalarOperand& scalar,
                            uint64_t count);
// Power: dst = base ^ exponent.
void power(const char* name, DType type, Mem dst, Mem base, Mem exponent, Mem tmp, uint64_t count);
// Axpy with half source and float destination: dst = src * scalar + dst.
void axpy_widening(const char* name, Mem dst_f32, Mem src_f16, double scalar, const VecShape& s);
// A repeat covers 256 B of the wider type; strides count 32-B blocks of each operand's own type.
// deq_scale: SetDeqScale, the factor of int32 -> half.
void cast(const char* name, DType dst_type, Mem dst, DType src_type, Mem src, Round round, bool saturate,
          const VecShape& s, double deq_scale = 1.0);
// half -> int4, saturating; two in a byte, the first one in the low half. `count` is even.
void cast_to_int4(const char* name, Mem dst, Mem src_f16, Round round, uint64_t count);

// Compare to bit masks and select by them; `scalar` used when src1_is_scalar. Compare takes whole repeats: elements
// after the last full 256 bytes are not compared and their bits not written (asc-devkit, Compare). Bit 1 selects src0.
enum class Cmp : uint8_t { lt, gt, eq, le, ge, ne };
void compare(const char* name, Cmp mode, DType type, Mem dst_bits, Mem src0, Mem src1, bool src1_is_scalar,
             double scalar, uint64_t count);
void select(const char* name, DType type, Mem dst, Mem bits, Mem src0, Mem src1, bool src1_is_scalar, double scalar,
            uint64_t count);
// The same with a scalar that lies in UB (`one`): the second operand, or the first one.
void compare_with_element(const char* name, Cmp mode, DType type, Mem dst_bits, Mem src, Mem one, bool one_first,
                          uint64_t count);
void select_with_element(const char* name, DType type, Mem dst, Mem bits, Mem src, Mem one, bool one_first,
                         uint64_t count);
// Selection in which every repeat of 256 bytes takes the same bits, the first ones of `bits`.
void select_repeating(const char* name, DType type, Mem dst, Mem bits, Mem src0, Mem src1, uint64_t count);

// ---- registers of the vector unit ----------------------------------------------------------------------------------
// They are no memory: `at` is where the face keeps one for the core. Only instructions of pipe V touch it, in order.

// The first `lanes` elements of one repeat; bits of the other lanes stay.
void compare_to_register(const char* name, Cmp mode, DType type, uint64_t* at, Mem src0, Mem src1, uint32_t lanes);
void select_by_register(const char* name, DType type, Mem dst, const uint64_t* at, Mem src0, Mem src1, uint64_t count);
void store_register(const char* name, Mem dst, const void* at, uint32_t bytes);
// `continues`: the end of the instruction before.
void load_register(const char* name, void* at, Mem src, uint32_t bytes, bool continues = false);

// Reductions. `whole`: ReduceSum/Max/Min over `count` elements into one element (tree inside a repeat of 256 B,
// sequential over repeats). `repeat`: WholeReduce*: one result per repeat. `block`: one result per 32-B block.
enum class Red : uint8_t { sum, max, min };
// What a reduction by max or min stores: the value, the index (as raw bits), or both side by side. The first extremum
// counts. An index alone takes 4 bytes, in a pair it has the size of the element (asc-devkit, ReduceRepeat).
enum class RedOut : uint8_t { value, value_index, index_value, index };
void reduce_whole(const char* name, Red op, DType type, Mem dst, Mem src, Mem tmp, uint64_t count,
                  RedOut out = RedOut::value);
// dst_rep_elems: distance of results in units of one result (a pair counts as one).
void reduce_repeat(const char* name, Red op, DType type, Mem dst, Mem src, uint32_t lanes, uint32_t repeats,
                   uint32_t dst_rep_elems, uint32_t src_blk, uint32_t src_rep, RedOut out = RedOut::value);
// dst_rep_blocks: in units of the 8 results of one repeat (32 B for float, 16 B for half). On dav-2201 a block without
// an active lane writes nothing; on dav-3510 it gives 0 (sum), -inf (max) or inf (min).
void reduce_block(const char* name, Red op, DType type, Mem dst, Mem src, uint32_t lanes, uint32_t repeats,
                  uint32_t dst_rep_blocks, uint32_t src_blk, uint32_t src_rep);
// dst[i] = src[2i] + src[2i + 1] for the pairs of the first `lanes` elements of each repeat; dst_rep in halves of a
// repeat (128 B), src_blk and src_rep in blocks. On dav-3510 pairs beyond `lanes` give 0, on dav-2201 nothing.
void reduce_pairs(const char* name, DType type, Mem dst, Mem src, uint32_t lanes, uint32_t repeats, uint32_t dst_rep,
                  uint32_t src_blk, uint32_t src_rep);
// adv_api pattern reduce of a [rows, cols] tile whose rows are `pitch` bytes apart: by_row (AR): one result per row,
// contiguous; otherwise (RA): one result per column.
void reduce_tile(const char* name, Red op, DType type, Mem dst, Mem src, Mem tmp, uint32_t rows, uint32_t cols,
                 uint64_t pitch, bool by_row);
// dst [rows, cols] <- src [rows, 1] (axis 1) or [1, cols] (axis 0), rows contiguous.
void broadcast(const char* name, DType type, Mem dst, Mem src, Mem tmp, uint32_t rows, uint32_t cols, int axis);
// Brcb: 8 elements per repeat, each spread over one 32-B block.
void brcb(const char* name, DType type, Mem dst, Mem src, uint32_t repeats, uint32_t dst_blk, uint32_t dst_rep);
// The lanes that `s` selects: first + the lane's number, that of a repeat behind all of the one before.
void arange_masked(const char* name, DType type, Mem dst, double first, const VecShape& s);
// dst[i] = first + i * step
void arange(const char* name, DType type, Mem dst, double first, double step, uint64_t count);
// ---- what is touched depends on data: each element is held against the bounds of its operand, one beyond the memory
// gives poison or stores nothing
// ---------------------------------------------------------------------------------------

// dst lane <- the element at src + base + the lane's offset, bytes. Lanes as VecShape says for `dst`; the offsets stand
// one after the other, those of a repeat behind all of the one before, masked or not.
void gather(const char* name, DType type, Mem dst, Mem src, Mem offsets, uint32_t base, const VecShape& s);
// The other way: the element at dst + base + the lane's offset <- src lane (src0 of the shape). An element that is hit
// twice is found, and gets poison.
void scatter(const char* name, DType type, Mem dst, Mem src, Mem offsets, uint32_t base, const VecShape& s);
// Blocks of 32 bytes, 8 in a repeat: block <- src + its offset.
void gather_blocks(const char* name, Mem dst, Mem src, Mem offsets, uint32_t repeats, uint32_t dst_blk,
                   uint32_t dst_rep);
// The elements of `src` whose bit is set, one after the other. A repeat is 256 bytes, or `per_repeat` elements where
// that is not 0; strides in blocks. `pattern` 1..7: the API's patterns; 0: bits from `bits` on, those of a repeat
// bits_rep blocks behind those of the one before. `kept` gets the number of elements, for register_read().
struct Squeeze {
    uint8_t pattern = 0;
    uint32_t repeats = 1, per_repeat = 0;
    uint32_t src_blk = 1, src_rep = 8, bits_rep = 0;
    uint64_t* kept = nullptr;
};
void squeeze(const char* name, DType type, Mem dst, Mem src, Mem bits, const Squeeze& s);

// ---- sorting: pairs of 8 bytes, the score (float, or half and two bytes of nothing) in front of a uint32 index,
// falling; of equal scores the first one first
// -------------------------------------------------------------------------
void sort32(const char* name, DType type, Mem dst, Mem scores, Mem indices, uint32_t repeats);
// Merges the first `lists` of four sorted lists of `lengths` pairs. With `repeats` the lists are of one length and
// follow each other, and so do further ones. suspend: until one list is used up. `taken` gets how many pairs of each
// list were merged, 16 bits each, for register_read().
struct Merge {
    uint32_t lists = 4, repeats = 1;
    uint16_t lengths[4] = {};
    bool suspend = false;
    uint64_t* taken = nullptr;
};
void merge_sorted(const char* name, DType type, Mem dst, const Mem (&lists)[4], const Merge& m);

// The first k elements of each row of `inner`, falling or rising, and their indices (4 bytes): those of `src_indices`,
// one row for all or one for each, or their numbers; n where `finish` has a byte that is not 0 for the row.
struct TopK {
    uint32_t rows = 1, inner = 32, n = 32, k = 1;
    uint64_t value_pitch = 0, index_pitch = 0;  // from one row of the result to the next, bytes
    bool largest = true, rows_share_indices = true;
};
void top_k(const char* name, DType type, Mem values, Mem indices, Mem src, Mem src_indices, Mem finish, const TopK& k);

// ---- one number in global memory, by the scalar unit; `before` gets what it was, for register_read()
// ------------------
enum class ScalarAtomic : uint8_t { add, max, min, exchange, compare_exchange };
void scalar_atomic(const char* name, ScalarAtomic op, DType type, Mem at, uint64_t value, uint64_t wanted,
                   uint64_t* before);

// ---- words of global memory by which cores synchronise: accesses to them do not race with each other
// ------------------
void poll_words(const char* name, Mem ub, Mem words, uint64_t bytes);  // what UB gets means nothing
void store_word(const char* name, Mem word, int32_t value);            // a block of 32 bytes
void count_word(const char* name, Mem word);                           // likewise: one more

// ---- two runs of `count` elements each, taken in turns: into dst0 and then dst1, each as long; and back, from src0
// and then src1, or from src0 alone (twice as long)
// ------------------
void interleave(const char* name, DType type, Mem dst0, Mem dst1, Mem src0, Mem src1, uint64_t count);
void deinterleave(const char* name, DType type, Mem dst0, Mem dst1, Mem src0, Mem src1, uint64_t count);

// ---- transpositions ------------------------------------------------------------------------------------------------
void transpose16(const char* name, Mem dst, Mem src);  // 16 x 16 of 2 bytes
// 16 rows of one block each to columns: elements of 2 bytes 16 x 16, of 4 bytes 16 x 8 (row j of the result lies in the
// blocks 2j and 2j + 1), of 1 byte 16 x 16, in one half of the blocks. Addresses in UB, multiples of 32; block j of
// repeat r lies `rep` blocks further. `bounds`: of the allocation, where all blocks of a side lie in one.
struct Rows16 {
    uint32_t at[16] = {};
    uint32_t rep = 0;
    bool high = false;
    Mem bounds;
};
void transpose_rows16(const char* name, DType type, const Rows16& dst, const Rows16& src, uint32_t repeats);
// [outer, rows, cols] -> [outer, cols, rows], dense; `tmp` is overwritten.
void transpose_planes(const char* name, DType type, Mem dst, Mem src, Mem tmp, uint64_t tmp_bytes, uint32_t outer,
                      uint32_t rows, uint32_t cols);

}  // namespace aicore::ops
