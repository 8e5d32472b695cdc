// What a running vector function touches. Compiler instrumentation reports every load and store; one store per report
// goes into a map with a byte per two bytes of UB, and the map becomes regions afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace aicore::engine {

class ThreadOrder;

struct GmTouch {
    uint64_t lo = 0, hi = 0;
    bool write = false;
    bool atomic = false;
};

// Kept small and flat: the hooks read it on every access of the whole program.
struct Touching {
    uintptr_t ub = 0;  // address of UB offset 0
    size_t size = 0;   // bytes of UB and of the slack behind it; 0 outside of a vector function
    uint8_t* reads = nullptr;
    uint8_t* writes = nullptr;
    bool active = false;
    ThreadOrder* threads = nullptr;  // while the threads of a SIMT function are watched
};

// Marks of the map: which accesses began at the pair of bytes.
enum Mark : uint8_t { kEvenByte = 1, kOddByte = 2, kTwo = 4, kFour = 8, kEight = 16, kSixteen = 32 };

// constinit: no call stands between a hook and the variable.
extern constinit thread_local Touching touching __attribute__((tls_model("initial-exec"), visibility("hidden")));

// Accesses that are not simple ones to UB: odd addresses, GM, and on-chip pointers outside of vector functions.
void touch_slowly(const void* p, size_t bytes, bool write, bool atomic, const void* pc = nullptr);
// The running thread touches [offset, offset + bytes) of UB; `pc` is where it does.
void touch_by_thread(uint64_t offset, size_t bytes, bool write, const void* pc);
// The same in global memory, by address.
void touch_global_by_thread(uintptr_t at, size_t bytes, bool write, const void* pc);

template <size_t kBytes, Mark kMark>
[[gnu::always_inline]] inline void touch(const void* p, bool write, const void* pc) {
    const Touching& t = touching;
    uintptr_t offset = reinterpret_cast<uintptr_t>(p) - t.ub;
    if (offset >= t.size || (kBytes > 1 && offset % 2 != 0)) return touch_slowly(p, kBytes, write, false, pc);
    uint8_t mark = kBytes == 1 && offset % 2 != 0 ? kOddByte : kMark;
    // What the function has written itself it does not read from anybody else.
    if (write)
        t.writes[offset / 2] |= mark;
    else
        t.reads[offset / 2] |= mark & ~t.writes[offset / 2];
    if (t.threads) [[unlikely]]
        touch_by_thread(offset, kBytes, write, pc);
}

}  // namespace aicore::engine
