// Vector functions on raw UB pointers. Compiled with -fsanitize=thread, whose hooks the engine provides.
#include "support.h"

constexpr uint64_t T = 4096;

struct Vf {
    uint64_t dst, src, count;
    const void* gm;
};

template <class E>
static E* at(uint64_t offset) {
    return reinterpret_cast<E*>(ub_base() + offset);
}

static void double_all(const void* p) {
    auto& a = *static_cast<const Vf*>(p);
    for (uint64_t i = 0; i < a.count; ++i) at<float>(a.dst)[i] = at<float>(a.src)[i] * 2;
}

static void run(void (*fn)(const void*), Vf args, const char* name = "asc_vf_call") {
    vector_function(name, fn, &args, sizeof args);
}

// ---- order
// ------------------------------------------------------------------------------------------------------------
static void load_double_store(Args g, bool in, bool out) {
    load(0, g.in, T);
    if (in) sync(Pipe::mte2, Pipe::v);
    run(double_all, {T, 0, T / 4, nullptr});
    if (out) sync(Pipe::v, Pipe::mte3);
    store(g.out, T, T);
}
CASE(vf_ordered, vector, 1) { load_double_store(g, true, true); }
CASE(vf_reads_too_early, vector, 1) { load_double_store(g, false, true); }
CASE(vf_is_stored_too_early, vector, 1) { load_double_store(g, true, false); }

// ---- exact regions: every second element, of every width
// ----------------------------------------------------------------
template <class E>
static void every_second(const void* p) {
    auto& a = *static_cast<const Vf*>(p);
    for (uint64_t i = 0; i < 64; i += 2) at<E>(a.dst)[i] = E{};
}
template <class E>
static void beside(Args g, int shift) {
    run(every_second<E>, {0, 0, 0, nullptr});
    Region gaps = ub(static_cast<uint64_t>(1 - shift) * sizeof(E), sizeof(E), false);
    gaps.align = 1;
    gaps.rows = 31;
    gaps.pitch = 2 * sizeof(E);
    touch("Store", Pipe::mte3, {gaps, gm_at(g.out, 31 * sizeof(E), true)});
}
struct Wide {
    float x, y, z, w;
};
CASE(gaps_1, vector, 1) { beside<uint8_t>(g, 0); }
CASE(gaps_2, vector, 1) { beside<uint16_t>(g, 0); }
CASE(gaps_4, vector, 1) { beside<float>(g, 0); }
CASE(gaps_8, vector, 1) { beside<double>(g, 0); }
CASE(gaps_16, vector, 1) { beside<Wide>(g, 0); }
CASE(hits_1, vector, 1) { beside<uint8_t>(g, 1); }
CASE(hits_2, vector, 1) { beside<uint16_t>(g, 1); }
CASE(hits_4, vector, 1) { beside<float>(g, 1); }
CASE(hits_8, vector, 1) { beside<double>(g, 1); }
CASE(hits_16, vector, 1) { beside<Wide>(g, 1); }

static void unaligned(const void*) { *reinterpret_cast<volatile uint32_t*>(ub_base() + 3) = 1; }
CASE(unaligned_word, vector, 1) {
    run(unaligned, {});
    Region beside = ub(0, 3, false);
    touch("Store", Pipe::mte3, {beside, gm_at(g.out, 3, true)});
    Region behind = ub(7, 1, false);
    behind.align = 1;
    touch("Store", Pipe::mte3, {behind, gm_at(g.out + 3, 1, true)});
}

// Calls of the C library are seen as well.
static void library_calls(const void* p) {
    auto& a = *static_cast<const Vf*>(p);
    std::memcpy(at<uint8_t>(a.dst), at<uint8_t>(a.src), a.count);
    std::memset(at<uint8_t>(a.dst + a.count), 0, a.count);
}
CASE(memcpy_is_seen, vector, 1) {
    load(0, g.in, T);
    run(library_calls, {2 * T, 0, T, nullptr});
    store(g.out, 3 * T, T);
}

// ---- bounds
// ---------------------------------------------------------------------------------------------------------------
CASE(vf_beyond_ub, vector, 1) { run(double_all, {capacity(Space::ub) - T + 32, 0, T / 4, nullptr}); }
CASE(vf_end_of_ub, vector, 1) { run(double_all, {capacity(Space::ub) - T, 0, T / 4, nullptr}); }

static void read_gm(const void* p) {
    auto& a = *static_cast<const Vf*>(p);
    auto* from = static_cast<const float*>(a.gm);
    for (uint64_t i = 0; i < a.count; ++i) at<float>(a.dst)[i] = from[i];
}
CASE(vf_reads_gm, vector, 1) {
    run(read_gm, {0, 0, T / 4, g.in});
    sync(Pipe::v, Pipe::mte3);
    store(g.out, 0, T);
}
CASE(vf_reads_beyond_gm, vector, 1) { run(read_gm, {0, 0, T / 4, g.in + kBytes - T + 64}); }

static void write_gm(const void* p) {
    auto& a = *static_cast<const Vf*>(p);
    auto* to = static_cast<float*>(const_cast<void*>(a.gm));
    for (uint64_t i = 0; i < a.count; ++i) to[i] = 1;
}
CASE(vf_writes_gm, vector, 4) { run(write_gm, {0, 0, T / 4, g.out + core().block * T}); }
CASE(vf_writes_gm_twice, vector, 4) { run(write_gm, {0, 0, T / 4 + 1, g.out + core().block * T}); }
CASE(vf_gm_then_load, vector, 1) {
    run(write_gm, {0, 0, T / 4, g.out});
    load(0, g.out, T);
}

static void count_up(const void* p) {
    auto* to = static_cast<uint32_t*>(const_cast<void*>(static_cast<const Vf*>(p)->gm));
    vf_atomic(to, 4);
    __atomic_fetch_add(to, 1, __ATOMIC_RELAXED);
}
CASE(vf_atomics, vector, 8) { run(count_up, {0, 0, 0, g.out}); }

// ---- what a vector function may not do
// ------------------------------------------------------------------------------------
static void issues(const void*) { pipe_barrier(Pipe::v); }
CASE(vf_issues, vector, 1) { run(issues, {}); }
static void gives_up(const void*) { unsupported("a thing that the model lacks"); }
CASE(vf_unsupported, vector, 1) { run(gives_up, {}); }
CASE(kernel_unsupported, vector, 3) {
    if (core().block == 1) unsupported("a thing that the model lacks");
}
CASE(on_chip_pointer, vector, 1) { *reinterpret_cast<volatile float*>(uintptr_t{64}) = 1; }
static void asks_core(const void* p) { at<uint32_t>(static_cast<const Vf*>(p)->dst)[0] = core().block; }
CASE(vf_knows_its_core, vector, 3) {
    run(asks_core, {0, 0, 0, nullptr});
    sync(Pipe::v, Pipe::mte3);
    store(g.out + core().block * 32, 0, 32);
}

// ---- SIMT
// -----------------------------------------------------------------------------------------------------------------
static void simt(void (*thread)(const void*), uint32_t threads, Vf args = {}) {
    struct Packed {
        void (*thread)(const void*);
        uint32_t threads;
        Vf args;
    } packed{thread, threads, args};
    vector_function(
        "asc_vf_call",
        [](const void* p) {
            auto& a = *static_cast<const Packed*>(p);
            simt_run(a.thread, &a.args, a.threads);
        },
        &packed, sizeof packed);
}
static void keep(Args g, uint64_t bytes = T) {
    sync(Pipe::v, Pipe::mte3);
    store(g.out, 0, bytes);
}

CASE(simt_threads, vector, 1) {
    simt([](const void*) { at<uint32_t>(0)[simt_thread()] = simt_thread() * 3; }, 1024);
    keep(g);
}
// Suffix sums by halving: wrong without real barriers.
static void reduce(const void*) {
    uint32_t t = simt_thread();
    at<uint32_t>(0)[t] = t;
    simt_barrier();
    for (uint32_t half = 512; half; half /= 2) {
        if (t < half) at<uint32_t>(0)[t] += at<uint32_t>(0)[t + half];
        simt_barrier();
    }
}
CASE(simt_barriers, vector, 1) {
    simt(reduce, 1024);
    keep(g, 32);
}
static void warp_sum(const void*) {
    uint32_t t = simt_thread(), active = 0;
    uint32_t sum = t;
    for (uint32_t d = 1; d < 32; d *= 2) {
        const uint64_t* of = simt_warp_exchange(sum, &active);
        sum += static_cast<uint32_t>(of[(t % 32) ^ d]);
    }
    at<uint32_t>(0)[t] = active == ~0u ? sum : 0;
}
CASE(simt_warps, vector, 1) {
    simt(warp_sum, 1024);
    keep(g);
}
// Odd lanes exchange among themselves, then, behind a barrier, all lanes do; some have left before.
static void diverged(const void*) {
    uint32_t t = simt_thread(), lane = t % 32, active = 0, first = 0;
    if (lane >= 30) return;
    if (lane % 2) {
        simt_warp_exchange(t, &active);
        first = active;
    }
    simt_barrier();
    simt_warp_exchange(t, &active);
    at<uint32_t>(0)[2 * t] = first;
    at<uint32_t>(0)[2 * t + 1] = active;
}
CASE(simt_diverged, vector, 1) {
    simt(diverged, 64);
    sync(Pipe::v, Pipe::mte3);
    store(g.out, 0, 512);
}
// A barrier counts the threads that have ended as arrived.
static void leave_early(const void*) {
    if (simt_thread() >= 40) return;
    at<uint32_t>(0)[simt_thread()] = 1;
    simt_barrier();
    if (simt_thread() == 0) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < 40; ++i) n += at<uint32_t>(0)[i];
        at<uint32_t>(0)[0] = n;
    }
}
CASE(simt_leave_early, vector, 1) {
    simt(leave_early, 100);
    keep(g, 32);
}
static void barrier_and_warp(const void*) {
    uint32_t t = simt_thread(), active = 0;
    at<uint32_t>(T)[t] = t;
    simt_barrier();
    uint32_t x = at<uint32_t>(T)[(t + 33) % 96];
    const uint64_t* of = simt_warp_exchange(x, &active);
    uint32_t y = static_cast<uint32_t>(of[(t + 1) % 32]);
    simt_barrier();
    at<uint32_t>(0)[t] = y;
}
CASE(simt_mixed, vector, 1) {
    simt(barrier_and_warp, 96);
    keep(g, 384);
}
static void one_gives_up(const void*) {
    simt_barrier();
    if (simt_thread() == 7) unsupported("a thing that the model lacks");
    simt_barrier();
}
CASE(simt_unsupported, vector, 1) { simt(one_gives_up, 64); }
static void many_barriers(const void* p) {
    for (uint64_t i = 0; i < static_cast<const Vf*>(p)->count; ++i) simt_barrier();
}
CASE(simt_five_million_barriers, vector, 1) { simt(many_barriers, 1024, {0, 0, 4883, nullptr}); }

int main(int argc, char** argv) { return run_case(argc, argv); }
