// The Cube: L0A x L0B -> L0C.
//
// Layouts: A is ZZ on dav-2201 and NZ on dav-3510, B is ZN, C is NZ with 16 x 16 fractals (asc-devkit, docs/zh, Mmad).
// K is eaten in whole blocks of C0 = 32 B / sizeof(T): lanes beyond k are multiplied like the rest, so that a missing
// zero fill shows. Sources disagree: vendor samples (load_data_l12l0, load_data_2dv2_l12l0) leave such lanes unfilled
// and expect them not to count; the profile key `k_tail` chooses. Rows and columns of C beyond m and n are not written.
#include "builder.h"
#include "cycles.h"
#include "elements.h"
#include "product.h"

namespace aicore::ops {
namespace {

using namespace product;
using panel::kColumns;

// The valid m x n elements of C: whole groups of 16 columns, then the columns of the last one.
void add_c(Instr& i, const Mem& c, const Params& p, bool write, uint8_t& tail) {
    constexpr uint64_t kRow = kColumns * sizeof(float);
    const uint64_t group = uint64_t{p.m_blocks} * 16 * kRow;
    const uint64_t whole = p.n / 16, rest = p.n % 16;
    if (whole != 0) {
        Region& r = i.add(rows_of(c, write, whole, p.m * kRow, static_cast<int64_t>(group)));
        r.align = 1024;  // asc-devkit, Mmad: the start of L0C
    }
    if (rest == 0) return;
    tail = i.region_count;
    Region& t = i.add(rows_of(offset(c, static_cast<int64_t>(whole * group)), write, p.m, rest * sizeof(float), kRow));
    t.align = whole == 0 ? 1024 : 64;
}

// The memory beside an operand, `part` times nearer to its start.
Mem beside(const Mem& operand, Space space, uint64_t part) { return {space, operand.addr / part, 0, 0, operand.unit}; }

void add_a(Instr& i, const Mem& a, const Params& p) {
    if (p.gemv) {
        i.add(run_of(a, false, uint64_t{p.k_groups} * kBlock));
    } else if (p.zz) {
        i.add(rows_of(a, false, p.m_blocks, uint64_t{p.k_groups} * kFractal, int64_t{p.k_pitch} * kFractal));
    } else {
        i.add(run_of(a, false, uint64_t{p.m_blocks} * p.k_groups * kFractal));
    }
}

// `n` columns of C from block `first` of 16 on.
struct Part {
    uint32_t first, n;
};

uint64_t factors_of(const Mmad& p, uint64_t lines) { return div_up(lines, 16) * (p.k / 64) * kBlock; }

void emit_part(Instr i, Params q, const Mem& c, const Mem& a, const Mem& b, const Mmad& p, Part part) {
    const uint64_t blocks = div_up(part.n, 16);
    const bool reads_c = q.start == panel::Start::accumulate;
    const uint64_t k_groups = p.sparse ? div_up(q.k_groups, 2) : q.k_groups;
    q.n = part.n;
    add_a(i, a, q);
    i.add(rows_of(offset(b, int64_t{part.first} * kFractal), false, k_groups, blocks * kFractal,
                  int64_t{q.b_pitch} * kFractal));
    const Mem to = offset(c, int64_t{part.first} * q.m_blocks * 16 * int64_t{kColumns * sizeof(float)});
    add_c(i, to, q, true, q.tail_write);
    if (reads_c) add_c(i, to, q, false, q.tail_read);
    if (p.bias) {
        q.bias = i.region_count;
        i.add(run_of(offset(p.bias_table, int64_t{part.first} * 16 * 4), false, part.n * sizeof(float)));
    }
    if (p.scaled) {
        const Mem scales = beside(b, Space::l0b_mx, 16);
        if (c0_of(p.a) == kBlock && part.first == 0) i.regions[0].align = i.regions[1].align = 1024;  // docs, MmadMx
        q.scales = i.region_count;
        i.add(run_of(beside(a, Space::l0a_mx, 16), false, factors_of(p, p.m)));
        i.add(run_of(offset(scales, static_cast<int64_t>(factors_of(p, part.first * 16u))), false,
                     factors_of(p, part.n)));
    }
    if (p.sparse) {
        const Mem indices = offset(beside(b, Space::l0b_mx, 4), int64_t{part.first} * (kFractal / 4));
        q.indices = i.region_count;
        i.add(rows_of(indices, false, k_groups, blocks * (kFractal / 4), int64_t{q.b_pitch} * (kFractal / 4)));
    }
    i.set_params(q);
    emit(i);
}

// Types of each chip: asc-devkit, docs, Mmad, MmadMx and MmadWithSparse, tables of types.
void check(const Mmad& p) {
    const auto fp8 = [](DType t) { return t == DType::e4m3 || t == DType::e5m2; };
    const auto fp4 = [](DType t) { return t == DType::e2m1 || t == DType::e1m2; };
    const bool known =
        is_float(p.a) || p.a == DType::i8 || (on_2201() ? p.a == DType::i4 : fp8(p.a) || p.a == DType::hif8);
    const bool mixed = (fp8(p.a) && fp8(p.b)) || (fp4(p.a) && fp4(p.b));
    if (p.scaled ? on_2201() || !mixed : !known) unsupported_type(p.scaled ? "a scaled Mmad" : "Mmad", p.a);
    if (p.b != p.a && !mixed) unsupported_type("Mmad with an operand of another type and B", p.b);
    if (p.c != (is_integer(p.a) ? DType::i32 : DType::f32)) unsupported_type("Mmad into an accumulator", p.c);
    if (p.bias && p.bias_table.space != Space::bt) unsupported("Mmad with a bias that is not in the bias table");
    if (p.scaled && p.k % 64 != 0) unsupported("a scaled Mmad with k not a multiple of 64");
    if (p.scaled && p.gemv) unsupported("a scaled Mmad as GEMV, whose layout of factors is not documented");
    if (p.sparse && (!on_2201() || p.a != DType::i8)) unsupported_type("a sparse Mmad", p.a);
}

Params params_for(const Mmad& p) {
    Params q{};
    const auto c0 = static_cast<uint32_t>(c0_of(p.a));
    q.m = p.m, q.n = p.n;
    q.k_groups = static_cast<uint32_t>(div_up(p.k, c0));
    const bool even = p.align_k && on_2201() && p.a == DType::f32;
    q.k_pitch = even ? (q.k_groups + 1) / 2 * 2 : q.k_groups;
    q.k_unused = k_tail_is_exact() ? q.k_groups * c0 - p.k : 0;
    q.m_blocks = static_cast<uint32_t>(div_up(p.m, 16));
    q.b_pitch = static_cast<uint32_t>(div_up(p.n, 16));
    q.type = p.a, q.type_b = p.b;
    q.hf32 = p.a == DType::f32 ? p.hf32 : Hf32::off;
    q.zz = on_2201();
    q.gemv = p.gemv && p.m == 1;
    q.start = p.bias ? panel::Start::row : p.init ? panel::Start::zero : panel::Start::accumulate;
    return q;
}

}  // namespace

void mmad(const char* name, Mem c, Mem a, Mem b, const Mmad& p) {
    if (p.m == 0 || p.k == 0 || p.n == 0) return;
    check(p);
    const Params q = params_for(p);
    Instr i;
    i.name = name;
    i.pipe = Pipe::m;
    i.body = p.sparse ? multiply_sparse : is_integer(p.a) ? multiply_integers : multiply_floats;
    i.cycles = static_cast<uint32_t>(cycles::mmad(p.a, q.hf32 != Hf32::off, p.m, p.sparse ? p.k / 2 : p.k, p.n));
    i.unit_flag = p.unit_flag;
    // Hardware orders an accumulating Mmad after the one before only from ten fractals on (asc-devkit, Mmad).
    i.order_class = uint64_t{q.m_blocks} * q.b_pitch >= 10 ? 1 : 0;
    // With factors or indices a last group that is cut off takes an instruction of its own: there are no more regions.
    const uint32_t rest = p.n % 16;
    if ((!p.scaled && !p.sparse) || rest == 0 || p.n < 16) return emit_part(i, q, c, a, b, p, {0, p.n});
    emit_part(i, q, c, a, b, p, {0, p.n - rest});
    i.continues = true;
    i.cycles = 1;
    emit_part(i, q, c, a, b, p, {p.n / 16, rest});
}

}  // namespace aicore::ops
