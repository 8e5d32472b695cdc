// Atomic operations of the scalar unit on one number in global memory.
#include "elements.h"

namespace aicore::ops {
namespace {

struct Params {
    ScalarAtomic op;
    DType type;
    uint64_t value, wanted;
    uint64_t* before;
};

template <class T>
T next_of(ScalarAtomic op, T before, T value, T wanted) {
    switch (op) {
        case ScalarAtomic::add:
            if constexpr (std::is_integral_v<T>) return static_cast<T>(uint64_t(before) + uint64_t(value));
            return before + value;
        case ScalarAtomic::max:
            return before > value ? before : value;
        case ScalarAtomic::min:
            return before < value ? before : value;
        case ScalarAtomic::exchange:
            return value;
        case ScalarAtomic::compare_exchange:
            return before == wanted ? value : before;
    }
    return before;
}

template <class T>
void update(const Params& p, uint8_t* at) {
    T before, value, wanted;
    std::memcpy(&before, at, sizeof before);
    std::memcpy(&value, &p.value, sizeof value);
    std::memcpy(&wanted, &p.wanted, sizeof wanted);
    const T after = next_of(p.op, before, value, wanted);
    std::memcpy(at, &after, sizeof after);
    *p.before = 0;
    std::memcpy(p.before, &before, sizeof before);
}

void run(const void* params, uint8_t* const* at) {
    const Params& p = params_of<Params>(params);
    const std::lock_guard lock(gm_atomics());
    if (p.type == DType::f32) return update<float>(p, at[0]);
    with_integer(p.type, [&](auto zero) { update<decltype(zero)>(p, at[0]); });
}

}  // namespace

void scalar_atomic(const char* name, ScalarAtomic op, DType type, Mem at, uint64_t value, uint64_t wanted,
                   uint64_t* before) {
    Instr i = make(name, Pipe::s, run, 1, Params{op, type, value, wanted, before});
    Region& region = i.add(run_of(at, true, size_of(type)));
    region.atomic = true;
    region.align = static_cast<uint16_t>(size_of(type));
    emit(i);
}

}  // namespace aicore::ops
