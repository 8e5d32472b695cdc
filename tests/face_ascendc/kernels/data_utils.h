// Files between the host side of a test kernel and its test.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

#include "acl/acl.h"

// A tensor of `bytes` bytes on the device, filled from input/<name>.bin.
inline uint8_t* DeviceInput(const char* name, size_t bytes) {
    void* host = nullptr;
    void* device = nullptr;
    aclrtMallocHost(&host, bytes);
    std::FILE* file = std::fopen((std::string("input/") + name + ".bin").c_str(), "rb");
    if (file == nullptr || std::fread(host, 1, bytes, file) != bytes) std::abort();
    std::fclose(file);
    aclrtMalloc(&device, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(device, bytes, host, bytes, ACL_MEMCPY_HOST_TO_DEVICE);
    aclrtFreeHost(host);
    return static_cast<uint8_t*>(device);
}

inline uint8_t* DeviceOutput(size_t bytes) {
    void* device = nullptr;
    aclrtMalloc(&device, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    return static_cast<uint8_t*>(device);
}

inline void WriteOutput(const char* name, const void* device, size_t bytes) {
    void* host = nullptr;
    aclrtMallocHost(&host, bytes);
    aclrtMemcpy(host, bytes, device, bytes, ACL_MEMCPY_DEVICE_TO_HOST);
    std::FILE* file = std::fopen((std::string("output/") + name + ".bin").c_str(), "wb");
    if (file == nullptr || std::fwrite(host, 1, bytes, file) != bytes) std::abort();
    std::fclose(file);
    aclrtFreeHost(host);
}
