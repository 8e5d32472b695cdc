#include "memory/poison.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "launch/profile.h"

namespace aicore::engine {

namespace {

constexpr size_t kPage = 4096;  // all memories start at a multiple of it, so an address tells the offset in the pattern

uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

// The upper byte of a 16-bit word decides the exponent of half, bfloat16, float and double: 0x38 to 0x43 is between
// 3e-5 and 512 as a float, and between 0.5 and 4 as a half. A lower byte below 0x78 is finite as an 8-bit float.
std::array<uint8_t, kPage> make_pattern(unsigned seed) {
    std::array<uint8_t, kPage> page{};
    unsigned pair = (seed + 1) / 2;
    bool flip = seed % 2 == 0;
    for (size_t i = 0; i < kPage; ++i) {
        uint64_t bits = mix(pair * kPage + i + 1), other = mix(bits + seed);
        uint64_t sign = ((bits >> 32) & 1) ^ static_cast<uint64_t>(flip);
        uint64_t low = i % 2 == 0 ? other % 0x78 : 0x38 + other % 12;
        page[i] = static_cast<uint8_t>(sign << 7 | low);
    }
    return page;
}

}  // namespace

void fill_poison(uint8_t* at, size_t bytes) {
    unsigned seed = profile().poison;
    if (seed == 0) {
        std::memset(at, 0xFF, bytes);
        return;
    }
    static const std::array<uint8_t, kPage> page = make_pattern(seed);
    while (bytes > 0) {
        size_t offset = reinterpret_cast<uintptr_t>(at) % kPage, part = std::min(bytes, kPage - offset);
        std::memcpy(at, page.data() + offset, part);
        at += part;
        bytes -= part;
    }
}

}  // namespace aicore::engine
