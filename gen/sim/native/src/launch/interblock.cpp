#include "launch/interblock.h"

#include "replay/group.h"

namespace aicore::engine {

void InterBlock::reset(uint32_t blocks, const bool (&units)[kUnits]) {
    blocks_ = blocks;
    aics_ = units[0] ? blocks : 0;
    aivs_ = (units[1] ? blocks : 0) + (units[2] ? blocks : 0);
}

bool InterBlock::arrive(Barrier& barrier, uint32_t round, uint32_t cores, const Core& core, const Signal& signal) {
    used_ = true;
    while (barrier.rounds.size() <= round) barrier.rounds.emplace_back();
    Round& r = barrier.rounds[round];
    if (r.blocks.empty()) r.blocks.resize(blocks_);
    r.blocks[core.info.block].merge(signal.knowledge.clock);
    r.abroad = join_locked(r.abroad, signal.knowledge.abroad);
    r.time = std::max(r.time, signal.time);
    if (++r.came < cores) return false;
    auto all = std::make_unique<Abroad>();
    all->blocks = std::move(r.blocks);
    owned_.push_back(std::move(all));
    r.done = std::make_unique<Signal>();
    r.done->knowledge.abroad = join_locked(r.abroad, owned_.back().get());
    r.done->time = r.time;
    ++barrier.completed;
    ++version_;
    return true;
}

uint32_t InterBlock::cores_of(const Op& sync) const {
    if (sync.value != 0) return static_cast<uint32_t>(sync.id);
    return sync.blocking ? aivs_ : aics_ + aivs_;
}

bool InterBlock::arrive_sync(const Core& core, const Op& sync, uint32_t round, const Signal& signal) {
    std::lock_guard lock(mutex_);
    return arrive(sync_[key_of(sync)], round, cores_of(sync), core, signal);
}

bool InterBlock::arrive_flag(const Core& core, int id, const Signal& signal) {
    std::lock_guard lock(mutex_);
    FlagKey key{core.info.kind, id};
    uint32_t round = flag_sets_[{key, {core.info.block, core.unit}}]++;
    return arrive(flags_[key], round, cores_of(core.info.kind), core, signal);
}

const Signal* InterBlock::done(Barrier& barrier, uint32_t round) {
    return round < barrier.rounds.size() ? barrier.rounds[round].done.get() : nullptr;
}

const Signal* InterBlock::sync_done(const Op& sync, uint32_t round) {
    std::lock_guard lock(mutex_);
    return done(sync_[key_of(sync)], round);
}

Signal InterBlock::abroad(const Core& core, const Signal& signal) {
    used_ = true;
    auto mine = std::make_unique<Abroad>();
    mine->blocks.resize(blocks_);
    mine->blocks[core.info.block] = signal.knowledge.clock;
    owned_.push_back(std::move(mine));
    Signal told;
    told.knowledge.abroad = join_locked(signal.knowledge.abroad, owned_.back().get());
    told.time = signal.time;
    return told;
}

bool InterBlock::claim_word(const Core& core, uint64_t word, bool signals) {
    std::lock_guard lock(mutex_);
    Word& w = words_[word];
    uint64_t& owner = signals ? w.signaller : w.waiter;
    const uint64_t me = uint64_t{core.info.block} * kUnits + static_cast<uint64_t>(core.unit) + 1;
    if (owner == 0) owner = me;
    return owner == me;
}

bool InterBlock::signal_word(const Core& core, const Op& op, const Signal& signal, const Signal*& taken) {
    std::lock_guard lock(mutex_);
    Word& w = words_[op.value];
    if (op.blocking && w.taken != w.signals.size()) return false;
    if (op.blocking && w.taken != 0) taken = &w.last_taken;
    w.signals.push_back(abroad(core, signal));
    ++version_;
    return true;
}

const Signal* InterBlock::take_word(const Core& core, const Op& op, const Signal& waiter) {
    std::lock_guard lock(mutex_);
    Word& w = words_[op.value];
    if (w.taken == w.signals.size()) return nullptr;
    w.last_taken = abroad(core, waiter);
    ++version_;
    return &w.signals[w.taken++];
}

const Signal* InterBlock::flag_done(const Core& core, int id, uint32_t round) {
    std::lock_guard lock(mutex_);
    auto at = flags_.find({core.info.kind, id});
    return at == flags_.end() ? nullptr : done(at->second, round);
}

void InterBlock::take_flag(const Core& core, int id) {
    std::lock_guard lock(mutex_);
    ++flags_[{core.info.kind, id}].taken;
}

std::vector<InterBlock::Left> InterBlock::flags_left() {
    std::lock_guard lock(mutex_);
    std::vector<Left> out;
    for (const auto& [key, barrier] : flags_) {
        uint64_t cores = cores_of(key.kind), all = barrier.completed * cores;
        if (barrier.taken < all) out.push_back({key.kind, key.id, (all - barrier.taken + cores - 1) / cores});
    }
    return out;
}

const Abroad* InterBlock::join_locked(const Abroad* a, const Abroad* b) {
    if (a == b || !b) return a;
    if (!a) return b;
    if (a > b) std::swap(a, b);
    auto [at, fresh] = joined_.try_emplace({a, b}, nullptr);
    if (!fresh) return at->second;
    auto both = std::make_unique<Abroad>(*a);
    bool gave_a = false, gave_b = false;
    for (size_t i = 0; i < both->blocks.size(); ++i) {
        gave_b |= both->blocks[i].merge(b->blocks[i]);
        Clock other = b->blocks[i];
        gave_a |= other.merge(a->blocks[i]);
    }
    // Often one holds the other: keep it, so that equal knowledge stays one object.
    if (!gave_b || !gave_a) return at->second = gave_b ? b : a;
    owned_.push_back(std::move(both));
    return at->second = owned_.back().get();
}

const Abroad* InterBlock::join(const Abroad* a, const Abroad* b) {
    if (a == b || !b) return a;
    if (!a) return b;
    std::lock_guard lock(mutex_);
    return join_locked(a, b);
}

void InterBlock::share(uint64_t lo, uint64_t hi) {
    std::lock_guard lock(mutex_);
    shared_.add(lo, hi);
}

bool InterBlock::shared(uint64_t lo, uint64_t hi) {
    std::lock_guard lock(mutex_);
    return shared_.covers(lo, hi);
}

uint64_t InterBlock::version() {
    std::lock_guard lock(mutex_);
    return version_;
}

bool InterBlock::used() {
    std::lock_guard lock(mutex_);
    return used_;
}

void InterBlock::missing_sync(const Op& sync, uint32_t round, uint32_t& came, uint32_t& of) {
    std::lock_guard lock(mutex_);
    of = cores_of(sync);
    const Barrier& barrier = sync_[key_of(sync)];
    came = round < barrier.rounds.size() ? barrier.rounds[round].came : 0;
}

bool waits_for_blocks(const Op& op) {
    switch (op.kind) {
        case OpKind::sync_all:
        case OpKind::cross_wait:
        case OpKind::word_signal:
        case OpKind::word_wait:
            return true;
        default:
            return false;
    }
}

}  // namespace aicore::engine
