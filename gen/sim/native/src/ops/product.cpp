// The sums of Mmad: panels of float, widened from the fractals of L0A and L0B pass by pass.
//
// An element of C is the sum over k in ascending order, in float, each step rounded once. For int8 and int4 it is
// exact, with saturation to int32 (asc-devkit, Mmad: integers only saturate). Products of types of 16 and 8 bits, and
// of HF32, are exact in float. Scaled operands are multiplied by their factors first (asc-devkit, docs, MmadMx).
#include "product.h"

#include <algorithm>
#include <vector>

#include "elements.h"

namespace aicore::ops::product {
namespace {

using panel::kColumns;

// Panels of the running Mmad: at most one per host thread.
struct Scratch {
    std::vector<float> a, b, c, bias;
};
Scratch& scratch() {
    thread_local Scratch s;
    return s;
}

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
            const uint8_t* fractal = b + ((group + g) * p.b_pitch + nb) * kFractal;
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

// The factor of row (column) `line` for the 32 elements of K that are the `part`-th of all `parts`.
float factor(const uint8_t* factors, size_t line, size_t part, size_t parts) {
    return from_e8m0(factors[(line / 16 * (parts / 2) + part / 2) * kBlock + line % 16 * 2 + part % 2]);
}

void scale(const Params& p, uint8_t* const* at, size_t group, size_t groups, Scratch& s) {
    const size_t c0 = c0_of(p.type), parts = p.k_groups * c0 / 32, first = group * c0 / 32, k = groups * c0;
    for (size_t part = 0; part < k / 32; ++part) {
        for (size_t r = 0; r < p.m; ++r) {
            const float f = factor(at[p.scales], r, first + part, parts);
            float* row = s.a.data() + r * k + part * 32;
            for (size_t i = 0; i < 32; ++i) row[i] *= f;
        }
        for (size_t n = 0; n < div_up(p.n, 16) * kColumns; ++n) {
            const float f = factor(at[p.scales + 1], n, first + part, parts);
            float* column = s.b.data() + (n / kColumns * k + part * 32) * kColumns + n % kColumns;
            for (size_t i = 0; i < 32; ++i) column[i * kColumns] *= f;
        }
    }
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
    if (p.scales != 0) scale(p, at, group, groups, s);
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

}  // namespace

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

namespace {

void start_integers(const Params& p, uint8_t* const* at, int32_t* c, size_t group, size_t columns) {
    if (p.start == panel::Start::accumulate) return;
    const int32_t* bias = p.bias == 0 ? nullptr : reinterpret_cast<const int32_t*>(at[p.bias]) + group * kColumns;
    for (size_t r = 0; r < p.m; ++r) {
        for (size_t i = 0; i < columns; ++i) c[r * kColumns + i] = bias == nullptr ? 0 : bias[i];
    }
}

// The part of C that the group `nb` of 16 columns is.
int32_t* group_of_c(const Params& p, uint8_t* const* at, size_t nb) {
    uint8_t* base = nb < p.n / 16 ? at[2] + nb * p.m_blocks * 16 * kColumns * sizeof(int32_t) : at[p.tail_write];
    return reinterpret_cast<int32_t*>(base);
}

int32_t saturated(int64_t x) { return static_cast<int32_t>(std::clamp<int64_t>(x, INT32_MIN, INT32_MAX)); }

// Which of the four elements the `kept`-th of a column is: the first of two counts from the first, the second from the
// second (asc-devkit, docs, MmadWithSparse, table 2).
size_t choice(const uint8_t* indices, size_t kept) {
    const auto at = [&](size_t i) -> size_t { return indices[i / 4] >> i % 4 * 2 & 3; };
    if (kept % 2 == 0) return at(kept);
    const size_t first = at(kept - 1), second = at(kept);
    return first == 2 && second == 0 ? 2 : std::min<size_t>(second + 1, 3);
}

// Adds the products of column `n` of the group `nb` whose elements of K are one fractal of B, the `g`-th.
void add_sparse(const Params& p, uint8_t* const* at, size_t nb, size_t n, size_t g) {
    const size_t fractal = g * p.b_pitch + nb, dense = std::min<size_t>(32, p.k_groups * 16 - g * 32);
    const auto* b = reinterpret_cast<const int8_t*>(at[1] + fractal * kFractal + n * kBlock);
    const uint8_t* indices = at[p.indices] + fractal * (kFractal / 4) + n * (kBlock / 4);
    int32_t* c = group_of_c(p, at, nb) + n;
    for (size_t r = 0; r < p.m; ++r) {
        int64_t sum = c[r * kColumns];
        for (size_t j = 0; j < dense; ++j) {
            const size_t k = g * 64 + j / 2 * 4 + choice(indices, j);
            const uint8_t* a = at[0] + (r / 16 * p.k_pitch + k / 32) * kFractal + r % 16 * kBlock + k % 32;
            sum += int64_t{static_cast<int8_t>(*a)} * b[j];
        }
        c[r * kColumns] = saturated(sum);
    }
}

}  // namespace

void multiply_integers(const void* params, uint8_t* const* at) {
    const Params& p = params_of<Params>(params);
    Scratch& s = scratch();
    const size_t c0 = c0_of(p.type), blocks = div_up(p.n, 16), pass = groups_per_pass(p.type);
    s.a.resize(size_t{p.m_blocks} * 16 * pass * c0);
    s.b.resize(blocks * pass * c0 * kColumns);
    s.c.resize(size_t{p.m} * kColumns);
    for (size_t nb = 0; nb < blocks; ++nb)
        start_integers(p, at, group_of_c(p, at, nb), nb, std::min<size_t>(16, p.n - nb * 16));
    for (size_t g = 0; g < p.k_groups; g += pass) {
        const size_t groups = std::min<size_t>(pass, p.k_groups - g), k = groups * c0;
        widen(p, at, g, groups, s);
        for (size_t nb = 0; nb < blocks; ++nb) {
            float* sums = s.c.data();
            panel::multiply({s.a.data(), k, s.b.data() + nb * k * kColumns, k * kColumns, &sums, nullptr, p.m, k, 1,
                             panel::Start::zero, true});
            add_exact(sums, group_of_c(p, at, nb), p.m, std::min<size_t>(16, p.n - nb * 16));
        }
    }
}

void multiply_sparse(const void* params, uint8_t* const* at) {
    const Params& p = params_of<Params>(params);
    for (size_t nb = 0; nb < div_up(p.n, 16); ++nb) {
        const size_t columns = std::min<size_t>(16, p.n - nb * 16);
        start_integers(p, at, group_of_c(p, at, nb), nb, columns);
        for (size_t n = 0; n < columns; ++n) {
            for (size_t g = 0; g < div_up(p.k_groups, 2); ++g) add_sparse(p, at, nb, n, g);
        }
    }
}

}  // namespace aicore::ops::product
