#include "launch/trace.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "launch/launch.h"
#include "memory/gm.h"
#include "verdict/words.h"

namespace aicore::engine {

namespace {

const char* path() {
    static const char* value = std::getenv("AICORE_TRACE");
    return value;
}

std::string region_word(const Launch& launch, const Region& r) {
    int tensor = r.space == Space::gm ? gm().find(r.base) : -1;
    std::string space = tensor >= 0 ? launch.tensor_name(tensor) : word(r.space);
    uint64_t base = tensor >= 0 ? r.base - gm()[tensor].base : r.base;
    std::string out = text(" %c%s[%" PRIu64 "+%" PRIu64, r.write ? '>' : '<', space.c_str(), base, r.row_bytes);
    if (r.rows != 1) out += text(" x%u/%" PRId64, r.rows, r.pitch);
    return out + "]";
}

}  // namespace

bool tracing() { return path() != nullptr; }

// block core pipe start..end name regions
void write_trace(Group& group, const Core& core, const Op& op, uint64_t start) {
    group.trace += text("%u %s %s %" PRIu64 "..%" PRIu64 " %s", group.block, unit_word(core.unit), word(op.pipe), start,
                        start + op.cycles, op_word(op).c_str());
    for (int i = 0; i < op.region_count; ++i) group.trace += region_word(*group.launch, op.regions[i]);
    group.trace += '\n';
}

void flush_trace(const std::string& lines) {
    std::FILE* file = std::fopen(path(), "a");
    if (!file) return;
    std::fwrite(lines.data(), 1, lines.size(), file);
    std::fclose(file);
}

}  // namespace aicore::engine
