// The interface of core.h for the host.
#include <cstring>

#include "aicore/core.h"
#include "aicore/host.h"
#include "launch/launch.h"
#include "launch/outputs.h"
#include "memory/gm.h"
#include "memory/poison.h"
#include "verdict/report.h"

namespace aicore {

using namespace engine;

void* gm_alloc(size_t bytes) {
    auto* p = reinterpret_cast<void*>(gm().allocate(bytes, -1, false).base);
    poison(p, bytes);
    return p;
}

void gm_free(void* p) {
    keep_output(gm().find(reinterpret_cast<uint64_t>(p)));
    gm().free(p);
}

void gm_written_by_host(void* p, size_t bytes) {
    auto address = reinterpret_cast<uint64_t>(p);
    int tensor = gm().find(address);
    if (tensor < 0) return;
    Tensor& t = gm()[tensor];
    uint64_t lo = address - t.base;
    t.initialised.add(lo, std::min<uint64_t>(lo + bytes, t.bytes));
}

void gm_label(void* p, const char* name) {
    int tensor = gm().find(reinterpret_cast<uint64_t>(p));
    if (tensor >= 0) gm()[tensor].label = name;
}

void* gm_map_file(const char* name, int fd, size_t bytes, bool shared, bool initialised) {
    Tensor& t = gm().allocate(bytes, bytes ? fd : -1, shared);
    t.label = name;
    t.fetched = shared;
    auto* p = reinterpret_cast<void*>(t.base);
    if (initialised) {
        t.initialised.add(0, bytes);
    } else {
        poison(p, bytes);
    }
    return p;
}

void poison(void* at, size_t bytes) { fill_poison(static_cast<uint8_t*>(at), bytes); }

void gm_read_by_host(const void* p) {
    int tensor = gm().find(reinterpret_cast<uint64_t>(p));
    if (tensor >= 0) gm()[tensor].fetched = true;
}

// numBlocks is 1 to 65535 (asc-devkit, docs: launch of a kernel, numBlocks).
constexpr uint32_t kMaxBlocks = 65535;

void launch(const char* kernel, KernelKind kind, uint32_t blocks, void (*fn)(const void* args), const void* args,
            const void* const* tensors, size_t tensor_count) {
    catch_crashes();
    if (blocks == 0) host_unsupported("a launch of 0 blocks");
    if (blocks > kMaxBlocks) host_unsupported("a launch of more than 65535 blocks");
    Launch run(kernel, kind, blocks, fn, args, tensors, tensor_count);
    add_to_report(run.run());
}

}  // namespace aicore
