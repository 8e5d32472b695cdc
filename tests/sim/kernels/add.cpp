// c = a + b, 2 blocks, 2 tiles each, double-buffered flags: clean.
#include "support.h"

constexpr uint64_t kTile = 1024;

static void kernel(const uint8_t* a, const uint8_t* b, uint8_t* c) {
    for (int t = 0; t < 2; ++t) {
        uint64_t at = (core().block * 2 + static_cast<uint64_t>(t)) * kTile;
        if (t) wait_flag(Pipe::v, Pipe::mte2, 0);
        load(0, a + at, kTile);
        load(kTile, b + at, kTile);
        sync(Pipe::mte2, Pipe::v);
        if (t) wait_flag(Pipe::mte3, Pipe::v, 0);
        add(2 * kTile, 0, kTile, kTile);
        set_flag(Pipe::v, Pipe::mte2, 0);
        sync(Pipe::v, Pipe::mte3);
        store(c + at, 2 * kTile, kTile);
        set_flag(Pipe::mte3, Pipe::v, 0);
    }
    wait_flag(Pipe::v, Pipe::mte2, 0);
    wait_flag(Pipe::mte3, Pipe::v, 0);
}

int main(int argc, char** argv) {
    host::Tensors t(argc, argv);
    AICORE_LAUNCH(kernel, vector, 2)(t["a"], t["b"], t["c"]);
}
