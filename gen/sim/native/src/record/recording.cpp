#include "record/recording.h"

#include <cstdlib>
#include <new>

namespace aicore::engine {

// Chunks are aligned to their size, so that an operation finds its chunk by its address.
struct Recording::Chunk {
    static constexpr size_t kBytes = size_t{64} << 10;
    uint32_t live = 0;
    bool large = false;  // holds one operation with long arguments
    size_t used = 0;
    alignas(64) unsigned char data[1];

    static constexpr size_t room() { return kBytes - offsetof(Chunk, data); }
};

void Recording::Free::operator()(Chunk* chunk) const { std::free(chunk); }

Recording::Owned Recording::fresh(size_t bytes) {
    size_t whole = (bytes + Chunk::kBytes - 1) / Chunk::kBytes * Chunk::kBytes;
    void* memory = std::aligned_alloc(Chunk::kBytes, whole);
    if (!memory) std::abort();
    return Owned(new (memory) Chunk);
}

static constexpr size_t round16(size_t n) { return (n + 15) & ~size_t{15}; }

static Op* place(unsigned char* at, size_t regions, size_t param_bytes) {
    Op* op = new (at) Op;
    at += round16(sizeof(Op));
    op->region_count = static_cast<uint8_t>(regions);
    op->regions = reinterpret_cast<Region*>(at);
    op->params = param_bytes ? at + round16(regions * sizeof(Region)) : nullptr;
    return op;
}

void Recording::next_chunk() {
    if (open_ && open_->live == 0) {
        open_->used = 0;
        return;
    }
    open_ = nullptr;
    if (!idle_.empty()) {
        open_ = idle_.back();
        idle_.pop_back();
    } else {
        all_.push_back(fresh(Chunk::kBytes));
        open_ = all_.back().get();
    }
    open_->used = 0;
}

Op* Recording::make_large(size_t regions, size_t param_bytes, size_t bytes) {
    Chunk* chunk = fresh(bytes + offsetof(Chunk, data)).release();  // freed by release()
    chunk->large = true;
    return place(chunk->data, regions, param_bytes);
}

Op* Recording::make(size_t regions, size_t param_bytes) {
    size_t bytes = round16(sizeof(Op)) + round16(regions * sizeof(Region)) + round16(param_bytes);
    if (bytes > Chunk::room()) return make_large(regions, param_bytes, bytes);
    if (!open_ || open_->used + bytes > Chunk::room()) next_chunk();
    Op* op = place(open_->data + open_->used, regions, param_bytes);
    open_->used += bytes;
    ++open_->live;
    return op;
}

void Recording::release(Op* op) {
    auto* chunk = reinterpret_cast<Chunk*>(reinterpret_cast<uintptr_t>(op) & ~(Chunk::kBytes - 1));
    if (chunk->large) return std::free(chunk);
    if (--chunk->live != 0) return;
    if (chunk == open_) {
        chunk->used = 0;
    } else {
        idle_.push_back(chunk);
    }
}

void Recording::clear() {
    open_ = nullptr;
    idle_.clear();
    for (auto& chunk : all_) {
        chunk->live = 0;
        idle_.push_back(chunk.get());
    }
}

}  // namespace aicore::engine
