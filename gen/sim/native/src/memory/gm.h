// Global memory: the tensors of the process, with guard pages around each.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace aicore::engine {

// Inaccessible bytes in front of and behind every tensor.
inline constexpr size_t kGuardZone = size_t{64} << 10;

struct Range {
    uint64_t lo = 0, hi = 0;  // offsets in bytes
};

// Sorted, disjoint, not touching.
class RangeSet {
public:
    void add(uint64_t lo, uint64_t hi);
    bool covers(uint64_t lo, uint64_t hi) const;
    const std::vector<Range>& all() const { return ranges_; }
    // visit(from, to) for each stretch of [lo, hi) that is not in the set.
    template <class F>
    void each_gap(uint64_t lo, uint64_t hi, F&& visit) const {
        auto at =
            std::lower_bound(ranges_.begin(), ranges_.end(), lo, [](const Range& r, uint64_t v) { return r.hi <= v; });
        for (; at != ranges_.end() && at->lo < hi; ++at) {
            if (at->lo > lo) visit(lo, at->lo);
            lo = at->hi;
        }
        if (lo < hi) visit(lo, hi);
    }

private:
    std::vector<Range> ranges_;
};

struct Tensor {
    uint64_t base = 0;
    size_t bytes = 0;
    std::string label;
    RangeSet initialised;     // by the host, or by earlier launches
    void* mapping = nullptr;  // with the guard pages
    size_t mapped = 0;
    bool alive = true;
    bool stored = false;    // a kernel wrote to it
    bool fetched = false;   // the host takes it as a result
    bool atomic = false;    // a kernel added to it atomically
    bool read = false;      // a kernel read it
    std::string stored_as;  // what messages called it in the last launch that wrote to it
};

// Tensors are only added and removed by the host, never while a kernel runs. An index stays valid for ever.
class GlobalMemory {
public:
    // Anonymous and poisoned; or over a file (fd >= 0): `shared` writes go to the file.
    Tensor& allocate(size_t bytes, int fd, bool shared);
    void free(void* p);
    // The tensor that holds the address, or -1.
    int find(uint64_t address) const;
    // The tensor that the address missed by less than a guard zone, or -1.
    int near(uint64_t address) const;
    // A kernel touches the tensor; thread safe.
    void note(int index, bool write, bool atomic) {
        Tensor& t = tensors_[static_cast<size_t>(index)];
        if (write) raise(t.stored);
        if (atomic) raise(t.atomic);
        if (!write && !atomic) raise(t.read);
    }
    Tensor& operator[](int index) { return tensors_[static_cast<size_t>(index)]; }
    size_t size() const { return tensors_.size(); }

private:
    static void raise(bool& flag) {
        std::atomic_ref<bool> shared(flag);
        if (!shared.load(std::memory_order_relaxed)) shared.store(true, std::memory_order_relaxed);
    }

    std::vector<Tensor> tensors_;
};

GlobalMemory& gm();

}  // namespace aicore::engine
