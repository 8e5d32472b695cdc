// The host side of a device source without a main of its own: its tensors are files named on the command line.
//
//     int main(int argc, char** argv) {
//         aicore::host::Tensors t(argc, argv);  // A:in:4096:/tmp/a.bin C:out:4096:/tmp/c.bin
//         AICORE_LAUNCH(kernel, vector, 8)(t["A"], t["C"]);
//     }
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "aicore/core.h"
#include "aicore/launch.h"

#pragma GCC visibility push(default)
namespace aicore {

// A tensor named `name` over the first `bytes` bytes of `fd`; what the kernel writes reaches the file only if `shared`.
void* gm_map_file(const char* name, int fd, size_t bytes, bool shared, bool initialised);

namespace host {

// A pointer that becomes one of any type.
struct Pointer {
    void* address;
    template <class T>
    operator T*() const {
        return static_cast<T*>(address);
    }
};

class Tensors {
public:
    // `argv` items: name:in|out|inout:bytes:path. `in` is copied on write and never changes its file; `out` starts
    // poisoned; `inout` starts with the file's content. A bad item ends the process with a message.
    Tensors(int argc, char** argv);
    ~Tensors();
    Tensors(const Tensors&) = delete;
    Tensors& operator=(const Tensors&) = delete;

    // A name that was not given ends the process with a message.
    Pointer operator[](const char* name) const;

    // Its size as the command line has it; 0 for a name that was not given.
    size_t bytes(const char* name) const;

private:
    struct Given;
    Given* given_;  // in the engine: it need not be compiled with every program
};

}  // namespace host
}  // namespace aicore
#pragma GCC visibility pop
