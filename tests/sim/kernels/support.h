// Instructions with bodies of their own, so that the engine is tested without any face.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <map>
#include <string>

#include "aicore/core.h"
#include "aicore/host.h"
#include "aicore/launch.h"

using namespace aicore;

inline Region ub(uint64_t base, uint64_t bytes, bool write) {
    Region r;
    r.space = Space::ub;
    r.base = base;
    r.row_bytes = bytes;
    r.write = write;
    r.align = 32;
    return r;
}

inline Region local(Space space, uint64_t base, uint64_t bytes, bool write) {
    Region r = ub(base, bytes, write);
    r.space = space;
    return r;
}

inline Region gm_at(const void* p, uint64_t bytes, bool write) {
    Region r;
    r.base = reinterpret_cast<uint64_t>(p);
    r.row_bytes = bytes;
    r.write = write;
    return r;
}

// Copies regions[0] to regions[1]; both contiguous.
inline void move(const char* name, Pipe pipe, Region to, Region from, uint32_t cycles = 100) {
    Instr i;
    i.name = name;
    i.pipe = pipe;
    i.cycles = cycles;
    to.write = true;
    i.add(from);
    i.add(to);
    struct Params {
        uint64_t bytes;
    };
    i.set_params(Params{to.row_bytes});
    i.body = [](const void* p, uint8_t* const* at) {
        std::memmove(at[1], at[0], static_cast<const Params*>(p)->bytes);
    };
    emit(i);
}

inline void load(uint64_t to, const void* from, uint64_t bytes) {
    move("Load", Pipe::mte2, ub(to, bytes, true), gm_at(from, bytes, false));
}

inline void store(void* to, uint64_t from, uint64_t bytes) {
    move("Store", Pipe::mte3, gm_at(to, bytes, true), ub(from, bytes, false));
}

// dst[i] = a[i] + b[i] on floats in UB.
inline void add(uint64_t dst, uint64_t a, uint64_t b, uint64_t bytes, const char* name = "Add") {
    Instr i;
    i.name = name;
    i.pipe = Pipe::v;
    i.cycles = 50;
    i.add(ub(a, bytes, false));
    i.add(ub(b, bytes, false));
    i.add(ub(dst, bytes, true));
    struct Params {
        uint64_t count;
    };
    i.set_params(Params{bytes / 4});
    i.body = [](const void* p, uint8_t* const* at) {
        auto* x = reinterpret_cast<const float*>(at[0]);
        auto* y = reinterpret_cast<const float*>(at[1]);
        auto* z = reinterpret_cast<float*>(at[2]);
        for (uint64_t k = 0; k < static_cast<const Params*>(p)->count; ++k) z[k] = x[k] + y[k];
    };
    emit(i);
}

// dst[i] = value on floats in UB.
inline void fill(uint64_t dst, float value, uint64_t bytes) {
    Instr i;
    i.name = "Fill";
    i.pipe = Pipe::v;
    i.cycles = 20;
    i.add(ub(dst, bytes, true));
    struct Params {
        float value;
        uint64_t count;
    };
    i.set_params(Params{value, bytes / 4});
    i.body = [](const void* p, uint8_t* const* at) {
        auto& q = *static_cast<const Params*>(p);
        for (uint64_t k = 0; k < q.count; ++k) reinterpret_cast<float*>(at[0])[k] = q.value;
    };
    emit(i);
}

// An instruction without a body: only its regions count.
inline void touch(const char* name, Pipe pipe, std::initializer_list<Region> regions, uint8_t order_class = 0,
                  uint8_t unit_flag = 0) {
    Instr i;
    i.name = name;
    i.pipe = pipe;
    i.order_class = order_class;
    i.unit_flag = unit_flag;
    for (const Region& r : regions) i.add(r);
    emit(i);
}

inline void sync(Pipe from, Pipe to, int id = 0) {
    set_flag(from, to, id);
    wait_flag(from, to, id);
}

// ---- cases: small kernels of one file, run one at a time by name
// ------------------------------------------------------

struct Args {
    uint8_t* in;     // kBytes bytes, written by the host: floats 0, 1, 2, ...
    uint8_t* out;    // kBytes bytes, zeroed by the host
    uint8_t* fresh;  // kBytes - 5 bytes that nobody has written
};
inline constexpr uint64_t kBytes = 65536;
inline constexpr uint64_t kFresh = kBytes - 5;

struct Case {
    KernelKind kind;
    uint32_t blocks;
    void (*kernel)(Args);
};

inline std::map<std::string, Case>& cases() {
    static std::map<std::string, Case> all;
    return all;
}

struct Registered {
    Registered(const char* name, Case c) { cases()[name] = c; }
};

#define CASE(name, kind, blocks)                                                        \
    static void name(Args g);                                                           \
    static const Registered registered_##name{#name, {KernelKind::kind, blocks, name}}; \
    static void name([[maybe_unused]] Args g)

// argv: the name of a case, or nothing for the list of all; the outputs go to the file named next, if any.
inline int run_case(int argc, char** argv) {
    if (argc < 2) {
        for (auto& [name, c] : cases()) std::puts(name.c_str());
        return 0;
    }
    Case c = cases().at(argv[1]);
    Args g{static_cast<uint8_t*>(gm_alloc(kBytes)), static_cast<uint8_t*>(gm_alloc(kBytes)),
           static_cast<uint8_t*>(gm_alloc(kFresh))};
    gm_label(g.in, "in");
    gm_label(g.out, "out");
    std::memset(g.out, 0, kBytes);
    gm_written_by_host(g.out, kBytes);
    for (uint64_t i = 0; i < kBytes / 4; ++i) reinterpret_cast<float*>(g.in)[i] = static_cast<float>(i);
    gm_written_by_host(g.in, kBytes);
    const void* tensors[] = {g.in, g.out, g.fresh};
    struct Packed {
        void (*kernel)(Args);
        Args args;
    } packed{c.kernel, g};
    launch(
        argv[1], c.kind, c.blocks,
        [](const void* p) {
            auto& all = *static_cast<const Packed*>(p);
            all.kernel(all.args);
        },
        &packed, tensors, 3);
    if (argc > 2) {
        std::FILE* file = std::fopen(argv[2], "wb");
        std::fwrite(g.out, 1, kBytes, file);
        std::fclose(file);
    }
    return 0;
}
