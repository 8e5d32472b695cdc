// Programs that end in every way but the right one: none of them may look clean.
#include <unistd.h>

#include <csignal>

#include "support.h"

CASE(right, vector, 2) { load(0, g.in, 1024); }
CASE(null_pointer, vector, 3) {
    if (core().block == 1) *reinterpret_cast<volatile int*>(uintptr_t{8}) = 1;
}
CASE(division_by_zero, vector, 1) {
    volatile int zero = 0;
    volatile int x = 7 / zero;
    (void)x;
}
static int deep(volatile char* above, int n) {
    volatile char here[4096];
    here[0] = above ? above[0] : 0;
    return n == 0 ? here[0] : deep(here, n - 1) + here[0];
}
CASE(endless_recursion, vector, 1) { deep(nullptr, 1 << 30); }
CASE(endless_loop, vector, 1) {
    for (volatile bool go = true; go;) pipe_barrier(Pipe::v);
}
CASE(endless_scalar_loop, vector, 1) {
    Region at = ub(0, 4, false);
    at.align = 4;
    while (scalar_read("GetValue", at) != 0) {
    }
}
CASE(waits_for_ever, vector, 1) {
    for (volatile bool go = true; go;) wait_flag(Pipe::mte2, Pipe::v, 0);
}
CASE(aborts, vector, 1) { std::abort(); }
CASE(leaves_quietly, vector, 1) { _exit(0); }
CASE(killed, vector, 1) { std::raise(SIGKILL); }
CASE(exits_in_kernel, vector, 1) { std::exit(0); }
static void crashes(const void*) { *reinterpret_cast<volatile int*>(uintptr_t{1} << 40) = 1; }
CASE(crash_in_vector_function, vector, 1) { vector_function("asc_vf_call", crashes, nullptr, 0); }
CASE(crash_in_body, vector, 1) {
    Instr i;
    i.name = "Add";
    i.pipe = Pipe::v;
    i.body = [](const void*, uint8_t* const*) { *reinterpret_cast<volatile int*>(uintptr_t{1} << 40) = 1; };
    emit(i);
}

static void cut_report() {
    const char* path = std::getenv("AICORE_REPORT");
    if (truncate(path, 100) != 0) _exit(9);
}
static void remove_report() { unlink(std::getenv("AICORE_REPORT")); }

int main(int argc, char** argv) {
    std::string what = argc > 1 ? argv[1] : "";
    if (what == "no_launch") return 0;
    if (what == "fails_before_launch") return 3;
    if (what == "report_cut") std::atexit(cut_report);
    if (what == "report_removed") std::atexit(remove_report);
    if (what == "no_blocks") launch("kernel", KernelKind::vector, 0, nullptr, nullptr, nullptr, 0);
    if (what == "too_many_blocks") launch("kernel", KernelKind::vector, 65536, nullptr, nullptr, nullptr, 0);
    if (what == "host_unsupported") unsupported("an acl call");
    if (what == "core_on_host") return static_cast<int>(core().block);
    if (what == "emit_on_host") pipe_barrier(Pipe::v);
    bool other = what.rfind("report_", 0) == 0 || what == "fails_after_launch";
    char right[] = "right";
    char* args[] = {argv[0], right, nullptr};
    int code = other ? run_case(2, args) : run_case(argc, argv);
    return what == "fails_after_launch" ? 4 : code;
}
