// BilinearInterpolation of dav-2201: blocks that are gathered, weighted and summed, in the steps that its page names.
// Source: asc-devkit, docs SIMD-API / Memory vector compute, BilinearInterpolation.
#pragma once

#include "ascendc/tensor_api/gather.h"
#include "ascendc/tensor_api/sync.h"
#include "ascendc/tensor_api/vector.h"

namespace AscendC {

#if __NPU_ARCH__ == 2201
template <class T, class Mask>
void BilinearInterpolation(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                           const LocalTensor<uint32_t>& src0Offset, const LocalTensor<T>& src1, Mask mask,
                           uint8_t hRepeat, bool repeatMode, uint16_t dstBlkStride, uint16_t vROffset, uint8_t vRepeat,
                           const LocalTensor<uint8_t>& sharedTmpBuffer) {
    static_assert(std::is_same_v<T, half>, "BilinearInterpolation takes half");
    if (!aicore::ascendc::on_aiv()) return;
    aicore::ascendc::check_range("BilinearInterpolation", "hRepeat", hRepeat, 1, 255);
    aicore::ascendc::check_range("BilinearInterpolation", "vRepeat", vRepeat, 1, 255);
    aicore::ascendc::check_range("BilinearInterpolation", "vROffset", vROffset, 128, 65534);
    constexpr uint32_t kLanes = 128, kBlock = 16;  // elements of a repeat, of a block
    const uint32_t repeats = uint32_t{hRepeat} * vRepeat;
    const auto gathered = sharedTmpBuffer.ReinterpretCast<T>();
    const auto weights = gathered[repeats * kLanes];
    const auto in_parts = [&](uint32_t count, auto part) {
        for (uint32_t done = 0; done < count; done += 255) part(done, count - done < 255 ? count - done : 255);
    };
    in_parts(repeats, [&](uint32_t done, uint32_t times) {
        Gatherb(gathered[done * kLanes].template ReinterpretCast<uint16_t>(), src0.template ReinterpretCast<uint16_t>(),
                src0Offset[done * 8], times, GatherRepeatParams(1, 8));
    });
    in_parts(repeatMode ? repeats : (repeats + 7) / 8, [&](uint32_t done, uint32_t times) {
        Brcb(weights[done * 8 * kBlock], src1[done * 8], times, BrcbRepeatParams(1, 8));
    });
    PipeBarrier<PIPE_V>();
    const uint8_t block = repeatMode ? 1 : 0, repeat = repeatMode ? 8 : 1;
    in_parts(repeats, [&](uint32_t done, uint32_t times) {
        const auto part = gathered[done * kLanes];
        Mul(part, part, weights[done * repeat * kBlock], uint64_t{kLanes}, times,
            BinaryRepeatParams(1, 1, block, 8, 8, repeat));
    });
    PipeBarrier<PIPE_V>();
    for (uint32_t v = 0; v < vRepeat; ++v) {
        const auto row = gathered[v * hRepeat * kLanes];
        const auto sum = dst[v * vROffset];
        Copy(sum, row, mask, 1, CopyRepeatParams(dstBlkStride, 1, 8, 8));
        for (uint32_t h = 1; h < hRepeat; ++h) {
            PipeBarrier<PIPE_V>();
            const auto blocks = static_cast<uint8_t>(dstBlkStride);
            Add(sum, sum, row[h * kLanes], mask, 1, BinaryRepeatParams(blocks, blocks, 1, 8, 8, 8));
        }
    }
}
#else
template <class T, class... Rest>
void BilinearInterpolation(const LocalTensor<T>&, const Rest&...) {
    aicore::unsupported("AscendC::BilinearInterpolation(on the Ascend 950)");
}
#endif

}  // namespace AscendC
