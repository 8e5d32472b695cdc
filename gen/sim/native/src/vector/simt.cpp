// Threads run one after the other on one fiber until one of them has to wait; then the next gets a fiber of its own.
// A function without barriers therefore never switches.
#include "vector/simt.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "aicore/core.h"
#include "launch/profile.h"
#include "record/fiber.h"
#include "vector/thread_order.h"
#include "vector/touching.h"
#include "vector/vector_function.h"

namespace aicore::engine {

namespace {

constexpr uint32_t kWarp = 32;

struct Simt;

// A fiber that runs threads.
struct Runner {
    Fiber fiber;
    uint8_t* stack = nullptr;
    Simt* simt = nullptr;
    uint32_t thread = 0;
};

struct Warp {
    uint32_t all = 0, exchanging = 0, at_barrier = 0, done = 0;  // lanes
    uint32_t active = 0;                                         // of the last exchange
    uint64_t published[kWarp];
    uint64_t result[kWarp];
    const void* site[kWarp];
};

struct Simt {
    void (*fn)(const void* args) = nullptr;
    const void* args = nullptr;
    uint32_t count = 0;
    uint32_t next = 0;  // first thread that was not started
    uint32_t finished = 0;
    uint32_t arrived = 0;  // at the barrier
    Runner* running = nullptr;
    bool abandoned = false;
    std::vector<Runner*> waiting;  // at the barrier, in order of arrival
    std::vector<Runner*> of_thread;
    std::vector<Warp> warps;
    // Threads that can go on: a ring with room for all.
    std::vector<Runner*> ready;
    uint32_t head = 0, queued = 0;
    std::vector<std::unique_ptr<Runner>> runners;
    std::vector<Runner*> idle;

    void push(Runner* r) {
        uint32_t at = head + queued++;
        ready[at >= count ? at - count : at] = r;
    }
    Runner* pop() {
        Runner* r = ready[head];
        head = head + 1 == count ? 0 : head + 1;
        --queued;
        return r;
    }
};

constinit thread_local Simt* simt __attribute__((tls_model("initial-exec"))) = nullptr;

void release_barrier(Simt& s) {
    if (touching.threads) touching.threads->barrier();
    for (Runner* r : s.waiting) s.push(r);
    for (Warp& w : s.warps) w.at_barrier = 0;
    s.waiting.clear();
    s.arrived = 0;
}

// When no lane of the warp can come any more: the lanes that wait at one exchange get each other's values. Where lanes
// wait at several, the first in the code goes first, so that diverged lanes usually meet again behind; a compiler that
// lays a branch out of line can make them meet one exchange later.
void resolve_exchange(Simt& s, uint32_t warp) {
    Warp& w = s.warps[warp];
    if (w.exchanging == 0 || (w.exchanging | w.at_barrier | w.done) != w.all) return;
    const void* site = nullptr;
    for (uint32_t rest = w.exchanging; rest; rest &= rest - 1) {
        const void* at = w.site[__builtin_ctz(rest)];
        if (!site || at < site) site = at;
    }
    w.active = 0;
    for (uint32_t rest = w.exchanging; rest; rest &= rest - 1) {
        auto lane = static_cast<uint32_t>(__builtin_ctz(rest));
        if (w.site[lane] != site) continue;
        w.active |= 1u << lane;
        w.result[lane] = w.published[lane];
        s.push(s.of_thread[warp * kWarp + lane]);
    }
    w.exchanging &= ~w.active;
}

void run_threads(void* arg);

Runner* take_runner(Simt& s) {
    if (!s.idle.empty()) {
        Runner* r = s.idle.back();
        s.idle.pop_back();
        return r;
    }
    s.runners.push_back(std::make_unique<Runner>());
    Runner* r = s.runners.back().get();
    r->stack = simt_stacks().take();
    r->simt = &s;
    // Tops of stacks at different cache sets: thousands of them are switched between.
    size_t color = (s.runners.size() % 64) * 192;
    r->fiber.start(r->stack, simt_stacks().bytes() - color, run_threads, r);
    return r;
}

void start_next(Simt& s, Runner* r) {
    uint32_t turn = s.next++;
    r->thread = profile().schedule.threads_reversed ? s.count - 1 - turn : turn;
    s.of_thread[r->thread] = r;
}

// The running thread cannot go on: what runs instead? Null: nothing is left.
Runner* choose(Simt& s) {
    if (s.queued) return s.pop();
    if (s.next < s.count) {
        Runner* r = take_runner(s);
        start_next(s, r);
        return r;
    }
    return nullptr;
}

void wait(Simt& s) {
    Runner* self = s.running;
    Runner* other = choose(s);
    if (other == self) return;
    s.running = other;
    self->fiber.jump(other->fiber);
}

void thread_done(Simt& s, uint32_t thread) {
    ++s.finished;
    Warp& w = s.warps[thread / kWarp];
    w.done |= 1u << (thread % kWarp);
    resolve_exchange(s, thread / kWarp);
    if (s.arrived && s.arrived + s.finished == s.count) release_barrier(s);
}

void run_threads(void* arg) {
    auto* self = static_cast<Runner*>(arg);
    Simt& s = *self->simt;
    for (;;) {
        s.fn(s.args);
        thread_done(s, self->thread);
        if (s.queued == 0 && s.next < s.count) {
            start_next(s, self);
            continue;
        }
        s.idle.push_back(self);
        if (s.queued == 0) {
            self->fiber.leave();  // all threads are done
            continue;
        }
        Runner* other = s.pop();
        s.running = other;
        self->fiber.jump(other->fiber);
        // Came back from idle: start_next() has named the thread.
    }
}

void set_up(Simt& s) {
    s.of_thread.resize(s.count);
    s.ready.resize(s.count);
    s.warps.resize((s.count + kWarp - 1) / kWarp);
    for (uint32_t w = 0; w < s.warps.size(); ++w) {
        uint32_t lanes = std::min(kWarp, s.count - w * kWarp);
        s.warps[w].all = lanes == kWarp ? ~0u : (1u << lanes) - 1;
    }
}

ThreadOrder& order_of_host_thread() {
    static thread_local ThreadOrder order(hardware_capacity(profile().chip, Space::ub));
    return order;
}

void watch(const Simt& s) {
    if (s.count < 2 || !profile().hazards) return;
    ThreadOrder& order = order_of_host_thread();
    if (!order.wants(s.fn)) return;
    order.begin(reinterpret_cast<const uint8_t*>(touching.ub));
    touching.threads = &order;
}

void stop_watching(const Simt& s) {
    ThreadOrder* order = touching.threads;
    if (!order) return;
    touching.threads = nullptr;
    report_thread_races(order->end(s.fn));
}

// False when the threads were abandoned.
bool run_all(void (*fn)(const void* args), const void* args, uint32_t count) {
    Simt s;
    s.fn = fn;
    s.args = args;
    s.count = count;
    set_up(s);
    simt = &s;
    watch(s);
    Runner* first = take_runner(s);
    start_next(s, first);
    s.running = first;
    first->fiber.enter();
    simt = nullptr;
    stop_watching(s);
    for (auto& r : s.runners) simt_stacks().give(r->stack);
    return !s.abandoned;
}

}  // namespace

void leave_simt() {
    if (!simt) return;
    simt->abandoned = true;
    simt->running->fiber.leave();
}

void touch_by_thread(uint64_t offset, size_t bytes, bool write, const void* pc) {
    if (simt) {
        touching.threads->touch(offset, offset + bytes, write, simt->running->thread, reinterpret_cast<uintptr_t>(pc));
    }
}

void touch_global_by_thread(uintptr_t at, size_t bytes, bool write, const void* pc) {
    if (simt) {
        touching.threads->touch_global(at, at + bytes, write, simt->running->thread, reinterpret_cast<uintptr_t>(pc));
    }
}

}  // namespace aicore::engine

namespace aicore {

using namespace engine;

void simt_run(void (*fn)(const void* args), const void* args, uint32_t count) {
    if (count == 0) return;
    if (simt) unsupported("a SIMT function inside of a SIMT function");
    if (!run_all(fn, args, count)) abandon_vector_function();
}

uint32_t simt_thread() { return simt ? simt->running->thread : 0; }

void simt_barrier() {
    if (!simt) return;
    Simt& s = *simt;
    uint32_t thread = s.running->thread;
    s.waiting.push_back(s.running);
    s.warps[thread / kWarp].at_barrier |= 1u << (thread % kWarp);
    ++s.arrived;
    if (s.warps[thread / kWarp].exchanging) resolve_exchange(s, thread / kWarp);
    if (s.arrived + s.finished == s.count) release_barrier(s);
    wait(s);
}

const uint64_t* simt_warp_exchange(uint64_t value, uint32_t* active) {
    if (!simt) unsupported("a warp operation outside of a SIMT function");
    Simt& s = *simt;
    uint32_t thread = s.running->thread, lane = thread % kWarp;
    Warp& w = s.warps[thread / kWarp];
    w.published[lane] = value;
    w.site[lane] = __builtin_return_address(0);
    w.exchanging |= 1u << lane;
    resolve_exchange(s, thread / kWarp);
    wait(s);
    *active = w.active;
    return w.result;
}

}  // namespace aicore
