// The kernel of live_add.py as a person writes it.
#include <cmath>

#include "aicore/host.h"
#include "kernel_operator.h"

constexpr int kTiles = 4, kTile = 256;

void main_kernel(uint8_t* x_gm, uint8_t* z_gm) {
    if ASCEND_IS_AIC
        return;
    AscendC::GlobalTensor<float> X, Z;
    X.SetGlobalBuffer((float*)x_gm);
    Z.SetGlobalBuffer((float*)z_gm);
    AscendC::LocalTensor<float> x(AscendC::TPosition::VECCALC, 0, kTile);
    AscendC::DataCopyExtParams row(1, 4 * kTile, 0, 0, 0);
    for (int tile = 0; tile < kTiles; ++tile) {
        const auto at = (AscendC::GetBlockIdx() * kTiles + tile) * kTile;
        AscendC::DataCopyPad(x, X[at], row, AscendC::DataCopyPadExtParams<float>(false, 0, 0, 0));
        AscendC::PipeBarrier<PIPE_ALL>();
        const int index = static_cast<int>(std::fabs(x.GetValue(5))) + 1;
        const float amount = x.GetValue(index);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::Adds(x, x, amount, kTile);
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::DataCopyPad(Z[at], x, row);
        AscendC::PipeBarrier<PIPE_ALL>();
    }
}

int main(int argc, char** argv) {
    aicore::host::Tensors t(argc, argv);
    uint8_t *x = t["X"], *z = t["Z"];
    AICORE_LAUNCH(main_kernel, mix_1_2, 3)(x, z);
}
