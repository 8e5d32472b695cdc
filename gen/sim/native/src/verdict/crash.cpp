// A crash of the kernel is a verdict: the report then says what happened and where. Only async-signal-safe calls.
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "launch/launch.h"
#include "launch/profile.h"
#include "record/running.h"
#include "record/site.h"
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

struct Text {
    char data[4096];
    size_t used = 0;

    __attribute__((format(printf, 2, 3))) void add(const char* format, ...) {
        va_list args;
        va_start(args, format);
        int n = std::vsnprintf(data + used, sizeof data - used, format, args);
        va_end(args);
        if (n > 0) used = std::min(used + static_cast<size_t>(n), sizeof data - 1);
    }
};

void add_stack(Text& out, const Core* core, const void* context) {
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
    for (int i = 0; i < stack.count; ++i) {
        out.add("%s%llu", i ? "," : "", static_cast<unsigned long long>(stack.frames[static_cast<size_t>(i)]));
    }
}

const char* crash_kernel(const Core* core) { return core ? core->group->launch->kernel().c_str() : ""; }

bool stack_overflow(const Core* core, const void* address) {
    if (!core || !core->stack) return false;
    auto at = reinterpret_cast<uintptr_t>(address), lo = reinterpret_cast<uintptr_t>(core->stack);
    return at < lo && lo - at <= (uintptr_t{64} << 10);
}

void write_crash(int number, const siginfo_t* info, const void* context) {
    const char* path = std::getenv("AICORE_REPORT");
    if (!path) return;
    Core* core = running();
    Text out;
    out.add("{\"version\":1,\"profile\":{},\"unsupported\":null,\"launches\":[],\"crashed\":{\"signal\":\"%s\"",
            signal_word(number));
    out.add(",\"address\":%llu", static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(info->si_addr)));
    out.add(",\"kernel\":\"%s\"", crash_kernel(core));
    out.add(",\"stack_overflow\":%s", stack_overflow(core, info->si_addr) ? "true" : "false");
    if (core) out.add(",\"core\":\"%s of block %u\"", unit_word(core->unit), core->info.block);
    out.add(",\"stack\":[");
    add_stack(out, core, context);
    out.add("]}}\n");
    Text temporary;
    temporary.add("%s.tmp%d", path, static_cast<int>(getpid()));
    int fd = open(temporary.data, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0) return;
    bool ok = write(fd, out.data, out.used) == static_cast<ssize_t>(out.used);
    ok = close(fd) == 0 && ok;
    if (ok) rename(temporary.data, path);
}

void on_crash(int number, siginfo_t* info, void* context) {
    for (int s : kSignals) signal(s, SIG_DFL);  // a second crash, in here, just ends the process
    write_crash(number, info, context);
    _exit(128 + number);
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
}

}  // namespace aicore::engine
