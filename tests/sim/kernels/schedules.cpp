// Small kernels whose stored values show in which order things happened.
#include "support.h"

constexpr uint64_t T = 1024;

// Each tile is loaded into one of two slots, doubled, and stored from one of two others.
static void pipeline(Args g, bool freed) {
    constexpr int kTiles = 6;
    for (int slot = 0; freed && slot < 2; ++slot) {
        set_flag(Pipe::v, Pipe::mte2, slot);
        set_flag(Pipe::mte3, Pipe::v, slot);
    }
    for (int t = 0; t < kTiles; ++t) {
        int slot = t % 2;
        uint64_t at = static_cast<uint64_t>(t) * T, in = static_cast<uint64_t>(slot) * T, out = 2 * T + in;
        if (freed) wait_flag(Pipe::v, Pipe::mte2, slot);
        load(in, g.in + at, T);
        sync(Pipe::mte2, Pipe::v, slot);
        if (freed) wait_flag(Pipe::mte3, Pipe::v, slot);
        add(out, in, in, T);
        set_flag(Pipe::v, Pipe::mte3, slot);
        if (freed) set_flag(Pipe::v, Pipe::mte2, slot);
        wait_flag(Pipe::v, Pipe::mte3, slot);
        store(g.out + at, out, T);
        if (freed) set_flag(Pipe::mte3, Pipe::v, slot);
    }
    for (int slot = 0; freed && slot < 2; ++slot) {
        wait_flag(Pipe::v, Pipe::mte2, slot);
        wait_flag(Pipe::mte3, Pipe::v, slot);
    }
}
CASE(double_buffer, vector, 1) { pipeline(g, true); }
CASE(double_buffer_unfreed, vector, 1) { pipeline(g, false); }

CASE(load_not_waited, vector, 1) {
    fill(0, 7, T);
    sync(Pipe::v, Pipe::mte2);
    load(0, g.in, T);
    add(T, 0, 0, T);
    sync(Pipe::v, Pipe::mte3);
    store(g.out, T, T);
}

static void vectors(Args g, bool barriers, bool wait_between) {
    fill(0, 1, T);
    if (barriers) pipe_barrier(Pipe::v);
    if (wait_between) load(4 * T, g.in, T);
    if (wait_between) sync(Pipe::mte2, Pipe::v);
    fill(0, 2, T);
    if (barriers) pipe_barrier(Pipe::v);
    add(T, 0, 0, T);
    sync(Pipe::v, Pipe::mte3);
    store(g.out, T, T);
}
CASE(vectors_with_barriers, vector, 1) { vectors(g, true, true); }
CASE(vectors_without_barrier, vector, 1) { vectors(g, false, false); }
CASE(vectors_without_barrier_across_a_wait, vector, 1) {
    fill(0, 1, T);
    load(4 * T, g.in, T);
    sync(Pipe::mte2, Pipe::v);
    add(T, 0, 4 * T, T);
    sync(Pipe::v, Pipe::mte3);
    store(g.out, T, T);
}

static void loads(Args g, bool barrier) {
    load(0, g.in, T);
    if (barrier) pipe_barrier(Pipe::mte2);
    load(T / 2, g.in + 8 * T, T);
    sync(Pipe::mte2, Pipe::mte3);
    store(g.out, 0, 2 * T - T / 2);
}
CASE(loads_with_barrier, vector, 1) { loads(g, true); }
CASE(loads_overlap, vector, 1) { loads(g, false); }

static void scalar(Args g, bool wait) {
    fill(0, 1, T);
    sync(Pipe::v, Pipe::s);
    fill(0, 5, T);
    if (wait) sync(Pipe::v, Pipe::s);
    Region at = ub(0, 4, false);
    uint64_t bits = scalar_read("GetValue", at);
    float value;
    std::memcpy(&value, &bits, 4);
    sync(Pipe::s, Pipe::v);
    fill(T, value < 3 ? 10.0f : 20.0f, T);
    sync(Pipe::v, Pipe::mte3);
    store(g.out, T, T);
}
CASE(scalar_decides, vector, 1) {
    fill(0, 1, T);
    pipe_barrier(Pipe::v);
    fill(0, 5, T);
    sync(Pipe::v, Pipe::s);
    Region at = ub(0, 4, false);
    uint64_t bits = scalar_read("GetValue", at);
    float value;
    std::memcpy(&value, &bits, 4);
    fill(T, value < 3 ? 10.0f : 20.0f, T);
    sync(Pipe::v, Pipe::mte3);
    store(g.out, T, T);
}
CASE(scalar_reads_too_early, vector, 1) { scalar(g, false); }

CASE(neighbours_exchange, vector, 4) {
    uint64_t mine = core().block * T, other = (core().block + 1) % core().block_num * T;
    fill(0, static_cast<float>(core().block + 1), T);
    sync(Pipe::v, Pipe::mte3);
    store(g.out + mine, 0, T);
    sync_all(true);
    load(T, g.out + other, T);
    sync(Pipe::mte2, Pipe::mte3);
    store(g.out + 8 * T + mine, T, T);
}

static void pair(Args g, bool flags) {
    if (core().kind == CoreKind::aic) return;
    uint64_t mine = core().sub_block * T, other = T - mine;
    fill(0, static_cast<float>(core().sub_block + 1), T);
    sync(Pipe::v, Pipe::mte3);
    store(g.out + mine, 0, T);
    if (flags) {
        cross_set(1, Pipe::mte3, 4);
        cross_wait(1, Pipe::mte2, 4);
    }
    load(2 * T, g.out + other, T);
    sync(Pipe::mte2, Pipe::mte3);
    store(g.out + 4 * T + mine, 2 * T, T);
}
CASE(aiv_pair_exchange, mix_1_2, 2) {
    g.out += core().block * 8 * T;
    pair(g, true);
}
CASE(aiv_pair_unsynchronised, mix_1_2, 1) { pair(g, false); }

// The flag is set behind the loads of the core, and so says nothing of its store.
static void tell_neighbour(Args g, Pipe told_by) {
    uint64_t mine = core().block * T, other = (core().block + 1) % core().block_num * T;
    fill(0, static_cast<float>(core().block + 1), T);
    sync(Pipe::v, Pipe::mte3);
    store(g.out + mine, 0, T);
    cross_set(0, told_by, 5);
    cross_wait(0, Pipe::s, 5);
    load(T, g.out + other, T);
    sync(Pipe::mte2, Pipe::mte3);
    store(g.out + 8 * T + mine, T, T);
}
CASE(neighbours_told, vector, 3) { tell_neighbour(g, Pipe::mte3); }
CASE(neighbours_told_by_the_wrong_pipe, vector, 3) { tell_neighbour(g, Pipe::mte2); }

CASE(atomic_onto_a_store, vector, 1) {
    fill(0, 1, T);
    fill(T, 2, T);
    sync(Pipe::v, Pipe::mte3);
    store(g.out, 0, T);
    Instr i;
    i.name = "AtomicAdd";
    i.pipe = Pipe::mte3;
    i.add(ub(T, T, false));
    Region to = gm_at(g.out, T, true);
    to.atomic = true;
    i.add(to);
    i.body = [](const void*, uint8_t* const* at) {
        for (uint64_t k = 0; k < T / 4; ++k)
            reinterpret_cast<float*>(at[1])[k] += reinterpret_cast<const float*>(at[0])[k];
    };
    emit(i);
}

CASE(blocks_overlap, vector, 2) {
    fill(0, static_cast<float>(core().block + 1), T);
    sync(Pipe::v, Pipe::mte3);
    store(g.out + core().block * T / 2, 0, T);
}

static void locked(Args g, bool consumer) {
    for (uint64_t t = 0; t < 6; ++t) {
        mutex_lock(Pipe::mte2, 0, true);
        load(0, g.in + t * T, T);
        mutex_unlock(Pipe::mte2, 0, true);
        if (consumer) mutex_lock(Pipe::v, 0, true);
        mutex_lock(Pipe::v, 1, true);
        add(T, 0, 0, T);
        mutex_unlock(Pipe::v, 1, true);
        if (consumer) mutex_unlock(Pipe::v, 0, true);
        mutex_lock(Pipe::mte3, 1, true);
        store(g.out + t * T, T, T);
        mutex_unlock(Pipe::mte3, 1, true);
    }
}
CASE(mutexes, vector, 1) { locked(g, true); }
CASE(mutex_of_one_side, vector, 1) { locked(g, false); }

int main(int argc, char** argv) { return run_case(argc, argv); }
