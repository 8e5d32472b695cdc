// The host side of a device source without a main of its own: its tensors are files named on the command line.
//
//     int main(int argc, char** argv) {
//         aicore::host::Tensors t(argc, argv);  // A:in:4096:/tmp/a.bin C:out:4096:/tmp/c.bin
//         AICORE_LAUNCH(kernel, vector, 8)(t["A"], t["C"]);
//     }
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "aicore/core.h"
#include "aicore/launch.h"

#pragma GCC visibility push(default)
namespace aicore {
// A tensor named `name` over the first `bytes` bytes of `fd`; what the kernel writes reaches the file only if `shared`.
void* gm_map_file(const char* name, int fd, size_t bytes, bool shared, bool initialised);
}  // namespace aicore
#pragma GCC visibility pop

namespace aicore::host {

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
    Tensors(int argc, char** argv) {
        for (int i = 1; i < argc; ++i) add(argv[i]);
    }

    Pointer operator[](const std::string& name) const {
        auto at = tensors_.find(name);
        if (at == tensors_.end()) fail("no tensor of this name was given: " + name);
        return Pointer{at->second};
    }

    // Its size as the command line has it.
    size_t bytes(const std::string& name) const {
        auto at = sizes_.find(name);
        return at == sizes_.end() ? 0 : at->second;
    }

private:
    [[noreturn]] static void fail(const std::string& message) {
        std::fprintf(stderr, "crosstree: %s\n", message.c_str());
        std::exit(70);
    }

    static std::string cut(std::string& rest, const std::string& item) {
        size_t colon = rest.find(':');
        if (colon == std::string::npos) fail("expected name:in|out|inout:bytes:path, got " + item);
        std::string part = rest.substr(0, colon);
        rest.erase(0, colon + 1);
        return part;
    }

    void add(const std::string& item) {
        std::string path = item;
        std::string name = cut(path, item), mode = cut(path, item), size = cut(path, item);
        char* end = nullptr;
        size_t bytes = std::strtoull(size.c_str(), &end, 10);
        if (size.empty() || *end) fail("not a number of bytes in " + item);
        if (mode != "in" && mode != "out" && mode != "inout") fail("neither in, out nor inout: " + item);
        tensors_[name] = map(name, mode, bytes, path);
        sizes_[name] = bytes;
    }

    static void* map(const std::string& name, const std::string& mode, size_t bytes, const std::string& path) {
        bool out = mode == "out", in = mode == "in";
        int fd = out ? open(path.c_str(), O_RDWR | O_CREAT, 0644) : open(path.c_str(), in ? O_RDONLY : O_RDWR);
        if (fd < 0) fail("cannot open " + path + ": " + std::strerror(errno));
        struct stat st{};
        if (fstat(fd, &st) != 0) fail("cannot read " + path);
        if (out && ftruncate(fd, static_cast<off_t>(bytes)) != 0) fail("cannot resize " + path);
        if (!out && static_cast<size_t>(st.st_size) < bytes) {
            fail(path + " has " + std::to_string(st.st_size) + " bytes, " + name + " needs " + std::to_string(bytes));
        }
        void* p = gm_map_file(name.c_str(), fd, bytes, !in, !out);
        close(fd);
        return p;
    }

    std::map<std::string, void*> tensors_;
    std::map<std::string, size_t> sizes_;
};

}  // namespace aicore::host
