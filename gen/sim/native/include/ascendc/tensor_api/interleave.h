// Interleave and DeInterleave, of dav-3510. Source: asc-devkit, docs SIMD-API / Memory vector compute, the pages of
// these names.
#pragma once

#include "ascendc/tensor_api/vector_call.h"

#if __NPU_ARCH__ == 3510

namespace aicore::ascendc {

using Interleaved =
    Types<half, bfloat16_t, float, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t>;

inline void check_even(const char* call, const char* argument, int32_t count) {
    if (count >= 0 && count % 2 == 0) return;
    const Message message("%s: %s = %d is not an even number of elements", call, argument, count);
    finding("argument-range", message.text, "take an even number of elements");
}

inline void check_runs_apart(const char* call, const ops::Mem (&dst)[2], uint64_t dst_bytes, const ops::Mem& src,
                             uint64_t src_bytes) {
    for (const ops::Mem& d : dst) {
        if (!ops::overlap(d, dst_bytes, src, src_bytes)) continue;
        const Message message("a destination of %s overlaps a source", call);
        return finding("operand-overlap", message.text, "give the destinations bytes of their own");
    }
}

}  // namespace aicore::ascendc

namespace AscendC {

template <class T>
void Interleave(const LocalTensor<T>& dst0, const LocalTensor<T>& dst1, const LocalTensor<T>& src0,
                const LocalTensor<T>& src1, int32_t count) {
    AICORE_TAKES(T, "Interleave", aicore::ascendc::Interleaved, aicore::ascendc::Interleaved);
    if (!aicore::ascendc::on_aiv()) return;
    aicore::ascendc::check_even("Interleave", "count", count);
    if (count <= 0) return;
    const uint64_t bytes = static_cast<uint64_t>(count) * sizeof(T);
    aicore::ascendc::check_runs_apart("Interleave", {dst0.mem(), dst1.mem()}, bytes, src0.mem(), bytes);
    aicore::ascendc::check_runs_apart("Interleave", {dst0.mem(), dst1.mem()}, bytes, src1.mem(), bytes);
    aicore::ops::interleave("Interleave", aicore::ascendc::dtype_of<T>(), dst0.mem(), dst1.mem(), src0.mem(),
                            src1.mem(), static_cast<uint64_t>(count));
}
template <class T>
void DeInterleave(const LocalTensor<T>& dst0, const LocalTensor<T>& dst1, const LocalTensor<T>& src0,
                  const LocalTensor<T>& src1, int32_t count) {
    AICORE_TAKES(T, "DeInterleave", aicore::ascendc::Interleaved, aicore::ascendc::Interleaved);
    if (!aicore::ascendc::on_aiv()) return;
    aicore::ascendc::check_even("DeInterleave", "count", count);
    if (count <= 0) return;
    const uint64_t bytes = static_cast<uint64_t>(count) * sizeof(T);
    aicore::ascendc::check_runs_apart("DeInterleave", {dst0.mem(), dst1.mem()}, bytes, src0.mem(), bytes);
    aicore::ascendc::check_runs_apart("DeInterleave", {dst0.mem(), dst1.mem()}, bytes, src1.mem(), bytes);
    aicore::ops::deinterleave("DeInterleave", aicore::ascendc::dtype_of<T>(), dst0.mem(), dst1.mem(), src0.mem(),
                              src1.mem(), static_cast<uint64_t>(count));
}
// One source, half of it to each destination.
template <class T>
void DeInterleave(const LocalTensor<T>& dst0, const LocalTensor<T>& dst1, const LocalTensor<T>& src, int32_t srcCount) {
    AICORE_TAKES(T, "DeInterleave", aicore::ascendc::Interleaved, aicore::ascendc::Interleaved);
    if (!aicore::ascendc::on_aiv()) return;
    aicore::ascendc::check_even("DeInterleave", "srcCount", srcCount);
    if (srcCount <= 1) return;
    const uint64_t bytes = static_cast<uint64_t>(srcCount) * sizeof(T);
    aicore::ascendc::check_runs_apart("DeInterleave", {dst0.mem(), dst1.mem()}, bytes / 2, src.mem(), bytes);
    aicore::ops::deinterleave("DeInterleave", aicore::ascendc::dtype_of<T>(), dst0.mem(), dst1.mem(), src.mem(), {},
                              static_cast<uint64_t>(srcCount) / 2);
}

}  // namespace AscendC

#endif
