#include "vector/touch_map.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace aicore::engine {

namespace {

constexpr size_t kBlock = 64;  // marks looked at together

// Runs of touched bytes, appended in ascending order of their starts.
class Runs {
public:
    explicit Runs(std::vector<Strided>& out) : out_(out) {}
    ~Runs() { flush(); }

    void add(uint64_t lo, uint64_t hi) {
        if (lo > hi_) {
            flush();
            lo_ = lo;
        }
        hi_ = std::max(hi_, hi);
    }

private:
    void flush() {
        if (hi_ > lo_) out_.push_back(interval(lo_, hi_));
        lo_ = hi_ = 0;
    }
    std::vector<Strided>& out_;
    uint64_t lo_ = 0, hi_ = 0;
};

bool whole(uint64_t word) {
    return word == 0x0008000800080008u || word == 0x0404040404040404u || word == 0x0000001000000010u ||
           word == 0x0000000000000020u || word == 0x0303030303030303u;
}

void add_marks(Runs& runs, uint64_t word, uint64_t offset) {
    if (std::endian::native == std::endian::little && whole(word)) return runs.add(offset, offset + 16);
    uint8_t marks[8];
    std::memcpy(marks, &word, 8);
    for (uint64_t i = 0; i < 8; ++i) {
        uint8_t mark = marks[i];
        if (mark == 0) continue;
        uint64_t lo = offset + 2 * i;
        if (mark >= kTwo || mark & kEvenByte) {
            uint64_t length = mark >= kTwo ? uint64_t{1} << (std::bit_width(mark) - 2) : 1;
            runs.add(lo, lo + length);
        }
        if (mark & kOddByte) runs.add(lo + 1, lo + 2);
    }
}

bool clear_block(const uint8_t* marks) {
    uint64_t words[kBlock / 8], any = 0;
    std::memcpy(words, marks, kBlock);
    for (uint64_t w : words) any |= w;
    return any == 0;
}

}  // namespace

TouchMap::TouchMap(size_t bytes)
    : bytes_(bytes), reads_(new uint8_t[bytes / 2 + kBlock]()), writes_(new uint8_t[bytes / 2 + kBlock]()) {}

void TouchMap::drain(uint8_t* marks, size_t bytes, std::vector<Strided>& out) {
    std::vector<Strided> found;
    {
        Runs runs(found);
        for (size_t block = 0; block < bytes / 2; block += kBlock) {
            if (clear_block(marks + block)) continue;
            for (size_t i = block; i < block + kBlock; i += 8) {
                uint64_t word;
                std::memcpy(&word, marks + i, 8);
                if (word) add_marks(runs, word, 2 * i);
            }
            std::memset(marks + block, 0, kBlock);
        }
    }
    for (const Strided& s : fold(found)) out.push_back(s);
}

std::vector<Strided> fold(const std::vector<Strided>& runs) {
    std::vector<Strided> out;
    for (size_t i = 0; i < runs.size();) {
        size_t end = i + 1;
        uint64_t len = runs[i].len, pitch = end < runs.size() ? runs[end].lo - runs[i].lo : 0;
        while (end < runs.size() && runs[end].len == len && runs[end].lo - runs[end - 1].lo == pitch) ++end;
        Strided s = runs[i];
        if (end - i > 1) {
            s.pitch = pitch;
            s.rows = end - i;
            s.hi = runs[end - 1].hi;
        }
        out.push_back(s);
        i = end;
    }
    return out;
}

}  // namespace aicore::engine
