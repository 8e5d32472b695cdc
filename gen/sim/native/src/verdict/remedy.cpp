#include "verdict/remedy.h"

#include <cinttypes>

#include "replay/clock.h"
#include "verdict/words.h"

namespace aicore::engine {

namespace {

Fix flag_fix(const char* kind, const FlagName& flag) {
    Fix fix(kind);
    fix.with("from", word(flag.from)).with("to", word(flag.to)).with("core", unit_word(flag.unit));
    return fix.with("id", flag.id);
}

Fix cross_fix(int from_lane, int to_lane, int mode) {
    int from = unit_of_lane(from_lane), to = unit_of_lane(to_lane);
    Fix fix("cross");
    fix.with("from", word(pipe_of_lane(from_lane))).with("from_core", unit_word(from));
    fix.with("to", word(pipe_of_lane(to_lane))).with("to_core", unit_word(to));
    return fix.with("mode", mode);
}

// Of flags between the cores of a block.
int usual_mode(int from, int to) { return from != 0 && to != 0 ? 1 : 2; }

}  // namespace

Remedy order_lanes(int from_lane, int to_lane) {
    int from = unit_of_lane(from_lane), to = unit_of_lane(to_lane);
    const char* a = word(pipe_of_lane(from_lane));
    const char* b = word(pipe_of_lane(to_lane));
    const char* one = unit_word(from);
    const char* two = unit_word(to);
    if (from_lane == to_lane) {
        Fix fix("barrier");
        fix.with("pipe", a).with("core", one);
        return {text("put a barrier of pipe %s between them", a), std::move(fix)};
    }
    if (from == to) {
        Fix fix("edge");
        fix.with("from", a).with("to", b).with("core", one).with("from_core", one).with("to_core", two);
        return {text("set %s→%s after the first and wait for it before the second", a, b), std::move(fix)};
    }
    return {text("let %s set a cross-core flag on %s after the first and %s wait for it on %s before the second", one,
                 a, two, b),
            cross_fix(from_lane, to_lane, usual_mode(from, to))};
}

Remedy own_bytes(int from_lane, int to_lane) {
    Remedy other = order_lanes(from_lane, to_lane);
    Fix fix("own_bytes");
    fix.with("cores", "cores");
    return {"give each core bytes of its own; or " + other.text, std::move(fix)};
}

Remedy sync_blocks(bool only_aiv, bool both_write) {
    if (both_write) {
        Fix fix("own_bytes");
        fix.with("cores", "blocks");
        return {"give each block bytes of its own, add atomically, or put SyncAll between the two", std::move(fix)};
    }
    Fix fix("sync_all");
    fix.with("cores", only_aiv ? "AIV" : "all");
    return {"put SyncAll between the two, or let each block use only what it wrote itself", std::move(fix)};
}

Remedy step_over(const Strided& first, const Strided& second, Remedy remedy) {
    uint64_t apart = first.lo < second.lo ? second.lo - first.lo : first.lo - second.lo;
    if (first.rows != 1 || second.rows != 1 || first.len != second.len || apart == 0 || apart >= first.len) {
        return remedy;
    }
    std::string step = text("the stores begin %" PRIu64 " bytes apart and each covers %" PRIu64
                            ": let the offset grow by as much as a store covers",
                            apart, first.len);
    bool meant = remedy.fix.kind == "barrier";  // a last tile that is moved back, so that it is whole
    remedy.text = meant ? step + "; or, where the overlap is meant, " + remedy.text : step;
    remedy.fix.with("apart", static_cast<int64_t>(apart)).with("covers", static_cast<int64_t>(first.len));
    return remedy;
}

Remedy wait_once_more(const FlagName& flag, bool set_again) {
    const char* to = word(flag.to);
    return {set_again ? text("wait for it on %s before it is set again, or use another id", to)
                      : text("wait for it on %s before the end, or do not set it the last time", to),
            flag_fix("wait", flag)};
}

Remedy set_once_more(const FlagName& flag) {
    return {text("set %s→%s, id %d once more (before the loop, to prime it), or drop this wait", word(flag.from),
                 word(flag.to), flag.id),
            flag_fix("set", flag)};
}

Remedy prime(const FlagName& flag) {
    return {text("set %s→%s, id %d once before the first wait, and wait once more at the end", word(flag.from),
                 word(flag.to), flag.id),
            flag_fix("prime", flag)};
}

Remedy other_id(const FlagName& flag, int ids) {
    Fix fix = flag_fix("other_id", flag);
    fix.with("ids", ids);
    return {text("use an id of 0 to %d", ids - 1), std::move(fix)};
}

Remedy set_cross_once_more(int unit, int partner, int mode, int id) {
    const char* who = unit_word(partner);
    Fix fix("cross_set");
    fix.with("core", who).with("to_core", unit_word(unit)).with("mode", mode).with("id", id);
    return {text("let %s set flag %d once more, or drop this wait", who, id), std::move(fix)};
}

Remedy wait_cross_once_more(int unit, int mode, int id) {
    Fix fix("cross_wait");
    fix.with("core", unit_word(unit)).with("mode", mode).with("id", id);
    return {"wait for it as often as it is set", std::move(fix)};
}

Remedy answer_cross(int from_lane, int unit, int mode) {
    const char* who = unit_word(unit);
    return {text("let %s set a flag back after its wait, and wait for that before the next set", who),
            cross_fix(lane_of(unit, Pipe::s), from_lane, mode)};
}

Remedy unlock_mutex_first(Pipe pipe, int id) {
    Fix fix("unlock");
    fix.with("pipe", word(pipe)).with("id", id);
    return {text("unlock it on %s first", word(pipe)), std::move(fix)};
}

Remedy lock_mutex_first(Pipe pipe, int id) {
    Fix fix("lock");
    fix.with("pipe", word(pipe)).with("id", id);
    return {text("lock it on %s before, and unlock it on the pipe that locked it", word(pipe)), std::move(fix)};
}

}  // namespace aicore::engine
