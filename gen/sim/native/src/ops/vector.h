// Temporary buffers of adv_api functions.
#pragma once

#include <algorithm>

#include "builder.h"

namespace aicore::ops {

// Bytes of the temporary buffer that a function overwrites for `bytes` bytes of source.
uint64_t temporary_of(VecOp op, uint64_t bytes);
// The same, cut at the end of the buffer where that is known: callers of adv_api pass what they have.
uint64_t temporary_bytes(const Mem& tmp, uint64_t wanted);

}  // namespace aicore::ops
