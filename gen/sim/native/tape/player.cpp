// Plays a tape on the model: `player TAPE name:in|out|inout:bytes:path...`
#include <cstring>

#include "aicore/host.h"
#include "call.h"

namespace tape {

namespace {

constexpr uint32_t kAic = 0, kAiv0 = 1;

struct Session {
    Tape tape;
    std::vector<uint8_t*> tensors;
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

// The kernel function of every core.
void run_core(const void* argument) {
    const Session& session = *static_cast<const Session*>(argument);
    const aicore::CoreInfo& me = aicore::core();
    const Stream& stream = session.tape.cores.at({me.block, unit_of(me)});
    Player player{&session.tape.tables, &session.tensors, {}, {}};
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

void check_cores(const Tape& tape, aicore::KernelKind kind) {
    for (uint32_t block = 0; block < tape.blocks; ++block) {
        for (uint32_t unit = 0; unit < 3; ++unit) {
            if (!has_unit(kind, unit) || tape.cores.count({block, unit}) != 0) continue;
            fail("a tape lacks the calls of core " + std::to_string(unit) + " of block " + std::to_string(block));
        }
    }
}

int main(int argc, char** argv) {
    if (argc < 2) fail("expected a tape, then its tensors");
    Session session{read(argv[1]), {}};
    const Tape& tape = session.tape;
    const aicore::KernelKind kind = kind_of(tape);
    check_cores(tape, kind);
    aicore::host::Tensors given(argc - 1, argv + 1);
    std::vector<const void*> pointers;
    for (const Tensor& tensor : tape.tensors) {
        void* at = tensor.role == "workspace" ? aicore::gm_alloc(tensor.bytes) : static_cast<void*>(given[tensor.name]);
        session.tensors.push_back(static_cast<uint8_t*>(at));
        pointers.push_back(at);
    }
    aicore::launch(tape.kernel.c_str(), kind, tape.blocks, run_core, &session, pointers.data(), pointers.size());
    return 0;
}

}  // namespace

}  // namespace tape

int main(int argc, char** argv) { return tape::main(argc, argv); }
