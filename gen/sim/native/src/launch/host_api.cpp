// The interface of core.h for the host.
#include <cstring>

#include "aicore/core.h"
#include "aicore/host.h"
#include "launch/launch.h"
#include "launch/outputs.h"
#include "memory/gm.h"
#include "memory/poison.h"
#include "record/site.h"
#include "verdict/report.h"
#include "verdict/words.h"

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

namespace {

bool running_kernels = false;  // launched, and not waited for

constexpr uintptr_t kCallsOfHost = 1 << 20;  // bytes of the host's stack that are looked at

void host_mistake(const char* code, const char* edge, std::string message, std::string remedy, const void* frame) {
    if (!any_launch()) return;
    Finding f;
    f.code = code;
    f.edge = edge;
    f.message = std::move(message);
    f.remedy.text = std::move(remedy);
    f.core = "host";
    f.first = {"aclrtMemcpy", "S", current_site(frame, reinterpret_cast<uintptr_t>(frame) + kCallsOfHost)};
    add_to_last_launch(std::move(f));
}

const char* side(bool device) { return device ? "the device" : "the host"; }

}  // namespace

void host_waits() { running_kernels = false; }

// A kernel's launch returns at once (asc-devkit, docs, guide: 核函数, aclrtSynchronizeStream).
void host_copies(const void* dst, bool to_device, const void* src, bool from_device) {
    const void* frame = __builtin_frame_address(0);
    const bool to = gm().find(reinterpret_cast<uint64_t>(dst)) >= 0;
    const bool from = gm().find(reinterpret_cast<uint64_t>(src)) >= 0;
    if (to != to_device || from != from_device) {
        host_mistake("argument-range", "",
                     text("aclrtMemcpy copies from %s to %s, and is told that it is from %s to %s", side(from),
                          side(to), side(from_device), side(to_device)),
                     "name the kind of copy that it is", frame);
    } else if (running_kernels && from) {
        host_mistake("race-raw", "kernel→host",
                     "aclrtMemcpy copies a tensor to the host while the kernel that was launched before may still run",
                     "write aclrtSynchronizeStream(stream) between the launch and the copy", frame);
    }
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
    running_kernels = true;
}

}  // namespace aicore
