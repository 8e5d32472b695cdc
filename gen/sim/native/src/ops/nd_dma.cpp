// GM -> UB over up to five loops, with paddings in each: NDDMA of dav-3510.
//
// Source: asc-devkit, docs/zh/api/SIMD-API, DataCopy (GM to UB, several dimensions).
#include <algorithm>

#include "builder.h"
#include "cycles.h"

namespace aicore::ops {
namespace {

constexpr int kLoops = NdDma::kMost;

// The inner loops of the copy; those outside of them stand at one index, which is in the addresses.
struct Params {
    int64_t src_stride[kLoops];  // bytes
    uint64_t value;
    uint32_t dst_stride[kLoops], size[kLoops];  // bytes; elements without paddings
    uint8_t left[kLoops], right[kLoops];
    uint8_t loops, elem;
    bool nearest;      // paddings repeat the element beside them
    bool all_padding;  // some loop outside stands in its padding
};

uint32_t whole(const Params& p, int d) { return p.left[d] + p.size[d] + p.right[d]; }

// One element; `index` counts paddings.
void put(const Params& p, uint8_t* const* at, const uint32_t* index) {
    int64_t from = 0;
    uint64_t to = 0;
    bool inside = !p.all_padding;
    for (int d = 0; d < p.loops; ++d) {
        const int64_t i = int64_t{index[d]} - p.left[d];
        inside = inside && i >= 0 && i < p.size[d];
        from += std::clamp<int64_t>(i, 0, int64_t{p.size[d]} - 1) * p.src_stride[d];
        to += uint64_t{index[d]} * p.dst_stride[d];
    }
    const bool copies = inside || (p.nearest && !p.all_padding);
    std::memcpy(at[1] + to, copies ? at[0] + from : reinterpret_cast<const uint8_t*>(&p.value), p.elem);
}

void copy(const void* params, uint8_t* const* at) {
    const Params& p = params_of<Params>(params);
    uint32_t index[kLoops] = {};
    for (;;) {
        put(p, at, index);
        int d = 0;
        while (d < p.loops && ++index[d] == whole(p, d)) index[d++] = 0;
        if (d == p.loops) return;
    }
}

bool fold_loops(Region& r, const Mem& at, const Params& p, bool write) {
    Axis a[kLoops];
    for (int d = 0; d < kLoops; ++d) {
        const bool runs = d < p.loops;
        const uint64_t count = runs ? (write ? whole(p, d) : p.size[d]) : 1;
        a[d] = {count, runs ? (write ? int64_t{p.dst_stride[d]} : p.src_stride[d]) : 0};
    }
    const bool flat = fold(r, at, p.elem, {a[0], a[1], a[2], a[3], a[4]});
    r.write = write;
    return flat;
}

struct Copy {
    const char* name;
    uint64_t cycles;
    bool begun;
};

bool emit_loops(Copy& c, const Mem& dst, const Mem& src, const Params& p) {
    Instr i;
    if (p.all_padding) {
        i.add(run_of(src, false, 0));
    } else if (!fold_loops(i.add({}), src, p, false)) {
        return false;
    }
    Region& to = i.add({});
    if (!fold_loops(to, dst, p, true)) return false;
    if (c.begun) to.align = 1;  // the start of the whole is what must be aligned
    i.name = c.name;
    i.pipe = Pipe::mte2;
    i.body = copy;
    i.continues = c.begun;
    i.cycles = static_cast<uint32_t>(c.begun ? 1 : c.cycles);
    i.set_params(p);
    emit(i);
    c.begun = true;
    return true;
}

// Takes the outermost loop apart where what is touched needs more than two dimensions.
void emit_all(Copy& c, const Mem& dst, const Mem& src, const Params& p) {
    if (emit_loops(c, dst, src, p)) return;
    Params inner = p;
    const int d = --inner.loops;
    for (uint32_t i = 0; i < whole(p, d); ++i) {
        const int64_t at = int64_t{i} - p.left[d];
        inner.all_padding = p.all_padding || (!p.nearest && (at < 0 || at >= p.size[d]));
        const int64_t from = std::clamp<int64_t>(at, 0, int64_t{p.size[d]} - 1) * p.src_stride[d];
        emit_all(c, offset(dst, int64_t{i} * p.dst_stride[d]), offset(src, from), inner);
    }
}

}  // namespace

void nd_dma(const char* name, Mem dst, Mem src, const NdDma& p) {
    if (on_2201()) unsupported("NDDMA on dav-2201");
    Params q{};
    q.loops = static_cast<uint8_t>(p.loops);
    q.elem = p.elem, q.nearest = p.nearest, q.value = p.value;
    uint64_t elements = 1;
    for (int d = 0; d < p.loops; ++d) {
        q.src_stride[d] = static_cast<int64_t>(p.src_stride[d]) * p.elem;
        q.dst_stride[d] = p.dst_stride[d] * p.elem;
        q.size[d] = p.size[d], q.left[d] = p.left[d], q.right[d] = p.right[d];
        elements *= whole(q, d);
        if (p.size[d] == 0) return;
    }
    Copy c{name, cycles::transfer(src.space, dst.space, elements * p.elem), false};
    emit_all(c, dst, src, q);
}

}  // namespace aicore::ops
