// Gather and scatter by byte offsets: what is read or stored depends on data.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "builder.h"
#include "cycles.h"
#include "scattered.h"

namespace aicore::ops {
namespace {

// From an operand to the end of its memory.
Region room(const Mem& m, bool write) {
    const uint64_t size = capacity(m.space);
    return run_of(m, write, m.addr < size ? size - m.addr : 0);
}

struct Indexed {
    uint32_t size, repeats, lanes;  // lanes: of a repeat
    uint64_t count, mask[2];
    uint32_t rep;                 // of the operand that is no table, bytes
    uint32_t table, base;         // address of the table, and what offsets are added to
    uint32_t memory;              // size of UB
    uint32_t table_lo, table_hi;  // its bounds
    bool scatters;

    bool set(uint32_t lane) const { return lane >= 128 || (mask[lane / 64] >> (lane % 64)) & 1; }
};

// Calls visit(offset in the dense operand, address in the table) for each lane.
template <class F>
void each_lane(const Indexed& p, const uint32_t* offsets, F&& visit) {
    if (p.count != 0) {
        for (uint64_t i = 0; i < p.count; ++i) visit(i * p.size, p.base + offsets[i]);
        return;
    }
    for (uint32_t r = 0; r < p.repeats; ++r) {
        for (uint32_t k = 0; k < p.lanes; ++k) {
            if (p.set(k)) visit(uint64_t{r} * p.rep + k * p.size, p.base + offsets[r * p.lanes + k]);
        }
    }
}

// Regions: the dense operand, the table (up to the end of the memory), the offsets.
void run_gather(const void* params, uint8_t* const* at) {
    const Indexed& p = params_of<Indexed>(params);
    const uint8_t* memory = at[1] - p.table;
    each_lane(p, reinterpret_cast<const uint32_t*>(at[2]), [&](uint64_t to, uint32_t from) {
        if (from + uint64_t{p.size} <= p.memory) {
            std::memcpy(at[0] + to, memory + from, p.size);
        } else {
            poison(at[0] + to, p.size);
        }
    });
}

void run_scatter(const void* params, uint8_t* const* at) {
    const Indexed& p = params_of<Indexed>(params);
    uint8_t* memory = at[1] - p.table;
    std::vector<uint32_t> hit;
    each_lane(p, reinterpret_cast<const uint32_t*>(at[2]), [&](uint64_t from, uint32_t to) {
        if (to + uint64_t{p.size} > p.memory) return;
        std::memcpy(memory + to, at[0] + from, p.size);
        hit.push_back(to);
    });
    std::sort(hit.begin(), hit.end());
    for (size_t i = 1; i < hit.size(); ++i) {
        if (hit[i] == hit[i - 1]) poison(memory + hit[i], p.size);
    }
}

void find_lanes(const void* params, const Region* regions, uint8_t* const* at, Touched& touched) {
    const Indexed& p = params_of<Indexed>(params);
    Scattered dense(regions[0]), table(regions[1]);
    const auto align = static_cast<uint16_t>(p.size);
    std::vector<uint32_t> hit;
    dense.bound(regions[0].lo, regions[0].hi, align);
    table.bound(p.table_lo, p.table_hi, align);
    each_lane(p, reinterpret_cast<const uint32_t*>(at[2]), [&](uint64_t offset, uint32_t address) {
        if (regions[0].most) dense.add(regions[0].base + offset, p.size);
        table.add(address, p.size);
        const uint64_t end = p.table_hi != 0 ? p.table_hi : p.memory;
        if (p.scatters && address >= p.table_lo && address + uint64_t{p.size} <= end) hit.push_back(address);
    });
    dense.tell(touched);
    table.tell(touched);
    std::sort(hit.begin(), hit.end());
    const auto twice = std::adjacent_find(hit.begin(), hit.end());
    if (twice == hit.end()) return;
    char text[160];
    std::snprintf(text, sizeof text, "Scatter stores more than one element at byte %u of UB: which one stays is open",
                  *twice);
    touched.fault("operand-hit-twice", text, "let every element have an offset of its own");
}

// Lanes from the first one on, without holes; 0: there are holes.
uint32_t dense_lanes(const Indexed& p) {
    uint32_t lanes = 0;
    while (lanes < p.lanes && p.set(lanes)) ++lanes;
    for (uint32_t k = lanes; k < p.lanes; ++k) {
        if (p.set(k)) return 0;
    }
    return lanes;
}

uint32_t last_lane(const Indexed& p) {
    uint32_t last = p.lanes;
    while (last > 0 && !p.set(last - 1)) --last;
    return last;
}

void indexed(const char* name, Body body, Mem dense, bool scatters, Mem table, Mem offsets, Indexed p) {
    p.table = static_cast<uint32_t>(table.addr);
    p.base += p.table;
    p.scatters = scatters;
    p.memory = static_cast<uint32_t>(capacity(table.space));
    p.table_lo = static_cast<uint32_t>(table.lo);
    p.table_hi = static_cast<uint32_t>(table.hi);
    const uint64_t repeats = p.count != 0 ? div_up(p.count * p.size, kRepeat) : p.repeats;
    Instr i = make(name, Pipe::v, body, cycles::vector_gather(repeats), p);
    i.find = find_lanes;
    const uint32_t lanes = p.count != 0 ? 0 : dense_lanes(p);
    if (p.count != 0) {
        i.add(run_of(dense, !scatters, p.count * p.size));
    } else if (lanes != 0) {
        i.add(rows_of(dense, !scatters, p.repeats, lanes * p.size, p.rep));
    } else {
        i.add(rows_of(dense, !scatters, p.repeats, kRepeat, p.rep)).most = true;
    }
    i.add(room(table, scatters)).most = true;
    const uint64_t words = p.count != 0 ? p.count : (p.repeats - 1) * uint64_t{p.lanes} + last_lane(p);
    i.add(run_of(offsets, false, words * sizeof(uint32_t)));
    emit(i);
}

Indexed lanes_of(DType type, const VecShape& s, uint32_t rep, uint32_t base) {
    const uint32_t size = static_cast<uint32_t>(size_of(type));
    Indexed p{};
    p.size = size;
    p.repeats = s.repeats;
    p.lanes = kRepeat / std::max(size, 2u);
    p.count = s.count;
    std::copy_n(s.mask, 2, p.mask);
    p.rep = rep * kBlock;
    p.base = base;
    return p;
}

}  // namespace

void gather(const char* name, DType type, Mem dst, Mem src, Mem offsets, uint32_t base, const VecShape& s) {
    if (s.count == 0 && s.repeats == 0) return;
    indexed(name, run_gather, dst, false, src, offsets, lanes_of(type, s, s.dst_rep, base));
}

void scatter(const char* name, DType type, Mem dst, Mem src, Mem offsets, uint32_t base, const VecShape& s) {
    if (s.count == 0 && s.repeats == 0) return;
    indexed(name, run_scatter, src, true, dst, offsets, lanes_of(type, s, s.src0_rep, base));
}

namespace {

struct Blocks {
    uint32_t repeats, blk, rep;  // strides in bytes
    uint32_t dst, src, memory;
    uint32_t dst_lo, dst_hi, src_lo, src_hi;
};

// Regions: the destination and the source up to the end of the memory, the offsets.
template <class F>
void each_block(const Blocks& p, const uint8_t* offsets, F&& visit) {
    for (uint32_t i = 0; i < p.repeats * 8; ++i) {
        uint32_t offset;
        std::memcpy(&offset, offsets + i * sizeof offset, sizeof offset);
        visit(p.dst + i / 8 * p.rep + i % 8 * p.blk, p.src + offset);
    }
}

void run_gather_blocks(const void* params, uint8_t* const* at) {
    const Blocks& p = params_of<Blocks>(params);
    each_block(p, at[2], [&](uint32_t to, uint32_t from) {
        if (to + uint64_t{kBlock} > p.memory) return;
        uint8_t* block = at[0] + (to - p.dst);
        if (from + uint64_t{kBlock} > p.memory) return poison(block, kBlock);
        std::memcpy(block, at[1] - p.src + from, kBlock);
    });
}

void find_blocks(const void* params, const Region* regions, uint8_t* const* at, Touched& touched) {
    const Blocks& p = params_of<Blocks>(params);
    Scattered dst(regions[0]), src(regions[1]);
    dst.bound(p.dst_lo, p.dst_hi, kBlock);
    src.bound(p.src_lo, p.src_hi, kBlock);
    each_block(p, at[2], [&](uint32_t to, uint32_t from) {
        dst.add(to, kBlock);
        src.add(from, kBlock);
    });
    dst.tell(touched);
    src.tell(touched);
}

}  // namespace

void gather_blocks(const char* name, Mem dst, Mem src, Mem offsets, uint32_t repeats, uint32_t dst_blk,
                   uint32_t dst_rep) {
    if (repeats == 0) return;
    const auto word = [](uint64_t x) { return static_cast<uint32_t>(x); };
    const Blocks p{
        repeats,      dst_blk * kBlock, dst_rep * kBlock, word(dst.addr), word(src.addr), word(capacity(dst.space)),
        word(dst.lo), word(dst.hi),     word(src.lo),     word(src.hi)};
    Instr i = make(name, Pipe::v, run_gather_blocks, cycles::vector_gather(repeats), p);
    i.find = find_blocks;
    i.add(room(dst, true)).most = true;
    i.add(room(src, false)).most = true;
    i.add(run_of(offsets, false, uint64_t{repeats} * 8 * sizeof(uint32_t)));
    emit(i);
}

}  // namespace aicore::ops
