// Calls that change how fast a kernel runs, or what a profiler sees, and nothing else; and what is left of a memory.
// Source: asc-devkit, docs SIMD-API / cache control, debugging, Mmad settings, PopStackBuffer.
#pragma once

#include "ascendc/tensor_api/tpipe.h"

namespace AscendC {

template <class Offset>
void DataCachePreload(const GlobalTensor<uint64_t>&, const Offset) {}
inline void ICachePreLoad(const int64_t) {}
// 0: done.
inline int64_t GetICachePreloadStatus() { return 0; }
inline void MetricsProfStart() {}
inline void MetricsProfStop() {}
inline void PrintTimeStamp(uint32_t) {}
// Which way an Mmad goes through its blocks first.
inline void SetMMColumnMajor() {}
inline void SetMMRowMajor() {}

using ::GetTPipePtr;

// All that the TPipe has not given away of the memory of a position; false where that is nothing.
template <class T, TPosition position>
bool PopStackBuffer(LocalTensor<T>& rest) {
    const TPipe* pipe = GetTPipePtr();
    if (pipe == nullptr) return false;
    constexpr aicore::Space space = aicore::ascendc::space_of(position);
    const uint64_t first = pipe->template GetQueueEndAddress<position>(), end = aicore::usable(space);
    if (first >= end) return false;
    rest = LocalTensor<T>(position, static_cast<uint32_t>(first), static_cast<uint32_t>((end - first) / sizeof(T)));
    return true;
}

}  // namespace AscendC
