// The AscendC tensor API on the AI Core model: what a kernel includes.
//
// Every call records one instruction, with the exact bytes that it reads and writes, on the pipe that the API
// documents. A core executes only the instructions of its kind: a call that needs a memory or a pipe that the core
// lacks does nothing, as on the device, where one source is compiled for AIC and for AIV.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "aicore/launch.h"
#include "ascendc/tensor_api/adv_api.h"
#include "ascendc/tensor_api/bilinear.h"
#include "ascendc/tensor_api/block_sync.h"
#include "ascendc/tensor_api/buf_pool.h"
#include "ascendc/tensor_api/cast.h"
#include "ascendc/tensor_api/compare.h"
#include "ascendc/tensor_api/data_copy.h"
#include "ascendc/tensor_api/debug.h"
#include "ascendc/tensor_api/fixpipe.h"
#include "ascendc/tensor_api/flexible_scalar.h"
#include "ascendc/tensor_api/fused_cast.h"
#include "ascendc/tensor_api/gather.h"
#include "ascendc/tensor_api/global_fill.h"
#include "ascendc/tensor_api/group_barrier.h"
#include "ascendc/tensor_api/hints.h"
#include "ascendc/tensor_api/interleave.h"
#include "ascendc/tensor_api/load_3d.h"
#include "ascendc/tensor_api/matrix.h"
#include "ascendc/tensor_api/matrix_scaled.h"
#include "ascendc/tensor_api/nz_copy.h"
#include "ascendc/tensor_api/qualifiers.h"
#include "ascendc/tensor_api/reduce.h"
#if __NPU_ARCH__ == 3510
#include "ascendc/tensor_api/nd_dma.h"
#include "ascendc/tensor_api/reg.h"
#endif
#include "ascendc/tensor_api/scalar_atomic.h"
#include "ascendc/tensor_api/scalar_bits.h"
#include "ascendc/tensor_api/sort.h"
#include "ascendc/tensor_api/sync.h"
#include "ascendc/tensor_api/top_k.h"
#include "ascendc/tensor_api/tque.h"
#include "ascendc/tensor_api/transpose.h"
#include "ascendc/tensor_api/unmodelled.h"
#include "ascendc/tensor_api/utils.h"
#include "ascendc/tensor_api/vector.h"
