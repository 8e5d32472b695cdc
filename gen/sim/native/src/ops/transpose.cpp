// Transpose of 16 x 16 elements of two bytes.
#include "builder.h"
#include "cycles.h"

namespace aicore::ops {
void transpose16(const char* name, Mem dst, Mem src) {
    struct None {};
    constexpr uint32_t kSide = 16;
    const Body body = [](const void*, uint8_t* const* at) {
        uint16_t in[kSide][kSide], out[kSide][kSide];
        std::memcpy(in, at[1], sizeof in);
        for (uint32_t r = 0; r < kSide; ++r) {
            for (uint32_t c = 0; c < kSide; ++c) out[c][r] = in[r][c];
        }
        std::memcpy(at[0], out, sizeof out);
    };
    Instr i = make(name, Pipe::v, body, cycles::vector(VecOp::copy, 2), None{});
    i.add(run_of(dst, true, kFractal));
    i.add(run_of(src, false, kFractal));
    emit(i);
}

}  // namespace aicore::ops
