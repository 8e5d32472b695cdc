// A crash of the kernel is a verdict: the report then says what happened and where. So is the end of its time
// (SIGXCPU): then the report says where each core stood. Only async-signal-safe calls.
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

#include "launch/launch.h"
#include "launch/profile.h"
#include "record/running.h"
#include "record/site.h"
#include "replay/group.h"
#include "verdict/report.h"
#include "verdict/words.h"

namespace aicore::engine {

namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr size_t kAlternate = size_t{64} << 10;

const char* signal_word(int number) {
    switch (number) {
        case SIGSEGV:
            return "SIGSEGV";
        case SIGBUS:
            return "SIGBUS";
        case SIGFPE:
            return "SIGFPE";
        case SIGILL:
            return "SIGILL";
        default:
            return "SIGABRT";
    }
}

void registers(const void* context, uintptr_t& at, uintptr_t& frame) {
    const auto& m = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    at = static_cast<uintptr_t>(m.gregs[REG_RIP]);
    frame = static_cast<uintptr_t>(m.gregs[REG_RBP]);
#elif defined(__aarch64__)
    at = m.pc;
    frame = m.regs[29];
#else
    at = frame = 0;
    (void)m;
#endif
}

template <size_t kBytes>
struct Text {
    char data[kBytes];
    size_t used = 0;

    __attribute__((format(printf, 2, 3))) void add(const char* format, ...) {
        va_list args;
        va_start(args, format);
        int n = std::vsnprintf(data + used, sizeof data - used, format, args);
        va_end(args);
        if (n > 0) used = std::min(used + static_cast<size_t>(n), sizeof data - 1);
    }
};

template <size_t kBytes>
void add_frames(Text<kBytes>& out, const Stack& stack) {
    for (int i = 0; i < stack.count; ++i) {
        out.add("%s%llu", i ? "," : "", static_cast<unsigned long long>(stack.frames[static_cast<size_t>(i)]));
    }
}

template <size_t kBytes>
void add_stack(Text<kBytes>& out, const Core* core, const void* context) {
    uintptr_t at = 0, frame = 0;
    registers(context, at, frame);
    Stack stack;
    if (in_program(at)) stack.frames[static_cast<size_t>(stack.count++)] = link_address(at);
    // Only a frame on the stack of the core is safe to read.
    if (core && core->stack) {
        auto lo = reinterpret_cast<uintptr_t>(core->stack);
        if (frame >= lo && frame < lo + core_stacks().bytes()) {
            walk(reinterpret_cast<void*>(frame), lo + core_stacks().bytes(), stack);
        }
    }
    add_frames(out, stack);
}

const char* crash_kernel(const Core* core) { return core ? core->group->launch->kernel().c_str() : ""; }

bool stack_overflow(const Core* core, const void* address) {
    if (!core || !core->stack) return false;
    auto at = reinterpret_cast<uintptr_t>(address), lo = reinterpret_cast<uintptr_t>(core->stack);
    return at < lo && lo - at <= (uintptr_t{64} << 10);
}

void write_file(const char* path, const char* data, size_t bytes) {
    Text<4096> temporary;
    temporary.add("%s.tmp%d", path, static_cast<int>(getpid()));
    int fd = open(temporary.data, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0) return;
    bool ok = write(fd, data, bytes) == static_cast<ssize_t>(bytes);
    ok = close(fd) == 0 && ok;
    if (ok) rename(temporary.data, path);
}

void write_crash(int number, const siginfo_t* info, const void* context) {
    const char* path = std::getenv("AICORE_REPORT");
    if (!path) return;
    Core* core = running();
    Text<4096> out;
    out.add("{\"version\":1,\"profile\":{},\"unsupported\":null,\"launches\":[],\"crashed\":{\"signal\":\"%s\"",
            signal_word(number));
    out.add(",\"address\":%llu", static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(info->si_addr)));
    out.add(",\"kernel\":\"%s\"", crash_kernel(core));
    out.add(",\"stack_overflow\":%s", stack_overflow(core, info->si_addr) ? "true" : "false");
    if (core) out.add(",\"core\":\"%s of block %u\"", unit_word(core->unit), core->info.block);
    out.add(",\"stack\":[");
    add_stack(out, core, context);
    out.add("]}}\n");
    write_file(path, out.data, out.used);
}

void on_crash(int number, siginfo_t* info, void* context) {
    for (int s : kSignals) signal(s, SIG_DFL);  // a second crash, in here, just ends the process
    write_crash(number, info, context);
    _exit(128 + number);
}

// The host threads that run cores. One that has ended leaves its place to another.
constexpr size_t kThreads = 256;
std::atomic<pid_t> threads[kThreads];

struct Registered {
    size_t place = kThreads;
    Registered() {
        auto own = static_cast<pid_t>(syscall(SYS_gettid));
        for (place = 0; place < kThreads; ++place) {
            pid_t free = 0;
            if (threads[place].compare_exchange_strong(free, own)) return;
        }
    }
    ~Registered() {
        if (place < kThreads) threads[place] = 0;
    }
};

// Where the cores stand that run now; every thread adds its own.
Text<(size_t{64} << 10)> standing, sources;
std::atomic_flag writing = ATOMIC_FLAG_INIT;
std::atomic<int> answers{0};
std::atomic<bool> overtime{false};

void pause_for(long milliseconds) {
    timespec time{0, milliseconds * 1'000'000};
    nanosleep(&time, nullptr);
}

// A position in a source that the program interprets is told with its file and line.
void add_names(const Stack& stack) {
    for (int i = 0; i < stack.count; ++i) {
        uint64_t name = stack.frames[static_cast<size_t>(i)];
        const auto* frames = name & kNamed ? try_frames_of(name) : nullptr;
        if (!frames) continue;
        sources.add("%s\"%llu\":[", sources.used ? "," : "", static_cast<unsigned long long>(name));
        const char* between = "";
        for (const NamedFrame& frame : *frames) {
            sources.add("%s[\"%s\",\"%s\",%u]", between, frame.function.c_str(), frame.file.c_str(), frame.line);
            between = ",";
        }
        sources.add("]");
    }
}

void add_core(const Core& core, const void* context) {
    standing.add("%s{\"core\":\"%s of block %u\",\"stack\":[", standing.used ? "," : "", unit_word(core.unit),
                 core.info.block);
    Stack stack;
    bool marked = core.mark != kNoSite;
    if (&core == running() && !marked) {
        add_stack(standing, &core, context);
    } else if ((marked || core.next_index > 0) && try_stack_of(marked ? core.mark : core.last_site, stack)) {
        add_frames(standing, stack);
        add_names(stack);
    }
    standing.add("]}");
}

void add_standing(const void* context) {
    const Group* group = working_on();
    while (writing.test_and_set()) pause_for(1);
    for (const Core& core : group ? std::span<const Core>(group->cores) : std::span<const Core>()) {
        bool runs = core.state == FiberState::ready || core.state == FiberState::needs_value;
        if (runs || !core.idle()) add_core(core, context);
    }
    writing.clear();
    ++answers;
}

// Asks the other threads, and gives them half a second.
void ask_others() {
    auto own = static_cast<pid_t>(syscall(SYS_gettid));
    int asked = 1;
    for (auto& thread : threads) {
        pid_t id = thread;
        if (id != 0 && id != own && syscall(SYS_tgkill, getpid(), id, SIGXCPU) == 0) ++asked;
    }
    for (int i = 0; i < 100 && answers < asked; ++i) pause_for(5);
}

void on_overtime(int, siginfo_t*, void* context) {
    bool first = !overtime.exchange(true);
    add_standing(context);
    if (!first) return;
    ask_others();
    while (writing.test_and_set()) pause_for(1);
    static Text<(size_t{160} << 10)> out;
    out.add("{\"version\":1,\"overtime\":[%s],\"sources\":{%s}}\n", standing.data, sources.data);
    if (const char* path = std::getenv("AICORE_REPORT")) write_file(path, out.data, out.used);
    _exit(124);
}

}  // namespace

void catch_crashes() {
    static thread_local bool done = false;
    if (done) return;
    done = true;
    running();  // touches its thread_local outside of the handler
    stack_t alternate{};
    alternate.ss_size = kAlternate;
    alternate.ss_sp = mmap(nullptr, kAlternate, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (alternate.ss_sp == MAP_FAILED) return;
    sigaltstack(&alternate, nullptr);
    struct sigaction action{};
    action.sa_sigaction = on_crash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (int s : kSignals) sigaction(s, &action, nullptr);
    action.sa_sigaction = on_overtime;
    action.sa_flags |= SA_RESTART;
    sigaction(SIGXCPU, &action, nullptr);
    static thread_local Registered registered;
}

}  // namespace aicore::engine
