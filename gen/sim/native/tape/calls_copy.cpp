// Moves between global memory and on-chip memory, and inside it.
#include "call.h"

namespace tape {

namespace {

using AscendC::DataCopyExtParams;
using AscendC::DataCopyPadExtParams;
using AscendC::DataCopyParams;
using AscendC::Nd2NzParams;

// Calls `action(dst, src)` with the tensors in front of a copy, one of them in global memory at most.
template <class Action>
void between(const Call& c, Action action) {
    by_type<AllTypes>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        if (!c.is_local(0)) return action(c.global<T>(0), c.local<T>(1));
        if (!c.is_local(1)) return action(c.local<T>(0), c.global<T>(1));
        action(c.local<T>(0), c.local<T>(1));
    });
}

template <class Dst, class Src>
inline constexpr bool is_load = std::is_same_v<Src, AscendC::GlobalTensor<typename Src::PrimType>>;
template <class Dst, class Src>
inline constexpr bool is_store = std::is_same_v<Dst, AscendC::GlobalTensor<typename Dst::PrimType>>;

Nd2NzParams nd2nz(const Call& c, size_t at) {
    return Nd2NzParams(c.integer(at), c.integer(at + 1), c.integer(at + 2), c.integer(at + 3), c.integer(at + 4),
                       c.integer(at + 5), c.integer(at + 6), c.integer(at + 7));
}

#if __NPU_ARCH__ == 3510
constexpr AscendC::NdDmaConfig kNearest{true};

// From the innermost dimension on: five numbers each.
template <class T, uint8_t dims>
void copy_dimensions(const Call& c) {
    if (c.size() != 4 + 5 * size_t{dims} + 2) c.refuse_form();
    AscendC::NdDmaParams<T, dims> params{};
    for (size_t d = 0, at = 4; d < dims; ++d, at += 5) {
        params.loopInfo.loopSrcStride[d] = static_cast<uint64_t>(c.integer(at));
        params.loopInfo.loopDstStride[d] = static_cast<uint32_t>(c.integer(at + 1));
        params.loopInfo.loopSize[d] = static_cast<uint32_t>(c.integer(at + 2));
        params.loopInfo.loopLpSize[d] = static_cast<uint8_t>(c.integer(at + 3));
        params.loopInfo.loopRpSize[d] = static_cast<uint8_t>(c.integer(at + 4));
    }
    const size_t behind = c.size() - 2;
    params.constantValue = c.scalar<T>(behind + 1);
    const auto dst = c.local<T>(0);
    const auto src = c.global<T>(1);
    if (c.flag(behind)) return AscendC::DataCopy<T, dims, kNearest>(dst, src, params);
    AscendC::DataCopy(dst, src, params);
}

void data_copy_dimensions(const Call& c) {
    by_type<AllTypes>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        switch (c.integer(3)) {
            case 1:
                return copy_dimensions<T, 1>(c);
            case 2:
                return copy_dimensions<T, 2>(c);
            case 3:
                return copy_dimensions<T, 3>(c);
            case 4:
                return copy_dimensions<T, 4>(c);
            case 5:
                return copy_dimensions<T, 5>(c);
        }
        c.refuse(3, "is not 1 to 5 dimensions");
    });
}
#endif

void data_copy(Call& c) {
    if (c.is_text(2)) {
        constexpr const char* kForms[] = {"NDDMA"};
        c.one_of(2, kForms);
#if __NPU_ARCH__ == 3510
        return data_copy_dimensions(c);
#else
        c.refuse(2, "is a form of the Ascend 950");
#endif
    }
    between(c, [&](const auto& dst, const auto& src) {
        using Dst = std::decay_t<decltype(dst)>;
        using Src = std::decay_t<decltype(src)>;
        if (c.size() == 3) return AscendC::DataCopy(dst, src, static_cast<uint32_t>(c.integer(2)));
        if (c.size() == 6) {
            const DataCopyParams params(c.integer(2), c.integer(3), c.integer(4), c.integer(5));
            return AscendC::DataCopy(dst, src, params);
        }
        if (c.size() != 10) c.refuse_form();
        if constexpr (!is_store<Dst, Src>) AscendC::DataCopy(dst, src, nd2nz(c, 2));
        if constexpr (is_store<Dst, Src>) c.refuse_form();
    });
}

DataCopyExtParams ext(const Call& c) {
    return DataCopyExtParams(c.integer(2), c.integer(3), c.integer(4), c.integer(5), c.integer(6));
}

void data_copy_pad(Call& c) {
    between(c, [&](const auto& dst, const auto& src) {
        using Dst = std::decay_t<decltype(dst)>;
        using Src = std::decay_t<decltype(src)>;
        using T = typename Dst::PrimType;
        if constexpr (is_load<Dst, Src>) {
            if (c.size() != 11) c.refuse_form();
            const DataCopyPadExtParams<T> pad(c.flag(7), c.integer(8), c.integer(9), c.scalar<T>(10));
            AscendC::DataCopyPad(dst, src, ext(c), pad);
        } else if constexpr (is_store<Dst, Src>) {
            if (c.size() != 7) c.refuse_form();
            AscendC::DataCopyPad(dst, src, ext(c));
        } else {
            if (c.size() != 15) c.refuse_form();
            AscendC::DataCopyPad(dst, src, ext(c), nd2nz(c, 7));
        }
    });
}

}  // namespace

Entries copy_calls() {
    static const Entry kCalls[] = {{"DataCopy", data_copy}, {"DataCopyPad", data_copy_pad}};
    return {kCalls, std::size(kCalls)};
}

}  // namespace tape
