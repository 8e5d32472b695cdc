// GatherMask: the elements whose bit is set, one after the other.
// Patterns, and which bits a repeat takes: asc-devkit, docs, Memory vector compute, GatherMask.
#include <algorithm>
#include <vector>

#include "builder.h"
#include "cycles.h"
#include "scattered.h"

namespace aicore::ops {
namespace {

struct SqueezeParams {
    uint32_t size, pattern, repeats, per_repeat;
    uint32_t blk, rep, bits_rep;  // bytes
    uint32_t dst_room, src_room;  // bytes up to the end of the memory
    uint64_t* kept;

    // Of an element inside of a repeat, bytes.
    uint64_t offset(uint32_t r, uint32_t k) const {
        const uint32_t in_block = kBlock / size;
        return uint64_t{r} * rep + uint64_t{k / in_block} * blk + k % in_block * size;
    }
};

// One bit for each of eight elements that follow each other.
constexpr uint8_t kPatterns[] = {0, 0x55, 0xaa, 0x11, 0x22, 0x44, 0x88, 0xff};

// Calls visit(repeat, element of the repeat) for those that are kept. Regions: destination, source, bits.
template <class F>
void each_kept(const SqueezeParams& p, uint8_t* const* at, F&& visit) {
    for (uint32_t r = 0; r < p.repeats; ++r) {
        const uint8_t* bits = p.pattern != 0 ? nullptr : at[2] + uint64_t{r} * p.bits_rep;
        for (uint32_t k = 0; k < p.per_repeat; ++k) {
            const uint8_t byte = bits ? bits[k / 8] : kPatterns[p.pattern];
            if ((byte >> (k % 8)) & 1) visit(r, k);
        }
    }
}

void run_squeeze(const void* params, uint8_t* const* at) {
    const SqueezeParams& p = params_of<SqueezeParams>(params);
    std::vector<uint8_t> kept;
    each_kept(p, at, [&](uint32_t r, uint32_t k) {
        const uint64_t from = p.offset(r, k), to = kept.size();
        kept.resize(to + p.size);
        if (from + p.size <= p.src_room) {
            std::memcpy(&kept[to], at[1] + from, p.size);
        } else {
            poison(&kept[to], p.size);
        }
    });
    std::copy_n(kept.begin(), std::min<size_t>(kept.size(), p.dst_room), at[0]);
    *p.kept = kept.size() / p.size;
}

void find_kept(const void* params, const Region* regions, uint8_t* const* at, Touched& touched) {
    const SqueezeParams& p = params_of<SqueezeParams>(params);
    uint64_t count = 0;
    each_kept(p, at, [&](uint32_t, uint32_t) { ++count; });
    Region dst = regions[0];
    dst.most = false;
    dst.row_bytes = count * p.size;
    touched.add(dst);
    // All elements of a repeat are read, kept or not.
    Scattered src(regions[1]);
    for (uint32_t r = 0; r < p.repeats; ++r) {
        if (p.blk == kBlock) {
            src.add(regions[1].base + p.offset(r, 0), uint64_t{p.per_repeat} * p.size);
            continue;
        }
        for (uint32_t k = 0; k < p.per_repeat; ++k) src.add(regions[1].base + p.offset(r, k), p.size);
    }
    src.bound(regions[1].lo, regions[1].hi, 1);
    src.tell(touched);
}

uint32_t room(const Mem& m) {
    return static_cast<uint32_t>(m.addr < capacity(m.space) ? capacity(m.space) - m.addr : 0);
}

}  // namespace

void squeeze(const char* name, DType type, Mem dst, Mem src, Mem bits, const Squeeze& s) {
    const auto size = static_cast<uint32_t>(size_of(type));
    SqueezeParams p{
        size,      s.pattern, s.repeats, s.per_repeat, s.src_blk * kBlock, s.src_rep * kBlock, s.bits_rep * kBlock,
        room(dst), room(src), s.kept};
    if (p.per_repeat == 0) p.per_repeat = kRepeat / size;
    if (p.repeats == 0) p.per_repeat = 0;
    const uint64_t all = uint64_t{p.repeats} * p.per_repeat * size;
    const uint64_t span = p.repeats == 0 ? 0 : p.offset(p.repeats - 1, p.per_repeat - 1) + size;
    Instr i = make(name, Pipe::v, run_squeeze, cycles::vector_squeeze(div_up(all, kRepeat)), p);
    i.find = find_kept;
    i.add(run_of(dst, true, std::min<uint64_t>(all, p.dst_room))).most = true;
    i.add(run_of(src, false, std::min<uint64_t>(span, p.src_room))).most = true;
    const uint64_t bits_bytes = div_up(p.per_repeat, 8);
    if (s.pattern == 0) i.add(rows_of(bits, false, p.repeats, bits_bytes, p.bits_rep));
    emit(i);
}

}  // namespace aicore::ops
