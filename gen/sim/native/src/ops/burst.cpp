// Bursts: rows of bytes between GM, UB, L1, the bias table and the fixpipe buffer, with padding and atomics.
#include <algorithm>
#include <mutex>

#include "builder.h"
#include "cycles.h"
#include "elements.h"

namespace aicore::ops {
namespace {

// Writes `bytes` bytes of padding: whole elements of the pad value, or poison.
void pad(uint8_t* to, uint64_t bytes, const uint8_t* element, uint8_t elem) {
    if (element == nullptr) {
        poison(to, bytes);
        return;
    }
    for (uint64_t i = 0; i < bytes; ++i) to[i] = element[i % elem];
}

uint64_t row_written(const Burst& b) {
    const uint64_t bytes = b.left_pad + b.row_bytes + b.right_pad;
    return b.pad_to_block ? round_up(bytes, kBlock) : bytes;
}

void copy_rows(const void* params, uint8_t* const* at) {
    const Burst& b = params_of<Burst>(params);
    const uint8_t* src = at[0];
    uint8_t* dst = at[1];
    const uint64_t right = row_written(b) - b.left_pad - b.row_bytes;
    for (uint32_t r = 0; r < b.rows; ++r) {
        uint8_t* row = dst + b.left_pad;
        std::memmove(row, src, b.row_bytes);
        if (b.left_pad + right != 0) {
            const uint8_t* element = nullptr;
            if (b.fill == PadFill::first_element) element = src;
            if (b.fill == PadFill::value) element = reinterpret_cast<const uint8_t*>(&b.pad_value);
            pad(dst, b.left_pad, element, b.elem);
            pad(row + b.row_bytes, right, element, b.elem);
        }
        src += b.src_pitch;
        dst += b.dst_pitch;
    }
}

void accumulate_rows(const void* params, uint8_t* const* at) {
    const Burst& b = params_of<Burst>(params);
    const std::lock_guard<std::mutex> lock(gm_atomics());
    for (uint32_t r = 0; r < b.rows; ++r) {
        accumulate(b.atomic, b.atomic_type, at[1] + r * b.dst_pitch, at[0] + r * b.src_pitch,
                   b.row_bytes / size_of(b.atomic_type));
    }
}

// Rows that follow each other on both sides are one row to the host.
Burst merged(Burst b) {
    const bool plain = b.left_pad == 0 && row_written(b) == b.row_bytes;
    if (plain && b.src_pitch == b.dst_pitch && b.src_pitch == static_cast<int64_t>(b.row_bytes)) {
        b.row_bytes *= b.rows;
        b.rows = 1;
    }
    return b;
}

// The pads of each row, which hold nothing that may be relied on.
void add_unfilled(Instr& i, const Mem& dst, const Burst& b) {
    const uint64_t right = row_written(b) - b.left_pad - b.row_bytes;
    if (b.left_pad != 0) i.add(rows_of(dst, true, b.rows, b.left_pad, b.dst_pitch)).junk = true;
    if (right == 0) return;
    Mem rest = dst;
    rest.addr += b.left_pad + b.row_bytes;
    Region& pads = i.add(rows_of(rest, true, b.rows, right, b.dst_pitch));
    pads.align = 1;
    pads.junk = true;
}

}  // namespace

void burst(const char* name, Pipe pipe, Mem dst, Mem src, const Burst& b) {
    if (b.rows == 0 || b.row_bytes == 0) return;
    const bool atomic = b.atomic != Atomic::none && dst.space == Space::gm;
    const uint64_t bytes = b.rows * row_written(b);
    const Body body = atomic ? accumulate_rows : copy_rows;
    Instr i = make(name, pipe, body, cycles::transfer(src.space, dst.space, bytes), atomic ? b : merged(b));
    i.add(rows_of(src, false, b.rows, b.row_bytes, b.src_pitch));
    Region& to = i.add(rows_of(dst, true, b.rows, row_written(b), b.dst_pitch));
    if (atomic) {
        check_atomic(b.atomic, b.atomic_type);
        to.atomic = true;
        // The old value is read too. Both sides are the same bytes, so the body takes the write region for both.
        Region old = to;
        old.write = false;
        i.add(old);
    }
    if (!atomic && b.fill == PadFill::none) add_unfilled(i, dst, b);
    emit(i);
}

void fill(const char* name, Pipe pipe, Mem dst, uint32_t repeat, uint32_t blocks, uint32_t gap, uint64_t value,
          uint8_t elem) {
    struct Params {
        uint64_t repeat, row_bytes, pitch, value;
        uint8_t elem;
    };
    if (repeat == 0 || blocks == 0) return;
    const uint64_t row = uint64_t{blocks} * kBlock;
    const Params p{repeat, row, row + uint64_t{gap} * kBlock, value, elem};
    const Body body = [](const void* params, uint8_t* const* at) {
        const Params& q = params_of<Params>(params);
        uint8_t block[kBlock];
        pad(block, kBlock, reinterpret_cast<const uint8_t*>(&q.value), q.elem);
        for (uint64_t r = 0; r < q.repeat; ++r) {
            for (uint64_t o = 0; o < q.row_bytes; o += kBlock) std::memcpy(at[0] + r * q.pitch + o, block, kBlock);
        }
    };
    // [pto] arch_config.hpp: a fill of L1 runs at the rate of its narrowest path, 32 B per cycle.
    Instr i = make(name, pipe, body, 20 + repeat * row / kBlock, p);
    i.add(rows_of(dst, true, repeat, row, static_cast<int64_t>(p.pitch)));
    emit(i);
}

}  // namespace aicore::ops
