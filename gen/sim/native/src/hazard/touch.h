// A region with the memory that it lies in.
#pragma once

#include "hazard/strided.h"

namespace aicore::engine {

struct Touch {
    Strided where;
    int local = -1;   // index of the on-chip memory, or
    int tensor = -1;  // index of the tensor in global memory
    bool write = false;
    bool atomic = false;
    bool junk = false;  // what is written means nothing
};

}  // namespace aicore::engine
