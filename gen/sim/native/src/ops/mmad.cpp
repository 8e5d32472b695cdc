// The Cube: L0A x L0B -> L0C.
//
// Layouts: A is ZZ on dav-2201 and NZ on dav-3510, B is ZN, C is NZ with 16 x 16 fractals (asc-devkit, docs/zh, Mmad).
// K is eaten in whole blocks of C0 = 32 B / sizeof(T): lanes beyond k are multiplied like the rest, so that a missing
// zero fill shows. Sources disagree: vendor samples (load_data_l12l0, load_data_2dv2_l12l0) leave such lanes unfilled
// and expect them not to count; the profile key `k_tail` chooses. Rows and columns of C beyond m and n are not written.
//
// An element of C is the sum over k in ascending order, in float, each step rounded once. For int8 and int4 it is
// exact, with saturation to int32 (asc-devkit, Mmad: integers only saturate). Products of types of 16 and 8 bits, and
// of HF32, are exact in float.
#include <algorithm>
#include <vector>

#include "builder.h"
#include "cycles.h"
#include "elements.h"
#include "panel.h"

namespace aicore::ops {
namespace {

using panel::kColumns;

struct Params {
    uint32_t m, n;
    uint32_t k_groups;  // blocks of C0
    uint32_t k_pitch;   // blocks of C0 in a row of fractals of A
    uint32_t k_unused;  // lanes of the last block that do not count
    uint32_t m_blocks;  // ceil(m / 16)
    DType type, type_b;
    Hf32 hf32;
    bool zz, gemv;
    panel::Start start;
    uint8_t tail_write, tail_read, bias;  // index of the region, 0 where there is none
};

// Panels of the running Mmad: at most one per host thread.
struct Scratch {
    std::vector<float> a, b, c, bias;
};
Scratch& scratch() {
    thread_local Scratch s;
    return s;
}

size_t c0_of(DType t) { return t == DType::i4 ? 2 * kBlock : kBlock / size_of(t); }
bool is_integer(DType t) { return t == DType::i8 || t == DType::i4; }

// K groups per pass: panels of this depth stay in the host's caches. 1024 products of int8 fit a float exactly.
size_t groups_per_pass(DType t) { return 256 / c0_of(t); }

void widen_a(const Params& p, const uint8_t* a, size_t group, size_t groups, float* to) {
    const size_t c0 = c0_of(p.type), stride = groups * c0;
    if (p.gemv) {
        for (size_t g = 0; g < groups; ++g) {
            panel::widen_rows(p.type, a + (group + g) * kBlock, c0, 1, to + g * c0, stride);
        }
        return;
    }
    for (size_t mb = 0; mb < p.m_blocks; ++mb) {
        const size_t rows = std::min<size_t>(16, p.m - mb * 16);
        for (size_t g = 0; g < groups; ++g) {
            const size_t fractal = p.zz ? mb * p.k_pitch + group + g : (group + g) * p.m_blocks + mb;
            panel::widen_rows(p.type, a + fractal * kFractal, c0, rows, to + mb * 16 * stride + g * c0, stride);
        }
    }
}

void widen_b(const Params& p, const uint8_t* b, size_t group, size_t groups, float* to) {
    const size_t c0 = c0_of(p.type), blocks = div_up(p.n, 16);
    for (size_t nb = 0; nb < blocks; ++nb) {
        for (size_t g = 0; g < groups; ++g) {
            const uint8_t* fractal = b + ((group + g) * blocks + nb) * kFractal;
            panel::widen_transposed(p.type_b, fractal, c0, to + (nb * groups + g) * c0 * kColumns);
        }
    }
}

// Clears the lanes of the last group in panels of `groups` groups that do not count.
void drop_unused(const Params& p, size_t groups, float* a, float* b) {
    const size_t c0 = c0_of(p.type), used = c0 - p.k_unused, stride = groups * c0;
    for (size_t r = 0; r < p.m; ++r) std::fill_n(a + r * stride + stride - p.k_unused, p.k_unused, 0.0f);
    for (size_t nb = 0; nb < div_up(p.n, 16); ++nb) {
        float* group = b + (nb * groups + groups - 1) * c0 * kColumns;
        std::fill_n(group + used * kColumns, p.k_unused * kColumns, 0.0f);
    }
}

void round_to_hf32(Hf32 mode, float* x, size_t n) {
    for (size_t i = 0; i < n; ++i) x[i] = to_hf32(x[i], mode);
}

// The panels of `groups` groups of K from `group` on.
void widen(const Params& p, uint8_t* const* at, size_t group, size_t groups, Scratch& s) {
    widen_a(p, at[0], group, groups, s.a.data());
    widen_b(p, at[1], group, groups, s.b.data());
    if (p.hf32 != Hf32::off) {
        const size_t k = groups * c0_of(p.type);
        round_to_hf32(p.hf32, s.a.data(), p.m * k);
        round_to_hf32(p.hf32, s.b.data(), div_up(p.n, 16) * kColumns * k);
    }
    if (p.k_unused != 0 && group + groups == p.k_groups) drop_unused(p, groups, s.a.data(), s.b.data());
}

void copy_columns(const float* from, float* to, size_t rows, size_t columns) {
    for (size_t r = 0; r < rows; ++r) std::memcpy(to + r * kColumns, from + r * kColumns, columns * sizeof(float));
}

// Adds exact float sums to int32, saturating.
void add_exact(const float* sums, int32_t* c, size_t rows, size_t columns) {
    for (size_t r = 0; r < rows; ++r) {
        for (size_t i = 0; i < columns; ++i) {
            const int64_t sum = int64_t{c[r * kColumns + i]} + static_cast<int64_t>(sums[r * kColumns + i]);
            c[r * kColumns + i] = static_cast<int32_t>(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX));
        }
    }
}

// The 16-column groups of C in L0C and, where a group is cut off by n, the scratch that stands for it.
struct Output {
    std::vector<float*> groups;
    float* tail = nullptr;  // in L0C
    size_t tail_columns = 0;
};

Output output_of(const Params& p, uint8_t* const* at, Scratch& s) {
    Output o;
    const size_t group = size_t{p.m_blocks} * 16 * kColumns;
    float* c = reinterpret_cast<float*>(at[2]);
    for (size_t g = 0; g < p.n / 16; ++g) o.groups.push_back(c + g * group);
    o.tail_columns = p.n % 16;
    if (o.tail_columns != 0) {
        s.c.assign(group, 0.0f);
        o.tail = reinterpret_cast<float*>(at[p.tail_write]);
        o.groups.push_back(s.c.data());
    }
    return o;
}

// Starting values of C that are a row: the bias, padded to whole groups.
const float* bias_of(const Params& p, uint8_t* const* at, Scratch& s) {
    if (p.bias == 0) return nullptr;
    s.bias.assign(div_up(p.n, 16) * kColumns, 0.0f);
    std::memcpy(s.bias.data(), at[p.bias], p.n * sizeof(float));
    return s.bias.data();
}

void multiply_floats(const void* params, uint8_t* const* at) {
    const Params& p = params_of<Params>(params);
    Scratch& s = scratch();
    const size_t c0 = c0_of(p.type), blocks = div_up(p.n, 16), pass = groups_per_pass(p.type);
    s.a.resize(size_t{p.m_blocks} * 16 * pass * c0);
    s.b.resize(blocks * pass * c0 * kColumns);
    const Output o = output_of(p, at, s);
    if (o.tail != nullptr && p.start == panel::Start::accumulate) {
        copy_columns(o.tail, o.groups.back(), p.m, o.tail_columns);
    }
    const float* bias = bias_of(p, at, s);
    for (size_t g = 0; g < p.k_groups; g += pass) {
        const size_t groups = std::min<size_t>(pass, p.k_groups - g), k = groups * c0;
        widen(p, at, g, groups, s);
        panel::multiply({s.a.data(), k, s.b.data(), k * kColumns, o.groups.data(), bias, p.m, k, blocks,
                         g == 0 ? p.start : panel::Start::accumulate, p.type != DType::f32 || p.hf32 != Hf32::off});
    }
    if (o.tail != nullptr) copy_columns(o.groups.back(), o.tail, p.m, o.tail_columns);
}

void start_integers(const Params& p, uint8_t* const* at, int32_t* c, size_t group, size_t columns) {
    if (p.start == panel::Start::accumulate) return;
    const int32_t* bias = p.bias == 0 ? nullptr : reinterpret_cast<const int32_t*>(at[p.bias]) + group * kColumns;
    for (size_t r = 0; r < p.m; ++r) {
        for (size_t i = 0; i < columns; ++i) c[r * kColumns + i] = bias == nullptr ? 0 : bias[i];
    }
}

void multiply_integers(const void* params, uint8_t* const* at) {
    const Params& p = params_of<Params>(params);
    Scratch& s = scratch();
    const size_t c0 = c0_of(p.type), blocks = div_up(p.n, 16), pass = groups_per_pass(p.type);
    s.a.resize(size_t{p.m_blocks} * 16 * pass * c0);
    s.b.resize(blocks * pass * c0 * kColumns);
    s.c.resize(size_t{p.m} * kColumns);
    const auto c_of = [&](size_t nb) {
        uint8_t* base = nb < p.n / 16 ? at[2] + nb * p.m_blocks * 16 * kColumns * sizeof(int32_t) : at[p.tail_write];
        return reinterpret_cast<int32_t*>(base);
    };
    for (size_t nb = 0; nb < blocks; ++nb) start_integers(p, at, c_of(nb), nb, std::min<size_t>(16, p.n - nb * 16));
    for (size_t g = 0; g < p.k_groups; g += pass) {
        const size_t groups = std::min<size_t>(pass, p.k_groups - g), k = groups * c0;
        widen(p, at, g, groups, s);
        for (size_t nb = 0; nb < blocks; ++nb) {
            float* sums = s.c.data();
            panel::multiply({s.a.data(), k, s.b.data() + nb * k * kColumns, k * kColumns, &sums, nullptr, p.m, k, 1,
                             panel::Start::zero, true});
            add_exact(sums, c_of(nb), p.m, std::min<size_t>(16, p.n - nb * 16));
        }
    }
}

// The valid m x n elements of C: whole groups of 16 columns, then the columns of the last one.
void add_c(Instr& i, const Mem& c, const Mmad& p, bool write, uint8_t& tail) {
    constexpr uint64_t kRow = kColumns * sizeof(float);
    const uint64_t group = div_up(p.m, 16) * 16 * kRow;
    const uint64_t whole = p.n / 16, rest = p.n % 16;
    Region& r = i.add(rows_of(c, write, whole, p.m * kRow, static_cast<int64_t>(group)));
    r.align = 1024;  // asc-devkit, Mmad: the start of L0C
    if (rest == 0) return;
    tail = i.region_count;
    Region& t = i.add(rows_of(offset(c, static_cast<int64_t>(whole * group)), write, p.m, rest * sizeof(float), kRow));
    t.align = 64;
    if (whole == 0) t.align = 1024;
}

// Types of each chip: asc-devkit, docs, Mmad, tables of types.
void check(const Mmad& p) {
    const auto fp8 = [](DType t) { return t == DType::e4m3 || t == DType::e5m2; };
    const bool known =
        is_float(p.a) || p.a == DType::i8 || (on_2201() ? p.a == DType::i4 : fp8(p.a) || p.a == DType::hif8);
    if (!known) unsupported_type("Mmad", p.a);
    if (p.b != p.a && !(fp8(p.a) && fp8(p.b))) unsupported_type("Mmad with an operand of another type and B", p.b);
    if (p.c != (is_integer(p.a) ? DType::i32 : DType::f32)) unsupported_type("Mmad into an accumulator", p.c);
    if (p.bias && p.bias_table.space != Space::bt) unsupported("Mmad with a bias that is not in the bias table");
}

}  // namespace

void mmad(const char* name, Mem c, Mem a, Mem b, const Mmad& p) {
    if (p.m == 0 || p.k == 0 || p.n == 0) return;
    check(p);
    const uint32_t k_groups = static_cast<uint32_t>(div_up(p.k, c0_of(p.a)));
    const uint32_t m_blocks = static_cast<uint32_t>(div_up(p.m, 16)), n_blocks = static_cast<uint32_t>(div_up(p.n, 16));
    const bool reads_c = !p.init && !p.bias;
    const uint32_t c0 = static_cast<uint32_t>(c0_of(p.a));
    const uint32_t k_unused = k_tail_is_exact() ? k_groups * c0 - p.k : 0;
    const Hf32 hf32 = p.a == DType::f32 ? p.hf32 : Hf32::off;
    const bool even = p.align_k && on_2201() && p.a == DType::f32;
    const uint32_t k_pitch = even ? (k_groups + 1) / 2 * 2 : k_groups;
    Params q{p.m, p.n, k_groups, k_pitch,   k_unused,           m_blocks,
             p.a, p.b, hf32,     on_2201(), p.gemv && p.m == 1, panel::Start::zero,
             0,   0,   0};
    if (p.bias) q.start = panel::Start::row;
    if (reads_c) q.start = panel::Start::accumulate;

    Instr i;
    i.name = name;
    i.pipe = Pipe::m;
    i.body = is_integer(p.a) ? multiply_integers : multiply_floats;
    i.cycles = static_cast<uint32_t>(cycles::mmad(p.a, hf32 != Hf32::off, p.m, p.k, p.n));
    i.unit_flag = p.unit_flag;
    // Hardware orders an accumulating Mmad after the one before only from ten fractals on (asc-devkit, Mmad).
    i.order_class = uint64_t{m_blocks} * n_blocks >= 10 ? 1 : 0;
    if (q.gemv) {
        i.add(run_of(a, false, uint64_t{k_groups} * kBlock));
    } else if (q.zz) {
        i.add(rows_of(a, false, m_blocks, uint64_t{k_groups} * kFractal, int64_t{k_pitch} * kFractal));
    } else {
        i.add(run_of(a, false, uint64_t{m_blocks} * k_groups * kFractal));
    }
    i.add(run_of(b, false, uint64_t{k_groups} * n_blocks * kFractal));
    add_c(i, c, p, true, q.tail_write);
    if (reads_c) add_c(i, c, p, false, q.tail_read);
    if (p.bias) {
        q.bias = i.region_count;
        i.add(run_of(p.bias_table, false, p.n * sizeof(float)));
    }
    i.set_params(q);
    emit(i);
}

}  // namespace aicore::ops
