/*!
 * \file data_utils.h
 * \brief Binary files to and from host memory, and the check of acl return codes.
 */
#ifndef DATA_UTILS_H
#define DATA_UTILS_H

#include <cstddef>
#include <cstdio>
#include <fstream>
#include <string>

// Leaves main() with status 1 when an acl call fails.
#define CHECK_ACL(call)                                                                        \
    do {                                                                                       \
        const aclError status = (call);                                                        \
        if (status != ACL_SUCCESS) {                                                           \
            std::fprintf(stderr, "[ERROR] %s returned %d\n", #call, static_cast<int>(status)); \
            return 1;                                                                          \
        }                                                                                      \
    } while (0)

// Fills `buffer` with exactly `size` bytes; false when the file does not hold that many.
inline bool ReadFile(const std::string& path, void* buffer, size_t size)
{
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file || static_cast<size_t>(file.tellg()) != size) {
        std::fprintf(stderr, "[ERROR] %s: expected a file of %zu bytes\n", path.c_str(), size);
        return false;
    }
    file.seekg(0);
    return static_cast<bool>(file.read(static_cast<char*>(buffer), static_cast<std::streamsize>(size)));
}

inline bool WriteFile(const std::string& path, const void* buffer, size_t size)
{
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(static_cast<const char*>(buffer), static_cast<std::streamsize>(size));
    if (!file.flush()) {
        std::fprintf(stderr, "[ERROR] %s: cannot write %zu bytes\n", path.c_str(), size);
        return false;
    }
    return true;
}

#endif // DATA_UTILS_H
