// Groups of threads that meet: tilelang uses the active threads of a warp.
#pragma once

#include "simt_api/face/warp.h"

namespace cooperative_groups {

class coalesced_group {
public:
    // Waits for the active lanes of the warp.
    void sync() const { asc_activemask(); }
};

inline coalesced_group coalesced_threads() { return {}; }

}  // namespace cooperative_groups
