#include "launch/profile.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>

namespace aicore::engine {

namespace {

[[noreturn]] void bad(std::string_view item) {
    std::fprintf(stderr, "crosstree: AICORE_PROFILE: cannot understand \"%.*s\"\n", static_cast<int>(item.size()),
                 item.data());
    std::exit(70);
}

unsigned number(std::string_view item, std::string_view value, unsigned most) {
    std::string digits(value);
    char* end = nullptr;
    unsigned long n = std::strtoul(digits.c_str(), &end, 10);
    if (digits.empty() || *end != 0 || n > most) bad(item);
    return static_cast<unsigned>(n);
}

bool choose(std::string_view item, std::string_view value, std::string_view yes, std::string_view no) {
    if (value != yes && value != no) bad(item);
    return value == yes;
}

// Hexadecimal numbers with a plus between them.
void read_keys(std::string_view item, std::string_view value, std::vector<uint64_t>& out) {
    while (!value.empty()) {
        size_t plus = value.find('+');
        std::string digits(value.substr(0, plus));
        char* end = nullptr;
        out.push_back(std::strtoull(digits.c_str(), &end, 16));
        if (digits.empty() || *end != 0) bad(item);
        value = plus == std::string_view::npos ? std::string_view{} : value.substr(plus + 1);
    }
    std::sort(out.begin(), out.end());
}

void apply(Profile& p, std::string_view item) {
    size_t eq = item.find('=');
    if (eq == std::string_view::npos) bad(item);
    std::string_view key = item.substr(0, eq), value = item.substr(eq + 1);
    if (key == "chip") {
        p.chip = choose(item, value, "2201", "3510") ? Chip::dav2201 : Chip::dav3510;
    } else if (key == "auto_sync") {
        p.auto_sync = choose(item, value, "on", "off");
    } else if (key == "flag_identity") {
        p.flag_identity = choose(item, value, "doc", "strict") ? FlagIdentity::doc : FlagIdentity::strict;
    } else if (key == "xflag") {
        p.cross_flag = choose(item, value, "counter", "binary") ? CrossFlag::counter : CrossFlag::binary;
    } else if (key == "k_tail") {
        p.k_tail = choose(item, value, "group", "exact") ? KTail::group : KTail::exact;
    } else if (key == "hazards") {
        p.hazards = choose(item, value, "on", "off");
    } else if (key == "threads") {
        p.threads = number(item, value, 4096);
    } else if (key == "schedule") {
        if (!parse_schedule(value, p.schedule)) bad(item);
    } else if (key == "drop") {
        read_keys(item, value, p.drop);
    } else if (key == "deep") {
        p.deep = choose(item, value, "on", "off");
    } else if (key == "poison") {
        p.poison = number(item, value, 1u << 20);
    } else if (key == "variant") {
        p.variant = static_cast<int>(number(item, value, 1u << 20));
    } else {
        bad(item);
    }
}

Profile parse() {
    Profile p;
    const char* env = std::getenv("AICORE_PROFILE");
    std::string_view rest = env ? env : "";
    while (!rest.empty()) {
        size_t comma = rest.find(',');
        apply(p, rest.substr(0, comma));
        rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
    }
    if (p.schedule.kind == Schedule::Kind::reorder) p.hazards = false;
    if (p.threads == 0) p.threads = std::max(1u, std::thread::hardware_concurrency());
    return p;
}

}  // namespace

const Profile& profile() {
    static const Profile parsed = parse();
    return parsed;
}

// asc-devkit, docs, 编程指南/高级编程/硬件实现/架构规格/NPU架构版本2201 and NPU架构版本3510.
uint64_t hardware_capacity(Chip chip, Space space) {
    bool old = chip == Chip::dav2201;
    switch (space) {
        case Space::gm:
            return UINT64_MAX;
        case Space::l1:
            return 524288;
        case Space::l0a:
        case Space::l0b:
            return 65536;
        case Space::l0c:
            return old ? 131072 : 262144;
        case Space::ub:
            return old ? 196608 : 262144;
        case Space::bt:
            return old ? 1024 : 4096;
        case Space::fb:
            return old ? 2048 : 4096;
        case Space::l0a_mx:  // docs, LoadData (MX) and LoadDataWithSparse
            return old ? 0 : 4096;
        case Space::l0b_mx:
            return old ? 16384 : 4096;
    }
    return 0;
}

// dav-2201 reserves 256 bytes of UB and of L1 (asc-devkit, include/utils/base/sys_constants.h, ASC_UB_SIZE and
// ASC_L1_SIZE); of the UB of dav-3510 248 KB are the kernel's (docs, 跨代迁移兼容性指南/3510架构迁移指导).
uint64_t usable_capacity(Chip chip, Space space) {
    if (chip == Chip::dav3510 && space == Space::ub) return 253952;
    bool reserved = chip == Chip::dav2201 && (space == Space::ub || space == Space::l1);
    return hardware_capacity(chip, space) - (reserved ? 256 : 0);
}

// asc-devkit, examples/01_simd_cpp_api/05_best_practices, README files: 24 AIC + 48 AIV; Ascend 950PR 32 AIC + 64 AIV.
uint32_t resident_cores(Chip chip, CoreKind kind) {
    uint32_t aic = chip == Chip::dav2201 ? 24 : 32;
    return kind == CoreKind::aic ? aic : 2 * aic;
}

}  // namespace aicore::engine

namespace aicore {

int variant() { return engine::profile().variant; }
bool k_tail_is_exact() { return engine::profile().k_tail == engine::KTail::exact; }

}  // namespace aicore
