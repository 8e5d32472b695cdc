#include "memory/local.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "memory/poison.h"

namespace aicore::engine {

namespace {
constexpr uint64_t kStep = 16384;  // poisoned at a time
constexpr size_t kBefore = 4096;   // inaccessible page in front of offset 0
}  // namespace

int local_index(Space space, int unit) {
    switch (space) {
        case Space::l1:
            return 0;
        case Space::l0a:
            return 1;
        case Space::l0b:
            return 2;
        case Space::l0c:
            return 3;
        case Space::bt:
            return 4;
        case Space::fb:
            return 5;
        case Space::l0a_mx:
            return 6;
        case Space::l0b_mx:
            return 7;
        case Space::ub:
            return unit == 0 ? -1 : kFirstUb - 1 + unit;
        case Space::gm:
            break;
    }
    return -1;
}

Space local_space(int index) {
    constexpr Space spaces[kLocalMemories] = {Space::l1, Space::l0a,    Space::l0b,    Space::l0c, Space::bt,
                                              Space::fb, Space::l0a_mx, Space::l0b_mx, Space::ub,  Space::ub};
    return spaces[index];
}

int local_unit(int index) { return index < kFirstUb ? 0 : index - kFirstUb + 1; }

LocalMemory::~LocalMemory() {
    if (base_) munmap(base_ - kBefore, kBefore + capacity_ + kSlack);
}

void LocalMemory::reserve(size_t capacity) {
    if (base_) return;
    void* p = mmap(nullptr, kBefore + capacity + kSlack, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        std::fputs("crosstree: no memory for an AI Core\n", stderr);
        std::abort();
    }
    mprotect(p, kBefore, PROT_NONE);
    base_ = static_cast<uint8_t*>(p) + kBefore;
    capacity_ = capacity;
}

void LocalMemory::prepare(uint64_t hi) {
    uint64_t end = std::min<uint64_t>((hi + kStep - 1) / kStep * kStep, capacity_);
    if (end <= prepared_) return;
    fill_poison(base_ + prepared_, end - prepared_);
    prepared_ = end;
}

}  // namespace aicore::engine
