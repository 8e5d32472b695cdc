// Runs streams of operations that a file describes, one launch each. A line: kind, blocks, then for each core
// `@block.unit` and its operations; see tests/model/streams.py, which writes them.
#include <fstream>
#include <sstream>
#include <vector>

#include "support.h"

namespace {

constexpr uint64_t kCell = 64;
constexpr uint64_t kTensor = 64 * kCell;

using Words = std::vector<std::string>;

struct Stream {
    KernelKind kind = KernelKind::vector;
    uint32_t blocks = 1;
    std::map<std::pair<uint32_t, int>, std::vector<Words>> cores;
};

Words split(const std::string& text, char by) {
    Words out;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, by);) out.push_back(part);
    return out;
}

KernelKind kind_of(const std::string& word) {
    return word == "mix_1_1" ? KernelKind::mix_1_1 : word == "cube" ? KernelKind::cube : KernelKind::vector;
}

Pipe pipe_of(const std::string& word) {
    static const std::map<std::string, Pipe> pipes = {{"S", Pipe::s},       {"V", Pipe::v},       {"M", Pipe::m},
                                                      {"MTE1", Pipe::mte1}, {"MTE2", Pipe::mte2}, {"MTE3", Pipe::mte3},
                                                      {"FIX", Pipe::fix}};
    return pipes.at(word);
}

Stream parse(const std::string& line) {
    Stream stream;
    std::vector<Words>* core = nullptr;
    Words words = split(line, ' ');
    stream.kind = kind_of(words.at(0));
    stream.blocks = static_cast<uint32_t>(std::stoul(words.at(1)));
    for (size_t i = 2; i < words.size(); ++i) {
        if (words[i][0] == '@') {
            Words name = split(words[i].substr(1), '.');
            core = &stream.cores[{static_cast<uint32_t>(std::stoul(name.at(0))), std::stoi(name.at(1))}];
        } else {
            core->push_back(split(words[i], ':'));
        }
    }
    return stream;
}

// `space,cell,cells,w` or `space,cell,cells,r`
Region region_of(const std::string& text, uint8_t* gm) {
    Words parts = split(text, ',');
    uint64_t base = std::stoul(parts.at(1)) * kCell, bytes = std::stoul(parts.at(2)) * kCell;
    bool write = parts.at(3) == "w";
    if (parts.at(0) == "GM") return gm_at(gm + base, bytes, write);
    Space space = parts.at(0) == "UB" ? Space::ub : parts.at(0) == "L1" ? Space::l1 : Space::l0c;
    return local(space, base, bytes, write);
}

struct Params {
    uint64_t id = 0;
    uint32_t regions = 0;
    bool write[kMaxRegions] = {};
    uint64_t bytes[kMaxRegions] = {};
};

// What it writes depends on which instruction it is, and on all that it reads.
void work(const void* params, uint8_t* const* at) {
    auto& p = *static_cast<const Params*>(params);
    uint64_t hash = p.id * 0x9E3779B97F4A7C15u + 1;
    for (uint32_t r = 0; r < p.regions; ++r) {
        for (uint64_t i = 0; !p.write[r] && i < p.bytes[r]; ++i) hash = (hash ^ at[r][i]) * 0x100000001B3u;
    }
    for (uint32_t r = 0; r < p.regions; ++r) {
        for (uint64_t i = 0; p.write[r] && i < p.bytes[r]; ++i) at[r][i] = static_cast<uint8_t>(hash >> (i % 8 * 7));
    }
}

void emit_instruction(const Words& op, uint64_t id, uint8_t* gm) {
    Instr i;
    i.name = "Work";
    i.pipe = pipe_of(op.at(1));
    i.order_class = static_cast<uint8_t>(std::stoul(op.at(2)));
    i.body = work;
    Params p;
    p.id = id;
    for (size_t n = 3; n < op.size(); ++n) {
        Region r = region_of(op[n], gm);
        r.align = 1;
        p.write[p.regions] = r.write;
        p.bytes[p.regions++] = r.row_bytes;
        i.add(r);
    }
    i.set_params(p);
    emit(i);
}

void scalar(const Words& op, uint64_t id, bool write) {
    Region at = ub(std::stoul(op.at(1)) * kCell, 4, write);
    at.align = 1;
    write ? scalar_write("SetValue", at, id) : static_cast<void>(scalar_read("GetValue", at));
}

void issue(const Words& op, uint64_t id, uint8_t* gm) {
    const std::string& what = op.at(0);
    auto number = [&](size_t at) { return std::stoi(op.at(at)); };
    if (what == "work") return emit_instruction(op, id, gm);
    if (what == "get" || what == "put") return scalar(op, id, what == "put");
    if (what == "set") return set_flag(pipe_of(op.at(1)), pipe_of(op.at(2)), number(3));
    if (what == "wait") return wait_flag(pipe_of(op.at(1)), pipe_of(op.at(2)), number(3));
    if (what == "barrier") return pipe_barrier(pipe_of(op.at(1)));
    if (what == "all") return barrier_all();
    if (what == "xset") return cross_set(number(1), pipe_of(op.at(2)), number(3));
    if (what == "xwait") return cross_wait(number(1), pipe_of(op.at(2)), number(3));
    if (what == "sync") return sync_all(true);
    if (what == "lock") return mutex_lock(pipe_of(op.at(1)), number(2), true);
    if (what == "unlock") return mutex_unlock(pipe_of(op.at(1)), number(2), true);
    std::abort();
}

struct Packed {
    const Stream* stream;
    uint8_t* gm;
};

void kernel(const void* args) {
    auto& packed = *static_cast<const Packed*>(args);
    int unit = core().kind == CoreKind::aic ? 0 : 1 + static_cast<int>(core().sub_block);
    auto at = packed.stream->cores.find({core().block, unit});
    if (at == packed.stream->cores.end()) return;
    uint64_t id = (core().block * 3 + static_cast<uint64_t>(unit)) * 1000;
    for (const Words& op : at->second) issue(op, ++id, packed.gm);
}

}  // namespace

int main(int, char** argv) {
    std::ifstream in(argv[1]);
    std::vector<Stream> streams;
    for (std::string line; std::getline(in, line);) streams.push_back(parse(line));
    for (const Stream& stream : streams) {
        auto* gm = static_cast<uint8_t*>(gm_alloc(kTensor));
        std::memset(gm, 0, kTensor);
        gm_written_by_host(gm, kTensor);
        Packed packed{&stream, gm};
        const void* tensors[] = {gm};
        launch("stream", stream.kind, stream.blocks, kernel, &packed, tensors, 1);
        gm_free(gm);
    }
    return 0;
}
