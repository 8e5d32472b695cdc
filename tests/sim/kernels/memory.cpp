// Bounds, alignment, and what becomes of the outputs.
#include "support.h"

constexpr uint64_t T = 1024;

static Region bounded(uint64_t base, uint64_t bytes, bool write, uint64_t lo, uint64_t hi) {
    Region r = ub(base, bytes, write);
    r.lo = lo;
    r.hi = hi;
    return r;
}

// ---- bounds
// ----------------------------------------------------------------------------------------------------------
CASE(beyond_ub, vector, 1) { load(capacity(Space::ub) - 512, g.in, T); }
CASE(end_of_ub, vector, 1) { load(capacity(Space::ub) - T, g.in, T); }
CASE(beyond_l1, cube, 1) {
    touch("DataCopy", Pipe::mte2, {gm_at(g.in, T, false), local(Space::l1, capacity(Space::l1) - 32, T, true)});
}
CASE(beyond_buffer, vector, 1) { move("Load", Pipe::mte2, bounded(T, T, true, 0, T + 512), gm_at(g.in, T, false)); }
CASE(before_buffer, vector, 1) { move("Load", Pipe::mte2, bounded(T, T, true, T + 32, 4 * T), gm_at(g.in, T, false)); }
CASE(inside_buffer, vector, 1) { move("Load", Pipe::mte2, bounded(T, T, true, T, 2 * T), gm_at(g.in, T, false)); }
CASE(beyond_tensor, vector, 1) { load(0, g.in + kBytes - 512, T); }
CASE(before_tensor, vector, 1) { load(0, g.in - 32, T); }
CASE(store_beyond_tensor, vector, 1) {
    fill(0, 1, T);
    sync(Pipe::v, Pipe::mte3);
    store(g.fresh + kFresh - 512, 0, T);
}
CASE(wild_pointer, vector, 1) { load(0, reinterpret_cast<void*>(0x1000), T); }
CASE(beyond_view, vector, 1) {
    Region view = gm_at(g.in + T, T, false);
    view.lo = reinterpret_cast<uint64_t>(g.in);
    view.hi = view.lo + T + 64;
    move("Load", Pipe::mte2, ub(0, T, true), view);
}
CASE(rows_beyond_ub, vector, 1) {
    Region rows = ub(0, 32, true);
    rows.rows = 8;
    rows.pitch = static_cast<int64_t>(capacity(Space::ub) / 7);
    touch("DataCopy", Pipe::mte2, {gm_at(g.in, T, false), rows});
}
CASE(empty_beyond_ub, vector, 1) { touch("Add", Pipe::v, {ub(capacity(Space::ub), 0, true)}); }
CASE(over_allocated, vector, 1) {
    move("Load", Pipe::mte2,
         bounded(usable(Space::ub) - T + 32, T, true, usable(Space::ub) - T + 32, usable(Space::ub) + 32),
         gm_at(g.in, T, false));
}
// The value that a skipped read gives is poison, and the kernel goes on.
CASE(scalar_beyond_ub, vector, 1) {
    Region r = ub(capacity(Space::ub), 4, false);
    r.align = 4;
    if (scalar_read("GetValue", r) != ~uint64_t{0}) finding("test", "not poison");
}

// ---- alignment
// -------------------------------------------------------------------------------------------------------
CASE(misaligned_ub, vector, 1) { load(16, g.in, T); }
CASE(misaligned_gm, vector, 1) {
    Region from = gm_at(g.in + 4, T, false);
    from.align = 32;
    move("Load", Pipe::mte2, ub(0, T, true), from);
}

// ---- cores
// -----------------------------------------------------------------------------------------------------------
CASE(cube_on_aiv, vector, 1) { touch("Mmad", Pipe::m, {local(Space::l0c, 0, T, true)}); }
CASE(vector_on_aic, cube, 1) { fill(0, 1, T); }
CASE(ub_without_aiv, cube, 1) {
    Region to = ub(0, T, true);
    to.unit = Unit::aiv0;
    touch("Fixpipe", Pipe::fix, {local(Space::l0c, 0, T, false), to});
}
CASE(l0c_to_ub, mix_1_1, 1) {
    if (core().kind == CoreKind::aiv) return;
    Region to = ub(0, T, true);
    to.unit = Unit::aiv0;
    touch("Fixpipe", Pipe::fix, {local(Space::l0c, 0, T, false), to});
}

// ---- poison
// ------------------------------------------------------------------------------------------------------------
CASE(reads_what_nobody_wrote, vector, 2) {
    uint64_t at = core().block * T;
    if (core().block == 0) fill(64 * T, 1, T);  // the other block must not see it, on whichever memory it runs
    sync(Pipe::v, Pipe::mte3);
    store(g.out + at, 64 * T, T);
}

// ---- outputs
// -----------------------------------------------------------------------------------------------------------
static void write(uint8_t* to, uint64_t bytes) {
    fill(0, 1, T);
    sync(Pipe::v, Pipe::mte3);
    for (uint64_t at = 0; at < bytes; at += T) store(to + at, 0, std::min(T, bytes - at));
    barrier_all();
}

CASE(whole_output, vector, 1) { write(g.fresh, kFresh); }
CASE(tail_missing, vector, 1) { write(g.fresh, kFresh / T * T); }
CASE(last_byte_missing, vector, 1) { write(g.fresh, kFresh - 1); }
CASE(first_block_missing, vector, 1) { write(g.fresh + T, kFresh - T); }
CASE(hole, vector, 1) {
    write(g.fresh, 4 * T);
    write(g.fresh + 5 * T, kFresh - 5 * T);
}
CASE(untouched_output, vector, 1) { load(0, g.in, T); }
CASE(initialised_output, vector, 1) { write(g.out, T); }
CASE(workspace, vector, 1) {
    write(g.fresh, 4 * T);
    load(8 * T, g.fresh, T);
}

// ---- blocks
// --------------------------------------------------------------------------------------------------------------
static uint64_t share() { return core().block * 8 * T; }

CASE(blocks_apart, vector, 4) { write(g.out + share(), 8 * T); }
CASE(blocks_overlap, vector, 4) { write(g.out + share(), 9 * T); }
CASE(blocks_share_a_byte, vector, 2) { write(g.out + core().block * (T + 1), T + (core().block == 0 ? 2 : 0)); }
CASE(odd_neighbours, vector, 2) { write(g.out + core().block * (T + 1), T + 1); }
CASE(block_rewrites_its_own, vector, 4) {
    write(g.out + share(), 8 * T);
    write(g.out + share(), 8 * T);
}
CASE(reads_of_a_neighbour, vector, 4) {
    write(g.out + share(), 8 * T);
    load(16 * T, g.out + (core().block + 1) % 4 * 8 * T, T);
}
CASE(in_place, vector, 4) {
    load(16 * T, g.out + share(), T);
    sync(Pipe::mte2, Pipe::mte3);
    store(g.out + share(), 16 * T, T);
}
CASE(shared_input, vector, 4) {
    load(16 * T, g.in, T);
    write(g.out + share(), 8 * T);
}
CASE(atomic_sum, vector, 4) {
    fill(0, 1, T);
    sync(Pipe::v, Pipe::mte3);
    Region to = gm_at(g.out, T, true);
    to.atomic = true;
    touch("DataCopy", Pipe::mte3, {ub(0, T, false), to});
    touch("DataCopy", Pipe::mte3, {ub(0, T, false), to});
}
CASE(atomic_and_plain, vector, 2) {
    fill(0, 1, T);
    sync(Pipe::v, Pipe::mte3);
    Region to = gm_at(g.out, T, true);
    to.atomic = core().block == 0;
    touch("DataCopy", Pipe::mte3, {ub(0, T, false), to});
}
CASE(aivs_write_the_same, mix_0_1, 1) { write(g.out, T); }
CASE(both_aivs_write_the_same, mix_1_2, 1) {
    if (core().kind == CoreKind::aiv) write(g.out, T);
}

// ---- rows
// --------------------------------------------------------------------------------------------------------------------
static void store_rows(Args g, int64_t pitch) {
    Region to = gm_at(g.out, 128, true);
    to.rows = 4;
    to.pitch = pitch;
    touch("DataCopyPad", Pipe::mte3, {ub(0, 512, false), to});
}
CASE(rows_over_each_other, vector, 1) { store_rows(g, 32); }
CASE(rows_behind_each_other, vector, 1) { store_rows(g, 128); }

// ---- accumulators
// ------------------------------------------------------------------------------------------------------------
static void mmad(uint64_t at, bool init, uint64_t bytes = 2048) {
    Region c = local(Space::l0c, at, bytes, true), old = local(Space::l0c, at, bytes, false);
    init ? touch("Mmad", Pipe::m, {c}, 1) : touch("Mmad", Pipe::m, {c, old}, 1);
}
static void fixpipe(Args g, uint64_t at, uint64_t bytes = 2048) {
    sync(Pipe::m, Pipe::fix);
    touch("Fixpipe", Pipe::fix, {local(Space::l0c, at, bytes, false), gm_at(g.out, bytes, true)});
    sync(Pipe::fix, Pipe::m);
}
// Two loops around one tile: k outside, j inside.
CASE(sums_started_once, cube, 1) {
    for (int k = 0; k < 2; ++k)
        for (int j = 0; j < 2; ++j) mmad(0, k == 0 && j == 0);
    fixpipe(g, 0);
}
CASE(sums_started_for_each_j, cube, 1) {
    for (int k = 0; k < 2; ++k)
        for (int j = 0; j < 2; ++j) mmad(0, k == 0);
    fixpipe(g, 0);
}
// One tile for each j, but only the first of them is started.
CASE(tiles_started_for_the_first_j, cube, 1) {
    for (int j = 0; j < 2; ++j) {
        for (int k = 0; k < 2; ++k) mmad(0, k == 0 && j == 0);
        fixpipe(g, 0);
        pipe_barrier(Pipe::fix);
    }
}
CASE(tiles_started_for_each_j, cube, 1) {
    for (int j = 0; j < 2; ++j) {
        for (int k = 0; k < 2; ++k) mmad(0, k == 0);
        fixpipe(g, 0);
        pipe_barrier(Pipe::fix);
    }
}
CASE(sums_never_started, cube, 1) {
    mmad(0, false);
    fixpipe(g, 0);
}
CASE(sums_never_stored, cube, 1) {
    mmad(0, false);
    mmad(2048, true);
    mmad(2048, true);
}
// A tile that is computed in four parts, two tiles in turn, and a smaller tile at the end.
CASE(parts_of_tiles, cube, 1) {
    for (uint64_t t = 0; t < 3; ++t) {
        uint64_t base = t % 2 * 8192, bytes = t == 2 ? 1024 : 2048;
        for (uint64_t k = 0; k < 2; ++k)
            for (uint64_t part = 0; part < 4; ++part) mmad(base + part * 2048, k == 0, bytes);
        for (uint64_t part = 0; part < 4; ++part) {
            fixpipe(g, base + part * 2048, bytes);
            pipe_barrier(Pipe::fix);
        }
    }
}
CASE(sums_start_from_loaded_values, cube, 1) {
    touch("DataCopy", Pipe::mte2, {gm_at(g.in, 2048, false), local(Space::l0c, 0, 2048, true)});
    sync(Pipe::mte2, Pipe::m);
    mmad(0, false);
    fixpipe(g, 0);
}

int main(int argc, char** argv) { return run_case(argc, argv); }
