#include "hazard/strided.h"

#include <algorithm>

namespace aicore::engine {

namespace {

using Wide = __int128;
constexpr uint64_t kNone = UINT64_MAX;

// Addresses have at most 57 bits: differences, and sums of a few of them, fit.
using Signed = int64_t;

Signed floor_div(Signed a, Signed b) {
    Signed q = a / b;
    return q * b > a ? q - 1 : q;
}

// The least t >= 0 with l <= (a * t mod m) <= r, for 0 <= l <= r < m. One step of Euclid's algorithm per call.
uint64_t first_in_range(uint64_t a, uint64_t m, uint64_t l, uint64_t r) {
    if (l == 0) return 0;
    a %= m;
    if (a == 0) return kNone;
    if (2 * static_cast<Wide>(a) > m) return first_in_range(m - a, m, m - r, m - l);
    uint64_t t = (l + a - 1) / a;
    if (static_cast<Wide>(t) * a <= r) return t;
    uint64_t turns = first_in_range(a - m % a, a, l % a, r % a);
    if (turns == kNone) return kNone;
    return static_cast<uint64_t>((static_cast<Wide>(l) + static_cast<Wide>(m) * turns + a - 1) / a);
}

// Is there a row of `s` that meets [lo, hi)?
bool row_meets(const Strided& s, uint64_t lo, uint64_t hi) {
    auto into = static_cast<Signed>(lo - s.lo), pitch = static_cast<Signed>(s.pitch);
    Signed first = std::max<Signed>(floor_div(into - static_cast<Signed>(s.len), pitch) + 1, 0);
    return first < static_cast<Signed>(s.rows) && first * pitch < static_cast<Signed>(hi - s.lo);
}

// Rows i of `a` and j of `b` meet when i * pa - j * pb lies in (d - la, d + lb), d = b.lo - a.lo. With equal pitches
// only k = i - j matters.
bool equal_pitch(const Strided& a, const Strided& b) {
    auto p = static_cast<Signed>(a.pitch), d = static_cast<Signed>(b.lo - a.lo);
    Signed k = std::max(floor_div(d - static_cast<Signed>(a.len), p) + 1, 1 - static_cast<Signed>(b.rows));
    return k < static_cast<Signed>(a.rows) && k * p < d + static_cast<Signed>(b.len);
}

bool any_pitch(const Strided& a, const Strided& b) {
    // A row that is wider than the gaps of the other region meets it as it meets its bounding box.
    if (a.len > b.pitch - b.len) return row_meets(a, b.lo, b.hi);
    auto pa = static_cast<Signed>(a.pitch), pb = static_cast<Signed>(b.pitch), d = static_cast<Signed>(b.lo - a.lo);
    auto la = static_cast<Signed>(a.len), lb = static_cast<Signed>(b.len);
    Signed lo = d - la + 1, width = la + lb - 1;  // i * pa - j * pb in [lo, lo + width), width < pb
    // j = floor((i * pa - lo) / pb) must be a row of b.
    Signed first = std::max<Signed>(floor_div(lo + pa - 1, pa), 0);
    Signed last = std::min(floor_div(static_cast<Signed>(b.rows) * pb - 1 + lo, pa), static_cast<Signed>(a.rows) - 1);
    if (first > last) return false;
    // (t * pa + c) mod pb must fall in [0, width).
    Signed c = (first * pa - lo) % pb;
    if (c < width) return true;
    uint64_t t =
        first_in_range(a.pitch, b.pitch, static_cast<uint64_t>(pb - c), static_cast<uint64_t>(pb - c + width - 1));
    return t != kNone && t <= static_cast<uint64_t>(last - first);
}

}  // namespace

Strided interval(uint64_t lo, uint64_t hi) { return {lo, hi, hi - lo, 0, 1}; }

Strided strided(const Region& r) {
    uint64_t lo = r.base, step = static_cast<uint64_t>(r.pitch);
    if (r.rows > 1 && r.pitch < 0) {
        step = static_cast<uint64_t>(-r.pitch);
        lo -= (r.rows - 1) * step;
    }
    uint64_t hi = lo + (r.rows - 1) * step + r.row_bytes;
    if (r.rows == 1 || step <= r.row_bytes) return interval(lo, hi);
    return {lo, hi, r.row_bytes, step, r.rows};
}

bool overlaps(const Strided& a, const Strided& b) {
    if (a.lo >= b.hi || b.lo >= a.hi) return false;
    if (a.contiguous() && b.contiguous()) return true;
    if (a.contiguous()) return row_meets(b, a.lo, a.hi);
    if (b.contiguous()) return row_meets(a, b.lo, b.hi);
    return a.pitch == b.pitch ? equal_pitch(a, b) : any_pitch(a, b);
}

bool covers(const Strided& a, const Strided& b) {
    if (b.lo < a.lo || b.hi > a.hi) return false;
    if (a.contiguous()) return true;
    uint64_t into = (b.lo - a.lo) % a.pitch;
    if (b.contiguous()) return into + b.len <= a.len;
    return a.pitch == b.pitch && into + b.len <= a.len;
}

bool same(const Strided& a, const Strided& b) {
    return a.lo == b.lo && a.hi == b.hi && a.len == b.len && a.pitch == b.pitch;
}

}  // namespace aicore::engine
