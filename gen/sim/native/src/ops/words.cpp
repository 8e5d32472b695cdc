// Words of global memory by which cores synchronise: what is moved for them. The order that they make is not made here.
#include "builder.h"
#include "cycles.h"

namespace aicore::ops {
namespace {

constexpr uint64_t kWordBytes = 32;  // each has a block of its own

struct PolledParams {
    uint64_t bytes;
};
struct StoredParams {
    int32_t value;
    bool adds;
};

void run_store(const void* params, uint8_t* const* at) {
    const StoredParams& p = params_of<StoredParams>(params);
    int32_t block[kWordBytes / sizeof(int32_t)] = {p.value};
    int32_t before;
    std::memcpy(&before, at[0], sizeof before);
    if (p.adds) block[0] += before;
    std::memcpy(at[0], block, sizeof block);
}

void store(const char* name, Mem word, StoredParams params) {
    Instr i = make(name, Pipe::mte3, run_store, cycles::transfer(Space::ub, Space::gm, kWordBytes), params);
    i.add(run_of(word, true, kWordBytes));
    emit(i);
}

}  // namespace

void poll_words(const char* name, Mem ub, Mem words, uint64_t bytes) {
    const Body body = [](const void* params, uint8_t* const* at) {
        poison(at[0], params_of<PolledParams>(params).bytes);
    };
    Instr i = make(name, Pipe::mte2, body, cycles::transfer(Space::gm, Space::ub, bytes), PolledParams{bytes});
    i.add(run_of(ub, true, bytes)).junk = true;
    i.add(run_of(words, false, bytes));
    emit(i);
}

void store_word(const char* name, Mem word, int32_t value) { store(name, word, {value, false}); }
void count_word(const char* name, Mem word) { store(name, word, {1, true}); }

}  // namespace aicore::ops
