// Gather by byte offsets. What is read depends on data, so the read region is the allocation from the source on.
#include "builder.h"
#include "cycles.h"

namespace aicore::ops {
namespace {

struct GatherParams {
    uint64_t n, bytes, base;
    uint32_t size;
};

void run_gather(const void* params, uint8_t* const* at) {
    const GatherParams& p = params_of<GatherParams>(params);
    const uint32_t* offsets = reinterpret_cast<const uint32_t*>(at[2]);
    for (uint64_t i = 0; i < p.n; ++i) {
        const uint64_t from = p.base + offsets[i];
        if (from + p.size <= p.bytes) {
            std::memcpy(at[0] + i * p.size, at[1] + from, p.size);
        } else {
            poison(at[0] + i * p.size, p.size);
        }
    }
}

}  // namespace

void gather(const char* name, DType type, Mem dst, Mem src, Mem offsets, uint32_t base_bytes, uint64_t count) {
    if (count == 0) return;
    const uint64_t size = size_of(type);
    if (size != 2 && size != 4) unsupported_type("Gather", type);
    if (src.hi <= src.addr) unsupported("Gather from a tensor of unknown size");
    const uint64_t bytes = src.hi - src.addr;
    Instr i = make(name, Pipe::v, run_gather, cycles::vector_gather(div_up(count * size, kRepeat)),
                   GatherParams{count, bytes, base_bytes, static_cast<uint32_t>(size)});
    i.add(run_of(dst, true, count * size));
    i.add(run_of(src, false, bytes));
    i.add(run_of(offsets, false, count * sizeof(uint32_t)));
    emit(i);
}

}  // namespace aicore::ops
