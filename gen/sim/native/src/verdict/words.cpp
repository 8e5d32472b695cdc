#include "verdict/words.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>

#include "launch/profile.h"
#include "replay/clock.h"

namespace aicore::engine {

const char* word(Pipe pipe) {
    constexpr const char* names[kPipes] = {"S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX"};
    auto i = static_cast<unsigned>(pipe);
    return i < kPipes ? names[i] : "S";
}

const char* word(Space space) {
    constexpr const char* names[kSpaces] = {"GM", "L1", "L0A", "L0B", "L0C", "UB", "BT", "FB", "L0A_MX", "L0B_MX"};
    if (space == Space::l0b_mx && profile().chip == Chip::dav2201) return "L0B index";
    return names[static_cast<unsigned>(space)];
}

const char* unit_word(int unit) {
    constexpr const char* names[kUnits] = {"AIC", "AIV0", "AIV1"};
    return names[unit];
}

std::string core_word(int unit, uint32_t block) { return text("%s of block %" PRIu32, unit_word(unit), block); }

std::string edge_word(int from_lane, int to_lane) {
    int from = unit_of_lane(from_lane), to = unit_of_lane(to_lane);
    const char* a = word(pipe_of_lane(from_lane));
    const char* b = word(pipe_of_lane(to_lane));
    if (from == to) return text("%s→%s", a, b);
    return text("%s %s→%s %s", unit_word(from), a, unit_word(to), b);
}

std::string op_word(const Op& op) {
    const char* pipe = word(op.pipe);
    const char* other = word(op.other);
    switch (op.kind) {
        case OpKind::set_flag:
            return text("SetFlag %s→%s, id %d", pipe, other, op.id);
        case OpKind::wait_flag:
            return text("WaitFlag %s→%s, id %d", other, pipe, op.id);
        case OpKind::pipe_barrier:
            return text("PipeBarrier of %s", pipe);
        case OpKind::barrier_all:
            return "PipeBarrier of all pipes";
        case OpKind::cross_set:
            return text("cross-core set of id %d (mode %d) on %s", op.id, op.mode, pipe);
        case OpKind::cross_wait:
            return text("cross-core wait for id %d", op.id);
        case OpKind::sync_all:
            if (op.value != 0) return text("SyncAll of %d AIVs by global memory", op.id);
            return op.blocking ? "SyncAll of the AIVs" : "SyncAll";
        case OpKind::mutex_lock:
            return text("lock of buffer mutex %d on %s", op.id, pipe);
        case OpKind::mutex_unlock:
            return text("unlock of buffer mutex %d on %s", op.id, pipe);
        default:
            return op.name;
    }
}

std::string bytes_word(uint64_t lo, uint64_t hi) {
    auto first = static_cast<int64_t>(lo), last = static_cast<int64_t>(hi) - 1;
    if (first == last) return text("byte %" PRId64, first);
    return text("bytes %" PRId64 "..%" PRId64, first, last);
}

std::string text(const char* format, ...) {
    va_list args;
    va_start(args, format);
    char small[1024];
    int n = std::vsnprintf(small, sizeof small, format, args);
    va_end(args);
    if (n < 0) return {};
    if (static_cast<size_t>(n) < sizeof small) return std::string(small, static_cast<size_t>(n));
    std::string out(static_cast<size_t>(n) + 1, 0);
    va_start(args, format);
    std::vsnprintf(out.data(), out.size(), format, args);
    va_end(args);
    out.pop_back();
    return out;
}

}  // namespace aicore::engine
