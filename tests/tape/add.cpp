// The kernel of kernels.py as a person writes it.
#include "aicore/host.h"
#include "kernel_operator.h"

constexpr int kTiles = 4, kTile = 256;

void main_kernel(uint8_t* x_gm, uint8_t* z_gm) {
    if ASCEND_IS_AIC
        return;
    AscendC::GlobalTensor<float> X, Z;
    X.SetGlobalBuffer((float*)x_gm);
    Z.SetGlobalBuffer((float*)z_gm);
    for (int slot = 1; slot <= 2; ++slot) {
        AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(slot);
        AscendC::SetFlag<AscendC::HardEvent::MTE3_V>(slot);
    }
    for (int tile = 0; tile < kTiles; ++tile) {
        const int slot = tile % 2;
        AscendC::LocalTensor<float> x(AscendC::TPosition::VECCALC, 4 * kTile * slot, kTile);
        AscendC::LocalTensor<float> y(AscendC::TPosition::VECCALC, 4 * kTile * (slot + 2), kTile);
        const auto at = (AscendC::GetBlockIdx() * kTiles + tile) * kTile;
        AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(slot + 1);
        AscendC::DataCopyExtParams row(1, 4 * kTile, 0, 0, 0);
        AscendC::DataCopyPad(x, X[at], row, AscendC::DataCopyPadExtParams<float>(false, 0, 0, 0));
        AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(slot + 1);
        AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(slot + 1);
        AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(slot + 1);
        AscendC::Adds(y, x, 1.5f, kTile);
        AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(slot + 1);
        AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(slot + 1);
        AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(slot + 1);
        AscendC::DataCopyPad(Z[at], y, row);
        AscendC::SetFlag<AscendC::HardEvent::MTE3_V>(slot + 1);
    }
    for (int slot = 1; slot <= 2; ++slot) {
        AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(slot);
        AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(slot);
    }
}

int main(int argc, char** argv) {
    aicore::host::Tensors t(argc, argv);
    uint8_t *x = t["X"], *z = t["Z"];
    AICORE_LAUNCH(main_kernel, mix_1_2, 3)(x, z);
}
