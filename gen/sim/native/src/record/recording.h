// Storage of the recorded, not yet replayed instructions of one core: chunks that are reused when all is replayed.
#pragma once

#include <memory>
#include <vector>

#include "record/op.h"

namespace aicore::engine {

class Recording {
public:
    // A new operation with room for its regions and parameters (16-byte aligned); valid until release().
    Op* make(size_t regions, size_t param_bytes);
    void release(Op* op);
    void clear();

private:
    struct Chunk;
    struct Free {
        void operator()(Chunk* chunk) const;
    };
    using Owned = std::unique_ptr<Chunk, Free>;
    static Owned fresh(size_t bytes);
    void next_chunk();
    Op* make_large(size_t regions, size_t param_bytes, size_t bytes);

    Chunk* open_ = nullptr;
    std::vector<Owned> all_;
    std::vector<Chunk*> idle_;
};

}  // namespace aicore::engine
