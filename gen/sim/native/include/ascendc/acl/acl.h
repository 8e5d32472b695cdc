// The part of the AscendCL runtime that the host side of a kernel needs. Device memory is memory of the model: fresh
// memory holds poison and counts as never written until a kernel, or a copy to the device, writes it.
// Names and values: asc-devkit samples; CANN documentation, "AscendCL API reference".
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "aicore/core.h"

typedef int aclError;
typedef void* aclrtStream;
typedef void* aclrtContext;
typedef void* aclrtEvent;

inline constexpr aclError ACL_SUCCESS = 0;
inline constexpr aclError ACL_ERROR_NONE = 0;
inline constexpr aclError ACL_ERROR_INVALID_PARAM = 100000;
inline constexpr aclError ACL_ERROR_BAD_ALLOC = 200000;

typedef enum aclrtMemMallocPolicy {
    ACL_MEM_MALLOC_HUGE_FIRST,
    ACL_MEM_MALLOC_HUGE_ONLY,
    ACL_MEM_MALLOC_NORMAL_ONLY
} aclrtMemMallocPolicy;

typedef enum aclrtMemcpyKind {
    ACL_MEMCPY_HOST_TO_HOST,
    ACL_MEMCPY_HOST_TO_DEVICE,
    ACL_MEMCPY_DEVICE_TO_HOST,
    ACL_MEMCPY_DEVICE_TO_DEVICE
} aclrtMemcpyKind;

inline aclError aclInit(const char*) { return ACL_SUCCESS; }
inline aclError aclFinalize() { return ACL_SUCCESS; }
inline aclError aclrtSetDevice(int32_t) { return ACL_SUCCESS; }
inline aclError aclrtResetDevice(int32_t) { return ACL_SUCCESS; }
inline aclError aclrtCreateContext(aclrtContext* context, int32_t) {
    *context = nullptr;
    return ACL_SUCCESS;
}
inline aclError aclrtDestroyContext(aclrtContext) { return ACL_SUCCESS; }

// A launch is complete when it returns; a host that does not wait for it is told so.
inline bool crosstree_has_streams = false;
inline aclError aclrtCreateStream(aclrtStream* stream) {
    crosstree_has_streams = true;
    *stream = nullptr;
    return ACL_SUCCESS;
}
inline aclError aclrtDestroyStream(aclrtStream) {
    aicore::host_waits();
    return ACL_SUCCESS;
}
inline aclError aclrtSynchronizeStream(aclrtStream) {
    aicore::host_waits();
    return ACL_SUCCESS;
}
inline aclError aclrtSynchronizeDevice() {
    aicore::host_waits();
    return ACL_SUCCESS;
}

inline aclError aclrtMalloc(void** memory, size_t bytes, aclrtMemMallocPolicy) {
    if (memory == nullptr || bytes == 0) return ACL_ERROR_INVALID_PARAM;
    *memory = aicore::gm_alloc(bytes);
    return *memory == nullptr ? ACL_ERROR_BAD_ALLOC : ACL_SUCCESS;
}
inline aclError aclrtFree(void* memory) {
    if (memory == nullptr) return ACL_ERROR_INVALID_PARAM;
    aicore::gm_free(memory);
    return ACL_SUCCESS;
}
inline aclError aclrtMallocHost(void** memory, size_t bytes) {
    if (memory == nullptr || bytes == 0) return ACL_ERROR_INVALID_PARAM;
    *memory = std::malloc(bytes);
    return *memory == nullptr ? ACL_ERROR_BAD_ALLOC : ACL_SUCCESS;
}
inline aclError aclrtFreeHost(void* memory) {
    std::free(memory);
    return ACL_SUCCESS;
}

inline aclError aclrtMemcpyAsync(void* dst, size_t dst_bytes, const void* src, size_t bytes, aclrtMemcpyKind kind,
                                 aclrtStream) {
    if (dst == nullptr || src == nullptr || bytes > dst_bytes) return ACL_ERROR_INVALID_PARAM;
    std::memcpy(dst, src, bytes);
    if (kind == ACL_MEMCPY_DEVICE_TO_HOST) aicore::gm_read_by_host(src);
    if (kind == ACL_MEMCPY_HOST_TO_DEVICE || kind == ACL_MEMCPY_DEVICE_TO_DEVICE) {
        aicore::gm_written_by_host(dst, bytes);
    }
    return ACL_SUCCESS;
}
// Stands in no stream that the program has made: what was launched there may still run. What the default stream does
// before it, the documents leave open.
inline aclError aclrtMemcpy(void* dst, size_t dst_bytes, const void* src, size_t bytes, aclrtMemcpyKind kind) {
    if (dst == nullptr || src == nullptr || bytes > dst_bytes) return ACL_ERROR_INVALID_PARAM;
    if (!crosstree_has_streams) aicore::host_waits();
    aicore::host_copies(dst, kind == ACL_MEMCPY_HOST_TO_DEVICE || kind == ACL_MEMCPY_DEVICE_TO_DEVICE, src,
                        kind == ACL_MEMCPY_DEVICE_TO_HOST || kind == ACL_MEMCPY_DEVICE_TO_DEVICE);
    return aclrtMemcpyAsync(dst, dst_bytes, src, bytes, kind, nullptr);
}
inline aclError aclrtMemset(void* dst, size_t dst_bytes, int32_t value, size_t bytes) {
    if (dst == nullptr || bytes > dst_bytes) return ACL_ERROR_INVALID_PARAM;
    std::memset(dst, value, bytes);
    aicore::gm_written_by_host(dst, bytes);
    return ACL_SUCCESS;
}
