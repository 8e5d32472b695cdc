// Words of the Ascend C dialect that choose where code runs and where memory lies. On a host they mean nothing: a core
// is a thread of the model, and an address space is a field of a tensor. The launcher reads the kind of a kernel
// (__vector__, __cube__, __mix__, KERNEL_TASK_TYPE_DEFAULT) from its text.
#pragma once

#if !defined(__NPU_ARCH__) || (__NPU_ARCH__ != 2201 && __NPU_ARCH__ != 3510)
#error "compile with -D__NPU_ARCH__=2201 (Ascend 910B) or -D__NPU_ARCH__=3510 (Ascend 950)"
#endif

#define __aicore__
#define __global__
#define __vector__
#define __cube__
#define __mix__(aic, aiv)
#define __gm__
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __fbuf__
#define __biasbuf__
#ifndef __forceinline__
#define __forceinline__ inline
#endif

#define GM_ADDR __gm__ uint8_t*

#define KERNEL_TASK_TYPE_DEFAULT(kind)
#define KERNEL_TASK_TYPE(tiling_key, kind)

// CATLASS marks its functions with an attribute of the device compiler, in a header of its own that is skipped when
// this guard is set (CATLASS, include/catlass/detail/macros.hpp).
#define CATLASS_DETAIL_MACROS_HPP
#define CATLASS_DEVICE inline
#define CATLASS_HOST_DEVICE inline
#define CATLASS_GLOBAL
