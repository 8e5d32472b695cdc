// The Cube: loads into L0, Mmad, Fixpipe.
#include "call.h"

namespace tape {

namespace {

using Loaded = Types<half, bfloat16_t, float, int32_t, uint32_t, int16_t, uint16_t, int8_t, uint8_t>;

void init_const_value(Call& c) {
    by_type<Loaded>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        const AscendC::InitConstValueParams<T> params(c.integer(1), c.integer(2), c.integer(3), c.scalar<T>(4));
        AscendC::InitConstValue(c.local<T>(0), params);
    });
}

void load_data(Call& c) {
    if (c.size() != 9) c.refuse_form();
    const AscendC::LoadData2DParams params(c.integer(2), c.integer(3), c.integer(4), c.integer(5), c.integer(6),
                                           c.flag(7), c.integer(8));
    by_type<Loaded>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        AscendC::LoadData(c.local<T>(0), c.local<T>(1), params);
    });
}

void load_transposed(Call& c) {
    if (c.size() != 7 && c.size() != 8) c.refuse_form();
    const AscendC::LoadData2dTransposeParams params(c.integer(2), c.integer(3), c.integer(4), c.integer(5),
                                                    c.integer(6), c.size() == 8 ? c.integer(7) : 0);
    by_type<Loaded>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        AscendC::LoadDataWithTranspose(c.local<T>(0), c.local<T>(1), params);
    });
}

void mmad(Call& c) {
    if (c.size() != 9) c.refuse_form();
    const AscendC::MmadParams params(c.integer(3), c.integer(4), c.integer(5), static_cast<uint8_t>(c.integer(6)),
                                     c.flag(7), c.flag(8));
    by_type<Types<half, bfloat16_t, float, int8_t>>(c, 1, [&](auto type) {
        using T = typename decltype(type)::Is;
        using Sum = std::conditional_t<std::is_same_v<T, int8_t>, int32_t, float>;
        AscendC::Mmad(c.local<Sum>(0), c.local<T>(1), c.local<T>(2), params);
    });
}

constexpr const char* kQuants[] = {"NoQuant",
                                   "F322F16",
                                   "F322BF16",
                                   "DEQF16",
                                   "VDEQF16",
                                   "QF322B8_PRE",
                                   "VQF322B8_PRE",
                                   "REQ8",
                                   "VREQ8",
                                   "QF322FP8_PRE",
                                   "VQF322FP8_PRE",
                                   "QF322HIF8_PRE",
                                   "VQF322HIF8_PRE",
                                   "QF322HIF8_PRE_HYBRID",
                                   "VQF322HIF8_PRE_HYBRID",
                                   "QS322BF16_PRE",
                                   "VQS322BF16_PRE",
                                   "QF322F16_PRE",
                                   "VQF322F16_PRE",
                                   "QF322BF16_PRE",
                                   "VQF322BF16_PRE",
                                   "QF322F32_PRE",
                                   "VQF322F32_PRE"};

// From the layout on, which stands at `at`: what may be left out has the API's defaults.
AscendC::FixpipeParamsV220 fixpipe_params(const Call& c, size_t at) {
    AscendC::FixpipeParamsV220 params(c.integer(at + 1), c.integer(at + 2), c.integer(at + 3), c.integer(at + 4),
                                      c.flag(at + 5));
    params.quantPre = static_cast<QuantMode_t>(c.one_of(at + 6, kQuants));
    const size_t more = c.size() - at - 7;
    if (more != 0 && more != 1 && more != 2 && more != 6) c.refuse_form();
    if (more >= 1) params.unitFlag = static_cast<uint8_t>(c.integer(at + 7));
    if (more >= 2) params.deqScalar = static_cast<uint64_t>(c.integer(at + 8));
    if (more == 6) {
        params.ndNum = static_cast<uint16_t>(c.integer(at + 9));
        params.srcNdStride = static_cast<uint16_t>(c.integer(at + 10));
        params.dstNdStride = static_cast<uint16_t>(c.integer(at + 11));
        params.isChannelSplit = c.flag(at + 12);
    }
    return params;
}

// To UB the configuration says so (docs, Fixpipe).
constexpr AscendC::FixpipeConfig kRowsInUb{AscendC::CO2Layout::ROW_MAJOR, true},
    kFractalsInUb{AscendC::CO2Layout::NZ, true};

template <const AscendC::FixpipeConfig& config, class T, class U, class Dst>
void store(const Call& c, const Dst& dst, const AscendC::FixpipeParamsV220& params) {
    if (c.is_local(2)) return AscendC::Fixpipe<T, U, config>(dst, c.local<U>(1), c.local<uint64_t>(2), params);
    AscendC::Fixpipe<T, U, config>(dst, c.local<U>(1), params);
}

void fixpipe(Call& c) {
    const size_t at = c.is_local(2) ? 3 : 2;
    if (c.size() < at + 7) c.refuse_form();
    constexpr const char* kLayouts[] = {"ROW_MAJOR", "NZ"};
    const bool nz = c.one_of(at, kLayouts) == 1;
    const AscendC::FixpipeParamsV220 params = fixpipe_params(c, at);
    by_type<Types<half, bfloat16_t, float, int32_t, int8_t, uint8_t>>(c, 0, [&](auto to) {
        by_type<Types<float, int32_t>>(c, 1, [&](auto from) {
            using T = typename decltype(to)::Is;
            using U = typename decltype(from)::Is;
            if (!c.is_local(0)) {
                return nz ? store<AscendC::CFG_NZ, T, U>(c, c.global<T>(0), params)
                          : store<AscendC::CFG_ROW_MAJOR, T, U>(c, c.global<T>(0), params);
            }
            const auto dst = c.local<T>(0);
            if (dst.space() == aicore::Space::ub) {
                return nz ? store<kFractalsInUb, T, U>(c, dst, params) : store<kRowsInUb, T, U>(c, dst, params);
            }
            nz ? store<AscendC::CFG_NZ, T, U>(c, dst, params) : store<AscendC::CFG_ROW_MAJOR, T, U>(c, dst, params);
        });
    });
}

}  // namespace

Entries matrix_calls() {
    static const Entry kCalls[] = {
        {"InitConstValue", init_const_value},
        {"Fill", init_const_value},
        {"LoadData", load_data},
        {"LoadDataWithTranspose", load_transposed},
        {"Mmad", mmad},
        {"Fixpipe", fixpipe},
    };
    return {kCalls, std::size(kCalls)};
}

}  // namespace tape
