#include "record/fiber.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <vector>

// -DAICORE_UCONTEXT tries the portable way where there is a faster one.
#if defined(AICORE_UCONTEXT) || (!defined(__x86_64__) && !defined(__aarch64__))
#define AICORE_PORTABLE
#include <ucontext.h>

#include <new>
#endif

namespace aicore::engine {

#if defined(__x86_64__) && !defined(AICORE_PORTABLE)

// void aicore_switch(void** save, void* load): keeps the callee-saved registers on the old stack.
asm(R"(
.text
.p2align 4
.local aicore_switch
.type aicore_switch, @function
aicore_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size aicore_switch, .-aicore_switch
.p2align 4
.local aicore_fiber_begin
.type aicore_fiber_begin, @function
aicore_fiber_begin:
    movq %r12, %rdi
    xorl %ebp, %ebp
    callq *%r13
    ud2
.size aicore_fiber_begin, .-aicore_fiber_begin
)");
extern "C" __attribute__((visibility("hidden"))) void aicore_switch(void** save, void* load);
extern "C" __attribute__((visibility("hidden"))) void aicore_fiber_begin();

static void* first_frame(uint8_t*, uint8_t* top, Fiber::Entry entry, void* arg) {
    auto* sp = reinterpret_cast<uint64_t*>(top) - 1;
    *--sp = 0;  // alignment: rsp is a multiple of 16 when fiber_begin calls
    *--sp = reinterpret_cast<uint64_t>(&aicore_fiber_begin);
    *--sp = 0;                                  // rbp: ends the chain of frames
    *--sp = 0;                                  // rbx
    *--sp = reinterpret_cast<uint64_t>(arg);    // r12
    *--sp = reinterpret_cast<uint64_t>(entry);  // r13
    *--sp = 0;                                  // r14
    *--sp = 0;                                  // r15
    return sp;
}

#elif defined(__aarch64__) && !defined(AICORE_PORTABLE)

asm(R"(
.text
.p2align 4
.local aicore_switch
.type aicore_switch, %function
aicore_switch:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
.size aicore_switch, .-aicore_switch
.p2align 4
.local aicore_fiber_begin
.type aicore_fiber_begin, %function
aicore_fiber_begin:
    mov x0, x19
    mov x29, xzr
    blr x20
    brk #0
.size aicore_fiber_begin, .-aicore_fiber_begin
)");
extern "C" __attribute__((visibility("hidden"))) void aicore_switch(void** save, void* load);
extern "C" __attribute__((visibility("hidden"))) void aicore_fiber_begin();

static void* first_frame(uint8_t*, uint8_t* top, Fiber::Entry entry, void* arg) {
    auto* sp = reinterpret_cast<uint64_t*>(top - 160);
    for (int i = 0; i < 20; ++i) sp[i] = 0;
    sp[0] = reinterpret_cast<uint64_t>(arg);                   // x19
    sp[1] = reinterpret_cast<uint64_t>(entry);                 // x20
    sp[11] = reinterpret_cast<uint64_t>(&aicore_fiber_begin);  // x30
    return sp;
}

#else

// Anywhere else: ucontext. Slow (a system call per switch), but right.
struct Slow {
    ucontext_t context;
    Fiber::Entry entry;
    void* arg;
};

static void slow_entry(unsigned high, unsigned low) {
    auto* slow = reinterpret_cast<Slow*>((static_cast<uint64_t>(high) << 32) | low);
    slow->entry(slow->arg);
    std::abort();
}

static void* first_frame(uint8_t* stack, uint8_t* top, Fiber::Entry entry, void* arg) {
    size_t room = (sizeof(Slow) + 63) / 64 * 64;
    auto* slow = new (top - room) Slow{{}, entry, arg};
    getcontext(&slow->context);
    slow->context.uc_stack.ss_sp = stack;
    slow->context.uc_stack.ss_size = static_cast<size_t>(top - room - stack);
    uint64_t at = reinterpret_cast<uint64_t>(slow);
    makecontext(&slow->context, reinterpret_cast<void (*)()>(slow_entry), 2, static_cast<unsigned>(at >> 32),
                static_cast<unsigned>(at));
    return slow;
}

static void aicore_switch(void** save, void* load) {
    Slow here;
    *save = &here;
    swapcontext(&here.context, &static_cast<Slow*>(load)->context);
}

#endif

void Fiber::start(uint8_t* stack, size_t bytes, Entry entry, void* arg) {
    auto top = reinterpret_cast<uintptr_t>(stack + bytes) & ~uintptr_t{15};
    sp_ = first_frame(stack, reinterpret_cast<uint8_t*>(top), entry, arg);
}

void Fiber::enter() { aicore_switch(&caller_, sp_); }

void Fiber::leave() { aicore_switch(&sp_, caller_); }

void Fiber::jump(Fiber& other) {
    other.caller_ = caller_;
    aicore_switch(&sp_, other.sp_);
}

namespace {

// Inaccessible bytes below a stack: as large as the frames that one call is likely to add.
constexpr size_t kGuard = size_t{64} << 10;

struct Idle {
    std::mutex mutex;
    std::map<size_t, std::vector<uint8_t*>> stacks;
};

Idle& idle() {
    static Idle* pool = new Idle;  // never destroyed: fibers may outlive static destruction
    return *pool;
}

}  // namespace

uint8_t* StackPool::take() {
    {
        std::lock_guard lock(idle().mutex);
        auto& free = idle().stacks[bytes_];
        if (!free.empty()) {
            uint8_t* stack = free.back();
            free.pop_back();
            return stack;
        }
    }
    void* p = mmap(nullptr, bytes_ + kGuard, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (p == MAP_FAILED) {
        std::fputs("crosstree: no memory for the stack of a core\n", stderr);
        std::abort();
    }
    mprotect(p, kGuard, PROT_NONE);
    return static_cast<uint8_t*>(p) + kGuard;
}

void StackPool::give(uint8_t* stack) {
    std::lock_guard lock(idle().mutex);
    idle().stacks[bytes_].push_back(stack);
}

StackPool& core_stacks() {
    static StackPool pool(size_t{1} << 20);
    return pool;
}

StackPool& simt_stacks() {
    static StackPool pool(size_t{64} << 10);
    return pool;
}

}  // namespace aicore::engine
