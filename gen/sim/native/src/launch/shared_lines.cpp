#include "launch/shared_lines.h"

#include "launch/launch.h"
#include "memory/gm.h"
#include "record/data_cache.h"
#include "verdict/words.h"

namespace aicore::engine {

namespace {

constexpr const char* kEdge = "block S→block S";

}  // namespace

void SharedLines::note(uint64_t at, uint32_t block, const std::string& core, uint32_t site) {
    std::lock_guard lock(mutex_);
    const Writer writer{block, core, site};
    auto [found, fresh] = lines_.try_emplace(at, Line{writer, writer});
    if (fresh) return;
    if (block < found->second.first.block) found->second.first = writer;
    if (block > found->second.last.block) found->second.last = writer;
}

void SharedLines::report(const Launch& launch, Findings& findings) const {
    for (const auto& [at, line] : lines_) {
        if (line.first.block == line.last.block) continue;
        const int tensor = gm().find(at);
        if (tensor < 0 || findings.known("output-written-twice", kEdge, line.first.site, line.last.site)) continue;
        Finding f;
        f.code = "output-written-twice";
        f.edge = kEdge;
        f.space = "GM";
        f.lo = at - gm()[tensor].base;
        f.hi = f.lo + kCacheLine;
        f.message = text(
            "%s and %s store numbers into one line of their data caches, %s of %s: each writes it back as a "
            "whole, over those of the other",
            line.first.core.c_str(), line.last.core.c_str(), bytes_word(f.lo, f.hi).c_str(),
            launch.tensor_name(tensor).c_str());
        f.remedy.text = "let what the cores store lie in lines of 64 bytes of their own";
        f.core = line.first.core;
        f.first = {"SetValue", "S", line.first.site};
        f.second = {"SetValue", "S", line.last.site};
        findings.add(std::move(f));
    }
}

}  // namespace aicore::engine
