// The scalar unit: reads and writes of elements, arithmetic on registers, output.
#include <cinttypes>
#include <cstdio>

#include "call.h"

namespace tape {

namespace {

// Calls `action(tensor)` with the first argument.
template <class Action>
void with_tensor(const Call& c, Action action) {
    by_type<AllTypes>(c, 0, [&](auto type) {
        using T = typename decltype(type)::Is;
        c.is_local(0) ? action(c.local<T>(0)) : action(c.global<T>(0));
    });
}

void get_value(Call& c) {
    with_tensor(c, [&](const auto& tensor) {
        const auto value = tensor.GetValue(static_cast<uint32_t>(c.integer(1)));
        c.result(2) = Number::of(value);
    });
}

void set_value(Call& c) {
    with_tensor(c, [&](const auto& tensor) {
        using T = typename std::decay_t<decltype(tensor)>::PrimType;
        tensor.SetValue(static_cast<uint32_t>(c.integer(1)), c.scalar<T>(2));
    });
}

// One operation of the element type on two numbers; 16-bit floating-point numbers are computed in float.
template <class Operation>
void compute(Call& c, Operation operation) {
    constexpr const char* kNames[] = {"float32", "float16", "bfloat16", "int64", "uint64", "int32",
                                      "uint32",  "int16",   "uint16",   "int8",  "uint8"};
    ByType<AllTypes>::run(c, static_cast<uint8_t>(c.one_of(0, kNames)), [&](auto type) {
        using T = typename decltype(type)::Is;
        using Wide = std::conditional_t<std::is_integral_v<T>, T, float>;
        const auto left = static_cast<Wide>(c.scalar<T>(1)), right = static_cast<Wide>(c.scalar<T>(2));
        c.result(3) = Number::of(static_cast<T>(operation(left, right)));
    });
}

void divide(Call& c) {
    compute(c, [&](auto a, auto b) {
        if constexpr (std::is_integral_v<decltype(b)>) {
            if (b == 0) c.refuse(2, "is 0");
        }
        return a / b;
    });
}

// ---- PRINTF

// The text of one conversion (`%5.2f`) of an argument.
std::string converted(const Call& c, size_t argument, std::string conversion) {
    const char kind = conversion.back();
    char text[256];
    if (kind == 's') {
        std::snprintf(text, sizeof text, conversion.c_str(), c.text(argument).c_str());
        return text;
    }
    const Number number = c.number(argument);
    // The length of the argument is that of a 64-bit one.
    const size_t plain = conversion.find_first_not_of("%-+ #0123456789.");
    conversion.erase(plain, conversion.size() - 1 - plain);
    if (std::string_view("fFeEgGaA").find(kind) != std::string_view::npos) {
        std::snprintf(text, sizeof text, conversion.c_str(),
                      number.real ? number.value : static_cast<double>(number.integer));
    } else if (std::string_view("diuxXoc").find(kind) != std::string_view::npos) {
        if (kind != 'c') conversion.insert(conversion.size() - 1, "ll");
        const auto integer = number.as<int64_t>();
        kind == 'c' ? std::snprintf(text, sizeof text, conversion.c_str(), static_cast<int>(integer))
                    : std::snprintf(text, sizeof text, conversion.c_str(), static_cast<long long>(integer));
    } else {
        c.refuse(0, "has a conversion that is not modelled");
    }
    return text;
}

std::string formatted(const Call& c) {
    const std::string& format = c.text(0);
    std::string out;
    size_t next = 1;
    for (size_t at = 0; at < format.size();) {
        if (format[at] != '%') {
            out += format[at++];
            continue;
        }
        const size_t end = format.find_first_not_of("-+ #0123456789.hlzjt", at + 1);
        if (end == format.npos) c.refuse(0, "ends inside of a conversion");
        out += format[end] == '%' ? "%" : converted(c, next++, format.substr(at, end + 1 - at));
        at = end + 1;
    }
    return out;
}

void print(Call& c) { AscendC::PRINTF(formatted(c).c_str()); }

void dump(Call& c) {
    with_tensor(c, [&](const auto& tensor) {
        AscendC::DumpTensor(tensor, static_cast<uint32_t>(c.integer(1)), static_cast<uint32_t>(c.integer(2)));
    });
}

}  // namespace

Entries scalar_calls() {
    static const Entry kCalls[] = {
        {"GetValue", get_value},
        {"SetValue", set_value},
        {"register.add", [](Call& c) { compute(c, [](auto a, auto b) { return a + b; }); }},
        {"register.sub", [](Call& c) { compute(c, [](auto a, auto b) { return a - b; }); }},
        {"register.mul", [](Call& c) { compute(c, [](auto a, auto b) { return a * b; }); }},
        {"register.div", divide},
        {"register.max", [](Call& c) { compute(c, [](auto a, auto b) { return a > b ? a : b; }); }},
        {"register.min", [](Call& c) { compute(c, [](auto a, auto b) { return a < b ? a : b; }); }},
        {"PRINTF", print},
        {"printf", print},
        {"DumpTensor", dump},
    };
    return {kCalls, std::size(kCalls)};
}

}  // namespace tape
