// TopK of the advanced API. Source: asc-devkit, docs SIMD-API / advanced API, sorting, TopK.
#pragma once

#include "ascendc/tensor_api/sort.h"

namespace AscendC {

struct TopKInfo {
    int32_t outter = 1;
    int32_t inner = 0;
    int32_t n = 0;
};
enum class TopKMode { TOPK_NORMAL, TOPK_NSMALL };
enum class TopKAlgo { RADIX_SELECT, MERGE_SORT };
enum class TopKOrder { UNSET, LARGEST, SMALLEST };
struct TopKConfig {
    TopKAlgo algo = TopKAlgo::MERGE_SORT;
    TopKOrder order = TopKOrder::UNSET;
    bool sorted = true;
};
inline constexpr TopKConfig defaultTopKConfig = {TopKAlgo::MERGE_SORT, TopKOrder::UNSET, true};

}  // namespace AscendC

namespace aicore::ascendc {

inline bool check_top_k(int32_t k, const AscendC::TopKInfo& info, bool small) {
    const char* wrong = info.inner % 32 != 0 || info.inner < 32 ? "inner is not a multiple of 32"
                        : info.n < 1 || info.n > info.inner     ? "n is not between 1 and inner"
                        : k < 1 || k > info.n                   ? "k is not between 1 and n"
                        : small && info.inner != 32             ? "inner is not 32, as TOPK_NSMALL needs it"
                        : !small && info.inner > 4096           ? "inner is larger than 4096"
                                                                : nullptr;
    if (wrong == nullptr) return true;
    const Message message("TopK: %s (k %d, inner %d, n %d)", wrong, k, info.inner, info.n);
    finding("argument-range", message.text, "round n up to 32 elements for inner, and take k within n");
    return false;
}

// The rows of the result in Normal mode begin at blocks; in Small mode they follow each other.
inline ops::TopK top_k_of(int32_t k, const AscendC::TopKInfo& info, bool small, size_t elem, bool largest) {
    ops::TopK t;
    t.rows = static_cast<uint32_t>(info.outter);
    t.inner = static_cast<uint32_t>(info.inner);
    t.n = static_cast<uint32_t>(info.n);
    t.k = static_cast<uint32_t>(k);
    t.largest = largest;
    t.rows_share_indices = !small;
    const auto pitch = [&](size_t size) { return small ? t.k * size : (t.k * size + 31) / 32 * 32; };
    t.value_pitch = pitch(elem), t.index_pitch = pitch(4);
    return t;
}

inline void check_top_k_apart(const ops::TopK& t, ops::Mem values, ops::Mem indices, ops::Mem src, size_t elem) {
    const uint64_t bytes = uint64_t{t.rows} * t.inner * elem;
    if (!ops::overlap(values, t.rows * t.value_pitch, src, bytes) &&
        !ops::overlap(indices, t.rows * t.index_pitch, src, bytes)) {
        return;
    }
    finding("operand-overlap", "a destination of TopK overlaps its source", "give the destinations bytes of their own");
}

}  // namespace aicore::ascendc

namespace AscendC {

template <class T, bool isInitIndex = false, bool isHasfinish = false, bool isReuseSrc = false,
          TopKMode topkMode = TopKMode::TOPK_NORMAL, const TopKConfig& config = defaultTopKConfig, class Tiling>
void TopK(const LocalTensor<T>& dstValue, const LocalTensor<int32_t>& dstIndex, const LocalTensor<T>& src,
          const LocalTensor<int32_t>& srcIndex, const LocalTensor<bool>& finish, const int32_t k, const Tiling&,
          const TopKInfo& info, const bool isLargest = true) {
    AICORE_TAKES(T, "TopK", aicore::ascendc::Floats, aicore::ascendc::Floats);
    constexpr bool small = topkMode == TopKMode::TOPK_NSMALL;
    static_assert(!small || !isHasfinish, "TopK has no isHasfinish in TOPK_NSMALL");
    if (config.algo != TopKAlgo::MERGE_SORT) aicore::unsupported("AscendC::TopK(RADIX_SELECT)");
    if (!aicore::ascendc::on_aiv() || !aicore::ascendc::check_top_k(k, info, small)) return;
    const auto t = aicore::ascendc::top_k_of(k, info, small, sizeof(T), isLargest);
    aicore::ascendc::check_top_k_apart(t, dstValue.mem(), dstIndex.mem(), src.mem(), sizeof(T));
    const aicore::ops::Mem none;
    aicore::ops::top_k("TopK", aicore::ascendc::dtype_of<T>(), dstValue.mem(), dstIndex.mem(), src.mem(),
                       isInitIndex ? srcIndex.mem() : none, isHasfinish ? finish.mem() : none, t);
    const bool reused = isReuseSrc && aicore::ascendc::kChip == aicore::Chip::dav3510 && std::is_same_v<T, float>;
    if (reused) aicore::ascendc::clobber("TopK", src.mem(), uint64_t{t.rows} * t.inner * sizeof(T));
    aicore::ascendc::mask_after_count();
}
template <class T, bool isInitIndex = false, bool isHasfinish = false, bool isReuseSrc = false,
          TopKMode topkMode = TopKMode::TOPK_NORMAL, const TopKConfig& config = defaultTopKConfig, class Tiling>
void TopK(const LocalTensor<T>& dstValue, const LocalTensor<int32_t>& dstIndex, const LocalTensor<T>& src,
          const LocalTensor<int32_t>& srcIndex, const LocalTensor<bool>& finish, const LocalTensor<uint8_t>& tmp,
          const int32_t k, const Tiling& tiling, const TopKInfo& info, const bool isLargest = true) {
    TopK<T, isInitIndex, isHasfinish, isReuseSrc, topkMode, config>(dstValue, dstIndex, src, srcIndex, finish, k,
                                                                    tiling, info, isLargest);
    if (aicore::ascendc::on_aiv()) aicore::ascendc::clobber("TopK", tmp.mem(), tmp.GetSize());
}

}  // namespace AscendC
