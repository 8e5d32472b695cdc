// What the model stores of everything that a core issues.
#pragma once

#include <cstddef>
#include <cstdint>

#include "aicore/core.h"

namespace aicore::engine {

enum class OpKind : uint8_t {
    instr,
    scalar_read,
    scalar_write,
    register_read,
    vector_function,
    set_flag,
    wait_flag,
    pipe_barrier,
    barrier_all,
    cross_set,
    cross_wait,
    sync_all,
    word_signal,
    word_wait,
    mutex_lock,
    mutex_unlock,
};

struct Op {
    OpKind kind = OpKind::instr;
    Pipe pipe = Pipe::s;   // the queue it waits in
    Pipe other = Pipe::s;  // the other pipe of an event flag
    uint8_t region_count = 0;
    uint8_t order_class = 0;
    uint8_t unit_flag = 0;
    bool continues = false;
    bool skip = false;      // outside of its memory: reported, never executed
    bool outside = false;   // out of bounds of its buffer, or of its memory
    bool blocking = false;  // mutexes; sync_all: AIVs only; word_signal: after the last was taken
    bool arrived = false;   // sync_all: this core has been counted
    int8_t mode = 0;        // cross flags
    int16_t id = 0;         // of a flag; sync_all by words: how many AIVs
    uint32_t cycles = 0;
    uint32_t site = 0;
    uint32_t epoch = 0;  // how often the scalar unit had been stopped when it issued this
    uint32_t issue = 0;  // modelled cycles from there to its issue
    uint64_t index = 0;  // program order on its core
    const char* name = "";
    Op* next = nullptr;  // in the queue of its pipe
    union {
        Body body = nullptr;
        void (*function)(const void* args);
    };
    Region* regions = nullptr;
    unsigned char* params = nullptr;
    Find find = nullptr;
    // scalar_write; mutexes: ordinal of the unlock; registers, words and what synchronises by them: address
    uint64_t value = 0;
    uint64_t word = 0;  // of this core, where it synchronises by words: address
};

}  // namespace aicore::engine
