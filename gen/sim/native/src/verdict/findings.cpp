#include "verdict/findings.h"

#include <utility>

namespace aicore::engine {

bool Findings::add(Finding finding) {
    errors_ |= !finding.note;
    // A face may have more than one thing to say about a place.
    const std::string& what = finding.edge.empty() ? finding.message : finding.edge;
    Key key{finding.code, what, finding.first.site, finding.second.site};
    auto [at, fresh] = index_.try_emplace(std::move(key), all_.size());
    if (fresh) {
        all_.push_back(std::move(finding));
    } else {
        all_[at->second].count += finding.count;
    }
    return fresh;
}

bool Findings::known(const std::string& code, const std::string& edge, uint32_t first, uint32_t second) {
    auto at = index_.find(Key{code, edge, first, second});
    if (at == index_.end()) return false;
    ++all_[at->second].count;
    return true;
}

void Findings::merge(const Findings& other) {
    for (const Finding& f : other.all_) add(f);
}

void Findings::clear() {
    all_.clear();
    index_.clear();
    errors_ = false;
}

}  // namespace aicore::engine
