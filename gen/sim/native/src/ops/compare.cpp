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
    bool element = false;  // the scalar is the first element of the last source
    bool swapped = false;  // the scalar is the left operand
    uint64_t period = 0;   // elements after which the bits repeat; 0: never
    const uint64_t* by = nullptr;
    uint64_t* to = nullptr;
};

Cmp mirrored(Cmp mode) {
    switch (mode) {
        case Cmp::lt:
            return Cmp::gt;
        case Cmp::gt:
            return Cmp::lt;
        case Cmp::le:
            return Cmp::ge;
        case Cmp::ge:
            return Cmp::le;
        default:
            return mode;
    }
}

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
        T scalar = to_integer<T>(p.scalar, Round::trunc, false);
        if (p.element) std::memcpy(&scalar, at[2], sizeof scalar);
        pack(p.mode, reinterpret_cast<const T*>(at[1]), reinterpret_cast<const T*>(right), scalar, at[0], p.n);
    });
    if (whole) return;
    float scalar = static_cast<float>(rounded_to(p.type, p.scalar));
    if (p.element) {
        float buffer[1];
        scalar = *load_floats(p.type, at[2], buffer, 1);
    }
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
void choose_swapped(const uint8_t* bits, const T* b, T scalar, T* d, size_t n) {
    for (size_t i = 0; i < n; ++i) d[i] = (bits[i / 8] >> (i % 8)) & 1 ? scalar : b[i];
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
    const T* first = reinterpret_cast<const T*>(at[2]);
    T scalar = scalar_bits<T>(p.type, p.scalar);
    if (p.element) std::memcpy(&scalar, at[3], sizeof scalar);
    T* to = reinterpret_cast<T*>(at[0]);
    if (p.swapped) {
        choose_swapped(at[1], first, scalar, to, p.n);
    } else {
        const uint64_t period = p.period == 0 ? p.n : p.period;
        for (uint64_t done = 0; done < p.n; done += period) {
            choose(at[1], first + done, other == nullptr ? nullptr : other + done, scalar, to + done,
                   std::min(period, p.n - done));
        }
    }
    if (p.reserved != 0) poison(at[p.reserved], kReservedBytes);
}

template <class T>
void run_select_by_register(const void* params, uint8_t* const* at) {
    const Params& p = params_of<Params>(params);
    uint8_t bits[2 * sizeof(uint64_t)];
    std::memcpy(bits, p.by, sizeof bits);
    for (uint64_t done = 0; done < p.n; done += p.period) {
        choose(bits, reinterpret_cast<const T*>(at[1]) + done, reinterpret_cast<const T*>(at[2]) + done, T{},
               reinterpret_cast<T*>(at[0]) + done, std::min(p.period, p.n - done));
    }
}

void run_compare_to_register(const void* params, uint8_t* const* at) {
    const Params& p = params_of<Params>(params);
    const size_t size = size_of(p.type), all = kRepeat / size;
    uint8_t left[kRepeat] = {}, right[kRepeat] = {}, bits[2 * sizeof(uint64_t)] = {};
    std::memcpy(left, at[0], p.n * size);
    std::memcpy(right, at[1], p.n * size);
    Params whole = p;
    whole.n = all;
    uint8_t* const places[] = {bits, left, right};
    run_compare(&whole, places);
    uint8_t kept[sizeof bits];
    std::memcpy(kept, p.to, sizeof kept);
    for (size_t i = 0; i < p.n; ++i) {
        const auto mask = static_cast<uint8_t>(1u << (i % 8));
        kept[i / 8] = static_cast<uint8_t>((kept[i / 8] & ~mask) | (bits[i / 8] & mask));
    }
    std::memcpy(p.to, kept, sizeof kept);
}

void check_compared(Cmp mode, DType type) {
    if (on_2201() && !(type == DType::f32 || type == DType::f16 || (type == DType::i32 && mode == Cmp::eq))) {
        unsupported_type("Compare", type);
    }
}

void emit_compare(const char* name, const Params& p, Mem dst, Mem src0, Mem src1, uint64_t right_bytes) {
    const uint64_t size = size_of(p.type);
    Instr i = make(name, Pipe::v, run_compare, cycles::vector_compare(p.n * size / kRepeat), p);
    i.add(run_of(dst, true, p.n / 8));
    i.add(run_of(src0, false, p.n * size));
    if (right_bytes != 0) {
        Region& right = i.add(run_of(src1, false, right_bytes));
        if (p.element) right.align = static_cast<uint16_t>(size);
    }
    emit(i);
}

uint64_t whole_repeats(DType type, uint64_t count) {
    const uint64_t size = size_of(type);
    return count * size / kRepeat * kRepeat / size;
}

Body select_body(uint64_t size) {
    constexpr Body kBodies[] = {run_select<uint8_t>, run_select<uint16_t>, run_select<uint32_t>, run_select<uint64_t>};
    return kBodies[size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3];
}

// `bit_count` bits are read; `right_bytes` of src1.
void emit_select(const char* name, Params p, Mem dst, Mem bits, uint64_t bit_count, Mem src0, Mem src1,
                 uint64_t right_bytes, bool uses_reserved) {
    if (on_2201() && p.type != DType::f32 && p.type != DType::f16) unsupported_type("Select", p.type);
    const uint64_t size = size_of(p.type), bytes = p.n * size;
    Instr i;
    i.name = name;
    i.pipe = Pipe::v;
    i.body = select_body(size);
    i.cycles = static_cast<uint32_t>(cycles::vector_compare(div_up(bytes, kRepeat)));
    i.add(run_of(dst, true, bytes));
    i.add(run_of(bits, false, div_up(bit_count, 8)));
    i.add(run_of(src0, false, bytes));
    if (right_bytes != 0) {
        Region& right = i.add(run_of(src1, false, right_bytes));
        if (p.element) right.align = static_cast<uint16_t>(size);
    }
    if (on_2201() && uses_reserved) {
        p.reserved = i.region_count;
        i.add(run_of({Space::ub, kUb2201 - kReservedBytes}, true, kReservedBytes)).junk = true;
    }
    i.set_params(p);
    emit(i);
}

}  // namespace

void compare(const char* name, Cmp mode, DType type, Mem dst, Mem src0, Mem src1, bool src1_is_scalar, double scalar,
             uint64_t count) {
    const uint64_t n = whole_repeats(type, count);
    if (n == 0) return;
    check_compared(mode, type);
    emit_compare(name, Params{type, mode, src1_is_scalar, scalar, n}, dst, src0, src1,
                 src1_is_scalar ? 0 : n * size_of(type));
}

void compare_with_element(const char* name, Cmp mode, DType type, Mem dst, Mem src, Mem one, bool one_first,
                          uint64_t count) {
    const uint64_t n = whole_repeats(type, count);
    if (n == 0) return;
    check_compared(mode, type);
    Params p{type, one_first ? mirrored(mode) : mode, true, 0, n};
    p.element = true;
    emit_compare(name, p, dst, src, one, size_of(type));
}

void select(const char* name, DType type, Mem dst, Mem bits, Mem src0, Mem src1, bool src1_is_scalar, double scalar,
            uint64_t count) {
    if (count == 0) return;
    emit_select(name, Params{type, Cmp::ne, src1_is_scalar, scalar, count}, dst, bits, count, src0, src1,
                src1_is_scalar ? 0 : count * size_of(type), true);
}

void select_with_element(const char* name, DType type, Mem dst, Mem bits, Mem src, Mem one, bool one_first,
                         uint64_t count) {
    if (count == 0) return;
    Params p{type, Cmp::ne, true, 0, count};
    p.element = true;
    p.swapped = one_first;
    emit_select(name, p, dst, bits, count, src, one, size_of(type), true);
}

void select_repeating(const char* name, DType type, Mem dst, Mem bits, Mem src0, Mem src1, uint64_t count) {
    if (count == 0) return;
    Params p{type, Cmp::ne, false, 0, count};
    p.period = kRepeat / size_of(type);
    emit_select(name, p, dst, bits, std::min(count, p.period), src0, src1, count * size_of(type), false);
}

void compare_to_register(const char* name, Cmp mode, DType type, uint64_t* at, Mem src0, Mem src1, uint32_t lanes) {
    if (lanes == 0) return;
    check_compared(mode, type);
    Params p{type, mode, false, 0, lanes};
    p.to = at;
    Instr i = make(name, Pipe::v, run_compare_to_register, cycles::vector_compare(1), p);
    i.add(run_of(src0, false, lanes * size_of(type)));
    i.add(run_of(src1, false, lanes * size_of(type)));
    emit(i);
}

void select_by_register(const char* name, DType type, Mem dst, const uint64_t* at, Mem src0, Mem src1, uint64_t count) {
    if (count == 0) return;
    const uint64_t size = size_of(type), bytes = count * size;
    if (size != 2 && size != 4) unsupported_type("Select by the register of comparisons", type);
    Params p{type, Cmp::ne, false, 0, count};
    p.period = kRepeat / size;
    p.by = at;
    const Body body = size == 2 ? run_select_by_register<uint16_t> : run_select_by_register<uint32_t>;
    Instr i = make(name, Pipe::v, body, cycles::vector_compare(div_up(bytes, kRepeat)), p);
    i.add(run_of(dst, true, bytes));
    i.add(run_of(src0, false, bytes));
    i.add(run_of(src1, false, bytes));
    emit(i);
}

namespace {

struct Moved {
    void* at;
    uint32_t bytes;
};

}  // namespace

void store_register(const char* name, Mem dst, const void* at, uint32_t bytes) {
    const Body body = [](const void* params, uint8_t* const* to) {
        const Moved& p = params_of<Moved>(params);
        std::memcpy(to[0], p.at, p.bytes);
    };
    Instr i = make(name, Pipe::v, body, cycles::vector_compare(1), Moved{const_cast<void*>(at), bytes});
    i.add(run_of(dst, true, bytes)).align = 16;
    emit(i);
}

void load_register(const char* name, void* at, Mem src, uint32_t bytes, bool continues) {
    const Body body = [](const void* params, uint8_t* const* from) {
        const Moved& p = params_of<Moved>(params);
        std::memcpy(p.at, from[0], p.bytes);
    };
    Instr i = make(name, Pipe::v, body, 1, Moved{at, bytes});
    i.add(run_of(src, false, bytes)).align = static_cast<uint16_t>(bytes);
    i.continues = continues;
    emit(i);
}

}  // namespace aicore::ops
