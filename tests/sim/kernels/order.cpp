// Order between and inside of the pipes of one core. Each mistake has a twin that is right.
#include "support.h"

constexpr uint64_t A = 0, B = 1024, C = 2048, D = 3072, T = 1024;

// ---- a barrier in one branch only (V → V)
// ------------------------------------------------------------------------------
CASE(branch_without_barrier, vector, 1) {
    fill(A, 1, T);
    add(D, A, A, T);
}

CASE(branch_with_barrier, vector, 1) {
    fill(A, 1, T);
    fill(B, 2, T);
    pipe_barrier(Pipe::v);
    add(C, B, B, T);
    add(D, A, A, T);
}

// ---- the last access is not the only one that counts
// ---------------------------------------------------------------------
CASE(read_between_hides_nothing, vector, 1) {
    load(A, g.in, T);
    sync(Pipe::mte2, Pipe::mte3);
    store(g.out, A, T);
    add(B, A, A, T);
    sync(Pipe::v, Pipe::mte3, 1);
    store(g.out + T, B, T);
}

CASE(read_between_waited, vector, 1) {
    load(A, g.in, T);
    sync(Pipe::mte2, Pipe::mte3);
    store(g.out, A, T);
    sync(Pipe::mte2, Pipe::v);
    add(B, A, A, T);
    sync(Pipe::v, Pipe::mte3, 1);
    store(g.out + T, B, T);
}

// ---- equal offsets in different memories
// ---------------------------------------------------------------------------------
CASE(scopes_do_not_alias, cube, 1) {
    touch("DataCopy", Pipe::mte2, {gm_at(g.in, T, false), local(Space::l1, 0, T, true)});
    touch("Mmad", Pipe::m,
          {local(Space::l0a, 0, T, false), local(Space::l0b, 0, T, false), local(Space::l0c, 0, T, true)}, 1);
    touch("Mmad", Pipe::m,
          {local(Space::l0a, 0, T, false), local(Space::l0b, 0, T, false), local(Space::l0c, 0, T, false),
           local(Space::l0c, 0, T, true)},
          1);
}

// ---- small Mmads that accumulate need a barrier of M
// ---------------------------------------------------------------------
CASE(small_mmads, cube, 1) {
    touch("Mmad", Pipe::m, {local(Space::l0c, 0, T, true)});
    touch("Mmad", Pipe::m, {local(Space::l0c, 0, T, false), local(Space::l0c, 0, T, true)});
}

CASE(small_mmads_with_barrier, cube, 1) {
    touch("Mmad", Pipe::m, {local(Space::l0c, 0, T, true)});
    pipe_barrier(Pipe::m);
    touch("Mmad", Pipe::m, {local(Space::l0c, 0, T, false), local(Space::l0c, 0, T, true)});
}

// ---- unit flags order Mmad and Fixpipe
// -------------------------------------------------------------------------------------
static void mmad_then_fixpipe(Args g, uint8_t unit_flag) {
    touch("Mmad", Pipe::m, {local(Space::l0c, 0, T, true)}, 1, unit_flag);
    touch("Fixpipe", Pipe::fix, {local(Space::l0c, 0, T, false), gm_at(g.out, T, true)}, 0, unit_flag);
}
CASE(no_unit_flag, cube, 1) { mmad_then_fixpipe(g, 0); }
CASE(unit_flag, cube, 1) { mmad_then_fixpipe(g, 3); }

// ---- one L1 slot and no way back
// -------------------------------------------------------------------------------------------
static void cube_loop(Args g, int tiles, int slots, bool free_l1) {
    for (int k = 0; k < tiles; ++k) {
        int id = k % slots;
        uint64_t at = static_cast<uint64_t>(id) * T;
        if (free_l1 && k >= slots) wait_flag(Pipe::mte1, Pipe::mte2, id);
        touch("DataCopy", Pipe::mte2, {gm_at(g.in, T, false), local(Space::l1, at, T, true)});
        sync(Pipe::mte2, Pipe::mte1, id);
        if (k > 0) wait_flag(Pipe::m, Pipe::mte1, 0);
        touch("LoadData", Pipe::mte1, {local(Space::l1, at, T, false), local(Space::l0a, 0, T, true)});
        if (free_l1) set_flag(Pipe::mte1, Pipe::mte2, id);
        sync(Pipe::mte1, Pipe::m);
        touch("Mmad", Pipe::m, {local(Space::l0a, 0, T, false), local(Space::l0c, 0, T, true)}, 1);
        set_flag(Pipe::m, Pipe::mte1, 0);
    }
    wait_flag(Pipe::m, Pipe::mte1, 0);
    for (int k = 0; free_l1 && k < std::min(tiles, slots); ++k) wait_flag(Pipe::mte1, Pipe::mte2, k);
}
CASE(l1_slot_once, cube, 1) { cube_loop(g, 1, 1, false); }
CASE(l1_slot_twice, cube, 1) { cube_loop(g, 2, 1, false); }
CASE(l1_slot_freed, cube, 1) { cube_loop(g, 6, 1, true); }
CASE(four_slots_four_tiles, cube, 1) { cube_loop(g, 4, 4, false); }
CASE(four_slots_five_tiles, cube, 1) { cube_loop(g, 5, 4, false); }
CASE(four_slots_freed, cube, 1) { cube_loop(g, 9, 4, true); }

CASE(nothing_freed, cube, 1) {
    for (int k = 0; k < 2; ++k) {
        touch("DataCopy", Pipe::mte2, {gm_at(g.in, T, false), local(Space::l1, 0, T, true)});
        sync(Pipe::mte2, Pipe::mte1);
        touch("LoadData", Pipe::mte1, {local(Space::l1, 0, T, false), local(Space::l0a, 0, T, true)});
        sync(Pipe::mte1, Pipe::m);
        touch("Mmad", Pipe::m, {local(Space::l0a, 0, T, false), local(Space::l0c, 0, T, true)}, 1);
    }
}

// ---- nested fences with one id: two events, or one?
// ------------------------------------------------------------------------
static void nested(Args g, int inner) {
    fill(A, 1, T);
    fill(B, 2, T);
    sync(Pipe::v, Pipe::mte3, 3);
    store(g.out, A, T);
    set_flag(Pipe::mte3, Pipe::v, 0);
    store(g.out + T, B, T);
    set_flag(Pipe::mte3, Pipe::mte2, inner);
    wait_flag(Pipe::mte3, Pipe::mte2, inner);
    load(B, g.in, T);
    wait_flag(Pipe::mte3, Pipe::v, 0);
    add(A, A, A, T);
}
CASE(nested_same_id, vector, 1) { nested(g, 0); }
CASE(nested_two_ids, vector, 1) { nested(g, 1); }

// ---- rings
// -----------------------------------------------------------------------------------------------------------------
static void ring(Args g, bool prime, bool drain) {
    if (prime) {
        set_flag(Pipe::mte1, Pipe::mte2, 0);
        set_flag(Pipe::m, Pipe::mte1, 0);
    }
    for (int k = 0; k < 3; ++k) {
        wait_flag(Pipe::mte1, Pipe::mte2, 0);
        touch("DataCopy", Pipe::mte2, {gm_at(g.in, T, false), local(Space::l1, 0, T, true)});
        sync(Pipe::mte2, Pipe::mte1);
        wait_flag(Pipe::m, Pipe::mte1, 0);
        touch("LoadData", Pipe::mte1, {local(Space::l1, 0, T, false), local(Space::l0a, 0, T, true)});
        set_flag(Pipe::mte1, Pipe::mte2, 0);
        sync(Pipe::mte1, Pipe::m);
        touch("Mmad", Pipe::m, {local(Space::l0a, 0, T, false), local(Space::l0c, 0, T, true)}, 1);
        set_flag(Pipe::m, Pipe::mte1, 0);
    }
    if (drain) {
        wait_flag(Pipe::mte1, Pipe::mte2, 0);
        wait_flag(Pipe::m, Pipe::mte1, 0);
    }
}
CASE(ring_unprimed, cube, 1) { ring(g, false, false); }
CASE(ring_not_drained, cube, 1) { ring(g, true, false); }
CASE(ring_right, cube, 1) { ring(g, true, true); }

// ---- the scalar unit in the middle
// -------------------------------------------------------------------------------------------
static void round_trip(Args g, bool flags) {
    load(A, g.in, T);
    sync(Pipe::mte2, Pipe::v);
    add(B, A, A, T);
    if (flags) sync(Pipe::v, Pipe::s);
    Region at = ub(B + 4, 4, false);
    at.align = 4;
    uint64_t bits = scalar_read("GetValue", at);
    float value;
    std::memcpy(&value, &bits, 4);
    value /= 2;
    std::memcpy(&bits, &value, 4);
    at.write = true;
    scalar_write("SetValue", at, bits & 0xFFFFFFFF);
    if (flags) sync(Pipe::s, Pipe::v);
    add(C, B, B, T);
    sync(Pipe::v, Pipe::mte3);
    store(g.out, C, T);
}
CASE(scalar_without_flags, vector, 1) { round_trip(g, false); }
CASE(scalar_with_flags, vector, 1) { round_trip(g, true); }

// ---- one buffer, a loop over rows
// ----------------------------------------------------------------------------------------------
static void rows(Args g, int count, bool back) {
    for (int r = 0; r < count; ++r) {
        uint64_t at = static_cast<uint64_t>(r) * T;
        if (back && r) wait_flag(Pipe::mte3, Pipe::mte2, 0);
        load(A, g.in + at, T);
        sync(Pipe::mte2, Pipe::v);
        add(A, A, A, T);
        sync(Pipe::v, Pipe::mte3);
        store(g.out + at, A, T);
        if (back) set_flag(Pipe::mte3, Pipe::mte2, 0);
    }
    if (back) wait_flag(Pipe::mte3, Pipe::mte2, 0);
}
CASE(row_loop_one_row, vector, 1) { rows(g, 1, false); }
CASE(row_loop, vector, 1) { rows(g, 64, false); }
CASE(row_loop_with_way_back, vector, 1) { rows(g, 64, true); }

// ---- no queue protocol at all
// ---------------------------------------------------------------------------------------------------
CASE(no_sync_at_all, vector, 1) {
    load(A, g.in, T);
    add(B, A, A, T);
    store(g.out, B, T);
}
CASE(barrier_everywhere, vector, 1) {
    load(A, g.in, T);
    barrier_all();
    add(B, A, A, T);
    barrier_all();
    store(g.out, B, T);
    barrier_all();
}

// ---- transfers of one pipe
// -------------------------------------------------------------------------------------------------------
CASE(loads_overlap, vector, 1) {
    load(A, g.in, 2 * T);
    load(B, g.in, T);
}
CASE(loads_overlap_with_barrier, vector, 1) {
    load(A, g.in, 2 * T);
    pipe_barrier(Pipe::mte2);
    load(B, g.in, T);
}
CASE(loads_interleave, vector, 1) {
    for (uint64_t half = 0; half < 2; ++half) {
        Region to = ub(half * 64, 64, true);
        to.rows = 16;
        to.pitch = 128;
        touch("DataCopy", Pipe::mte2, {gm_at(g.in, T, false), to});
    }
}

// ---- order through a third pipe
// --------------------------------------------------------------------------------------------------
CASE(transitive, vector, 1) {
    fill(A, 1, T);
    sync(Pipe::v, Pipe::mte3);
    store(g.out, B, T);
    sync(Pipe::mte3, Pipe::mte2);
    load(A, g.in, T);
}

// ---- flags
// -------------------------------------------------------------------------------------------------------------------------
CASE(set_twice, vector, 1) {
    load(A, g.in, T);
    set_flag(Pipe::mte2, Pipe::v, 0);
    load(B, g.in, T);
    set_flag(Pipe::mte2, Pipe::v, 0);
    wait_flag(Pipe::mte2, Pipe::v, 0);
    wait_flag(Pipe::mte2, Pipe::v, 0);
}
CASE(set_twice_waited, vector, 1) {
    load(A, g.in, T);
    sync(Pipe::mte2, Pipe::v);
    load(B, g.in, T);
    sync(Pipe::mte2, Pipe::v);
}
CASE(flag_left, vector, 1) {
    load(A, g.in, T);
    set_flag(Pipe::mte2, Pipe::v, 5);
}
CASE(flag_bad_id, vector, 1) { sync(Pipe::mte2, Pipe::v, 8); }
CASE(wait_before_set, vector, 1) {
    wait_flag(Pipe::mte2, Pipe::v, 0);
    add(B, A, A, T);
    load(A, g.in, T);
    set_flag(Pipe::mte2, Pipe::v, 0);
}
CASE(circle, vector, 1) {
    wait_flag(Pipe::v, Pipe::mte2, 0);
    load(A, g.in, T);
    set_flag(Pipe::mte2, Pipe::v, 0);
    wait_flag(Pipe::mte2, Pipe::v, 0);
    add(B, A, A, T);
    set_flag(Pipe::v, Pipe::mte2, 0);
}

// Reads and overwrites what the one before writes: what is read too early goes wrong first.
CASE(same_place, vector, 1) {
    fill(A, 1, T);
    add(A, A, A, T);
}

// ---- one omission, and all that follows from it
// ---------------------------------------------------------------------------------
static void doubled(Args g, int tiles, int left_out) {
    for (int t = 0; t < tiles; ++t) {
        uint64_t at = static_cast<uint64_t>(t) * T;
        if (t != left_out) load(A, g.in + at, T);
        set_flag(Pipe::mte2, Pipe::v, 0);
        if (t != left_out && left_out != -2) wait_flag(Pipe::mte2, Pipe::v, 0);
        if (t != left_out) add(B, A, A, T);
        sync(Pipe::v, Pipe::mte3);
        store(g.out + at, B, T);
        sync(Pipe::mte3, Pipe::mte2, 1);
        sync(Pipe::v, Pipe::mte2, 1);
        sync(Pipe::mte3, Pipe::v, 2);
    }
}
CASE(doubled_right, vector, 1) { doubled(g, 5, -1); }
CASE(wait_left_out, vector, 1) { doubled(g, 5, -2); }
// Nothing uses what is loaded there: only the flag tells.
CASE(wait_left_out_once, vector, 1) { doubled(g, 5, 2); }
// The wait of V is missing, and V passes the order on to MTE3, which stores what was loaded.
CASE(other_wait_left_out, vector, 1) {
    for (int t = 0; t < 3; ++t) {
        load(A, g.in, T);
        set_flag(Pipe::mte2, Pipe::v, 0);
        fill(B, 1, T);
        sync(Pipe::v, Pipe::mte3);
        store(g.out, A, T);
        sync(Pipe::mte3, Pipe::mte2);
    }
}
CASE(set_left_out, vector, 1) {
    for (int t = 0; t < 3; ++t) {
        load(A, g.in, T);
        wait_flag(Pipe::mte2, Pipe::v, 0);
        add(B, A, A, T);
        sync(Pipe::v, Pipe::mte2, 1);
    }
}
// The wait that finds none is the second one, of the last tile; the first one took its set.
CASE(first_of_two_sets_left_out, vector, 1) {
    for (int t = 0; t < 3; ++t) {
        load(A, g.in, T);
        wait_flag(Pipe::mte2, Pipe::v, 0);  // the culprit
        add(C, A, A, T);
        load(B, g.in, T);
        set_flag(Pipe::mte2, Pipe::v, 0);
        wait_flag(Pipe::mte2, Pipe::v, 0);
        add(D, B, B, T);
        sync(Pipe::v, Pipe::mte2, 1);
    }
}
CASE(set_with_another_id, vector, 1) {
    for (int t = 0; t < 3; ++t) {
        load(A, g.in, T);
        set_flag(Pipe::mte2, Pipe::v, 1);
        wait_flag(Pipe::mte2, Pipe::v, 0);
        add(B, A, A, T);
        sync(Pipe::v, Pipe::mte2, 1);
    }
}
CASE(set_for_another_pipe, vector, 1) {
    for (int t = 0; t < 3; ++t) {
        load(A, g.in, T);
        set_flag(Pipe::mte2, Pipe::mte3, 0);
        wait_flag(Pipe::mte2, Pipe::v, 0);
        add(B, A, A, T);
        sync(Pipe::v, Pipe::mte2, 1);
    }
}
CASE(wait_of_another_pipe, vector, 1) {
    for (int t = 0; t < 3; ++t) {
        load(A, g.in, T);
        set_flag(Pipe::mte2, Pipe::v, 0);
        wait_flag(Pipe::mte2, Pipe::mte3, 0);
        add(B, A, A, T);
        sync(Pipe::v, Pipe::mte2, 1);
    }
}
CASE(flag_bad_id_in_use, vector, 1) {
    load(A, g.in, T);
    sync(Pipe::mte2, Pipe::v, 8);
    add(B, A, A, T);
}

// ---- flags that a chip has, or has not
// ---------------------------------------------------------------------------------------------
CASE(v_to_v, vector, 1) {
    load(A, g.in, T);
    sync(Pipe::mte2, Pipe::v);
    sync(Pipe::v, Pipe::v);
    add(B, A, A, T);
}
CASE(mte2_to_mte2, vector, 1) { sync(Pipe::mte2, Pipe::mte2); }
CASE(m_on_aiv, vector, 1) { sync(Pipe::mte2, Pipe::m); }
CASE(reserved_id, vector, 1) { sync(Pipe::mte2, Pipe::v, 7); }

// ---- several transfers, one edge
// ------------------------------------------------------------------------------------------------
CASE(two_loads_one_edge, cube, 1) {
    for (int k = 0; k < 3; ++k) {
        for (uint64_t i = 0; i < 2; ++i)
            touch("DataCopy", Pipe::mte2, {gm_at(g.in, T, false), local(Space::l1, i * T, T, true)});
        sync(Pipe::mte2, Pipe::mte1);
        for (uint64_t i = 0; i < 2; ++i)
            touch("LoadData", Pipe::mte1, {local(Space::l1, i * T, T, false), local(Space::l0a, i * T, T, true)});
    }
}

CASE(two_loads_one_fence, vector, 1) {
    load(A, g.in, T);
    load(B, g.in, T);  // the fence goes here
    add(C, A, A, T);
    add(D, B, B, T);
}

// ---- more than is needed
// -------------------------------------------------------------------------------------------------------
CASE(second_flag, vector, 1) {
    load(A, g.in, T);
    set_flag(Pipe::mte2, Pipe::v, 0);
    wait_flag(Pipe::mte2, Pipe::v, 0);
    set_flag(Pipe::mte2, Pipe::v, 1);  // tells nothing new
    wait_flag(Pipe::mte2, Pipe::v, 1);
    add(B, A, A, T);
}
CASE(vector_fence, vector, 1) {
    load(A, g.in, T);
    sync(Pipe::mte2, Pipe::v);
    set_flag(Pipe::v, Pipe::v, 0);  // tells nothing new
    wait_flag(Pipe::v, Pipe::v, 0);
    add(B, A, A, T);
}
CASE(second_barrier, vector, 1) {
    load(A, g.in, T);
    barrier_all();
    barrier_all();  // tells nothing new
    add(B, A, A, T);
    barrier_all();
    store(g.out, B, T);
    barrier_all();
}
CASE(vector_barrier, vector, 1) {
    fill(A, 1, T);
    pipe_barrier(Pipe::v);  // tells nothing new
    add(B, A, A, T);
}
// The first round finds the flag set, the others need it.
CASE(ring_of_flags, vector, 1) {
    set_flag(Pipe::v, Pipe::mte2, 0);
    for (int i = 0; i < 3; ++i) {
        wait_flag(Pipe::v, Pipe::mte2, 0);
        load(A, g.in, T);
        set_flag(Pipe::mte2, Pipe::v, 0);
        wait_flag(Pipe::mte2, Pipe::v, 0);
        add(B, A, A, T);
        set_flag(Pipe::v, Pipe::mte2, 0);
    }
    wait_flag(Pipe::v, Pipe::mte2, 0);
}
// V and MTE3 use different bytes: the flag tells MTE3 something that it has no use for.
CASE(flag_for_nobody, vector, 1) {
    load(A, g.in, T);
    set_flag(Pipe::mte2, Pipe::mte3, 0);
    wait_flag(Pipe::mte2, Pipe::mte3, 0);
    store(g.out, B, T);
}

int main(int argc, char** argv) { return run_case(argc, argv); }
