#include "reduce_lanes.h"

#include <algorithm>

namespace aicore::ops {
namespace {

// Rounds sums to the type by a visit to its storage.
void round_all(DType t, float* x, size_t n) {
    if (t == DType::f32) return;
    uint16_t stored[kMaxLanes / 2];
    store_floats(t, x, stored, n);
    load_floats(t, stored, x, n);
}

float tree(DType t, float* x, size_t n) {
    for (; n > 1; n = (n + 1) / 2) {
        const size_t pairs = n / 2;
        for (size_t i = 0; i < pairs; ++i) x[i] = x[2 * i] + x[2 * i + 1];
        round_all(t, x, pairs);
        if (n % 2) x[pairs] = x[n - 1];
    }
    return x[0];
}

// Sixteen columns side by side, which the host's vectors like; the order does not matter to max and min.
float extremum(Red op, const float* x, size_t n) {
    constexpr size_t kWide = 16;
    const auto all = [x, n](auto&& better) {
        float best[kWide];
        std::fill(best, best + kWide, x[0]);
        size_t i = 0;
        for (; i + kWide <= n; i += kWide) {
            for (size_t k = 0; k < kWide; ++k) best[k] = better(best[k], x[i + k]);
        }
        for (; i < n; ++i) best[0] = better(best[0], x[i]);
        for (size_t k = 1; k < kWide; ++k) best[0] = better(best[0], best[k]);
        return best[0];
    };
    return op == Red::max ? all(max_of) : all(min_of);
}

uint32_t first_equal(const float* x, size_t n, float value) {
    for (size_t i = 0; i < n; ++i) {
        if (x[i] == value || (x[i] != x[i] && value != value)) return static_cast<uint32_t>(i);
    }
    return 0;
}

Value reduce_floats(Red op, DType t, float* x, size_t n) {
    Value v;
    if (op == Red::sum) {
        v.f = tree(t, x, n);
    } else {
        v.f = extremum(op, x, n);
        v.index = first_equal(x, n, v.f);
    }
    return v;
}

// Brings lanes of separate blocks together.
void collect(const uint8_t* lanes, uint8_t* to, size_t bytes, int64_t blk) {
    for (size_t done = 0; done < bytes; done += kBlock, lanes += blk) {
        std::memcpy(to + done, lanes, std::min<size_t>(kBlock, bytes - done));
    }
}

// Whether `later` replaces `first` as the extremum found so far.
bool replaces(Red op, const Value& first, const Value& later, DType t) {
    if (!is_float(t)) return op == Red::max ? later.i > first.i : later.i < first.i;
    if (first.f != first.f) return false;
    return later.f != later.f || (op == Red::max ? later.f > first.f : later.f < first.f);
}

// Adds the result of the repeat that starts at element `at`.
void join(Red op, DType t, Value& total, const Value& v, uint64_t at) {
    if (op == Red::sum) {
        total.f = sum_of(t, total.f, v.f);
        total.i = static_cast<int64_t>(static_cast<uint64_t>(total.i) + static_cast<uint64_t>(v.i));
        return;
    }
    const bool newer = replaces(op, total, v, t);
    if (newer) total.index = static_cast<uint32_t>(at) + v.index;
    if (newer && !is_float(t)) total.i = v.i;
    if (is_float(t)) total.f = op == Red::max ? max_of(total.f, v.f) : min_of(total.f, v.f);
}

}  // namespace

float sum_of(DType t, float a, float b) {
    float sum = a + b;
    round_all(t, &sum, 1);
    return sum;
}

Value reduce_integers(Red op, DType t, const uint8_t* from, uint64_t n, int64_t pitch) {
    Value v;
    with_integer(t, [&](auto zero) {
        for (uint64_t i = 0; i < n; ++i) {
            auto x = zero;
            std::memcpy(&x, from + static_cast<int64_t>(i) * pitch, sizeof x);
            Value one;
            one.i = static_cast<int64_t>(x);
            if (i == 0) {
                v = one;
            } else {
                join(op, t, v, one, i);
            }
        }
    });
    return v;
}

Value reduce_lanes(Red op, DType t, const uint8_t* lanes, uint32_t n, int64_t blk) {
    alignas(64) uint8_t together[kRepeat];
    const size_t size = size_of(t);
    if (blk != kBlock) {
        collect(lanes, together, n * size, blk);
        lanes = together;
    }
    if (!is_float(t)) return reduce_integers(op, t, lanes, n, static_cast<int64_t>(size));
    float x[kMaxLanes];
    const float* loaded = load_floats(t, lanes, x, n);
    if (loaded != x) std::memcpy(x, loaded, n * sizeof(float));
    return reduce_floats(op, t, x, n);
}

Value reduce_run(Red op, DType t, const uint8_t* from, uint64_t n) {
    const uint64_t size = size_of(t), lanes = kRepeat / size;
    Value total;
    for (uint64_t done = 0; done < n; done += lanes) {
        const uint32_t here = static_cast<uint32_t>(std::min(lanes, n - done));
        const Value v = reduce_lanes(op, t, from + done * size, here, kBlock);
        if (done == 0) {
            total = v;
        } else {
            join(op, t, total, v, done);
        }
    }
    return total;
}

void store_value(DType t, const Value& v, uint8_t* to) {
    if (!is_float(t)) {
        std::memcpy(to, &v.i, size_of(t));
        return;
    }
    store_floats(t, &v.f, to, 1);
}

uint32_t result_bytes(DType t, RedOut out) {
    const uint32_t size = static_cast<uint32_t>(size_of(t));
    if (out == RedOut::value) return size;
    return out == RedOut::index ? 4 : 2 * size;
}

void store_result(DType t, RedOut out, const Value& v, uint8_t* to) {
    const size_t size = size_of(t);
    switch (out) {
        case RedOut::value:
            return store_value(t, v, to);
        case RedOut::index:
            std::memcpy(to, &v.index, 4);
            return;
        case RedOut::value_index:
            store_value(t, v, to);
            std::memcpy(to + size, &v.index, size);
            return;
        case RedOut::index_value:
            std::memcpy(to, &v.index, size);
            store_value(t, v, to + size);
            return;
    }
}

void check_reduction(const char* what, DType t) {
    // asc-devkit, ReduceRepeat and ReduceSum: half and float on A2/A3; dav-3510 reduces more types.
    const bool both = t == DType::f32 || t == DType::f16;
    const bool newer = t == DType::bf16 || t == DType::i16 || t == DType::u16 || t == DType::i32 || t == DType::u32;
    if (!both && !(newer && !on_2201())) unsupported_type(what, t);
}

}  // namespace aicore::ops
