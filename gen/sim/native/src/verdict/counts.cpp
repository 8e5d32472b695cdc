#include "verdict/counts.h"

#include "verdict/words.h"

namespace aicore::engine {

void Counts::flush(const Cell& cell) {
    if (cell.name && cell.count) slow_[word(cell.pipe)][cell.name] += cell.count;
}

void Counts::merge_into(CountTable& table) {
    for (Cell& cell : fast_) {
        flush(cell);
        cell = {};
    }
    for (auto& [pipe, names] : slow_) {
        for (auto& [name, count] : names) table[pipe][name] += count;
    }
    slow_.clear();
}

void Counts::clear() {
    for (Cell& cell : fast_) cell = {};
    slow_.clear();
}

}  // namespace aicore::engine
