// From operands to the regions of an instruction: helpers shared by all builders.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "aicore/ops.h"

namespace aicore::ops {

inline constexpr uint32_t kBlock = 32;     // a data block, bytes: what vector and DMA units address
inline constexpr uint32_t kFractal = 512;  // 16 rows of one block
inline constexpr uint32_t kRepeat = 256;   // what one vector repeat covers, bytes

inline constexpr uint64_t round_up(uint64_t x, uint64_t unit) { return (x + unit - 1) / unit * unit; }
inline constexpr uint64_t div_up(uint64_t x, uint64_t unit) { return (x + unit - 1) / unit; }

inline bool present(const Mem& m) { return m.space != Space::gm || m.addr != 0; }
inline bool on_2201() { return core().chip == Chip::dav2201; }

// Required alignment of an address of a memory, bytes (asc-devkit, docs/zh/guide, hardware architecture: dav-2201 and
// dav-3510; L0C as a destination of Mmad needs 1024, see mmad.cpp).
uint16_t alignment(Space s);

// One loop of an access pattern: `count` times, `stride` bytes apart.
struct Axis {
    uint64_t count;
    int64_t stride;
};

// Describes `unit` bytes at every combination of the axes as one region, exactly. False when that takes more than two
// dimensions. A negative stride is allowed on the only axis that remains after merging.
bool fold(Region& r, const Mem& at, uint64_t unit, std::initializer_list<Axis> axes);

// A region of contiguous rows; alignment of its memory.
Region rows_of(const Mem& at, bool write, uint64_t rows, uint64_t row_bytes, int64_t pitch);
inline Region run_of(const Mem& at, bool write, uint64_t bytes) { return rows_of(at, write, 1, bytes, 0); }

inline Mem offset(Mem m, int64_t bytes) {
    m.addr += static_cast<uint64_t>(bytes);
    return m;
}

template <class P>
Instr make(const char* name, Pipe pipe, Body body, uint64_t cycles, const P& params) {
    Instr i;
    i.name = name;
    i.pipe = pipe;
    i.body = body;
    i.cycles = static_cast<uint32_t>(cycles);
    i.set_params(params);
    return i;
}

template <class P>
const P& params_of(const void* p) {
    return *static_cast<const P*>(p);
}

const char* name_of(DType t);
// Ends the core with "<what> <type> on <chip>".
[[noreturn]] void unsupported_type(const char* what, DType t);

}  // namespace aicore::ops
