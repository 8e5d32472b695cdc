// Calls that kernels may name and the model does not have: reaching one ends the kernel as unsupported.
#pragma once

#include "ascendc/tensor_api/vector_call.h"

namespace AscendC {

template <class T>
struct MrgSortSrcList {
    LocalTensor<T> src1, src2, src3, src4;
};

template <class T>
void MrgSort(const LocalTensor<T>&, const MrgSortSrcList<T>&, const MrgSort4Info&) {
    aicore::unsupported("AscendC::MrgSort");
}
template <class T, class Index>
void Sort32(const LocalTensor<T>&, const LocalTensor<T>&, const LocalTensor<Index>&, int32_t) {
    aicore::unsupported("AscendC::Sort32");
}
template <class T, class U>
void GatherMask(const LocalTensor<T>&, const LocalTensor<T>&, const LocalTensor<U>&, bool, uint32_t,
                const GatherMaskParams&, uint64_t&) {
    aicore::unsupported("AscendC::GatherMask");
}
template <class T>
void GatherMask(const LocalTensor<T>&, const LocalTensor<T>&, uint8_t, bool, uint32_t, const GatherMaskParams&,
                uint64_t&) {
    aicore::unsupported("AscendC::GatherMask");
}
template <class T>
void Gatherb(const LocalTensor<T>&, const LocalTensor<T>&, const LocalTensor<uint32_t>&, uint8_t,
             const GatherRepeatParams&) {
    aicore::unsupported("AscendC::Gatherb");
}
template <class T>
void TransDataTo5HDImpl(T* const[16], T* const[16], const TransDataTo5HDParams&) {
    aicore::unsupported("AscendC::TransDataTo5HD");
}
template <class T, class List>
void TransDataTo5HD(List, List, const TransDataTo5HDParams&) {
    aicore::unsupported("AscendC::TransDataTo5HD");
}

}  // namespace AscendC
