// Sorting, compaction, gathering and transposition.
#include "call.h"

namespace tape {

namespace {

using namespace aicore::ascendc;
using AscendC::GatherMaskParams;
using AscendC::MrgSort4Info;

void sort32(Call& c) {
    by_type<Floats>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        AscendC::Sort32(c.local<T>(0), c.local<T>(1), c.local<uint32_t>(2), c.count(3));
    });
}

void merge_sort(Call& c) {
    if (c.size() != 12) c.refuse_form();
    by_type<Floats>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        uint16_t lengths[4];
        for (size_t i = 0; i < 4; ++i) lengths[i] = static_cast<uint16_t>(c.integer(5 + i));
        const AscendC::MrgSortSrcList<T> lists(c.local<T>(1), c.local<T>(2), c.local<T>(3), c.local<T>(4));
        const MrgSort4Info info(lengths, c.flag(9), static_cast<uint16_t>(c.integer(10)),
                                static_cast<uint16_t>(c.integer(11)));
        AscendC::MrgSort(c.local<T>(0), lists, info);
    });
}

void merge_result(Call& c) {
    if (c.size() != 4) c.refuse_form();
    uint16_t taken[4];
    AscendC::GetMrgSortResult(taken[0], taken[1], taken[2], taken[3]);
    for (size_t i = 0; i < 4; ++i) c.result(i) = Number::of(taken[i]);
}

void gather_mask(Call& c) {
    if (c.size() != 9 && c.size() != 10) c.refuse_form();
    const GatherMaskParams params(static_cast<uint8_t>(c.integer(5)), static_cast<uint16_t>(c.integer(6)),
                                  static_cast<uint16_t>(c.integer(7)), static_cast<uint8_t>(c.integer(8)));
    const auto mask = static_cast<uint32_t>(c.integer(4));
    uint64_t kept = 0;
    by_type<OnChip<Moved, Squeezed3510>>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        const auto dst = c.local<T>(0), src = c.local<T>(1);
        if (!c.is_local(2)) {
            return AscendC::GatherMask(dst, src, static_cast<uint8_t>(c.integer(2)), c.flag(3), mask, params, kept);
        }
        using Bits =
            std::conditional_t<sizeof(T) == 1, uint8_t, std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>>;
        AscendC::GatherMask(dst, src, c.local<Bits>(2), c.flag(3), mask, params, kept);
    });
    if (c.size() == 10) c.result(9) = Number::of(kept);
}

void gather(Call& c) {
    by_type<OnChip<Moved, GatheredByRepeat3510>>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        const auto dst = c.local<T>(0), src = c.local<T>(1);
        const auto offsets = c.local<uint32_t>(2);
        const auto base = static_cast<uint32_t>(c.integer(3));
        if (c.size() == 5) return AscendC::Gather(dst, src, offsets, base, static_cast<uint32_t>(c.integer(4)));
        with_mask(c, 4, 2, [&](auto set, auto mask, size_t at) {
            if constexpr (set()) {
                AscendC::Gather(dst, src, offsets, base, mask, c.integer(at), static_cast<uint16_t>(c.integer(at + 1)));
            } else {
                c.refuse_form();
            }
        });
    });
}

void gather_blocks(Call& c) {
    by_type<OnChip<Types<uint16_t, uint32_t>, GatheredByRepeat3510>>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        const AscendC::GatherRepeatParams params(static_cast<uint8_t>(c.integer(4)),
                                                 static_cast<uint8_t>(c.integer(5)));
        AscendC::Gatherb(c.local<T>(0), c.local<T>(1), c.local<uint32_t>(2), c.integer(3), params);
    });
}

#if __NPU_ARCH__ == 3510
void scatter(Call& c) {
    if (c.size() != 5) c.refuse_form();
    by_type<Gathered3510>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        AscendC::Scatter(c.local<T>(0), c.local<T>(1), c.local<uint32_t>(2), static_cast<uint32_t>(c.integer(3)),
                         static_cast<uint32_t>(c.integer(4)));
    });
}
#endif

constexpr size_t kRows = 16;

AscendC::TransDataTo5HDParams rows_params(const Call& c) {
    constexpr size_t at = 2 * kRows;
    if (c.size() != at + 5) c.refuse_form();
    return AscendC::TransDataTo5HDParams(c.flag(at), c.flag(at + 1), static_cast<uint8_t>(c.integer(at + 2)),
                                         static_cast<uint16_t>(c.integer(at + 3)),
                                         static_cast<uint16_t>(c.integer(at + 4)));
}

void turn_rows(Call& c) {
    const auto params = rows_params(c);
    by_type<OnChip<TurnedRows2201, TurnedRows3510>>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        AscendC::LocalTensor<T> dst[kRows], src[kRows];
        for (size_t i = 0; i < kRows; ++i) dst[i] = c.local<T>(i), src[i] = c.local<T>(kRows + i);
        AscendC::TransDataTo5HD(dst, src, params);
    });
}

// By addresses, which have no bounds.
void turn_rows_at(Call& c) {
    const auto params = rows_params(c);
    by_type<OnChip<TurnedRows2201, TurnedRows3510>>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        uint64_t dst[kRows], src[kRows];
        for (size_t i = 0; i < kRows; ++i) {
            dst[i] = c.local<T>(i).GetPhyAddr();
            src[i] = c.local<T>(kRows + i).GetPhyAddr();
        }
        AscendC::TransDataTo5HD<T>(dst, src, params);
    });
}

constexpr const char* kPlanes[] = {"TRANSPOSE_NCHW2NHWC", "TRANSPOSE_NHWC2NCHW"};

void transpose(Call& c) {
    if (c.size() == 2) {
        return by_type<Types<half, bfloat16_t, int16_t, uint16_t>>(c, 0, [&](auto type) {
            using T = typename decltype(type)::Is;
            AscendC::Transpose(c.local<T>(0), c.local<T>(1));
        });
    }
    if (c.size() != 8) c.refuse_form();
    const auto to_channels_last = c.one_of(7, kPlanes) == 0;
    const auto kind =
        to_channels_last ? AscendC::TransposeType::TRANSPOSE_NCHW2NHWC : AscendC::TransposeType::TRANSPOSE_NHWC2NCHW;
    const AscendC::TransposeParamsExt params(c.integer(3), c.integer(4), c.integer(5), c.integer(6), kind);
    by_type<OnChip<TurnedRows2201, TurnedRows3510>>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        AscendC::Transpose(c.local<T>(0), c.local<T>(1), c.local<uint8_t>(2), params);
    });
}

// Synchronisation by words of global memory.
using ByWords = void (*)(AscendC::GlobalTensor<int32_t>&, AscendC::LocalTensor<int32_t>&);
template <ByWords call>
void by_words(Call& c) {
    auto words = c.global<int32_t>(0);
    auto local = c.local<int32_t>(1);
    call(words, local);
}

}  // namespace

Entries rearrange_calls() {
    static const Entry kCalls[] = {
        {"Sort32", sort32},
        {"MrgSort", merge_sort},
        {"GetMrgSortResult", merge_result},
        {"GatherMask", gather_mask},
        {"Gather", gather},
        {"Gatherb", gather_blocks},
#if __NPU_ARCH__ == 3510
        {"Scatter", scatter},
#endif
        {"TransDataTo5HD", turn_rows},
        {"TransDataTo5HDImpl", turn_rows_at},
        {"Transpose", transpose},
        {"IBSet", [](Call& c) { AscendC::IBSet(c.global<int32_t>(0), c.local<int32_t>(1), c.count(2), c.count(3)); }},
        {"IBWait", [](Call& c) { AscendC::IBWait(c.global<int32_t>(0), c.local<int32_t>(1), c.count(2), c.count(3)); }},
        {"InitDetermineComputeWorkspace", by_words<AscendC::InitDetermineComputeWorkspace>},
        {"WaitPreBlock", by_words<AscendC::WaitPreBlock>},
        {"NotifyNextBlock", by_words<AscendC::NotifyNextBlock>},
    };
    return {kCalls, std::size(kCalls)};
}

}  // namespace tape
