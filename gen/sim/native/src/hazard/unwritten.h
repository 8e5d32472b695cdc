// Reads of bytes that nobody has written, and where what they yield is stored. Found instruction by instruction: all
// that an instruction writes counts as made from all that it reads, so not every such store holds a wrong value.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "hazard/access.h"
#include "hazard/gm_log.h"
#include "hazard/touch.h"
#include "memory/gm.h"
#include "memory/local.h"
#include "record/op.h"

namespace aicore::engine {

struct Core;

// The first read of its kind (source position and memory).
struct UnwrittenRead {
    const char* name = "";
    Pipe pipe = Pipe::s;
    uint32_t site = 0;
    int unit = 0;
    uint32_t block = 0;
    int local = -1;     // the memory, or
    int tensor = -1;    // the tensor
    RangeSet bytes;     // offsets that were not written; of a tensor: not by the reading block, before the read
    bool junk = false;  // padding or scratch was read: nobody else can have written it
    uint64_t count = 0;
    bool written_later = false;
    bool decides = false;  // the scalar unit read them: what the kernel does may depend on them
};

// The first store of its kind in global memory of what such a read yields.
struct UnwrittenStore {
    size_t read = 0;  // index of the read in its block
    const char* name = "";
    Pipe pipe = Pipe::s;
    uint32_t site = 0;
    int unit = 0;
    uint32_t block = 0;
    int tensor = -1;
    RangeSet bytes;  // offsets in the tensor
};

// What is learnt about the bytes of one read while the accesses to them are looked through.
class ReadOrigin {
public:
    explicit ReadOrigin(const Touch& touch) : where_(touch.where) {}

    void see(const Access& a) {
        if (!a.write) return;
        if (a.junk) {
            junk_at_ = std::max(junk_at_, a.order);
            return;
        }
        if (a.order > covered_at_ && covers(a.where, where_)) covered_at_ = a.order;
        if (a.taint && a.order >= taint_at_) {
            taint_at_ = a.order;
            taint_ = a.taint;
        }
    }
    // One access wrote all of it.
    bool covered() const { return covered_at_ != 0; }
    bool junk() const { return junk_at_ != 0 && junk_at_ >= covered_at_; }
    uint16_t taint() const { return taint_at_ >= covered_at_ ? taint_ : 0; }

private:
    const Strided& where_;
    uint64_t covered_at_ = 0, junk_at_ = 0, taint_at_ = 0;
    uint16_t taint_ = 0;
};

// Of one block.
class Unwritten {
public:
    // What the result of `op` depends on by this read of it: 0, or 1 + the index of an unwritten read. `written` holds
    // the accesses of the block to that memory so far.
    uint16_t judge(const Core& core, const Op& op, const Touch& read, const ReadOrigin& origin,
                   const AccessList& written) {
        if (origin.covered() && !origin.junk()) return origin.taint();
        return judge_slowly(core, op, read, origin, written);
    }
    // `op` stores what depends on a read (`taint`, not 0).
    void stored(const Core& core, const Op& op, const Touch& write, uint16_t taint);
    // The scalar unit reads a value that depends on a read.
    void decides(uint16_t taint) { reads[taint - 1u].decides = true; }
    // The block has ended: tells which of the reads came too early. `local` are the accesses to its memories.
    void finish(const AccessList* local, const std::vector<std::unique_ptr<GmTrack>>& tensors);
    void clear();

    std::vector<UnwrittenRead> reads;
    std::vector<UnwrittenStore> stores;

private:
    uint16_t judge_slowly(const Core& core, const Op& op, const Touch& read, const ReadOrigin& origin,
                          const AccessList& written);
    bool known_whole(const Touch& read) const;

    std::vector<Strided> whole_[kLocalMemories];  // regions that several accesses together have written
};

// Whether all of it is written, by the accesses or before the launch.
bool is_written(const Strided& where, const Tensor& tensor, const AccessList& accesses);

}  // namespace aicore::engine
