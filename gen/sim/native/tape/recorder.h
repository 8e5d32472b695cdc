// The recorder of a live tape: a process that is asked for the next calls of a core, and told what it has read.
//
// Both ways little-endian. A request: u32 block, u32 unit, u32 count, per value u8 kind (i or f) and its 8 bytes; the
// values are those that the last reply asked for. A reply: u64 bytes, then strings, sites and calls as in the file (u64
// bytes in front of the calls), u8 state, and what the state needs: nothing when the core is done; u32 count and the
// registers whose values decide how it goes on; or the text of an error.
#pragma once

#include <sys/types.h>

#include <mutex>
#include <string>
#include <vector>

#include "call.h"

namespace tape {

enum class State : uint8_t { done, asks, failed };

class Recorder {
public:
    // Starts the process. It ends with this one.
    explicit Recorder(const std::vector<std::string>& command);
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    // Any core may ask, from any thread; fails when the recorder does not answer any more.
    std::string ask(uint32_t block, uint32_t unit, const std::vector<Number>& values);

private:
    void write(const std::string& data);
    std::string read(size_t bytes);
    [[noreturn]] void ended();

    std::string name_;
    std::mutex mutex_;
    pid_t process_ = -1;
    int requests_ = -1, replies_ = -1;
};

}  // namespace tape
