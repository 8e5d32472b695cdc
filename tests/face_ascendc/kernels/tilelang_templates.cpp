// Calls of tilelang-ascend's templates in the form that its compiler emits, one case for each number.
#include "tl_templates/ascend/common.h"
#include "aicore/host.h"
using namespace Catlass;

#define PROLOGUE                                                                                      \
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);                                                \
    AscendC::TPipe pipe;                                                                              \
    AscendC::TBuf<AscendC::TPosition::A2> ascend_l0a; pipe.InitBuffer(ascend_l0a, 65536);             \
    AscendC::TBuf<AscendC::TPosition::B2> ascend_l0b; pipe.InitBuffer(ascend_l0b, 65536);             \
    AscendC::TBuf<AscendC::TPosition::A1> ascend_l1; pipe.InitBuffer(ascend_l1, 524032);              \
    AscendC::TBuf<AscendC::TPosition::CO1> ascend_l0c; pipe.InitBuffer(ascend_l0c, 131072);           \
    AscendC::TBuf<AscendC::TPosition::VECCALC> ascend_ub; pipe.InitBuffer(ascend_ub, 196352);         \
    pipe.Destroy();                                                                                   \
    auto vid = AscendC::GetSubBlockIdx()

constexpr uint32_t ROWS = 16, COLUMNS = 128, COUNT = ROWS * COLUMNS;

// x and y are [16, 128] tiles of T; z gets what the case computes, in [16, 128] as well.
template <typename T>
__aicore__ inline void vector_case(GM_ADDR X_handle, GM_ADDR Y_handle, GM_ADDR Z_handle, int form)
{
    PROLOGUE;
    AscendC::GlobalTensor<T> X, Y, Z;
    X.SetGlobalBuffer((__gm__ T*)X_handle);
    Y.SetGlobalBuffer((__gm__ T*)Y_handle);
    Z.SetGlobalBuffer((__gm__ T*)Z_handle);
    auto x = ascend_ub.GetWithOffset<T>(COUNT, 0);
    auto y = ascend_ub.GetWithOffset<T>(COUNT, 8192);
    auto z = ascend_ub.GetWithOffset<T>(COUNT, 16384);
    auto r = ascend_ub.GetWithOffset<T>(COLUMNS, 24576);
    auto tmp_ub = ascend_ub.GetWithOffset<uint8_t>(65536, 32768);
    if ASCEND_IS_AIV {
        if (vid == 0) {
            tl::ascend::copy_gm_to_ub<T, COLUMNS, ROWS>(x[0], X[0], COLUMNS, ROWS, COLUMNS, T(0));
            tl::ascend::copy_gm_to_ub<T, COLUMNS, ROWS>(y[0], Y[0], COLUMNS, ROWS, COLUMNS, T(0));
            AscendC::Duplicate<T>(z[0], T(-1), COUNT);
            AscendC::PipeBarrier<PIPE_ALL>();
            if (form == 0) {  // a part of 10 rows and 100 columns; the rest of the tile is 2
                tl::ascend::copy_gm_to_ub<T, COLUMNS, ROWS>(z[0], X[0], COLUMNS, 10, 100, T(2.000000e+00f));
            } else if (form == 1) {
                tl::ascend::reduce_max<T, ROWS, COLUMNS, -1>(z[0], x[0], tmp_ub[0], true);
            } else if (form == 2) {
                tl::ascend::reduce_min<T, ROWS, COLUMNS, 0>(z[0], x[0], tmp_ub[0], true);
            } else if (form == 3) {  // merged with what z holds: -1
                tl::ascend::reduce_max<T, ROWS, COLUMNS, -1>(z[0], x[0], tmp_ub[0], false);
            } else if (form == 4) {
                AscendC::Adds(r[0], x[0], T(0), ROWS);
                AscendC::PipeBarrier<PIPE_V>();
                tl::ascend::Broadcast<T, 2, 1, false>(z[0], r[0], tmp_ub, (uint32_t[]){16, 128}, (uint32_t[]){16, 1});
            } else if (form == 5) {
                tl::ascend::Broadcast<T, 2, 0, false>(z[0], x[0], tmp_ub, (uint32_t[]){16, 128}, (uint32_t[]){1, 128});
            } else if (form == 6) {
                tl::ascend::Clamp<T>(z[0], x[0], tmp_ub[0], T(-1), T(0.5f), COUNT);
            } else if (form == 7) {
                tl::ascend::Fill<T>(z[0], T(1.5f), COUNT);
            } else if (form == 8) {
                tl::ascend::ArithProgression<T>(z[0], T(3), T(2), 512);
            } else if (form == 9) {  // every 256 bytes of x times an element of y
                tl::ascend::brcb<T>(tmp_ub[0].template ReinterpretCast<T>(), y[0], 1, 1, 8);
                AscendC::PipeBarrier<PIPE_V>();
                tl::ascend::mul_mask<T>(z[0], x[0], tmp_ub[0].template ReinterpretCast<T>(), 0xFFFFFFFFFFFFFFFF,
                    0xFFFFFFFFFFFFFFFF, 8, 1, 1, 0, 8, 8, 1);
            } else if (form == 10) {
                AscendC::Silu(z[0], x[0], COUNT);
            } else if (form == 11) {
                AscendC::Sigmoid(z[0], x[0], tmp_ub[0], COUNT);
            } else if (form == 12) {
                AscendC::Sin(z[0], x[0], tmp_ub[0], COUNT);
            } else if (form == 13) {
                AscendC::Cos(z[0], x[0], tmp_ub[0], COUNT);
            } else if (form == 14) {
                AscendC::Round(z[0], x[0], tmp_ub[0], COUNT);
            } else if (form == 15) {
                tl::ascend::copy_ub_to_ub<T, T, COUNT>(z[0], x[0], 8, 64, 128, 8, 64, 128);
            } else if (form == 16) {  // out of the tile again: 5 rows of 70 columns, into rows of 128
                AscendC::PipeBarrier<PIPE_ALL>();
                tl::ascend::copy_ub_to_gm<T, COLUMNS, ROWS>(Z[0], x[0], COLUMNS, 5, 70);
                AscendC::PipeBarrier<PIPE_ALL>();
                return;
            } else if (form == 17) {
                tl::ascend::atomic_add_ub_to_gm<T, COLUMNS, ROWS>(Z[0], x[0], COLUMNS, ROWS, COLUMNS);
                AscendC::PipeBarrier<PIPE_MTE3>();
                tl::ascend::atomic_add_ub_to_gm<T, COLUMNS, ROWS>(Z[0], y[0], COLUMNS, ROWS, COLUMNS);
                AscendC::PipeBarrier<PIPE_ALL>();
                return;
            } else if (form == 18) {
                auto bits = ascend_ub.GetWithOffset<uint8_t>(COUNT / 8, 25600);
                AscendC::Compare(bits[0], x[0], y[0], AscendC::CMPMODE::GT, COUNT);
                AscendC::PipeBarrier<PIPE_V>();
                AscendC::Select(z[0], bits[0], x[0], y[0], AscendC::SELMODE::VSEL_TENSOR_TENSOR_MODE, COUNT);
            } else if (form == 19) {
                auto index = ascend_ub.GetWithOffset<int32_t>(64, 25600);
                AscendC::CreateVecIndex<int>(index[0], 5, 64);
                AscendC::PipeBarrier<PIPE_V>();
                tl::ascend::Gather<T>(z[0], x[0], index[0].template ReinterpretCast<uint32_t>());
            } else if (form == 20) {
                AscendC::Power(z[0], x[0], y[0], tmp_ub[0]);
            }
            AscendC::PipeBarrier<PIPE_ALL>();
            tl::ascend::copy_ub_to_gm<T, COLUMNS, ROWS>(Z[0], z[0], COLUMNS, ROWS, COLUMNS);
            AscendC::PipeBarrier<PIPE_ALL>();
        }
    }
}

// Forms that exist for one type only.
__aicore__ inline void half_case(GM_ADDR X_handle, GM_ADDR Z_handle, int form)
{
    PROLOGUE;
    AscendC::GlobalTensor<half> X, Z;
    X.SetGlobalBuffer((__gm__ half*)X_handle);
    Z.SetGlobalBuffer((__gm__ half*)Z_handle);
    auto x = ascend_ub.GetWithOffset<half>(COUNT, 0);
    auto z = ascend_ub.GetWithOffset<half>(COUNT, 8192);
    auto wide = ascend_ub.GetWithOffset<float>(COUNT, 16384);
    if ASCEND_IS_AIV {
        if (vid == 0) {
            tl::ascend::copy_gm_to_ub<half, COLUMNS, ROWS>(x[0], X[0], COLUMNS, ROWS, COLUMNS, half(0.000000e+00f));
            AscendC::Duplicate<half>(z[0], half(-1), COUNT);
            AscendC::PipeBarrier<PIPE_ALL>();
            if (form == 0) {
                tl::ascend::reduce_sum_half<half>(z[0], x[0], 128, 16, 8);
            } else if (form == 1) {
                tl::ascend::copy_ub_to_ub<float, half, COUNT>(wide[0], x[0]);
                AscendC::PipeBarrier<PIPE_V>();
                AscendC::Muls(wide[0], wide[0], 1.0f / 3.000000e+00f, COUNT);
                AscendC::PipeBarrier<PIPE_V>();
                tl::ascend::copy_ub_to_ub<half, float, COUNT>(z[0], wide[0]);
            } else if (form == 2) {
                tl::ascend::transpose<half>(z[0], x[0]);
            } else if (form == 3) {
                tl::ascend::copy_ub_to_ub<float, half, COUNT>(wide[0], x[0]);
                AscendC::PipeBarrier<PIPE_V>();
                auto sums = ascend_ub.GetWithOffset<float>(ROWS, 40000);
                auto tmp_ub = ascend_ub.GetWithOffset<uint8_t>(8192, 49152);
                tl::ascend::reduce_sum<float, ROWS, COLUMNS, -1>(sums[0], wide[0], tmp_ub[0], true);
                AscendC::PipeBarrier<PIPE_V>();
                tl::ascend::copy_ub_to_ub<half, float, ROWS>(z[0], sums[0]);
            } else if (form == 4) {
                auto bits = x[0].ReinterpretCast<int16_t>();
                AscendC::Xor(z[0].ReinterpretCast<int16_t>(), bits, z[0].ReinterpretCast<int16_t>());
            }
            AscendC::PipeBarrier<PIPE_ALL>();
            tl::ascend::copy_ub_to_gm<half, COLUMNS, ROWS>(Z[0], z[0], COLUMNS, ROWS, COLUMNS);
            AscendC::PipeBarrier<PIPE_ALL>();
        }
    }
}

// C[M, N] = op(A) x op(B), M = 64, N = 96, K = 192 in two steps of 96.
template <typename T, typename Acc, typename Out, bool tA, bool tB, bool relu, bool add>
__aicore__ inline void gemm_case(GM_ADDR A_handle, GM_ADDR B_handle, GM_ADDR C_handle)
{
    PROLOGUE;
    constexpr uint32_t M = 64, N = 96, K = 192, S = 96;
    AscendC::GlobalTensor<T> A, B;
    A.SetGlobalBuffer((__gm__ T*)A_handle);
    B.SetGlobalBuffer((__gm__ T*)B_handle);
    AscendC::GlobalTensor<Out> C;
    C.SetGlobalBuffer((__gm__ Out*)C_handle);
    auto a = ascend_l1.GetWithOffset<T>(M * S, 0);
    auto b = ascend_l1.GetWithOffset<T>(S * N, 131072);
    auto c = ascend_l0c.GetWithOffset<Acc>(M * N, 0);
    (void)vid;
    if ASCEND_IS_AIC {
        for (int32_t k = 0; k < 2; ++k) {
            if constexpr (tA) {
                tl::ascend::copy_gm_to_l1<T, S, M>(a[0], A[k * S * M], M, S, M, true);
            } else {
                tl::ascend::copy_gm_to_l1<T, M, S>(a[0], A[k * S], K, M, S, true);
            }
            if constexpr (tB) {
                tl::ascend::copy_gm_to_l1<T, N, S>(b[0], B[k * S], K, N, S, true);
            } else {
                tl::ascend::copy_gm_to_l1<T, S, N>(b[0], B[k * S * N], N, S, N, true);
            }
            tl::ascend::gemm_v0<T, Acc, M, N, S, tA, tB>(a[0], b[0], c[0], ascend_l0a, ascend_l0b, (k == 0));
        }
        if constexpr (add) {
            tl::ascend::atomic_add_l0c_to_gm<Acc, Out, layout::RowMajor, M, N>(C[0], c[0], N, M, N);
            AscendC::PipeBarrier<PIPE_FIX>();
            tl::ascend::atomic_add_l0c_to_gm<Acc, Out, layout::RowMajor, M, N>(C[0], c[0], N, M, N);
        } else {
            tl::ascend::copy_l0c_to_gm<Acc, Out, layout::RowMajor, M, N, relu>(C[0], c[0], N, M, N);
        }
    }
}

#define KERNEL(NAME, CALL)                                                                                     \
    extern "C" __global__ __aicore__ void NAME(GM_ADDR X, GM_ADDR Y, GM_ADDR Z, int64_t form)                  \
    {                                                                                                          \
        CALL;                                                                                                  \
    }
KERNEL(float_vector, vector_case<float>(X, Y, Z, form))
KERNEL(half_vector, vector_case<half>(X, Y, Z, form))
KERNEL(half_only, half_case(X, Z, form))
KERNEL(gemm_nn, (gemm_case<half, float, float, false, false, false, false>(X, Y, Z)))
KERNEL(gemm_tn, (gemm_case<half, float, half, true, false, false, false>(X, Y, Z)))
KERNEL(gemm_nt, (gemm_case<bfloat16_t, float, bfloat16_t, false, true, false, false>(X, Y, Z)))
KERNEL(gemm_tt, (gemm_case<half, float, float, true, true, true, false>(X, Y, Z)))
KERNEL(gemm_f32_nt, (gemm_case<float, float, float, false, true, false, false>(X, Y, Z)))
KERNEL(gemm_i8_nn, (gemm_case<int8_t, int32_t, int32_t, false, false, false, false>(X, Y, Z)))
KERNEL(gemm_i8_tt, (gemm_case<int8_t, int32_t, int32_t, true, true, false, false>(X, Y, Z)))
KERNEL(gemm_added, (gemm_case<half, float, float, false, false, false, true>(X, Y, Z)))

template <typename Kernel>
void launch(const char* name, Kernel kernel, aicore::host::Tensors& t, int64_t form)
{
    aicore::Launcher(name, aicore::KernelKind::mix_1_2, 1, kernel)(
        (GM_ADDR)t["X"], (GM_ADDR)t["Y"], (GM_ADDR)t["Z"], form);
}

int main(int argc, char** argv)
{
    std::string name = argv[1];
    int64_t form = std::atoi(argv[2]);
    aicore::host::Tensors t(argc - 2, argv + 2);
#define RUN(NAME) if (name == #NAME) launch(#NAME, NAME, t, form)
    RUN(float_vector);
    RUN(half_vector);
    RUN(half_only);
    RUN(gemm_nn);
    RUN(gemm_tn);
    RUN(gemm_nt);
    RUN(gemm_tt);
    RUN(gemm_f32_nt);
    RUN(gemm_i8_nn);
    RUN(gemm_i8_tt);
    RUN(gemm_added);
}
