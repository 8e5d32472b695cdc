// Fibers: one stack per core of the kernel (and per blocked SIMT thread), switched by hand.
//
// A fiber may be resumed by another host thread than the one that suspended it, so code that runs on fibers must not
// keep the address of a thread_local across a switch.
#pragma once

#include <cstddef>
#include <cstdint>

namespace aicore::engine {

class Fiber {
public:
    using Entry = void (*)(void* arg);

    Fiber() = default;
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    // Prepares `entry(arg)` to run on a stack of `bytes` bytes at `stack`. `entry` must never return: its last act is
    // leave().
    void start(uint8_t* stack, size_t bytes, Entry entry, void* arg);
    // Runs the fiber until it calls leave(). Called from outside of it.
    void enter();
    // Goes back to the caller of enter(). Called on the fiber.
    void leave();
    // Suspends this fiber and goes on with `other`, which then counts as entered by the one that entered this one.
    void jump(Fiber& other);

private:
    void* sp_ = nullptr;      // of the suspended fiber
    void* caller_ = nullptr;  // of the suspended caller of enter()
};

// Stacks with a guard page below, kept for reuse. Thread safe.
class StackPool {
public:
    explicit StackPool(size_t bytes) : bytes_(bytes) {}
    uint8_t* take();
    void give(uint8_t* stack);
    size_t bytes() const { return bytes_; }

private:
    size_t bytes_;
};

// For the kernel function of a core, and for a SIMT thread.
StackPool& core_stacks();
StackPool& simt_stacks();

}  // namespace aicore::engine
