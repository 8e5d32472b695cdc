// A tape (gen/sim/tape.py describes the file): what each core of a kernel calls, and where in a source that stands.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tape {

// Ends the program: the file is not what it claims to be, or does not belong here.
[[noreturn]] void fail(const std::string& what);

// Reads values one after the other; fails where the data ends too early.
class Reader {
public:
    Reader(std::string_view data, const char* of) : data_(data), of_(of) {}
    bool done() const { return at_ == data_.size(); }
    std::string_view bytes(uint64_t count);
    uint8_t u8() { return take<uint8_t>(); }
    uint32_t u32() { return take<uint32_t>(); }
    uint64_t u64() { return take<uint64_t>(); }
    int64_t i64() { return take<int64_t>(); }
    double f64() { return take<double>(); }

private:
    template <class T>
    T take() {
        T value;
        std::string_view from = bytes(sizeof value);
        __builtin_memcpy(&value, from.data(), sizeof value);
        return value;
    }

    std::string_view data_;
    const char* of_;
    size_t at_ = 0;
};

class Call;
using Handler = void (*)(Call&);

// A call at one place.
struct Site {
    std::string name;
    Handler handler;  // null: no such call
    uint32_t place;   // of the model
};

struct Tensor {
    std::string name, role;
    uint64_t bytes;
};

struct Stream {
    bool live = false;
    std::string_view calls;
};

// Strings and sites of a tape, or of a live core, to whose own a recorder adds.
class Tables {
public:
    void read_strings(Reader& from);
    void read_sites(Reader& from);
    const std::string& string(uint32_t index) const;
    const Site& site(uint32_t index) const;

private:
    std::vector<std::string> strings_;
    std::vector<Site> sites_;
};

struct Tape {
    std::string file;  // its bytes
    Tables tables;
    std::string kernel, kind;
    uint32_t blocks = 0;
    std::vector<std::string> command;
    std::vector<Tensor> tensors;
    std::map<std::pair<uint32_t, uint32_t>, Stream> cores;  // by block and unit (0 AIC, 1 AIV0, 2 AIV1)
};

Tape read(const char* path);

// The handler of an AscendC call, or null.
Handler handler_of(const std::string& name);

}  // namespace tape
