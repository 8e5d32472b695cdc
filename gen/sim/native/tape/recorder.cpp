#include "recorder.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

namespace tape {

namespace {

constexpr int kReplies = 3;  // the descriptor that a recorder answers on; it is asked on its standard input

template <class T>
void append(std::string& out, T value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

struct Pipe {
    int read = -1, write = -1;
};

Pipe open_pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        fail(std::string("cannot talk to the recorder of a tape: ") + std::strerror(errno));
    return {ends[0], ends[1]};
}

// In the new process. Only calls that are allowed between fork and exec.
[[noreturn]] void become(char* const* command, pid_t player, int requests, int replies) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGPIPE, SIG_DFL);
    // The copies that stay open must not be each other's numbers.
    const int in = fcntl(requests, F_DUPFD_CLOEXEC, kReplies + 1), out = fcntl(replies, F_DUPFD_CLOEXEC, kReplies + 1);
    if (getppid() == player && dup2(in, STDIN_FILENO) >= 0 && dup2(out, kReplies) >= 0) execvp(command[0], command);
    _exit(127);
}

// A recorder may hang: when nobody waits for this process any more, both end.
void end_with_parent() {
    constexpr auto kLook = std::chrono::milliseconds(500);
    std::thread([parent = getppid(), kLook] {
        while (getppid() == parent) std::this_thread::sleep_for(kLook);
        _exit(1);
    }).detach();
}

std::string how_ended(int status) {
    if (WIFSIGNALED(status)) return std::string("it was ended by ") + strsignal(WTERMSIG(status));
    if (WEXITSTATUS(status) == 127) return "it could not be started";
    return "its exit code is " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

Recorder::Recorder(const std::vector<std::string>& command) {
    if (command.empty()) fail("a tape is live and does not say what records it");
    name_ = command[0];
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    const Pipe requests = open_pipe(), replies = open_pipe();
    signal(SIGPIPE, SIG_IGN);  // a write to a recorder that has died is an error like a read
    const pid_t player = getpid();
    process_ = fork();
    if (process_ < 0) fail(std::string("cannot start the recorder of a tape: ") + std::strerror(errno));
    if (process_ == 0) become(words.data(), player, requests.read, replies.write);
    end_with_parent();
    close(requests.read);
    close(replies.write);
    requests_ = requests.write;
    replies_ = replies.read;
}

std::string Recorder::ask(uint32_t block, uint32_t unit, const std::vector<Number>& values) {
    std::string request;
    append(request, block);
    append(request, unit);
    append(request, static_cast<uint32_t>(values.size()));
    for (const Number& value : values) {
        request += value.real ? 'f' : 'i';
        value.real ? append(request, value.value) : append(request, value.integer);
    }
    std::lock_guard lock(mutex_);
    write(request);
    const std::string head = read(sizeof(uint64_t));
    uint64_t bytes;
    std::memcpy(&bytes, head.data(), sizeof bytes);
    return read(bytes);
}

void Recorder::write(const std::string& data) {
    for (size_t at = 0; at < data.size();) {
        const ssize_t n = ::write(requests_, data.data() + at, data.size() - at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) ended();
        at += static_cast<size_t>(n);
    }
}

std::string Recorder::read(size_t bytes) {
    constexpr size_t kPart = size_t{1} << 20;  // room is made as data comes: the size may be wrong
    std::string data;
    while (data.size() < bytes) {
        const size_t at = data.size();
        data.resize(std::min(bytes, at + kPart));
        const ssize_t n = ::read(replies_, data.data() + at, data.size() - at);
        data.resize(at + static_cast<size_t>(std::max<ssize_t>(n, 0)));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) ended();
    }
    return data;
}

void Recorder::ended() {
    int status = 0;
    waitpid(process_, &status, 0);
    fail("the recorder of a live tape (" + name_ + ") is gone: " + how_ended(status));
}

}  // namespace tape
