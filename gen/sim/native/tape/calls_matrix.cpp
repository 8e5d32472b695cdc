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

AscendC::FixpipeParamsV220 fixpipe_params(const Call& c) {
    constexpr const char* kQuants[] = {"NoQuant", "F322F16", "F322BF16"};
    AscendC::FixpipeParamsV220 params(c.integer(3), c.integer(4), c.integer(5), c.integer(6), c.flag(7));
    params.quantPre = static_cast<QuantMode_t>(c.one_of(8, kQuants));
    if (c.size() == 10) params.unitFlag = static_cast<uint8_t>(c.integer(9));
    return params;
}

void fixpipe(Call& c) {
    if (c.size() != 9 && c.size() != 10) c.refuse_form();
    constexpr const char* kLayouts[] = {"ROW_MAJOR", "NZ"};
    const bool nz = c.one_of(2, kLayouts) == 1;
    const AscendC::FixpipeParamsV220 params = fixpipe_params(c);
    by_type<Types<half, bfloat16_t, float, int32_t>>(c, 0, [&](auto to) {
        by_type<Types<float, int32_t>>(c, 1, [&](auto from) {
            using T = typename decltype(to)::Is;
            using U = typename decltype(from)::Is;
            const auto src = c.local<U>(1);
            const auto store = [&](const auto& dst) {
                if (nz) return AscendC::Fixpipe<T, U, AscendC::CFG_NZ>(dst, src, params);
                AscendC::Fixpipe<T, U, AscendC::CFG_ROW_MAJOR>(dst, src, params);
            };
            c.is_local(0) ? store(c.local<T>(0)) : store(c.global<T>(0));
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
