#include "record/site.h"

#include <link.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <unordered_map>

namespace aicore::engine {

namespace {

struct Program {
    uintptr_t load = 0, lo = 0, hi = 0;
};

int find_program(dl_phdr_info* info, size_t, void* out) {
    auto& program = *static_cast<Program*>(out);
    program.load = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& header = info->dlpi_phdr[i];
        if (header.p_type != PT_LOAD || !(header.p_flags & PF_X)) continue;
        program.lo = info->dlpi_addr + header.p_vaddr;
        program.hi = program.lo + header.p_memsz;
    }
    return 1;  // the first object is the main program
}

const Program& program() {
    static const Program found = [] {
        Program p;
        dl_iterate_phdr(find_program, &p);
        return p;
    }();
    return found;
}

struct Hash {
    size_t operator()(const Stack& s) const {
        uint64_t h = static_cast<uint64_t>(s.count);
        for (int i = 0; i < s.count; ++i) h = (h ^ s.frames[static_cast<size_t>(i)]) * 0x9E3779B97F4A7C15u;
        return h ^ (h >> 29);
    }
};

struct Same {
    bool operator()(const Stack& a, const Stack& b) const { return a.count == b.count && a.frames == b.frames; }
};

struct Table {
    std::mutex mutex;
    std::deque<Stack> stacks;
    std::unordered_map<Stack, uint32_t, Hash, Same> index;
    std::map<uint64_t, std::vector<NamedFrame>> names;
};

Table& table() {
    static Table* t = new Table;
    return *t;
}

uint32_t intern(const Stack& stack) {
    Table& t = table();
    std::lock_guard lock(t.mutex);
    auto [at, fresh] = t.index.try_emplace(stack, static_cast<uint32_t>(t.stacks.size()));
    if (fresh) t.stacks.push_back(stack);
    return at->second;
}

// Most instructions repeat one of few positions: a small cache per host thread spares the lock.
struct Cached {
    Stack stack;
    uint32_t site = 0;
    bool used = false;
};
constexpr size_t kCache = 512;

[[gnu::noinline]] Cached* cache() {
    static thread_local Cached entries[kCache];
    return entries;
}

// FNV-1a.
struct Digest {
    uint64_t value = 0xCBF29CE484222325u;
    void add(const void* data, size_t bytes) {
        for (size_t i = 0; i < bytes; ++i) value = (value ^ static_cast<const uint8_t*>(data)[i]) * 0x100000001B3u;
    }
    void add(const std::string& text) { add(text.c_str(), text.size() + 1); }
};

uint64_t name_of(const std::vector<NamedFrame>& frames, const std::string& call) {
    Digest digest;
    digest.add(call);
    for (const NamedFrame& frame : frames) {
        digest.add(frame.function);
        digest.add(frame.file);
        digest.add(&frame.line, sizeof frame.line);
    }
    return kNamed | digest.value;
}

}  // namespace

bool in_program(uintptr_t address) { return address >= program().lo && address < program().hi; }

uint64_t link_address(uintptr_t address) { return address - program().load; }

void walk(const void* frame, uintptr_t limit, Stack& out) {
    auto at = reinterpret_cast<uintptr_t>(frame);
    // A frame starts with the caller's frame pointer and the return address, on x86-64 and on aarch64.
    while (out.count < kMaxFrames && at % sizeof(void*) == 0 && at + 2 * sizeof(void*) <= limit) {
        uintptr_t up, back;
        std::memcpy(&up, reinterpret_cast<void*>(at), sizeof up);
        std::memcpy(&back, reinterpret_cast<void*>(at + sizeof(void*)), sizeof back);
        // One less: the call, and not what follows it.
        if (in_program(back - 1)) out.frames[static_cast<size_t>(out.count++)] = link_address(back - 1);
        if (up <= at) break;
        at = up;
    }
}

uint32_t current_site(const void* frame, uintptr_t limit) {
    Stack stack;
    walk(frame, limit, stack);
    Cached& slot = cache()[Hash{}(stack) % kCache];
    if (!slot.used || !Same{}(slot.stack, stack)) slot = {stack, intern(stack), true};
    return slot.site;
}

uint32_t site_of(uintptr_t return_address) {
    Stack stack;
    if (in_program(return_address - 1))
        stack.frames[static_cast<size_t>(stack.count++)] = link_address(return_address - 1);
    return intern(stack);
}

uint32_t named_site(std::vector<NamedFrame> frames, const std::string& call) {
    Stack stack;
    stack.frames[0] = name_of(frames, call);
    stack.count = 1;
    {
        Table& t = table();
        std::lock_guard lock(t.mutex);
        t.names.try_emplace(stack.frames[0], std::move(frames));
    }
    return intern(stack);
}

const std::vector<NamedFrame>& frames_of(uint64_t name) {
    Table& t = table();
    std::lock_guard lock(t.mutex);
    return t.names.at(name);
}

std::vector<uint64_t> names_of_sites() {
    Table& t = table();
    std::lock_guard lock(t.mutex);
    std::vector<uint64_t> names;
    for (const auto& entry : t.names) names.push_back(entry.first);
    return names;
}

uint64_t site_key(uint32_t site) { return Hash{}(stack_of(site)); }

const Stack& stack_of(uint32_t site) {
    Table& t = table();
    std::lock_guard lock(t.mutex);
    return t.stacks[site];
}

bool try_stack_of(uint32_t site, Stack& out) {
    Table& t = table();
    std::unique_lock lock(t.mutex, std::try_to_lock);
    if (!lock || site >= t.stacks.size()) return false;
    out = t.stacks[site];
    return true;
}

const std::vector<NamedFrame>* try_frames_of(uint64_t name) {
    Table& t = table();
    std::unique_lock lock(t.mutex, std::try_to_lock);
    if (!lock) return nullptr;
    auto at = t.names.find(name);
    return at == t.names.end() ? nullptr : &at->second;
}

}  // namespace aicore::engine
