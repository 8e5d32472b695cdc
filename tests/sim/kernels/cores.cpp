// Order between the cores of a block, between blocks, and by buffer mutexes.
#include "support.h"

constexpr uint64_t T = 1024;

static bool aic() { return core().kind == CoreKind::aic; }

// ---- a workspace with two slots between AIC and AIV
// ---------------------------------------------------------------------
static uint8_t* slot(Args g, int step) { return g.out + (core().block * 2 + static_cast<uint64_t>(step % 2)) * T; }

static void cube_side(Args g, int steps, bool back) {
    if (back) set_flag(Pipe::fix, Pipe::m, 0);
    for (int s = 0; s < steps; ++s) {
        if (back) wait_flag(Pipe::fix, Pipe::m, 0);
        touch("Mmad", Pipe::m, {local(Space::l0c, 0, T, true)}, 1);
        sync(Pipe::m, Pipe::fix);
        if (back && s >= 2) cross_wait(2, Pipe::fix, 1);
        touch("Fixpipe", Pipe::fix, {local(Space::l0c, 0, T, false), gm_at(slot(g, s), T, true)});
        cross_set(2, Pipe::fix, 0);
        if (back) {
            set_flag(Pipe::fix, Pipe::m, 0);
        } else {
            sync(Pipe::fix, Pipe::m);
        }
    }
    if (back) wait_flag(Pipe::fix, Pipe::m, 0);
}

static void vector_side(Args g, int steps, bool back) {
    for (int s = 0; s < steps; ++s) {
        cross_wait(2, Pipe::mte2, 0);
        load(0, slot(g, s), T);
        if (back && s + 2 < steps) cross_set(2, Pipe::mte2, 1);
        sync(Pipe::mte2, Pipe::v);
        add(T, 0, 0, T);
        sync(Pipe::v, Pipe::mte2);
    }
}

static void slots(Args g, int steps, bool back) { aic() ? cube_side(g, steps, back) : vector_side(g, steps, back); }

CASE(two_slots_two_steps, mix_1_1, 1) { slots(g, 2, false); }
CASE(two_slots_three_steps, mix_1_1, 1) { slots(g, 3, false); }
CASE(two_slots_four_steps, mix_1_1, 1) { slots(g, 4, false); }
CASE(two_slots_with_way_back, mix_1_1, 3) { slots(g, 40, true); }
CASE(blocks_share_a_workspace, mix_1_1, 3) {
    for (int s = 0; s < 4; ++s) {
        if (aic()) {
            touch("Fixpipe", Pipe::fix, {local(Space::l0c, 0, T, false), gm_at(g.out, T, true)});
            cross_set(2, Pipe::fix, 0);
            cross_wait(2, Pipe::fix, 1);
        } else {
            cross_wait(2, Pipe::mte2, 0);
            load(0, g.out, T);
            cross_set(2, Pipe::mte2, 1);
            sync(Pipe::mte2, Pipe::v);
            sync(Pipe::v, Pipe::mte2);
        }
    }
}
CASE(two_slots_with_way_back_two_aivs, mix_1_2, 3) { slots(g, 40, true); }
CASE(sixteen_sets, mix_1_1, 1) {
    for (int i = 0; i < 16; ++i) aic() ? cross_set(2, Pipe::fix, 0) : cross_wait(2, Pipe::mte2, 0);
}
CASE(fifteen_sets, mix_1_1, 1) {
    for (int i = 0; i < 15; ++i) aic() ? cross_set(2, Pipe::fix, 0) : cross_wait(2, Pipe::mte2, 0);
}
CASE(ping_pong, mix_1_1, 1) {
    for (int i = 0; i < 40; ++i) {
        if (aic()) {
            cross_set(2, Pipe::fix, 0);
            cross_wait(2, Pipe::fix, 1);
        } else {
            cross_wait(2, Pipe::mte3, 0);
            cross_set(2, Pipe::mte3, 1);
        }
    }
}

// ---- no order between AIC and AIV at all
// -----------------------------------------------------------------------------------
CASE(aiv_reads_too_early, mix_1_1, 1) {
    if (aic()) {
        touch("Fixpipe", Pipe::fix, {local(Space::l0c, 0, T, false), gm_at(g.out, T, true)});
    } else {
        load(0, g.out, T);
    }
}
CASE(cross_wait_without_set, mix_1_1, 1) {
    if (!aic()) cross_wait(2, Pipe::mte2, 3);
}
CASE(cross_set_without_wait, mix_1_1, 1) {
    if (aic()) cross_set(2, Pipe::fix, 3);
}
// The AIC waits for both AIVs, and only one of them sets.
CASE(one_aiv_is_not_enough, mix_1_2, 1) {
    if (aic()) {
        cross_wait(2, Pipe::fix, 3);
    } else if (core().sub_block == 0) {
        cross_set(2, Pipe::mte3, 3);
    }
}
CASE(aiv_pair, mix_1_2, 1) {
    if (aic()) return;
    uint64_t mine = core().sub_block * T, other = T - mine;
    fill(0, 1, T);
    sync(Pipe::v, Pipe::mte3);
    store(g.out + mine, 0, T);
    cross_set(1, Pipe::mte3, 4);
    cross_wait(1, Pipe::mte2, 4);
    load(2 * T, g.out + other, T);
}
CASE(aiv_pair_without_flag, mix_1_2, 1) {
    if (aic()) return;
    uint64_t mine = core().sub_block * T, other = T - mine;
    fill(0, 1, T);
    sync(Pipe::v, Pipe::mte3);
    store(g.out + mine, 0, T);
    load(2 * T, g.out + other, T);
}
// The AIC has read what was there, and the AIV puts something new in its place.
CASE(aiv_stores_too_early, mix_1_1, 1) {
    if (aic()) {
        touch("Fixpipe", Pipe::fix, {local(Space::l0c, 0, T, false), gm_at(g.out, T, true)});
        sync(Pipe::fix, Pipe::mte2);
        touch("DataCopy", Pipe::mte2, {gm_at(g.out, T, false), local(Space::l1, 0, T, true)});
        cross_set(2, Pipe::fix, 0);
    } else {
        cross_wait(2, Pipe::mte3, 0);
        store(g.out, 0, T);
    }
}
// The read stands earlier in its program than the write in the other one: it still waits for it.
CASE(aiv_reads_first, mix_1_1, 1) {
    if (aic()) {
        for (uint64_t i = 0; i < 9; ++i) touch("Mmad", Pipe::m, {local(Space::l0c, i * T, T, true)}, 1);
        sync(Pipe::m, Pipe::fix);
        touch("Fixpipe", Pipe::fix, {local(Space::l0c, 0, T, false), gm_at(g.fresh, kFresh, true)});
    } else {
        load(0, g.fresh, T);
    }
}
CASE(cross_wait_left_out, mix_1_2, 1) {
    for (int i = 0; i < 3; ++i) {
        if (aic()) {
            cross_wait(2, Pipe::fix, 1);
            touch("Fixpipe", Pipe::fix, {local(Space::l0c, 0, T, false), gm_at(g.fresh, kFresh, true)});
            cross_set(2, Pipe::fix, 0);
        } else {
            cross_set(2, Pipe::mte2, 1);
            load(static_cast<uint64_t>(i) * T, g.fresh, T);
        }
    }
}
// Each waits for the other first.
CASE(ring_of_cores, mix_1_1, 1) {
    if (aic()) {
        cross_wait(2, Pipe::fix, 1);
        cross_set(2, Pipe::fix, 0);
    } else {
        cross_wait(2, Pipe::mte2, 0);
        cross_set(2, Pipe::mte2, 1);
    }
}
CASE(sync_all_behind_a_wait, mix_1_1, 1) {
    if (aic()) {
        cross_wait(2, Pipe::s, 1);
        sync_all(false);
    } else {
        sync_all(false);
        cross_set(2, Pipe::s, 1);
    }
}
// The AIV waits too, but for what the AIC never comes to.
CASE(aic_ring_unprimed, mix_1_1, 1) {
    if (!aic()) return cross_wait(2, Pipe::mte2, 0);
    for (int k = 0; k < 2; ++k) {
        wait_flag(Pipe::mte1, Pipe::mte2, 0);
        touch("DataCopy", Pipe::mte2, {gm_at(g.in, T, false), local(Space::l1, 0, T, true)});
        sync(Pipe::mte2, Pipe::mte1);
        touch("LoadData", Pipe::mte1, {local(Space::l1, 0, T, false), local(Space::l0a, 0, T, true)});
        set_flag(Pipe::mte1, Pipe::mte2, 0);
    }
    sync(Pipe::mte1, Pipe::fix);
    cross_set(2, Pipe::fix, 0);
}
// dav-3510: one AIV at a time; AIV1 is id + 16 for the AIC.
CASE(intra_flags, mix_1_2, 2) {
    if (aic()) {
        for (int v = 0; v < 2; ++v) {
            Region to = ub(0, T, true);
            to.unit = v == 0 ? Unit::aiv0 : Unit::aiv1;
            cross_wait(4, Pipe::fix, 2 + 16 * v);
            touch("Fixpipe", Pipe::fix, {local(Space::l0c, 0, T, false), to});
            cross_set(4, Pipe::fix, 3 + 16 * v);
        }
        return;
    }
    cross_set(4, Pipe::mte3, 2);
    cross_wait(4, Pipe::v, 3);
    add(T, 0, 0, T);
}
CASE(intra_flags_forgotten, mix_1_2, 2) {
    if (aic()) {
        Region to = ub(0, T, true);
        to.unit = Unit::aiv1;
        touch("Fixpipe", Pipe::fix, {local(Space::l0c, 0, T, false), to});
        cross_set(4, Pipe::fix, 3);
    } else {
        if (core().sub_block == 0) cross_wait(4, Pipe::v, 3);
        add(T, 0, 0, T);
    }
}
CASE(mode_four, mix_1_1, 1) { aic() ? cross_set(4, Pipe::fix, 0) : cross_wait(4, Pipe::v, 0); }

// ---- all blocks
// ----------------------------------------------------------------------------------------------------------------
static void exchange(Args g, void (*between)()) {
    uint64_t blocks = core().block_num, mine = core().block * T, other = (core().block + 1) % blocks * T;
    for (int round = 0; round < 3; ++round) {
        fill(0, static_cast<float>(core().block + static_cast<uint32_t>(round)), T);
        sync(Pipe::v, Pipe::mte3);
        store(g.out + mine, 0, T);
        between();
        load(T, g.out + other, T);
        if (round == 2) barrier_all();
        between();
    }
    Region at = ub(T, 4, false);
    at.align = 4;
    uint64_t bits = scalar_read("GetValue", at);
    float got, want = static_cast<float>((core().block + 1) % blocks + 2);
    std::memcpy(&got, &bits, 4);
    if (got != want) finding("test", "the neighbour's value did not arrive");
}
CASE(sync_all_orders_blocks, mix_0_1, 8) {
    exchange(g, [] { sync_all(true); });
}
CASE(sync_all_twice, mix_0_1, 8) {
    exchange(g, [] {
        sync_all(true);
        sync_all(true);
    });
}
CASE(sync_all_of_all_cores, mix_1_1, 5) {
    if (aic()) {
        for (int i = 0; i < 6; ++i) sync_all(false);
    } else {
        exchange(g, [] { sync_all(false); });
    }
}
CASE(mode0_orders_blocks, mix_0_1, 8) {
    exchange(g, [] {
        barrier_all();
        cross_set(0, Pipe::mte3, 5);
        cross_wait(0, Pipe::s, 5);
    });
}
// A flag that was set before the second store says nothing about it.
CASE(mode0_set_too_early, mix_0_1, 2) {
    fill(0, 1, T);
    sync(Pipe::v, Pipe::mte3);
    if (core().block == 0) store(g.out, 0, T);
    cross_set(0, Pipe::mte3, 5);
    if (core().block == 0) store(g.out + T, 0, T);
    cross_wait(0, Pipe::s, 5);
    if (core().block == 1) load(T, g.out + T, T);
}
CASE(mode0_set_in_time, mix_0_1, 2) {
    fill(0, 1, T);
    sync(Pipe::v, Pipe::mte3);
    if (core().block == 0) store(g.out, 0, T);
    cross_set(0, Pipe::mte3, 5);
    if (core().block == 0) store(g.out + T, 0, T);
    cross_wait(0, Pipe::s, 5);
    if (core().block == 1) load(T, g.out, T);
}
CASE(mode0_left, mix_0_1, 2) { cross_set(0, Pipe::mte3, 5); }
CASE(no_order_between_blocks, mix_0_1, 8) {
    uint64_t mine = core().block * T, other = (core().block + 1) % 8 * T;
    fill(0, 1, T);
    sync(Pipe::v, Pipe::mte3);
    store(g.out + mine, 0, T);
    load(T, g.out + other, T);
}
// The second SyncAll is missing: the reads of one round are not ordered before the stores of the next.
CASE(one_sync_all_missing, mix_0_1, 4) {
    uint64_t mine = core().block * T, other = (core().block + 1) % 4 * T;
    for (int round = 0; round < 2; ++round) {
        fill(0, 1, T);
        sync(Pipe::v, Pipe::mte3);
        store(g.out + mine, 0, T);
        sync_all(true);
        load(T, g.out + other, T);
        sync(Pipe::mte3, Pipe::v);
    }
}
CASE(one_block_stays_away, mix_0_1, 4) {
    if (core().block != 2) sync_all(true);
}
// The others wait for it, which is not their mistake.
CASE(one_block_is_stuck, mix_0_1, 4) {
    if (core().block == 2) wait_flag(Pipe::v, Pipe::mte2, 0);
    sync_all(true);
}
CASE(more_blocks_than_cores, mix_0_1, 49) { sync_all(true); }
CASE(as_many_blocks_as_cores, mix_0_1, 48) { sync_all(true); }

// ---- buffer mutexes
// ------------------------------------------------------------------------------------------------------------
static void locked(Args g, bool mte2, bool v) {
    for (int i = 0; i < 20; ++i) {
        if (mte2) mutex_lock(Pipe::mte2, 0, true);
        load(0, g.in, T);
        if (mte2) mutex_unlock(Pipe::mte2, 0, true);
        if (v) mutex_lock(Pipe::v, 0, true);
        add(T, 0, 0, T);
        if (v) mutex_unlock(Pipe::v, 0, true);
    }
}
CASE(mutex_both, mix_0_1, 1) { locked(g, true, true); }
CASE(mutex_consumer_only, mix_0_1, 1) { locked(g, false, true); }
CASE(mutex_producer_only, mix_0_1, 1) { locked(g, true, false); }
// How the queues of dav-3510 use them: a blocking pair before the use, a pair that does not block after it.
CASE(mutex_queue_style, mix_0_1, 1) {
    auto pair = [](Pipe p, bool blocking) {
        mutex_lock(p, 1, blocking);
        mutex_unlock(p, 1, blocking);
    };
    for (int i = 0; i < 20; ++i) {
        pair(Pipe::mte2, true);
        load(0, g.in, T);
        pair(Pipe::mte2, false);
        pair(Pipe::v, true);
        add(T, 0, 0, T);
        pair(Pipe::v, false);
    }
}
CASE(mutex_same_pipe_orders_nothing, mix_0_1, 1) {
    mutex_lock(Pipe::mte2, 0, true);
    load(0, g.in, T);
    mutex_unlock(Pipe::mte2, 0, true);
    mutex_lock(Pipe::mte2, 0, true);
    load(0, g.in, T);
    mutex_unlock(Pipe::mte2, 0, true);
}
CASE(mutex_nested, mix_0_1, 1) {
    mutex_lock(Pipe::mte2, 0, true);
    mutex_lock(Pipe::v, 0, true);
    mutex_unlock(Pipe::v, 0, true);
    mutex_unlock(Pipe::mte2, 0, true);
}
CASE(mutex_left_locked, mix_0_1, 1) { mutex_lock(Pipe::mte2, 7, true); }
// MTE2 unlocks after a wait for V, and V waits for the unlock.
CASE(mutex_circle, mix_0_1, 1) {
    mutex_lock(Pipe::mte2, 0, true);
    wait_flag(Pipe::v, Pipe::mte2, 0);
    load(0, g.in, T);
    mutex_unlock(Pipe::mte2, 0, true);
    mutex_lock(Pipe::v, 0, true);
    add(T, 0, 0, T);
    set_flag(Pipe::v, Pipe::mte2, 0);
    mutex_unlock(Pipe::v, 0, true);
}
CASE(mutex_lock_left_out, mix_0_1, 1) {
    for (int i = 0; i < 5; ++i) {
        load(0, g.in, T);
        mutex_unlock(Pipe::mte2, 0, true);
        mutex_lock(Pipe::v, 0, true);
        add(T, 0, 0, T);
        mutex_unlock(Pipe::v, 0, true);
    }
}
CASE(mutex_bad_id, mix_0_1, 1) {
    mutex_lock(Pipe::mte2, 32, true);
    mutex_unlock(Pipe::mte2, 32, true);
}

int main(int argc, char** argv) { return run_case(argc, argv); }
