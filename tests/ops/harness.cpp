// Runs instructions on memories of its own, and judges their regions: a body may write only what its write regions say,
// must write all of it, and its results may depend only on what its read regions say.
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "aicore/ops.h"
#include "ops/transcendental.h"

namespace {

using namespace aicore;

constexpr size_t kGmBytes = 1 << 20;
constexpr size_t kSizes[kSpaces] = {kGmBytes,  512 << 10, 64 << 10, 64 << 10, 256 << 10,
                                    256 << 10, 4 << 10,   4 << 10,  4 << 10,  16 << 10};
constexpr size_t kUnits = 2;  // AIV0 and AIV1; every other core uses the first

using Bytes = std::vector<uint8_t>;
struct State {
    Bytes memory[kSpaces][kUnits];
    State() {
        for (int s = 0; s < kSpaces; ++s) {
            for (Bytes& b : memory[s]) b.assign(kSizes[s], 0);
        }
    }
};

State& state() {
    static State s;
    return s;
}
CoreInfo g_core{Chip::dav2201, CoreKind::aiv, 0, 1, 0, 2, false};
bool g_check = true;
bool g_k_tail_exact = false;
std::vector<Instr> g_instructions;
std::string g_errors;    // faults of an instruction
std::string g_findings;  // what the builders reported

void fault(const Instr& i, const std::string& what) { g_errors += std::string(i.name) + ": " + what + "\n"; }

size_t unit_of(const Region& r) { return r.unit == Unit::aiv1 ? 1 : 0; }

// Offset of the region's base inside its memory. GM addresses are host addresses of the harness's own memory.
int64_t offset_of(const Region& r) {
    if (r.space != Space::gm) return static_cast<int64_t>(r.base);
    return static_cast<int64_t>(r.base - reinterpret_cast<uint64_t>(state().memory[0][0].data()));
}

template <class F>
void for_each_row(const Region& r, F&& f) {
    if (r.empty()) return;
    for (uint32_t row = 0; row < r.rows; ++row) f(offset_of(r) + static_cast<int64_t>(row) * r.pitch, r.row_bytes);
}

bool in_bounds(const Instr& i, const Region& r) {
    const int64_t size = static_cast<int64_t>(kSizes[static_cast<int>(r.space)]);
    bool fine = true;
    for_each_row(r, [&](int64_t at, uint64_t n) { fine = fine && at >= 0 && at + static_cast<int64_t>(n) <= size; });
    if (!fine) fault(i, "a region lies outside its memory");
    return fine;
}

void mark(const Instr& i, State& marks, bool write) {
    for (int k = 0; k < i.region_count; ++k) {
        const Region& r = i.regions[k];
        if (r.write != write) continue;
        Bytes& m = marks.memory[static_cast<int>(r.space)][unit_of(r)];
        for_each_row(r, [&](int64_t at, uint64_t n) { std::memset(m.data() + at, 1, n); });
    }
}

void run(const Instr& i, State& s) {
    uint8_t* at[kMaxRegions] = {};
    for (int k = 0; k < i.region_count; ++k) {
        const Region& r = i.regions[k];
        if (!r.empty()) at[k] = s.memory[static_cast<int>(r.space)][unit_of(r)].data() + offset_of(r);
    }
    if (i.body != nullptr) i.body(i.params, at);
}

// Compares the memories after a run with those before it and, inside the write regions, with those of a second run that
// started from other bytes everywhere but in the read regions.
void judge(const Instr& i, const State& before, const State& other_before, const State& after, const State& other,
           const State& writes) {
    size_t outside = 0, depends = 0;
    for (int s = 0; s < kSpaces; ++s) {
        for (size_t u = 0; u < kUnits; ++u) {
            for (size_t b = 0; b < kSizes[s]; ++b) {
                if (writes.memory[s][u][b]) {
                    depends += after.memory[s][u][b] != other.memory[s][u][b];
                } else {
                    outside += after.memory[s][u][b] != before.memory[s][u][b];
                    outside += other.memory[s][u][b] != other_before.memory[s][u][b];
                }
            }
        }
    }
    if (outside) fault(i, std::to_string(outside) + " bytes changed outside the write regions");
    if (depends) fault(i, std::to_string(depends) + " written bytes depend on bytes outside the read regions");
}

void run_and_judge(const Instr& i) {
    static State before, other_before, other, reads, writes;
    for (int s = 0; s < kSpaces; ++s) {
        for (size_t u = 0; u < kUnits; ++u) {
            std::memset(reads.memory[s][u].data(), 0, kSizes[s]);
            std::memset(writes.memory[s][u].data(), 0, kSizes[s]);
        }
    }
    mark(i, reads, false);
    mark(i, writes, true);
    before = state();
    other_before = before;
    for (int s = 0; s < kSpaces; ++s) {
        for (size_t u = 0; u < kUnits; ++u) {
            Bytes& m = other_before.memory[s][u];
            for (size_t b = 0; b < kSizes[s]; ++b) m[b] = reads.memory[s][u][b] ? m[b] : m[b] ^ 0x5A;
        }
    }
    other = other_before;
    run(i, other);
    run(i, state());
    judge(i, before, other_before, state(), other, writes);
}

template <class F>
void guarded(F&& f) {
    try {
        f();
    } catch (const std::exception& e) {
        g_findings += std::string("unsupported: ") + e.what() + "\n";
    }
}

}  // namespace

namespace aicore {

const CoreInfo& core() { return g_core; }
bool k_tail_is_exact() { return g_k_tail_exact; }
uint64_t capacity(Space space) { return kSizes[static_cast<int>(space)]; }

void emit(const Instr& i) {
    g_instructions.push_back(i);
    bool fine = true;
    for (int k = 0; k < i.region_count; ++k) {
        const Region& r = i.regions[k];
        fine = in_bounds(i, r) && fine;
        const uint64_t base = r.space == Space::gm ? r.base : static_cast<uint64_t>(offset_of(r));
        if (!r.empty() && base % r.align != 0) fault(i, "misaligned");
    }
    if (!fine) return;
    g_check ? run_and_judge(i) : run(i, state());
}

void poison(void* at, size_t bytes) { std::memset(at, 0xFF, bytes); }
void unsupported(const char* what) { throw std::runtime_error(what); }
void finding(const char* code, const char* message, const char*) {
    g_findings += std::string(code) + ": " + message + "\n";
}

}  // namespace aicore

// ---- what the tests call
// ---------------------------------------------------------------------------------------------

extern "C" {

void h_reset(int chip, int check) {
    g_core.chip = static_cast<Chip>(chip);
    g_check = check != 0;
    g_k_tail_exact = false;
    g_instructions.clear();
    g_errors.clear();
    g_findings.clear();
}
void h_exact_k_tail() { g_k_tail_exact = true; }
uint8_t* h_memory(int space, int unit) { return state().memory[space][unit].data(); }
size_t h_memory_size(int space) { return kSizes[space]; }
const char* h_errors() { return g_errors.c_str(); }
const char* h_findings() { return g_findings.c_str(); }
size_t h_count() { return g_instructions.size(); }
const Instr* h_instruction(size_t i) { return &g_instructions[i]; }
// Runs recorded instruction `i` again, `times` times, without judging: for measurements.
void h_repeat(size_t i, int times) {
    for (int t = 0; t < times; ++t) run(g_instructions[i], state());
}

void h_burst(const char* n, int pipe, const ops::Mem* d, const ops::Mem* s, const ops::Burst* b) {
    guarded([&] { ops::burst(n, static_cast<Pipe>(pipe), *d, *s, *b); });
}
void h_nd2nz(const char* n, const ops::Mem* d, const ops::Mem* s, const ops::Nd2Nz* p) {
    guarded([&] { ops::nd2nz(n, *d, *s, *p); });
}
void h_fill(const char* n, int pipe, const ops::Mem* d, uint32_t repeat, uint32_t blocks, uint32_t gap, uint64_t value,
            int elem) {
    guarded([&] { ops::fill(n, static_cast<Pipe>(pipe), *d, repeat, blocks, gap, value, static_cast<uint8_t>(elem)); });
}
void h_load_fractals(const char* n, const ops::Mem* d, const ops::Mem* s, const ops::Fractals* f) {
    guarded([&] { ops::load_fractals(n, *d, *s, *f); });
}
void h_nd_dma(const char* n, const ops::Mem* d, const ops::Mem* s, const ops::NdDma* p) {
    guarded([&] { ops::nd_dma(n, *d, *s, *p); });
}
void h_im2col(const char* n, const ops::Mem* d, const ops::Mem* s, const ops::Im2col* p) {
    guarded([&] { ops::im2col(n, *d, *s, *p); });
}
void h_load_sparse(const char* n, const ops::Mem* d, const ops::Mem* s, const ops::Mem* indices, uint32_t fractals) {
    guarded([&] { ops::load_sparse(n, *d, *s, *indices, fractals); });
}
void h_mmad(const char* n, const ops::Mem* c, const ops::Mem* a, const ops::Mem* b, const ops::Mmad* p) {
    guarded([&] { ops::mmad(n, *c, *a, *b, *p); });
}
void h_fixpipe(const char* n, const ops::Mem* d, const ops::Mem* s, const ops::Fixpipe* p) {
    guarded([&] { ops::fixpipe(n, *d, *s, *p); });
}
void h_vec(const char* n, int op, int type, const ops::Mem* d, const ops::Mem* a, const ops::Mem* b, double scalar,
           const ops::VecShape* s) {
    guarded([&] { ops::vec(n, static_cast<ops::VecOp>(op), static_cast<ops::DType>(type), *d, *a, *b, scalar, *s); });
}
void h_power(const char* n, int type, const ops::Mem* d, const ops::Mem* a, const ops::Mem* b, const ops::Mem* tmp,
             uint64_t count) {
    guarded([&] { ops::power(n, static_cast<ops::DType>(type), *d, *a, *b, *tmp, count); });
}
void h_cast(const char* n, int dst_type, const ops::Mem* d, int src_type, const ops::Mem* s, int round, int saturate,
            const ops::VecShape* shape, double deq) {
    guarded([&] {
        ops::cast(n, static_cast<ops::DType>(dst_type), *d, static_cast<ops::DType>(src_type), *s,
                  static_cast<Round>(round), saturate != 0, *shape, deq);
    });
}
void h_axpy_widening(const char* n, const ops::Mem* d, const ops::Mem* s, double scalar, const ops::VecShape* shape) {
    guarded([&] { ops::axpy_widening(n, *d, *s, scalar, *shape); });
}
void h_compare(const char* n, int mode, int type, const ops::Mem* d, const ops::Mem* a, const ops::Mem* b,
               int scalar_right, double scalar, uint64_t count) {
    guarded([&] {
        ops::compare(n, static_cast<ops::Cmp>(mode), static_cast<ops::DType>(type), *d, *a, *b, scalar_right != 0,
                     scalar, count);
    });
}
void h_select(const char* n, int type, const ops::Mem* d, const ops::Mem* bits, const ops::Mem* a, const ops::Mem* b,
              int scalar_right, double scalar, uint64_t count) {
    guarded(
        [&] { ops::select(n, static_cast<ops::DType>(type), *d, *bits, *a, *b, scalar_right != 0, scalar, count); });
}
void h_reduce_whole(const char* n, int op, int type, const ops::Mem* d, const ops::Mem* s, const ops::Mem* tmp,
                    uint64_t count, int out) {
    guarded([&] {
        ops::reduce_whole(n, static_cast<ops::Red>(op), static_cast<ops::DType>(type), *d, *s, *tmp, count,
                          static_cast<ops::RedOut>(out));
    });
}
void h_reduce_repeat(const char* n, int op, int type, const ops::Mem* d, const ops::Mem* s, uint32_t lanes,
                     uint32_t repeats, uint32_t dst_rep, uint32_t src_blk, uint32_t src_rep, int out) {
    guarded([&] {
        ops::reduce_repeat(n, static_cast<ops::Red>(op), static_cast<ops::DType>(type), *d, *s, lanes, repeats, dst_rep,
                           src_blk, src_rep, static_cast<ops::RedOut>(out));
    });
}
void h_reduce_block(const char* n, int op, int type, const ops::Mem* d, const ops::Mem* s, uint32_t lanes,
                    uint32_t repeats, uint32_t dst_rep, uint32_t src_blk, uint32_t src_rep) {
    guarded([&] {
        ops::reduce_block(n, static_cast<ops::Red>(op), static_cast<ops::DType>(type), *d, *s, lanes, repeats, dst_rep,
                          src_blk, src_rep);
    });
}
void h_reduce_tile(const char* n, int op, int type, const ops::Mem* d, const ops::Mem* s, const ops::Mem* tmp,
                   uint32_t rows, uint32_t cols, uint64_t pitch, int by_row) {
    guarded([&] {
        ops::reduce_tile(n, static_cast<ops::Red>(op), static_cast<ops::DType>(type), *d, *s, *tmp, rows, cols, pitch,
                         by_row != 0);
    });
}
void h_broadcast(const char* n, int type, const ops::Mem* d, const ops::Mem* s, const ops::Mem* tmp, uint32_t rows,
                 uint32_t cols, int axis) {
    guarded([&] { ops::broadcast(n, static_cast<ops::DType>(type), *d, *s, *tmp, rows, cols, axis); });
}
void h_brcb(const char* n, int type, const ops::Mem* d, const ops::Mem* s, uint32_t repeats, uint32_t blk,
            uint32_t rep) {
    guarded([&] { ops::brcb(n, static_cast<ops::DType>(type), *d, *s, repeats, blk, rep); });
}
void h_arange(const char* n, int type, const ops::Mem* d, double first, double step, uint64_t count) {
    guarded([&] { ops::arange(n, static_cast<ops::DType>(type), *d, first, step, count); });
}
void h_gather(const char* n, int type, const ops::Mem* d, const ops::Mem* s, const ops::Mem* offsets, uint32_t base,
              uint64_t count) {
    ops::VecShape shape;
    shape.count = count;
    guarded([&] { ops::gather(n, static_cast<ops::DType>(type), *d, *s, *offsets, base, shape); });
}
void h_transpose16(const char* n, const ops::Mem* d, const ops::Mem* s) {
    guarded([&] { ops::transpose16(n, *d, *s); });
}

// Instructions that are wrong on purpose. 0: writes beside its region; 1: reads beside its region; 2: leaves a part of
// its write region as it was; 3: a region outside UB; 4: a misaligned region.
void h_wrong(int kind) {
    Instr i;
    i.name = "wrong";
    i.body = [](const void* p, uint8_t* const* at) {
        int k;
        std::memcpy(&k, p, sizeof k);
        std::memset(at[0], 7, k == 2 ? 31 : 32);
        if (k == 0) at[0][32] = 7;
        if (k == 1) at[0][0] = at[0][100];
    };
    i.set_params(kind);
    Region r;
    r.space = Space::ub;
    r.write = true;
    r.align = 32;
    r.row_bytes = 32;
    if (kind == 3) r.base = kSizes[static_cast<int>(Space::ub)] - 16;
    if (kind == 4) r.base = 8;
    i.add(r);
    emit(i);
}

// The functions that results are rounded from, in double.
void h_function(int f, const double* x, double* y, size_t n) {
    using Function = double (*)(double);
    constexpr Function kFunctions[] = {
        [](double v) { return ops::math::exp(v); },     [](double v) { return ops::math::ln(v); },
        [](double v) { return ops::math::sigmoid(v); }, [](double v) { return ops::math::silu(v); },
        [](double v) { return ops::math::tanh(v); },    [](double v) { return ops::math::gelu(v); },
    };
    for (size_t i = 0; i < n; ++i) y[i] = kFunctions[f](x[i]);
}

// Scalar conversions of numeric.h over arrays. type: 0 half, 1 bfloat16.
void h_widen(int type, const uint16_t* x, float* y, size_t n) {
    for (size_t i = 0; i < n; ++i) y[i] = type == 0 ? f16_to_f32(x[i]) : bf16_to_f32(x[i]);
}
void h_widen_portable(const uint16_t* x, float* y, size_t n) {
    for (size_t i = 0; i < n; ++i) y[i] = detail::widen_f16(x[i]);
}
void h_narrow(int type, int round, int saturate, const float* x, uint16_t* y, size_t n) {
    for (size_t i = 0; i < n; ++i) {
        const Round r = static_cast<Round>(round);
        y[i] = type == 0 ? f32_to_f16(x[i], r, saturate != 0) : f32_to_bf16(x[i], r, saturate != 0);
    }
}
void h_narrow_fast(int type, const float* x, uint16_t* y, size_t n) {
    for (size_t i = 0; i < n; ++i) y[i] = type == 0 ? f32_to_f16(x[i]) : f32_to_bf16(x[i]);
}
void h_narrow_double(int type, const double* x, uint16_t* y, size_t n) {
    for (size_t i = 0; i < n; ++i) y[i] = type == 0 ? half(x[i]).bits : bfloat16_t(x[i]).bits;
}
// op: + - * / on 16-bit values.
void h_arithmetic(int type, int op, const uint16_t* x, const uint16_t* y, uint16_t* z, size_t n) {
    const auto apply = [&](auto zero, size_t i) {
        using H = decltype(zero);
        const H a = H::from_bits(x[i]), b = H::from_bits(y[i]);
        return (op == 0 ? a + b : op == 1 ? a - b : op == 2 ? a * b : a / b).bits;
    };
    for (size_t i = 0; i < n; ++i) z[i] = type == 0 ? apply(half(0), i) : apply(bfloat16_t(0), i);
}
void h_to_integer(int bits, int is_signed, int round, int saturate, const double* x, int64_t* y, size_t n) {
    for (size_t i = 0; i < n; ++i) {
        const Round r = static_cast<Round>(round);
        const bool s = saturate != 0;
        switch (bits * 2 + is_signed) {
            case 17:
                y[i] = to_integer<int8_t>(x[i], r, s);
                break;
            case 16:
                y[i] = to_integer<uint8_t>(x[i], r, s);
                break;
            case 33:
                y[i] = to_integer<int16_t>(x[i], r, s);
                break;
            case 32:
                y[i] = to_integer<uint16_t>(x[i], r, s);
                break;
            case 65:
                y[i] = to_integer<int32_t>(x[i], r, s);
                break;
            case 64:
                y[i] = to_integer<uint32_t>(x[i], r, s);
                break;
            case 129:
                y[i] = to_integer<int64_t>(x[i], r, s);
                break;
            default:
                y[i] = static_cast<int64_t>(to_integer<uint64_t>(x[i], r, s));
        }
    }
}

}  // extern "C"
