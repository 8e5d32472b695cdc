// printf and assert of device code.
#pragma once

#include <assert.h>

#include <cstdio>

#include "aicore/core.h"
#include "c_api/face/qualifiers.h"

namespace aicore::c_api {

inline void assertion_failed(const char* condition) { finding("device-assert", condition); }

template <class T>
inline T printable(T value) {
    return value;
}
template <uint32_t (*Read)()>
inline uint32_t printable(Coordinate<Read>) {
    return Read();
}

}  // namespace aicore::c_api

template <class... A>
inline int aicore_device_printf(const char* format, A... arguments) {
    return ::printf(format, aicore::c_api::printable(arguments)...);
}
#define printf aicore_device_printf

// A failed assertion is a finding about the kernel, not the end of the process.
#undef assert
#define assert(condition) ((condition) ? (void)0 : ::aicore::c_api::assertion_failed("assert(" #condition ") failed"))

// tilelang's debug.h asks for a helper that is inlined and one that is not, in one function.
#pragma GCC diagnostic ignored "-Wattributes"

// tilelang's debug.h defines its printers once for scalar and once for SIMT code; the host has one kind of code.
namespace __asc_aicore {}
using namespace __asc_aicore;
// Its layout helpers open CANN's namespace.
namespace AscendC {}
