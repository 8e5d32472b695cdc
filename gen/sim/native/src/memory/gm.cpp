#include "memory/gm.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace aicore::engine {

namespace {

constexpr size_t kPage = 4096;

[[noreturn]] void no_memory(size_t bytes) {
    std::fprintf(stderr, "crosstree: cannot map %zu bytes of global memory\n", bytes);
    std::exit(70);
}

}  // namespace

void RangeSet::add(uint64_t lo, uint64_t hi) {
    if (lo >= hi) return;
    auto first =
        std::lower_bound(ranges_.begin(), ranges_.end(), lo, [](const Range& r, uint64_t v) { return r.hi < v; });
    auto last = first;
    while (last != ranges_.end() && last->lo <= hi) {
        lo = std::min(lo, last->lo);
        hi = std::max(hi, last->hi);
        ++last;
    }
    first = ranges_.erase(first, last);
    ranges_.insert(first, {lo, hi});
}

bool RangeSet::covers(uint64_t lo, uint64_t hi) const {
    auto at = std::lower_bound(ranges_.begin(), ranges_.end(), hi, [](const Range& r, uint64_t v) { return r.hi < v; });
    return lo >= hi || (at != ranges_.end() && at->lo <= lo && at->hi >= hi);
}

Tensor& GlobalMemory::allocate(size_t bytes, int fd, bool shared) {
    size_t body = std::max<size_t>((bytes + kPage - 1) / kPage * kPage, kPage);
    size_t total = body + 2 * kGuardZone;
    void* whole = mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (whole == MAP_FAILED) no_memory(bytes);
    auto* base = static_cast<uint8_t*>(whole) + kGuardZone;
    int flags = MAP_FIXED | MAP_NORESERVE | (shared ? MAP_SHARED : MAP_PRIVATE) | (fd < 0 ? MAP_ANONYMOUS : 0);
    if (bytes > 0 && mmap(base, body, PROT_READ | PROT_WRITE, flags, fd, 0) == MAP_FAILED) no_memory(bytes);
    if (fd < 0 && body >= size_t{2} << 20) madvise(base, body, MADV_HUGEPAGE);
    // All at once is cheaper than a fault for each page; where the kernel cannot, they come one by one. What is private
    // and has content stays the file's until it is written.
    if (bytes > 0) madvise(base, body, fd >= 0 && !shared ? MADV_POPULATE_READ : MADV_POPULATE_WRITE);
    Tensor tensor;
    tensor.base = reinterpret_cast<uint64_t>(base);
    tensor.bytes = bytes;
    tensor.mapping = whole;
    tensor.mapped = total;
    tensors_.push_back(std::move(tensor));
    return tensors_.back();
}

void GlobalMemory::free(void* p) {
    int index = find(reinterpret_cast<uint64_t>(p));
    if (index < 0) return;
    Tensor& tensor = tensors_[static_cast<size_t>(index)];
    munmap(tensor.mapping, tensor.mapped);
    tensor.alive = false;
}

int GlobalMemory::find(uint64_t address) const {
    for (size_t i = tensors_.size(); i-- > 0;) {
        const Tensor& t = tensors_[i];
        // The end counts: a zero-sized view there is legal.
        if (t.alive && address - t.base <= t.bytes) return static_cast<int>(i);
    }
    return -1;
}

int GlobalMemory::near(uint64_t address) const {
    for (size_t i = tensors_.size(); i-- > 0;) {
        const Tensor& t = tensors_[i];
        if (t.alive && address + kGuardZone >= t.base && address < t.base + t.bytes + kPage + kGuardZone)
            return static_cast<int>(i);
    }
    return -1;
}

GlobalMemory& gm() {
    static GlobalMemory* memory = new GlobalMemory;
    return *memory;
}

}  // namespace aicore::engine
