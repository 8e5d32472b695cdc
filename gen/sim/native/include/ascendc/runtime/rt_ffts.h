// Address of the cross-core flags of a launch. The model keeps them itself.
#pragma once

#include <cstdint>

inline int rtGetC2cCtrlAddr(uint64_t* address, uint32_t* bytes) {
    *address = 0;
    *bytes = 0;
    return 0;
}
