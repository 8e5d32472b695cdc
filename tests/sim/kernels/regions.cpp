// Region arithmetic and the index of accesses against brute force. Prints the number of comparisons, or what differs.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <vector>

#include "hazard/access.cpp"
#include "hazard/bitmap.cpp"
#include "hazard/strided.cpp"
#include "vector/touch_map.cpp"

using namespace aicore;
using namespace aicore::engine;

static std::mt19937_64 rng(1);
static uint64_t pick(uint64_t n) { return rng() % n; }

static Region random_region(uint64_t space) {
    Region r;
    r.rows = static_cast<uint32_t>(1 + pick(9));
    r.row_bytes = 1 + pick(12);
    r.pitch = static_cast<int64_t>(pick(30)) - 6;
    r.base = 60 + pick(space);
    return r;
}

static std::set<uint64_t> bytes(const Region& r) {
    std::set<uint64_t> out;
    for (uint32_t i = 0; i < r.rows; ++i) {
        for (uint64_t b = 0; b < r.row_bytes; ++b) out.insert(r.base + static_cast<uint64_t>(i * r.pitch) + b);
    }
    return out;
}

static void fail(const char* what, const Region& a, const Region& b) {
    std::printf("%s: %lu x %lu / %ld at %lu and %lu x %lu / %ld at %lu\n", what, (unsigned long)a.rows,
                (unsigned long)a.row_bytes, (long)a.pitch, (unsigned long)a.base, (unsigned long)b.rows,
                (unsigned long)b.row_bytes, (long)b.pitch, (unsigned long)b.base);
    std::exit(1);
}

static void compare_regions(int count) {
    for (int i = 0; i < count; ++i) {
        Region a = random_region(60), b = random_region(60);
        if (pick(3) == 0) b.pitch = a.pitch;
        auto x = bytes(a), y = bytes(b);
        bool meet = false, inside = true;
        for (uint64_t v : y) x.count(v) ? meet = true : inside = false;
        Strided s = strided(a), t = strided(b);
        if (s.lo != *x.begin() || s.hi != *x.rbegin() + 1) fail("bounds", a, b);
        if (overlaps(s, t) != meet || overlaps(t, s) != meet) fail("overlaps", a, b);
        if (covers(s, t) && !inside) fail("covers", a, b);
        if (s.contiguous() && inside && !covers(s, t)) fail("covers not", a, b);
    }
}

// Large pitches and many rows, against a scan over one side.
static void compare_large(int count) {
    for (int i = 0; i < count; ++i) {
        Strided a{pick(1u << 20), 0, 1 + pick(64), 0, 2 + pick(2000)},
            b{pick(1u << 20), 0, 1 + pick(64), 0, 2 + pick(2000)};
        a.pitch = a.len + 1 + pick(5000), b.pitch = b.len + 1 + pick(5000);
        a.hi = a.lo + (a.rows - 1) * a.pitch + a.len, b.hi = b.lo + (b.rows - 1) * b.pitch + b.len;
        bool meet = false;
        for (uint64_t r = 0; r < a.rows && !meet; ++r) {
            uint64_t lo = a.lo + r * a.pitch;
            meet = overlaps(interval(lo, lo + a.len), b);
        }
        if (overlaps(a, b) != meet) std::printf("large regions differ\n"), std::exit(1);
    }
}

static void compare_sets(int rounds) {
    for (int round = 0; round < rounds; ++round) {
        AccessSet set;
        std::vector<Access> plain;
        for (int i = 0; i < 150; ++i) {
            Access a;
            Region r = random_region(2000);
            if (pick(10) == 0) r.row_bytes = 1 + pick(700), r.rows = 1;
            a.where = strided(r);
            a.seq = static_cast<uint32_t>(i);
            if (pick(4) == 0) {
                set.drop_covered(a.where);
                std::erase_if(plain, [&](const Access& o) { return covers(a.where, o.where); });
            }
            std::multiset<uint32_t> found, expected;
            set.each_touching(a.where, [&](const Access& o) { found.insert(o.seq); });
            for (const Access& o : plain) {
                if (overlaps(o.where, a.where)) expected.insert(o.seq);
            }
            if (found != expected) std::printf("sets differ in round %d\n", round), std::exit(1);
            set.add(a);
            plain.push_back(a);
        }
    }
}

static void compare_bitmaps(int rounds) {
    for (int round = 0; round < rounds; ++round) {
        Bitmap map(500);
        std::vector<bool> plain(500);
        for (int i = 0; i < 20; ++i) {
            uint64_t lo = pick(500), hi = lo + pick(501 - lo);
            bool any = false;
            for (uint64_t k = lo; k < hi; ++k) any |= plain[k];
            if (map.any(lo, hi) != any) std::printf("any differs\n"), std::exit(1);
            map.set(lo, hi);
            for (uint64_t k = lo; k < hi; ++k) plain[k] = true;
            uint64_t from = pick(500), next = from;
            while (next < 500 && plain[next]) ++next;
            if (map.next(from, false) != next) std::printf("next differs\n"), std::exit(1);
        }
        if (map.count() != static_cast<uint64_t>(std::count(plain.begin(), plain.end(), true))) {
            std::printf("count differs\n"), std::exit(1);
        }
    }
}

// The marks of random accesses give exactly the bytes of those accesses.
static void compare_marks(int rounds) {
    constexpr uint64_t kSize = 2048;
    for (int round = 0; round < rounds; ++round) {
        TouchMap map(kSize);
        std::set<uint64_t> expected, found;
        uint64_t step = 2 * (1 + pick(40));
        int width = static_cast<int>(pick(6));
        for (uint64_t at = pick(64) * 2; at + 16 < kSize; at += round % 2 ? step : 2 * (1 + pick(40))) {
            if (round % 3 == 0) width = static_cast<int>(pick(6));
            uint8_t mark = static_cast<uint8_t>(1u << width);
            uint64_t lo = mark == kOddByte ? at + 1 : at, length = mark < kTwo ? 1 : uint64_t{1} << (width - 1);
            map.reads()[at / 2] |= mark;
            for (uint64_t b = lo; b < lo + length; ++b) expected.insert(b);
        }
        std::vector<Strided> regions;
        TouchMap::drain(map.reads(), kSize, regions);
        for (const Strided& s : regions) {
            for (uint64_t r = 0; r < s.rows; ++r) {
                for (uint64_t b = 0; b < s.len; ++b) found.insert(s.lo + r * s.pitch + b);
            }
        }
        if (found != expected) std::printf("marks differ in round %d\n", round), std::exit(1);
        for (uint64_t i = 0; i < kSize / 2; ++i) {
            if (map.reads()[i]) std::printf("marks are left\n"), std::exit(1);
        }
    }
}

int main() {
    compare_regions(200000);
    compare_large(3000);
    compare_sets(200);
    compare_bitmaps(1000);
    compare_marks(300);
    std::puts("equal");
}
