// Synchronisation, atomic additions, the pipe of a kernel, and what it prints.
#include <cstring>
#include <utility>

#include "call.h"

namespace tape {

namespace {

using aicore::Pipe;
using AscendC::HardEvent;

constexpr const char* kPipeNames[] = {"S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX"};
constexpr pipe_t kPipes[] = {PIPE_S, PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_FIX};

const char* word(Pipe pipe) { return kPipeNames[static_cast<int>(pipe)]; }

// "MTE2_V"
bool is_named(HardEvent event, const std::string& name) {
    const aicore::ascendc::PipePair pipes = aicore::ascendc::pipes_of(event);
    const char *from = word(pipes.from), *to = word(pipes.to);
    const size_t length = std::strlen(from);
    return name.compare(0, length, from) == 0 && name[length] == '_' && name.compare(length + 1, name.npos, to) == 0;
}

using FlagCall = void (*)(int32_t);
constexpr size_t kEvents = static_cast<size_t>(HardEvent::MAX);
template <size_t... i>
void by_event(const Call& c, const FlagCall (&calls)[sizeof...(i)], std::index_sequence<i...>) {
    const std::string& name = c.text(0);
    const bool known = ((is_named(static_cast<HardEvent>(i), name) && (calls[i](c.count(1)), true)) || ...);
    if (!known) c.refuse(0, "is no pair of pipes that has event flags");
}
template <size_t... i>
void set_flag(const Call& c, std::index_sequence<i...> all) {
    constexpr FlagCall kCalls[] = {&AscendC::SetFlag<static_cast<HardEvent>(i)>...};
    by_event(c, kCalls, all);
}
template <size_t... i>
void wait_flag(const Call& c, std::index_sequence<i...> all) {
    constexpr FlagCall kCalls[] = {&AscendC::WaitFlag<static_cast<HardEvent>(i)>...};
    by_event(c, kCalls, all);
}

// Calls `action(std::integral_constant<pipe_t, …>)` for "PIPE_V".
template <class Action, size_t... i>
void by_pipe(const Call& c, size_t argument, Action action, std::index_sequence<i...>) {
    const std::string& name = c.text(argument);
    const bool named = name.compare(0, 5, "PIPE_") == 0;
    const bool known = named && ((name.compare(5, name.npos, kPipeNames[i]) == 0 &&
                                  (action(std::integral_constant<pipe_t, kPipes[i]>{}), true)) ||
                                 ...);
    if (!known) c.refuse(argument, "is no pipe that this call takes");
}
template <class Action>
void by_pipe(const Call& c, size_t argument, Action action) {
    by_pipe(c, argument, action, std::make_index_sequence<std::size(kPipes)>{});
}

void barrier(const Call& c) {
    if (c.text(0) == "PIPE_ALL") return AscendC::PipeBarrier<PIPE_ALL>();
    by_pipe(c, 0, [&](auto pipe) {
        if constexpr (pipe() == PIPE_S) {
            c.refuse(0, "is PIPE_S: the scalar unit waits for itself");
        } else {
            AscendC::PipeBarrier<pipe()>();
        }
    });
}

// Calls `action(std::integral_constant<uint8_t, mode>)`.
template <class Action>
void by_mode(const Call& c, size_t argument, Action action) {
    switch (c.integer(argument)) {
        case 0:
            return action(std::integral_constant<uint8_t, 0>{});
        case 1:
            return action(std::integral_constant<uint8_t, 1>{});
        case 2:
            return action(std::integral_constant<uint8_t, 2>{});
#if __NPU_ARCH__ == 3510
        case 4:
            return action(std::integral_constant<uint8_t, 4>{});
#endif
        default:
            c.refuse(argument, "is no mode of flags between cores");
    }
}

void cross_set(const Call& c) {
    by_mode(c, 0, [&](auto mode) {
        by_pipe(c, 1,
                [&](auto pipe) { AscendC::CrossCoreSetFlag<mode(), pipe()>(static_cast<uint16_t>(c.integer(2))); });
    });
}

void cross_wait(const Call& c) {
    const auto id = static_cast<uint16_t>(c.integer(0));
    if (c.size() == 1) return AscendC::CrossCoreWaitFlag(id);
    by_mode(c, 1,
            [&](auto mode) { by_pipe(c, 2, [&](auto pipe) { AscendC::CrossCoreWaitFlag<mode(), pipe()>(id); }); });
}

void sync_all(const Call& c) {
    if (!c.is_tensor(0)) return c.flag(0) ? AscendC::SyncAll<true>() : AscendC::SyncAll<false>();
    AscendC::SyncAll(c.global<int32_t>(0), c.local<int32_t>(1), c.size() > 2 ? c.count(2) : 0);
}

// Calls `action(Type<T>{})` for the name of an element type.
template <class Action>
void by_type_name(const Call& c, size_t argument, Action action) {
    constexpr const char* kNames[] = {"float32", "float16", "bfloat16", "int64", "uint64", "int32",
                                      "uint32",  "int16",   "uint16",   "int8",  "uint8"};
    ByType<AllTypes>::run(c, static_cast<uint8_t>(c.one_of(argument, kNames)), action);
}

#define TAPE_ATOMIC(NAME) \
    {#NAME, [](Call& c) { by_type_name(c, 0, [](auto type) { AscendC::NAME<typename decltype(type)::Is>(); }); }}

void open_pipe(Call& c) {
    if (c.player().pipe.has_value()) c.refuse_form();
    c.player().pipe.emplace();
}
void destroy_pipe(Call& c) {
    if (!c.player().pipe.has_value()) c.refuse_form();
    c.player().pipe->Destroy();
}

}  // namespace

Entries control_calls() {
    static constexpr auto kFlags = std::make_index_sequence<kEvents>{};
    static const Entry kCalls[] = {
        {"SetFlag", [](Call& c) { set_flag(c, kFlags); }},
        {"WaitFlag", [](Call& c) { wait_flag(c, kFlags); }},
        {"PipeBarrier", [](Call& c) { barrier(c); }},
        {"CrossCoreSetFlag", [](Call& c) { cross_set(c); }},
        {"CrossCoreWaitFlag", [](Call& c) { cross_wait(c); }},
        {"SyncAll", [](Call& c) { sync_all(c); }},
        TAPE_ATOMIC(SetAtomicAdd),
        TAPE_ATOMIC(SetAtomicMax),
        TAPE_ATOMIC(SetAtomicMin),
        {"SetAtomicNone", [](Call&) { AscendC::SetAtomicNone(); }},
        {"DisableDmaAtomic", [](Call&) { AscendC::DisableDmaAtomic(); }},
        {"TPipe", open_pipe},
        {"TPipe::Destroy", destroy_pipe},
    };
    return {kCalls, std::size(kCalls)};
}

}  // namespace tape
