#include "verdict/word_report.h"

#include <cinttypes>

#include "hazard/unwritten.h"
#include "launch/launch.h"
#include "launch/profile.h"
#include "memory/gm.h"
#include "verdict/words.h"

namespace aicore::engine {

void check_word(Group& group, const Core& core, const Op& op, uint32_t expected) {
    const int tensor = gm().find(op.word);
    if (tensor < 0 || !profile().hazards) return;  // none: reported with the accesses to it
    const uint64_t offset = op.word - gm()[tensor].base;
    const Strided where = interval(op.word, op.word + sizeof(int32_t));
    const bool set = is_written(where, gm()[tensor], group.track(tensor).accesses);
    const auto found = set ? __atomic_load_n(reinterpret_cast<const int32_t*>(op.word), __ATOMIC_RELAXED) : 0;
    if (set && found == static_cast<int32_t>(expected)) return;
    const char* code = set ? "argument-range" : "uninitialised-read";
    if (group.findings.known(code, "GM", op.site, 0)) return;
    const std::string name = group.launch->tensor_name(tensor);
    Finding f;
    f.code = code;
    f.edge = "GM";
    f.message = set ? text("%s: byte %" PRIu64 " of %s holds %d, and must hold %u", op_word(op).c_str(), offset,
                           name.c_str(), found, expected)
                    : text("%s counts in byte %" PRIu64 " of %s, which neither the host nor this core has set",
                           op_word(op).c_str(), offset, name.c_str());
    f.remedy.text = "let the host, or every core before the first such call, set all of these words to 0";
    f.space = "GM";
    f.lo = offset;
    f.hi = offset + sizeof(int32_t);
    f.core = group.where(core);
    f.first = {op_word(op), word(op.pipe), op.site};
    group.findings.add(std::move(f));
}

}  // namespace aicore::engine
