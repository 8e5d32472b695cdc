// Reads of bytes that nobody has written: of consequence, or not.
#include "support.h"

constexpr uint64_t T = 1024;

static void multiply(uint64_t dst, uint64_t a, uint64_t b, uint64_t bytes) {
    Instr i;
    i.name = "Mul";
    i.pipe = Pipe::v;
    i.add(ub(a, bytes, false));
    i.add(ub(b, bytes, false));
    i.add(ub(dst, bytes, true));
    i.set_params(bytes / 4);
    i.body = [](const void* p, uint8_t* const* at) {
        for (uint64_t k = 0; k < *static_cast<const uint64_t*>(p); ++k)
            reinterpret_cast<float*>(at[2])[k] =
                reinterpret_cast<const float*>(at[0])[k] * reinterpret_cast<const float*>(at[1])[k];
    };
    emit(i);
}

static uint64_t value_at(uint64_t at) {
    Region r = ub(at, 4, false);
    r.align = 4;
    return scalar_read("GetValue", r);
}

static void add_atomically(void* to, uint64_t from, uint64_t bytes) {
    Instr i;
    i.name = "AtomicAdd";
    i.pipe = Pipe::mte3;
    i.add(ub(from, bytes, false));
    Region out = gm_at(to, bytes, true);
    out.atomic = true;
    i.add(out);
    out.write = false;
    i.add(out);
    i.set_params(bytes / 4);
    i.body = [](const void* p, uint8_t* const* at) {
        for (uint64_t k = 0; k < *static_cast<const uint64_t*>(p); ++k)
            reinterpret_cast<float*>(at[1])[k] += reinterpret_cast<const float*>(at[0])[k];
    };
    emit(i);
}

// ---- of consequence
CASE(half_a_tile_stored_whole, vector, 2) {
    load(0, g.in, T / 2);
    sync(Pipe::mte2, Pipe::mte3);
    store(g.out + core().block * T, 0, T);
}
CASE(second_operand_missing, vector, 1) {
    load(0, g.in, T);
    sync(Pipe::mte2, Pipe::v);
    add(2 * T, 0, T, T);
    sync(Pipe::v, Pipe::mte3);
    store(g.out, 2 * T, T);
}
CASE(missing_operand_used_twice, vector, 1) {
    load(0, g.in, T);
    sync(Pipe::mte2, Pipe::v);
    add(2 * T, 0, T, T);
    pipe_barrier(Pipe::v);
    add(2 * T, 2 * T, T, T, "AddAgain");
    sync(Pipe::v, Pipe::mte3);
    store(g.out, 2 * T, T);
}
CASE(times_zero, vector, 1) {
    fill(0, 0, T);
    pipe_barrier(Pipe::v);
    multiply(2 * T, 0, T, T);
    sync(Pipe::v, Pipe::mte3);
    store(g.out, 2 * T, T);
}
CASE(workspace_never_written, vector, 1) {
    load(0, g.fresh, T);
    sync(Pipe::mte2, Pipe::mte3);
    store(g.out, 0, T);
}
CASE(through_another_block, mix_1_1, 1) {
    if (core().kind == CoreKind::aic) return;
    store(g.out + T, T, T);
    sync(Pipe::mte3, Pipe::mte2);
    load(0, g.out + T, T);
    sync(Pipe::mte2, Pipe::mte3);
    store(g.out, 0, T);
}
CASE(atomic_add_onto_nothing, vector, 2) {
    fill(0, 1, T);
    sync(Pipe::v, Pipe::mte3);
    add_atomically(g.fresh, 0, T);
}
CASE(decides_what_is_stored, vector, 1) {
    fill(0, static_cast<int32_t>(value_at(T)) < 0 ? 1.0f : 2.0f, T);
    sync(Pipe::v, Pipe::mte3);
    store(g.out, 0, T);
}

// ---- of none
CASE(lanes_that_are_not_stored, vector, 1) {
    load(0, g.in, T / 2);
    sync(Pipe::mte2, Pipe::v);
    add(2 * T, 0, 0, T);
    sync(Pipe::v, Pipe::mte3);
    store(g.out, 2 * T, T / 2);
}
CASE(nothing_is_stored, vector, 1) {
    load(0, g.in, T / 2);
    sync(Pipe::mte2, Pipe::v);
    add(2 * T, 0, 0, T);
}
CASE(written_in_two_parts, vector, 1) {
    load(0, g.in, T / 2);
    load(T / 2, g.in, T / 2);
    sync(Pipe::mte2, Pipe::v);
    for (int i = 0; i < 3; ++i) {
        add(2 * T, 0, 0, T);
        pipe_barrier(Pipe::v);
    }
    sync(Pipe::v, Pipe::mte3);
    store(g.out, 2 * T, T);
}
CASE(another_block_writes_it, vector, 2) {
    if (core().block == 1) {
        fill(0, 1, T);
        sync(Pipe::v, Pipe::mte3);
        store(g.fresh, 0, T);
    }
    sync_all(true);
    if (core().block == 1) return;
    load(0, g.fresh, T);
    sync(Pipe::mte2, Pipe::mte3);
    store(g.out, 0, T);
}
CASE(atomic_add_onto_zeros, vector, 2) {
    fill(0, 1, T);
    sync(Pipe::v, Pipe::mte3);
    add_atomically(g.out, 0, T);
}
CASE(value_that_decides_nothing, vector, 1) {
    fill(0, 1, T);
    (void)value_at(T);
    sync(Pipe::v, Pipe::mte3);
    store(g.out, 0, T);
}
CASE(overwritten_before_it_is_stored, vector, 1) {
    add(2 * T, 0, 0, T);
    pipe_barrier(Pipe::v);
    fill(2 * T, 1, T);
    sync(Pipe::v, Pipe::mte3);
    store(g.out, 2 * T, T);
}
// A race is what makes it wrong: the other core writes these bytes, but perhaps too late.
CASE(written_too_late, mix_1_1, 1) {
    if (core().kind == CoreKind::aiv) {
        load(0, g.fresh, T);
        sync(Pipe::mte2, Pipe::mte3);
        store(g.out, 0, T);
    } else {
        for (int i = 0; i < 4; ++i) pipe_barrier(Pipe::mte2);
        touch("Fixpipe", Pipe::fix, {gm_at(g.fresh, T, true)});
    }
}

int main(int argc, char** argv) { return run_case(argc, argv); }
