// The operations that step() dispatches to. Each returns false, without effect, while it has to wait.
#pragma once

#include "replay/group.h"

namespace aicore::engine {

bool execute(Group& group, Core& core, Op& op);
bool set_event(Group& group, Core& core, const Op& op);
bool wait_event(Group& group, Core& core, const Op& op);
// Where several pipes wait for one flag between cores: the waits that the pipe knows to be over took so many sets.
void learn_from_shared_waits(Group& group, Core& core, Pipe pipe);
// A flag between cores is recorded: who sets it, and who waits.
void note_cross(Core& core, const Op& op);
bool set_cross(Group& group, Core& core, const Op& op);
bool wait_cross(Group& group, Core& core, const Op& op);
bool sync_blocks(Group& group, Core& core, Op& op);
bool signal_word(Group& group, Core& core, const Op& op);
bool wait_word(Group& group, Core& core, const Op& op);
bool lock_mutex(Group& group, Core& core, const Op& op);
bool unlock_mutex(Group& group, Core& core, const Op& op);

// Everything that the core issued before `op` has been executed.
bool drained(const Core& core, const Op& op);
// The scalar unit comes to know that all its pipes are idle.
void drain(Group& group, Core& core);
// The pipe takes a signal of all blocks, which also tells what the other cores of its own block have done.
void learn_own_block(Group& group, Core& core, Lane& lane, const Signal& signal);

}  // namespace aicore::engine
