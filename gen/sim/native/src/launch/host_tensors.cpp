// The tensors that a program is given on its command line.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "aicore/host.h"

namespace aicore::host {

namespace {

struct Tensor {
    void* address;
    size_t bytes;
};

[[noreturn]] void fail(const std::string& message) {
    std::fprintf(stderr, "crosstree: %s\n", message.c_str());
    std::exit(70);
}

std::string cut(std::string& rest, const std::string& item) {
    size_t colon = rest.find(':');
    if (colon == std::string::npos) fail("expected name:in|out|inout:bytes:path, got " + item);
    std::string part = rest.substr(0, colon);
    rest.erase(0, colon + 1);
    return part;
}

void* map_file(const std::string& name, const std::string& mode, size_t bytes, const std::string& path) {
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

}  // namespace

struct Tensors::Given {
    std::map<std::string, Tensor> tensors;

    void add(const std::string& item) {
        std::string path = item;
        std::string name = cut(path, item), mode = cut(path, item), size = cut(path, item);
        char* end = nullptr;
        size_t bytes = std::strtoull(size.c_str(), &end, 10);
        if (size.empty() || *end) fail("not a number of bytes in " + item);
        if (mode != "in" && mode != "out" && mode != "inout") fail("neither in, out nor inout: " + item);
        tensors[name] = {map_file(name, mode, bytes, path), bytes};
    }
};

Tensors::Tensors(int argc, char** argv) : given_(new Given) {
    for (int i = 1; i < argc; ++i) given_->add(argv[i]);
}

Tensors::~Tensors() { delete given_; }

Pointer Tensors::operator[](const char* name) const {
    auto at = given_->tensors.find(name);
    if (at == given_->tensors.end()) fail(std::string("no tensor of this name was given: ") + name);
    return Pointer{at->second.address};
}

size_t Tensors::bytes(const char* name) const {
    auto at = given_->tensors.find(name);
    return at == given_->tensors.end() ? 0 : at->second.bytes;
}

}  // namespace aicore::host
