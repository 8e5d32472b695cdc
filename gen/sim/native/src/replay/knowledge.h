// How knowledge passes between pipes.
#pragma once

#include "replay/group.h"

namespace aicore::engine {

// `lane` comes to know `what`.
void learn(Group& group, Lane& lane, const Knowledge& what);
// What an event on `pipe` carries: all that the pipe knows, and that all it was issued is complete.
Signal signal_of(const Core& core, Pipe pipe);
// The pipe waits for the signal.
void take(Group& group, Lane& lane, const Signal& signal);

// Before an instruction of `lane` starts: what the scalar unit knew when it issued it. False: it is not issued yet.
bool issued(Group& group, Core& core, Lane& lane, const Op& op);
// Earliest modelled cycle at which the operation can start.
uint64_t start_time(const Core& core, const Lane& lane, const Op& op);
// Takes the operation off its queue and accounts for `cycles`.
void retire(Core& core, Pipe pipe, uint64_t start, uint64_t cycles);
// The scalar unit has passed an operation that stopped it.
void scalar_goes_on(Core& core);
// Counts a wait as a step of its pipe (of the issue lane for the scalar unit) and tells where.
void count_wait(Core& core, Pipe pipe, int& lane, uint32_t& seq);

}  // namespace aicore::engine
