// Comparisons to bit masks, and selection by them.
#include <algorithm>

#include "cycles.h"
#include "elements.h"

namespace aicore::ops {
namespace {

struct Params {
    DType type;
    Cmp mode;
    bool scalar_right;
    double scalar;
    uint64_t n;
    uint8_t reserved = 0;  // index of the region that the instruction uses for itself
};

// On dav-2201 Select in its tensor modes keeps temporaries in the last 8 KB of UB (asc-devkit, Select): what a kernel
// has there is lost.
constexpr uint64_t kReservedBytes = 8 * 1024;
constexpr uint64_t kUb2201 = 192 * 1024;

template <class T>
bool holds(Cmp mode, T a, T b) {
    switch (mode) {
        case Cmp::lt:
            return a < b;
        case Cmp::gt:
            return a > b;
        case Cmp::eq:
            return a == b;
        case Cmp::le:
            return a <= b;
        case Cmp::ge:
            return a >= b;
        case Cmp::ne:
            return a != b;
    }
    return false;
}

// One byte of mask from 8 elements; the mode is a constant inside the loop over all of them.
template <Cmp Mode, class T>
void pack(const T* a, const T* b, T scalar, uint8_t* bits, size_t n) {
    for (size_t i = 0; i < n; i += 8) {
        unsigned byte = 0;
        for (unsigned k = 0; k < 8; ++k) {
            const T right = b == nullptr ? scalar : b[i + k];
            byte |= static_cast<unsigned>(holds(Mode, a[i + k], right)) << k;
        }
        bits[i / 8] = static_cast<uint8_t>(byte);
    }
}

template <class T>
void pack(Cmp mode, const T* a, const T* b, T scalar, uint8_t* bits, size_t n) {
    switch (mode) {
        case Cmp::lt:
            return pack<Cmp::lt>(a, b, scalar, bits, n);
        case Cmp::gt:
            return pack<Cmp::gt>(a, b, scalar, bits, n);
        case Cmp::eq:
            return pack<Cmp::eq>(a, b, scalar, bits, n);
        case Cmp::le:
            return pack<Cmp::le>(a, b, scalar, bits, n);
        case Cmp::ge:
            return pack<Cmp::ge>(a, b, scalar, bits, n);
        case Cmp::ne:
            return pack<Cmp::ne>(a, b, scalar, bits, n);
    }
}

void run_compare(const void* params, uint8_t* const* at) {
    const Params& p = params_of<Params>(params);
    const uint8_t* right = p.scalar_right ? nullptr : at[2];
    const bool whole = with_integer(p.type, [&](auto zero) {
        using T = decltype(zero);
        pack(p.mode, reinterpret_cast<const T*>(at[1]), reinterpret_cast<const T*>(right),
             to_integer<T>(p.scalar, Round::trunc, false), at[0], p.n);
    });
    if (whole) return;
    const float scalar = static_cast<float>(rounded_to(p.type, p.scalar));
    const size_t size = size_of(p.type);
    for (size_t done = 0; done < p.n; done += kChunk) {
        const size_t n = std::min(kChunk, p.n - done);
        float a_buffer[kChunk], b_buffer[kChunk];
        const float* a = load_floats(p.type, at[1] + done * size, a_buffer, n);
        const float* b = right == nullptr ? nullptr : load_floats(p.type, right + done * size, b_buffer, n);
        pack(p.mode, a, b, scalar, at[0] + done / 8, n);
    }
}

// Selection moves bits, whatever they mean.
template <class T>
void choose(const uint8_t* bits, const T* a, const T* b, T scalar, T* d, size_t n) {
    for (size_t i = 0; i < n; ++i) {
        const T other = b == nullptr ? scalar : b[i];
        d[i] = (bits[i / 8] >> (i % 8)) & 1 ? a[i] : other;
    }
}

template <class T>
T scalar_bits(DType t, double x) {
    if (t == DType::f32) return static_cast<T>(__builtin_bit_cast(uint32_t, static_cast<float>(x)));
    if (t == DType::f16) return static_cast<T>(half(x).bits);
    if (t == DType::bf16) return static_cast<T>(bfloat16_t(x).bits);
    return static_cast<T>(to_integer<int64_t>(x, Round::trunc, false));
}

template <class T>
void run_select(const void* params, uint8_t* const* at) {
    const Params& p = params_of<Params>(params);
    const T* other = p.scalar_right ? nullptr : reinterpret_cast<const T*>(at[3]);
    choose(at[1], reinterpret_cast<const T*>(at[2]), other, scalar_bits<T>(p.type, p.scalar),
           reinterpret_cast<T*>(at[0]), p.n);
    if (p.reserved != 0) poison(at[p.reserved], kReservedBytes);
}

}  // namespace

void compare(const char* name, Cmp mode, DType type, Mem dst, Mem src0, Mem src1, bool src1_is_scalar, double scalar,
             uint64_t count) {
    const uint64_t size = size_of(type);
    const uint64_t n = count * size / kRepeat * kRepeat / size;
    if (n == 0) return;
    if (on_2201() && !(type == DType::f32 || type == DType::f16 || (type == DType::i32 && mode == Cmp::eq))) {
        unsupported_type("Compare", type);
    }
    Instr i = make(name, Pipe::v, run_compare, cycles::vector_compare(n * size / kRepeat),
                   Params{type, mode, src1_is_scalar, scalar, n});
    i.add(run_of(dst, true, n / 8));
    i.add(run_of(src0, false, n * size));
    if (!src1_is_scalar) i.add(run_of(src1, false, n * size));
    emit(i);
}

void select(const char* name, DType type, Mem dst, Mem bits, Mem src0, Mem src1, bool src1_is_scalar, double scalar,
            uint64_t count) {
    if (count == 0) return;
    if (on_2201() && type != DType::f32 && type != DType::f16) unsupported_type("Select", type);
    const uint64_t size = size_of(type), bytes = count * size;
    constexpr Body kBodies[] = {run_select<uint8_t>, run_select<uint16_t>, run_select<uint32_t>, run_select<uint64_t>};
    Params p{type, Cmp::ne, src1_is_scalar, scalar, count};
    Instr i;
    i.name = name;
    i.pipe = Pipe::v;
    i.body = kBodies[size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3];
    i.cycles = static_cast<uint32_t>(cycles::vector_compare(div_up(bytes, kRepeat)));
    i.add(run_of(dst, true, bytes));
    i.add(run_of(bits, false, div_up(count, 8)));
    i.add(run_of(src0, false, bytes));
    if (!src1_is_scalar) i.add(run_of(src1, false, bytes));
    if (on_2201()) {
        p.reserved = i.region_count;
        i.add(run_of({Space::ub, kUb2201 - kReservedBytes}, true, kReservedBytes)).junk = true;
    }
    i.set_params(p);
    emit(i);
}

}  // namespace aicore::ops
