// Which threads of a SIMT function touch the same bytes of UB or of global memory with no barrier of all threads
// between them.
//
// Every pair of bytes remembers who wrote it and who read it last: thread, stretch between two barriers, and place in
// the code. A first run of each function is watched, and every run once one was seen whose threads share bytes; the
// others cannot have such a race and cost nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <unordered_map>
#include <vector>

namespace aicore::engine {

class ThreadOrder {
public:
    struct Race {
        bool first_writes = false, second_writes = false;
        uint64_t at = 0;          // first byte of the first of its kind
        uint64_t lo = 0, hi = 0;  // offsets in UB, or addresses in global memory
        bool global = false;
        const uint8_t* place = nullptr;         // where the bytes are on the host
        uint32_t first = 0, second = 0;         // threads
        uintptr_t first_pc = 0, second_pc = 0;  // return addresses of the accesses' hooks
        uint64_t count = 1;
        bool told = false;  // while it is looked for: one access is in one race at most
    };

    // For `bytes` bytes of UB.
    explicit ThreadOrder(size_t bytes);

    // Whether a run of the function is to be watched.
    bool wants(void (*function)(const void*)) const;
    void begin(const uint8_t* ub);
    // Every thread has come to the barrier.
    void barrier();
    // Thread `thread` touches whole pairs of bytes in [lo, hi): of UB, or by their addresses in global memory.
    void touch(uint64_t lo, uint64_t hi, bool write, uint32_t thread, uintptr_t pc);
    void touch_global(uint64_t lo, uint64_t hi, bool write, uint32_t thread, uintptr_t pc);
    // One race for each pair of places.
    std::vector<Race> end(void (*function)(const void*));

private:
    // Packed: a quarter of a million of these are half of what tracking a norm takes.
    struct Mark {
        uint32_t stretch : 20;  // 0: never touched
        uint32_t thread : 11;
        uint32_t many : 1;  // several threads did
        uint32_t pc;        // distance from pc_base_
    };
    static constexpr uint32_t kStretches = 1u << 20;
    static constexpr uint32_t kThreads = 1u << 11;
    struct Marks {
        Mark written, read;
    };
    // A thread stores over what another one stored: no race when it is the same value.
    struct Overwrite {
        Race race;
        std::vector<uint8_t> before;
    };

    // The access `now` comes to a pair of bytes.
    void meet(Marks& pair, Race& now);
    void race(const Mark& first, bool first_writes, Race& second);
    uint32_t distance(uintptr_t pc);
    void settle_overwrites();

    struct Free {
        void operator()(Marks* marks) const { std::free(marks); }
    };
    std::unique_ptr<Marks[], Free> marks_;  // pages that nobody touches stay untouched
    size_t pairs_;
    uintptr_t pc_base_ = 0;
    std::unordered_map<uint64_t, Marks> global_;  // by half the address; of this run
    const uint8_t* ub_ = nullptr;
    uint32_t stretch_ = 0;
    uint32_t first_stretch_ = 0;  // of this run
    bool shared_ = false;         // this run: threads touch the same bytes, one of them writing
    std::vector<Race> races_;
    std::vector<Overwrite> overwrites_;
    struct Seen {
        uint32_t runs = 0;
        bool shared = false;
    };
    std::unordered_map<void (*)(const void*), Seen> seen_;
};

}  // namespace aicore::engine
