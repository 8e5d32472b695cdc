// The C API of the AI Core for dav-3510: copies, Cube, synchronisation, and vector registers.
//
// These headers give a host compiler the names of CANN's c_api/asc_simd.h. Every call becomes an instruction of the
// model (aicore/ops.h) or an operation on a vector register; what the model lacks ends the core as "unsupported".
// Read in the order in which data moves.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "aicore/core.h"
#include "aicore/launch.h"
#include "aicore/numeric.h"
#include "c_api/face/qualifiers.h"

using aicore::bfloat16_t;
using aicore::half;

#include "c_api/face/cube.h"
#include "c_api/face/cube_dma.h"
#include "c_api/face/debug.h"
#include "c_api/face/enums.h"
#include "c_api/face/fixpipe.h"
#include "c_api/face/float8.h"
#include "c_api/face/rearrange.h"
#include "c_api/face/scalar.h"
#include "c_api/face/sync.h"
#include "c_api/face/vector_call.h"
#include "c_api/face/vector_dma.h"
#include "c_api/face/vector_memory.h"
#include "c_api/reg/registers.h"
