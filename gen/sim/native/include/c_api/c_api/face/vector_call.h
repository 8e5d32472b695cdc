// Issuing a vector function: one instruction of the V pipe, which runs when the pipe gets to it.
//
//   asc_vf_call<f>(cce::dim3(256), args...)   a SIMT function, for 256 threads
//   asc_vf_call<f>(args...)                   a SIMD function, once
//
// Arguments are copied when the call is issued. On-chip pointers among them are byte offsets until then; the UB of the
// running core is added when the function starts. Pointers into GM are host addresses and pass as they are.
#pragma once

#include <cstdint>
#include <type_traits>

#include "aicore/core.h"
#include "c_api/face/memory.h"
#include "c_api/face/qualifiers.h"

namespace cce {

struct dim3 {
    uint32_t x, y, z;
    constexpr explicit dim3(uint32_t x_ = 1, uint32_t y_ = 1, uint32_t z_ = 1) : x(x_), y(y_), z(z_) {}
};

}  // namespace cce

namespace aicore::c_api {

inline constexpr uint32_t kMaxThreads = 2048;  // asc-devkit, include/simt_api/cooperative_groups.h

template <class... T>
struct Pack;
template <>
struct Pack<> {};
template <class Head, class... Tail>
struct Pack<Head, Tail...> {
    Head head;
    Pack<Tail...> tail;
};

template <class Head, class... Tail>
Pack<Head, Tail...> pack_up(Head head, Tail... tail) {
    if constexpr (sizeof...(Tail) == 0) {
        return {head, {}};
    } else {
        return {head, pack_up<Tail...>(tail...)};
    }
}

inline void rebase(Pack<>&, uint8_t*) {}
template <class Head, class... Tail>
void rebase(Pack<Head, Tail...>& p, uint8_t* ub) {
    if constexpr (std::is_pointer_v<Head>) {
        if (address(p.head) < kOnChipEnd) p.head = reinterpret_cast<Head>(ub + offset_of(p.head));
    }
    rebase(p.tail, ub);
}

// The arrays in UB that the arguments point into; unknown where one of them points to UB and into none.
struct Within {
    static constexpr size_t kMost = 8;
    Extent pieces[kMost];
    size_t count;
    bool unknown;

    template <class A>
    void see(A argument) {
        if constexpr (std::is_pointer_v<A>) {
            if (address(argument) >= kOnChipEnd) return;
            const ops::Mem place = on_chip(Space::ub, argument);
            unknown |= place.lo == place.hi || count == kMost;
            if (!unknown) pieces[count++] = {Space::ub, place.lo, place.hi};
        }
    }
    void apply(bool with_loads) const {
        if (!unknown) vf_within(pieces, count, with_loads);
    }
};
template <class... A>
Within within(A... arguments) {
    Within found{};
    (found.see(arguments), ...);
    return found;
}

template <class F, class... Done>
inline void spread(F* f, const Pack<>&, Done... done) {
    f(done...);
}
template <class F, class Head, class... Tail, class... Done>
inline void spread(F* f, const Pack<Head, Tail...>& p, Done... done) {
    spread(f, p.tail, done..., p.head);
}

struct Threads {
    uint32_t x, y, z;
    uint32_t count() const { return x * y * z; }
};
// Extents of the thread block of the vector function that this OS thread runs.
inline thread_local Threads thread_block{1, 1, 1};

// The vector function `F` with the parameters that it declares.
template <auto F>
struct VectorFunction;
template <class... P, void (*F)(P...)>
struct VectorFunction<F> {
    using Arguments = Pack<std::remove_cv_t<P>...>;
    struct Call {
        Arguments arguments;
        Threads threads;
        Within within;
    };
    static_assert(std::is_trivially_copyable_v<Call>);

    static void one_thread(const void* args) { spread(F, *static_cast<const Arguments*>(args)); }
    static void simt(const void* args) {
        Call call = *static_cast<const Call*>(args);
        call.within.apply(true);
        rebase(call.arguments, ub_base());
        thread_block = call.threads;
        simt_run(&one_thread, &call.arguments, call.threads.count());
    }
    static void simd(const void* args) {
        Call call = *static_cast<const Call*>(args);
        call.within.apply(false);
        rebase(call.arguments, ub_base());
        one_thread(&call.arguments);
    }

    static Arguments pack(P... arguments) {
        if constexpr (sizeof...(P) == 0) {
            return {};
        } else {
            return pack_up<std::remove_cv_t<P>...>(arguments...);
        }
    }
    static void issue_simt(cce::dim3 block, P... arguments) {
        const Threads threads{block.x, block.y, block.z};
        if (threads.count() == 0 || threads.count() > kMaxThreads) {
            return finding("argument-range", "asc_vf_call: the number of threads is not in 1..2048",
                           "start at least one and at most 2048 threads");
        }
        note_threads();
        const Call call{pack(arguments...), threads, within(arguments...)};
        vector_function("asc_vf_call", &simt, &call, sizeof call);
    }
    static void issue_simd(P... arguments) {
        const Call call{pack(arguments...), {1, 1, 1}, within(arguments...)};
        vector_function("asc_vf_call", &simd, &call, sizeof call);
    }
};

}  // namespace aicore::c_api

template <auto F, class... A>
inline void asc_vf_call(cce::dim3 threads, A... arguments) {
    aicore::c_api::VectorFunction<F>::issue_simt(threads, arguments...);
}
template <auto F, class... A>
inline void asc_vf_call(A... arguments) {
    aicore::c_api::VectorFunction<F>::issue_simd(arguments...);
}
