// TopK: the first elements of each row in falling or rising order, with their indices.
// Source: asc-devkit, docs, advanced API, sorting, TopK: of equal elements the first one first, NaN before all others.
#include <algorithm>
#include <vector>

#include "cycles.h"
#include "elements.h"

namespace aicore::ops {
namespace {

struct Params {
    TopK k;
    DType type;
    uint32_t size;
    uint32_t indices, finish;  // their regions; 0: there is none
};

struct Element {
    float value;
    int32_t index;
    uint32_t at;
};

bool comes_first(const Element& a, const Element& b, bool largest) {
    const bool a_nan = a.value != a.value, b_nan = b.value != b.value;
    if (a_nan || b_nan) return a_nan && !b_nan;
    return largest ? a.value > b.value : a.value < b.value;
}

// Regions: values, indices, the source, then what the call has. Rows of the result are stored with what fills their
// last block, whatever that is (docs: some value): here it is 0.
void run(const void* params, uint8_t* const* at) {
    const Params& p = params_of<Params>(params);
    std::vector<Element> row(p.k.inner);
    std::memset(at[0], 0, p.k.rows * p.k.value_pitch);
    std::memset(at[1], 0, p.k.rows * p.k.index_pitch);
    for (uint32_t r = 0; r < p.k.rows; ++r) {
        const uint8_t* from = at[2] + uint64_t{r} * p.k.inner * p.size;
        for (uint32_t i = 0; i < p.k.inner; ++i) {
            float buffer;
            row[i] = {*load_floats(p.type, from + i * p.size, &buffer, 1), static_cast<int32_t>(i), i};
            const uint64_t numbered = (p.k.rows_share_indices ? 0 : uint64_t{r} * p.k.inner) + i;
            if (p.indices != 0) std::memcpy(&row[i].index, at[p.indices] + numbered * 4, 4);
        }
        std::stable_sort(row.begin(), row.end(),
                         [&](const Element& a, const Element& b) { return comes_first(a, b, p.k.largest); });
        const bool invalid = p.finish != 0 && at[p.finish][r] != 0;
        for (uint32_t i = 0; i < p.k.k; ++i) {
            const int32_t index = invalid ? static_cast<int32_t>(p.k.n) : row[i].index;
            std::memcpy(at[0] + r * p.k.value_pitch + i * p.size, from + row[i].at * p.size, p.size);
            std::memcpy(at[1] + r * p.k.index_pitch + i * 4, &index, 4);
        }
    }
}

}  // namespace

void top_k(const char* name, DType type, Mem values, Mem indices, Mem src, Mem src_indices, Mem finish, const TopK& k) {
    if (k.rows == 0 || k.inner == 0 || k.k == 0) return;
    if (type != DType::f32 && type != DType::f16) unsupported_type(name, type);
    const auto size = static_cast<uint32_t>(size_of(type));
    Params p{k, type, size, present(src_indices) ? 3u : 0u, 0};
    if (present(finish)) p.finish = p.indices != 0 ? 4 : 3;
    const uint64_t elements = uint64_t{k.rows} * k.inner;
    Instr i = make(name, Pipe::v, run, cycles::vector_sort(elements / 32), p);
    i.add(run_of(values, true, k.rows * k.value_pitch));
    i.add(run_of(indices, true, k.rows * k.index_pitch));
    i.add(run_of(src, false, elements * size));
    if (p.indices != 0) i.add(run_of(src_indices, false, (k.rows_share_indices ? k.inner : elements) * 4));
    if (p.finish != 0) i.add(run_of(finish, false, k.rows));
    emit(i);
}

}  // namespace aicore::ops
