// SIMT vector functions: threads, warps, math, conversions and atomics.
#pragma once

#include <type_traits>

#include "c_api/face/qualifiers.h"
#include "simt_api/asc_bf16.h"
#include "simt_api/asc_fp16.h"
#include "simt_api/face/atomic.h"
#include "simt_api/face/math.h"
#include "simt_api/face/thread.h"
#include "simt_api/face/warp.h"
