// The AI Core model: what a recorded instruction is, and what a face may ask of the model.
//
// A *face* (kernel_operator.h, the asc_* C API, tapes of a Python interpreter) turns the calls of a kernel into
// instructions. The model records them per core, replays them pipe by pipe, and judges their order. Nothing here knows
// what an instruction computes: an instruction is a pipe, the exact byte regions that it touches, and a body.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#pragma GCC visibility push(default)

namespace aicore {

enum class Chip : uint8_t { dav2201, dav3510 };
enum class CoreKind : uint8_t { aic, aiv };

// Memories of one AI Core. `gm` addresses are host addresses; all others are byte offsets from 0. Beside L0A and L0B
// lie the scales of MX operands (dav-3510), beside L0B the indices of sparse ones (dav-2201, in l0b_mx).
enum class Space : uint8_t { gm, l1, l0a, l0b, l0c, ub, bt, fb, l0a_mx, l0b_mx };
inline constexpr int kSpaces = 10;

// In-order instruction queues of one core, plus the scalar unit (`s`), which issues to all of them.
enum class Pipe : uint8_t { s, v, m, mte1, mte2, mte3, fix };
inline constexpr int kPipes = 7;

// Which core of the block (AIC + its AIVs) owns an on-chip address. `self` is right for everything but transfers
// between cores (L0C -> UB on dav-3510, UB -> L1).
enum class Unit : uint8_t { aic = 0, aiv0 = 1, aiv1 = 2, self = 255 };

// A two-dimensional byte region: `rows` runs of `row_bytes`, their starts `pitch` bytes apart.
struct Region {
    Space space = Space::gm;
    Unit unit = Unit::self;
    bool write = false;
    uint16_t align = 1;  // required alignment of `base`, bytes
    uint32_t rows = 1;
    uint64_t base = 0;
    uint64_t row_bytes = 0;
    int64_t pitch = 0;
    uint64_t lo = 0, hi = 0;  // bounds of the allocation that `base` points into; 0,0 where a face knows none
    bool atomic = false;      // atomic read-modify-write of GM: commutes with other atomic accesses of any core
    bool junk = false;        // written, but with bytes that mean nothing (padding without a value, scratch)
    bool most = false;        // an upper bound: what is touched, the instruction's `find` tells

    bool empty() const { return rows == 0 || row_bytes == 0; }
};

inline constexpr int kMaxRegions = 6;
inline constexpr size_t kParamBytes = 128;

// Computes an instruction. `at[i]` is the host address of `regions[i].base`; all bytes of all regions are in bounds
// when a body is called. Must touch nothing but those regions.
using Body = void (*)(const void* params, uint8_t* const* at);

// For an instruction whose data decide what it touches: called when it executes, in front of its body. Adds what is
// touched beside those of its regions that are no upper bounds; each is held against the bounds that it names. The body
// may use whatever the regions span, and skips what lies beyond.
class Touched {
public:
    virtual void add(const Region& region) = 0;
    // A fault of the instruction that only its data show.
    virtual void fault(const char* code, const char* message, const char* remedy) = 0;

protected:
    ~Touched() = default;
};
using Find = void (*)(const void* params, const Region* regions, uint8_t* const* at, Touched& touched);

// `site` identifies the source position: an index into the model's table of call stacks.
struct Instr {
    const char* name = "";  // static storage: the API call as its tree writes it, e.g. "DataCopyPad"
    Pipe pipe = Pipe::s;
    uint8_t region_count = 0;
    // Two instructions of one pipe that overlap are ordered by the hardware when both carry the same non-zero class
    // (e.g. Mmads that accumulate into the same large L0C tile). 0: ask the pipe's rule.
    uint8_t order_class = 0;
    uint8_t unit_flag = 0;  // 2 or 3 on Mmad and Fixpipe: the unit flag orders them on the L0C tile that they share
    // A further part of the instruction emitted just before (an access pattern that needs more regions): ordered after
    // it by the hardware, and not an instruction of its own in counts.
    bool continues = false;
    Body body = nullptr;  // null: the instruction moves no data
    Find find = nullptr;  // with regions that are upper bounds
    uint32_t cycles = 1;  // modelled duration on its pipe
    Region regions[kMaxRegions];
    alignas(16) unsigned char params[kParamBytes];

    Region& add(const Region& r) { return regions[region_count++] = r; }
    template <class P>
    void set_params(const P& p) {
        static_assert(std::is_trivially_copyable_v<P> && sizeof(P) <= kParamBytes);
        std::memcpy(params, &p, sizeof(P));
    }
};

// ---- what the running kernel may ask -------------------------------------------------------------------------------

struct CoreInfo {
    Chip chip;
    CoreKind kind;
    uint32_t block;       // index of the block (AIC + its AIVs) in the grid
    uint32_t block_num;   // launched blocks
    uint32_t sub_block;   // 0 or 1: which AIV of the block; 0 for the AIC
    uint32_t sub_blocks;  // AIVs in a block of this kernel: 0, 1 or 2
    bool mixed;           // the kernel runs on AIC and AIV
};
// Which variant of the program runs (profile key `variant`; 0: the program as it is). A source that holds several forms
// of one kernel asks.
int variant();
// Whether Mmad leaves the lanes of the last C0 group of K that lie beyond k out of the sum (profile key `k_tail`).
bool k_tail_is_exact();
const CoreInfo& core();  // of the calling core; never cache the address across calls; valid in vector functions too

// Storage of the face for the calling core, zeroed when a launch starts it: registers that stay set between calls
// (atomic type, padding value, NZ strides). Cores may share an OS thread, so a face must keep such state here.
inline constexpr size_t kFaceStateBytes = 512;
void* face_state();

// Size of a memory of this chip in bytes, and how much of it a kernel may allocate.
uint64_t capacity(Space space);
uint64_t usable(Space space);

// ---- instructions --------------------------------------------------------------------------------------------------

// Records an instruction issued by the calling core. The source position is taken from the call stack.
void emit(const Instr& instr);

// Event flags (binary, keyed by the pair of pipes and the id).
void set_flag(Pipe from, Pipe to, int id);
void wait_flag(Pipe from, Pipe to, int id);
// PipeBarrier<pipe>: everything issued to `pipe` before is complete before its next instruction starts.
void pipe_barrier(Pipe pipe);
// PipeBarrier<PIPE_ALL>: stops the scalar unit until every pipe is drained.
void barrier_all();

// CrossCoreSetFlag/WaitFlag<mode, pipe>(id): 0 all AICs or all AIVs, 1 the AIVs of a block, 2 AIC <-> both AIVs of a
// block, 4 AIC <-> one AIV (dav-3510; AIC uses id for AIV0 and id + 16 for AIV1). Counters.
void cross_set(int mode, Pipe pipe, int id);
void cross_wait(int mode, Pipe pipe, int id);
// SyncAll: every core of the kernel (only_aiv: every AIV).
void sync_all(bool only_aiv);
// SyncAll by words of global memory: `cores` AIVs that name the same ones. The core's own word counts its calls.
void sync_by_words(const void* words, const void* own, uint32_t cores);
// One AIV signals another by a word of global memory, which is 0 before. A signal waits until the one before it was
// taken, unless `counted`: then it does not, and the word says how many there were.
void signal_by_word(const char* name, const void* word, bool counted);
void wait_for_word(const char* name, const void* word);
// Words that blocks signal by, and that one of them clears for all: what others do with them is not compared.
void share_words(const void* words, uint64_t bytes);

// Buffer mutexes (dav-3510). A blocking lock stalls `pipe` until every unlock of `id` that was issued earlier in
// program order has completed.
void mutex_lock(Pipe pipe, int id, bool blocking);
void mutex_unlock(Pipe pipe, int id, bool blocking);

// Modelled cycles since the core started, once everything that the scalar unit waits for is done.
uint64_t cycle_count();

// Scalar access (pipe S): the kernel's scalar code waits for the value.
uint64_t scalar_read(const char* name, const Region& at);  // 1, 2, 4 or 8 bytes
void scalar_write(const char* name, const Region& at, uint64_t value);
// The scalar unit has just written `bytes` of global memory, which stay in its data cache; and they are written back:
// from `at` to the end of its line of 64 bytes, or all of them (null).
void written_to_cache(const void* at, size_t bytes);
void clean_cache(const void* at);
// A special register that `pipe` writes; `at` is where the face keeps it for the core. The scalar unit waits for what
// it issued to the pipe, and learns nothing by it of what is in memory.
uint64_t register_read(const char* name, Pipe pipe, const void* at);  // 8 bytes

// The bytes [lo, hi) of a memory.
struct Extent {
    Space space = Space::gm;
    uint64_t lo = 0, hi = 0;
};

// A vector function (SIMT or SIMD) on raw UB pointers: one V-pipe instruction. Its regions are found by running it:
// memory accesses inside it are reported to the model by compiler instrumentation, or by vf_access().
// `args` is copied; `fn` runs at replay, once, with the UB of the issuing core as the base (see ub_base()).
void vector_function(const char* name, void (*fn)(const void* args), const void* args, size_t arg_bytes);
// Only inside a running vector function:
uint8_t* ub_base();
// The bytes of UB that its pointers may reach, `count` pieces: the allocations that they point into. Without this call
// only the memory itself bounds them. Loads count `with_loads`: those of registers take 256 bytes whatever of them the
// function uses.
void vf_within(const Extent* pieces, size_t count, bool with_loads);
void vf_access(const void* host, size_t bytes, bool write);
void vf_atomic(const void* host, size_t bytes);  // atomic read-modify-write, of UB or GM; the caller performs it
// Runs `fn(args)` for threads 0..count-1 of a SIMT function; barrier() and warp operations switch between them.
void simt_run(void (*fn)(const void* args), const void* args, uint32_t count);
uint32_t simt_thread();  // index of the running thread
void simt_barrier();     // all threads of the vector function
// Publishes `value`, waits until every active lane of the 32-lane warp has published, and returns the lanes' values;
// `active` gets the lanes that take part. The array is valid until the lane's next warp operation.
const uint64_t* simt_warp_exchange(uint64_t value, uint32_t* active);

// ---- verdict -------------------------------------------------------------------------------------------------------

// The kernel needs something that the model does not have. Ends the calling core; the verdict becomes "unsupported".
[[noreturn]] void unsupported(const char* what);
// A fault that only a face can see (a queue used against its protocol). `code` is a rule code such as "queue-free",
// `message` says what happens and `remedy` what to write.
void finding(const char* code, const char* message, const char* remedy = "");
// The calling core leaves out what only a core of the other kind does: false. Where the kernel has none of `kind`,
// nobody does it, and that is a finding.
bool elsewhere(CoreKind kind);
// The place of the running call, for a finding that is made later and names both: `call` was made at `earlier`.
uint32_t place();
// The fault is about the bytes `bytes`: what else goes wrong with them because of it belongs to it.
void finding(const char* code, const char* message, const char* remedy, const char* call, uint32_t earlier,
             const Extent& bytes);
// For a program that interprets the source of a kernel and was not compiled from it: a position there, as a call stack,
// innermost first. `call` tells apart what stands at one line. The same position has the same number in a process.
struct SourceFrame {
    const char* function;
    const char* file;
    uint32_t line;
};
uint32_t source_place(const SourceFrame* frames, size_t count, const char* call);
// What the calling core issues and reports from now on stands at this place, and not where the program's code is.
void mark(uint32_t source_place);
// Ends the calling core after a finding that leaves it no way on. What it would have done later is not held against it.
[[noreturn]] void stop_core();

// ---- host side -----------------------------------------------------------------------------------------------------

// Global memory. Fresh memory is poisoned and counts as "never written".
void* gm_alloc(size_t bytes);
void gm_free(void* p);
// Fills bytes with what never-written memory holds: NaN in every number format, or the pattern of the profile's
// `poison`.
void poison(void* at, size_t bytes);
void gm_read_by_host(const void* p);  // aclrtMemcpy from the device: the tensor is a result
// The host waits for what it has launched; a copy that does not stand in a stream and goes the way that is said.
void host_waits();
void host_copies(const void* dst, bool to_device, const void* src, bool from_device);
void gm_written_by_host(void* p, size_t bytes);  // aclrtMemcpy to the device, or an input file
void gm_label(void* p, const char* name);        // what messages call it; otherwise "argument N"

enum class KernelKind : uint8_t { vector, cube, mix_1_0, mix_0_1, mix_1_1, mix_1_2 };
// Runs `fn` on every core of `blocks` blocks and judges it. Pointer arguments name the tensors of the report.
void launch(const char* kernel, KernelKind kind, uint32_t blocks, void (*fn)(const void* args), const void* args,
            const void* const* tensors, size_t tensor_count);

}  // namespace aicore

#pragma GCC visibility pop
