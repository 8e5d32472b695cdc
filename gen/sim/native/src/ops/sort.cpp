// Sort32 and MrgSort: pairs of a score and an index, 8 bytes each, by falling score.
// Layout of a pair and order of equal scores: asc-devkit, docs, Memory vector compute, sorting, Sort32 and MrgSort.
#include <algorithm>

#include "cycles.h"
#include "elements.h"

namespace aicore::ops {
namespace {

constexpr uint32_t kPair = 8;     // the score in the low bytes, the index in the high four
constexpr uint32_t kSorted = 32;  // pairs of one repeat of Sort32

// Larger for what comes first; NaN in front of infinity, and one zero.
uint32_t rank_of(float score) {
    if (score == 0) score = 0;
    const auto bits = __builtin_bit_cast(uint32_t, score);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

uint32_t rank_at(DType type, const uint8_t* at) {
    float buffer;
    return rank_of(*load_floats(type, at, &buffer, 1));
}

struct SortParams {
    DType type;
    uint32_t repeats, size;
};

void sort_32(const SortParams& p, const uint8_t* scores, const uint32_t* indices, uint8_t* dst) {
    uint32_t rank[kSorted];
    uint8_t order[kSorted];
    for (uint32_t i = 0; i < kSorted; ++i) {
        rank[i] = rank_at(p.type, scores + i * p.size);
        order[i] = static_cast<uint8_t>(i);
    }
    std::stable_sort(order, order + kSorted, [&](uint8_t a, uint8_t b) { return rank[a] > rank[b]; });
    uint8_t sorted[kSorted * kPair] = {};
    for (uint32_t i = 0; i < kSorted; ++i) {
        std::memcpy(sorted + i * kPair, scores + order[i] * p.size, p.size);
        std::memcpy(sorted + i * kPair + 4, indices + order[i], 4);
    }
    std::memcpy(dst, sorted, sizeof sorted);
}

void run_sort(const void* params, uint8_t* const* at) {
    const SortParams& p = params_of<SortParams>(params);
    for (uint32_t r = 0; r < p.repeats; ++r) {
        const uint64_t first = r * kSorted;
        const auto* indices = reinterpret_cast<const uint32_t*>(at[2]) + first;
        sort_32(p, at[1] + first * p.size, indices, at[0] + first * kPair);
    }
}

struct MergeParams {
    DType type;
    bool suspend;
    uint32_t lists, repeats;
    uint16_t lengths[4];
    uint64_t* taken;  // the register: how many pairs of each list were merged, 16 bits each

    uint64_t total() const {
        uint64_t sum = 0;
        for (uint32_t i = 0; i < lists; ++i) sum += lengths[i];
        return sum;
    }
};

// Merges until all lists, or one of them, are used up; `dst` null: only counts. Returns how many pairs.
uint64_t merge(const MergeParams& p, const uint8_t* const* lists, uint8_t* dst, uint16_t (&taken)[4]) {
    std::fill_n(taken, 4, uint16_t{0});
    uint64_t count = 0;
    for (const uint64_t total = p.total(); count < total; ++count) {
        int best = -1;
        uint32_t best_rank = 0;
        for (uint32_t i = 0; i < p.lists; ++i) {
            if (taken[i] == p.lengths[i]) {
                if (p.suspend) return count;
                continue;
            }
            const uint32_t rank = rank_at(p.type, lists[i] + taken[i] * kPair);
            if (best >= 0 && rank <= best_rank) continue;
            best = static_cast<int>(i);
            best_rank = rank;
        }
        if (dst) std::memcpy(dst + count * kPair, lists[best] + taken[best] * kPair, kPair);
        ++taken[best];
    }
    return count;
}

void run_merge(const void* params, uint8_t* const* at) {
    const MergeParams& p = params_of<MergeParams>(params);
    uint16_t taken[4];
    const uint64_t bytes = p.total() * kPair;
    for (uint32_t r = 0; r < p.repeats; ++r) {
        const uint8_t* lists[4];
        uint64_t behind = r * bytes;
        for (uint32_t i = 0; i < p.lists; ++i) {
            lists[i] = p.repeats == 1 ? at[1 + i] : at[1] + behind;
            behind += uint64_t{p.lengths[i]} * kPair;
        }
        merge(p, lists, at[0] + r * bytes, taken);
    }
    std::memcpy(p.taken, taken, sizeof taken);
}

void find_merged(const void* params, const Region* regions, uint8_t* const* at, Touched& touched) {
    const MergeParams& p = params_of<MergeParams>(params);
    uint16_t taken[4];
    Region dst = regions[0];
    dst.most = false;
    dst.row_bytes = merge(p, at + 1, nullptr, taken) * kPair;
    touched.add(dst);
}

}  // namespace

void sort32(const char* name, DType type, Mem dst, Mem scores, Mem indices, uint32_t repeats) {
    if (repeats == 0) return;
    if (type != DType::f32 && type != DType::f16) unsupported_type("Sort32", type);
    const uint32_t size = static_cast<uint32_t>(size_of(type));
    const uint64_t pairs = uint64_t{repeats} * kSorted;
    Instr i = make(name, Pipe::v, run_sort, cycles::vector_sort(repeats), SortParams{type, repeats, size});
    i.add(run_of(dst, true, pairs * kPair));
    i.add(run_of(scores, false, pairs * size));
    i.add(run_of(indices, false, pairs * sizeof(uint32_t)));
    emit(i);
}

void merge_sorted(const char* name, DType type, Mem dst, const Mem (&lists)[4], const Merge& m) {
    if (m.repeats == 0) return;
    if (type != DType::f32 && type != DType::f16) unsupported_type("MrgSort", type);
    MergeParams p{type, m.suspend, m.lists, m.repeats, {}, m.taken};
    std::copy_n(m.lengths, 4, p.lengths);
    const uint64_t bytes = p.total() * kPair * m.repeats;
    Instr i = make(name, Pipe::v, run_merge, cycles::vector_sort(div_up(bytes, kRepeat)), p);
    i.find = m.suspend ? find_merged : nullptr;
    i.add(run_of(dst, true, bytes)).most = m.suspend;
    if (m.repeats > 1) i.add(run_of(lists[0], false, bytes)).align = kPair;
    for (uint32_t k = 0; k < m.lists && m.repeats == 1; ++k) {
        i.add(run_of(lists[k], false, uint64_t{m.lengths[k]} * kPair)).align = kPair;
    }
    emit(i);
}
}  // namespace aicore::ops
