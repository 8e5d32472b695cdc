#include "builder.h"

#include <cstdio>

namespace aicore::ops {

size_t size_of(DType t) {
    switch (t) {
        case DType::i64:
        case DType::u64:
            return 8;
        case DType::f32:
        case DType::i32:
        case DType::u32:
            return 4;
        case DType::f16:
        case DType::bf16:
        case DType::i16:
        case DType::u16:
            return 2;
        case DType::i8:
        case DType::u8:
        case DType::e4m3:
        case DType::e5m2:
        case DType::hif8:
        case DType::i4:
        case DType::e2m1:
        case DType::e1m2:
            return 1;
    }
    return 0;
}

uint16_t alignment(Space s) {
    switch (s) {
        case Space::gm:
            return 1;
        case Space::ub:
        case Space::l1:
        case Space::l0a_mx:
        case Space::l0b_mx:
            return 32;
        case Space::l0a:
        case Space::l0b:
            return 512;
        case Space::l0c:
        case Space::bt:
        case Space::fb:
            return 64;
    }
    return 1;
}

namespace {

// Drops axes that add no address, merges those that continue another one. Returns how many are left; `unit` grows by
// the innermost ones.
size_t merge(Axis* a, size_t n, uint64_t& unit) {
    size_t kept = 0;
    for (size_t i = 0; i < n; ++i) {
        if (a[i].count > 1 && a[i].stride != 0) a[kept++] = a[i];
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < kept && !changed; ++i) {
            if (a[i].stride == static_cast<int64_t>(unit)) {
                unit *= a[i].count;
                a[i] = a[--kept];
                changed = true;
                continue;
            }
            for (size_t j = 0; j < kept && !changed; ++j) {
                if (i == j || a[i].stride != a[j].stride * static_cast<int64_t>(a[j].count)) continue;
                a[j].count *= a[i].count;
                a[i] = a[--kept];
                changed = true;
            }
        }
    }
    return kept;
}

}  // namespace

bool fold(Region& r, const Mem& at, uint64_t unit, std::initializer_list<Axis> axes) {
    constexpr size_t kMaxAxes = 5;
    Axis a[kMaxAxes];
    size_t n = 0;
    for (const Axis& x : axes) {
        if (x.count == 0) unit = 0;
        a[n++] = x;
    }
    r.space = at.space;
    r.unit = at.unit;
    r.base = at.addr;
    r.lo = at.lo;
    r.hi = at.hi;
    r.align = alignment(at.space);
    n = merge(a, n, unit);
    r.row_bytes = unit;
    r.rows = n == 0 ? 1 : static_cast<uint32_t>(a[0].count);
    r.pitch = n == 0 ? 0 : a[0].stride;
    return n <= 1;
}

Region rows_of(const Mem& at, bool write, uint64_t rows, uint64_t row_bytes, int64_t pitch) {
    Region r;
    fold(r, at, row_bytes, {{rows, pitch}});
    if (rows == 0) r.rows = 0;
    r.write = write;
    return r;
}

const char* name_of(DType t) {
    static constexpr const char* kNames[] = {
        "float", "half",  "bfloat16",   "int64",    "uint64",   "int32", "uint32",     "int16",     "uint16",
        "int8",  "uint8", "fp8_e4m3fn", "fp8_e5m2", "hifloat8", "int4",  "fp4x2_e2m1", "fp4x2_e1m2"};
    return kNames[static_cast<size_t>(t)];
}

void unsupported_type(const char* what, DType t) {
    char text[160];
    std::snprintf(text, sizeof text, "%s of %s on %s", what, name_of(t), on_2201() ? "dav-2201" : "dav-3510");
    unsupported(text);
}

}  // namespace aicore::ops
