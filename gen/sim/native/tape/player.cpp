// Plays a tape on the model: `player TAPE name:in|out|inout:bytes:path...`
#include <cstring>
#include <memory>

#include "aicore/host.h"
#include "call.h"
#include "recorder.h"

namespace tape {

namespace {

constexpr uint32_t kAic = 0, kAiv0 = 1;

struct Session {
    Tape tape;
    std::vector<uint8_t*> tensors;
    std::unique_ptr<Recorder> recorder;  // where cores are live
};

void play(Player& player, Reader& calls) {
    while (!calls.done()) {
        const Site& site = player.tables->site(calls.u32());
        Call call(player, site, calls);
        aicore::mark(site.place);
        if (site.handler == nullptr) aicore::unsupported(("AscendC::" + site.name).c_str());
        site.handler(call);
    }
}

uint32_t unit_of(const aicore::CoreInfo& core) {
    return core.kind == aicore::CoreKind::aic ? kAic : kAiv0 + core.sub_block;
}

// The values that the recorder asks for, or nothing when the core is done.
std::vector<Number> wanted(const Player& player, Reader& reply, bool& done) {
    const auto state = static_cast<State>(reply.u8());
    done = state == State::done;
    if (state == State::failed) fail(std::string(reply.bytes(reply.u32())));
    if (state != State::asks) return {};
    std::vector<Number> values;
    for (uint32_t left = reply.u32(); left != 0; --left) values.push_back(player.register_at(reply.u32()));
    return values;
}

// Plays what the recorder says, part by part.
void play_live(Recorder& recorder, Player& player, uint32_t block, uint32_t unit) {
    Tables own;
    player.tables = &own;
    std::vector<Number> values;
    for (bool done = false; !done;) {
        const std::string data = recorder.ask(block, unit, values);
        Reader reply(data, "reply");
        own.read_strings(reply);
        own.read_sites(reply);
        Reader calls(reply.bytes(reply.u64()), "calls");
        play(player, calls);
        values = wanted(player, reply, done);
    }
}

// The kernel function of every core.
void run_core(const void* argument) {
    const Session& session = *static_cast<const Session*>(argument);
    const uint32_t block = aicore::core().block, unit = unit_of(aicore::core());
    const Stream& stream = session.tape.cores.at({block, unit});
    Player player{&session.tape.tables, &session.tensors, {}, {}};
    if (stream.live) return play_live(*session.recorder, player, block, unit);
    Reader calls(stream.calls, "calls");
    play(player, calls);
}

aicore::KernelKind kind_of(const Tape& tape) {
    constexpr const char* kKinds[] = {"vector", "cube", "mix_1_0", "mix_0_1", "mix_1_1", "mix_1_2"};
    for (size_t i = 0; i < std::size(kKinds); ++i) {
        if (tape.kind == kKinds[i]) return static_cast<aicore::KernelKind>(i);
    }
    fail("a tape is of the kind " + tape.kind + ", which no kernel is");
}

bool has_unit(aicore::KernelKind kind, uint32_t unit) {
    using K = aicore::KernelKind;
    if (unit == kAic) return kind != K::vector && kind != K::mix_0_1;
    if (unit == kAiv0) return kind != K::cube && kind != K::mix_1_0;
    return kind == K::mix_1_2;
}

bool any_live(const Tape& tape) {
    for (const auto& core : tape.cores) {
        if (core.second.live) return true;
    }
    return false;
}

void check_cores(const Tape& tape, aicore::KernelKind kind) {
    for (uint32_t block = 0; block < tape.blocks; ++block) {
        for (uint32_t unit = 0; unit < 3; ++unit) {
            if (!has_unit(kind, unit) || tape.cores.count({block, unit}) != 0) continue;
            fail("a tape lacks the calls of core " + std::to_string(unit) + " of block " + std::to_string(block));
        }
    }
}

void* memory_of(const Tensor& tensor, const aicore::host::Tensors& given) {
    if (tensor.role == "workspace") return aicore::gm_alloc(tensor.bytes);
    void* at = given[tensor.name.c_str()];
    if (given.bytes(tensor.name.c_str()) == tensor.bytes) return at;
    fail("the kernel was recorded for a tensor " + tensor.name + " of " + std::to_string(tensor.bytes) +
         " bytes; it was given one of " + std::to_string(given.bytes(tensor.name.c_str())));
}

int main(int argc, char** argv) {
    if (argc < 2) fail("expected a tape, then its tensors");
    Session session{read(argv[1]), {}, {}};
    const Tape& tape = session.tape;
    const aicore::KernelKind kind = kind_of(tape);
    check_cores(tape, kind);
    aicore::host::Tensors given(argc - 1, argv + 1);
    std::vector<const void*> pointers;
    for (const Tensor& tensor : tape.tensors) {
        void* at = memory_of(tensor, given);
        session.tensors.push_back(static_cast<uint8_t*>(at));
        pointers.push_back(at);
    }
    if (any_live(tape)) session.recorder = std::make_unique<Recorder>(tape.command);
    aicore::launch(tape.kernel.c_str(), kind, tape.blocks, run_core, &session, pointers.data(), pointers.size());
    return 0;
}

}  // namespace

}  // namespace tape

int main(int argc, char** argv) { return tape::main(argc, argv); }
