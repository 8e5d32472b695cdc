#include "launch/workers.h"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "launch/launch.h"
#include "launch/profile.h"
#include "record/running.h"
#include "replay/group.h"
#include "verdict/report.h"

namespace aicore::engine {

namespace {

// Blocks that have ended: their memories serve the next ones.
class Spare {
public:
    std::unique_ptr<Group> take() {
        std::lock_guard lock(mutex_);
        if (idle_.empty()) return std::make_unique<Group>();
        auto group = std::move(idle_.back());
        idle_.pop_back();
        return group;
    }
    void give(std::unique_ptr<Group> group) {
        std::lock_guard lock(mutex_);
        idle_.push_back(std::move(group));
    }

private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Group>> idle_;
};

Spare& spare() {
    static auto* groups = new Spare;
    return *groups;
}

}  // namespace

// Blocks are started in order. One that waits for another block is parked, and tried again whenever a synchronisation
// between blocks was completed; when all that are left are parked, they are in a deadlock.
class Workers {
public:
    explicit Workers(Launch& launch) : launch_(launch) {}

    void run() {
        size_t count = std::min<size_t>(profile().threads, launch_.blocks());
        std::vector<std::thread> threads;
        for (size_t i = 1; i < count; ++i) threads.emplace_back([this] { work(); });
        work();
        for (std::thread& t : threads) t.join();
    }

private:
    using Owned = std::unique_ptr<Group>;
    static constexpr uint64_t kNever = UINT64_MAX;
    struct Parked {
        Owned group;
        uint64_t version;  // of the synchronisations when it looked last
        bool holds;
    };

    // The next block to run, or null when none is left. `dead` tells that it will never be able to go on.
    Owned next(std::unique_lock<std::mutex>& lock, bool& dead) {
        for (;;) {
            uint64_t version = launch_.inter().version();
            for (auto at = parked_.begin(); at != parked_.end(); ++at) {
                if (at->version == version && !launch_.aborted()) continue;
                return take(at);
            }
            if (next_ < launch_.blocks() && !launch_.aborted()) return start(lock);
            if (parked_.empty() && active_ == 0) return nullptr;
            if (active_ == 0 && release_one()) continue;
            if (active_ == 0) {
                dead = true;
                return take(parked_.begin());
            }
            if (parked_.empty() && next_ >= launch_.blocks()) return nullptr;
            changed_.wait(lock);
        }
    }

    // All that are left wait: one that only holds something back goes on with that.
    bool release_one() {
        for (Parked& parked : parked_) {
            if (!parked.holds) continue;
            parked.holds = false;
            parked.version = kNever;
            parked.group->releases = 1;
            return true;
        }
        return false;
    }

    Owned take(std::deque<Parked>::iterator at) {
        Owned group = std::move(at->group);
        parked_.erase(at);
        ++active_;
        return group;
    }

    Owned start(std::unique_lock<std::mutex>& lock) {
        uint32_t block = next_++;
        if (profile().schedule.blocks_reversed) block = launch_.blocks() - 1 - block;
        ++active_;
        lock.unlock();
        Owned group = spare().take();
        group->begin(launch_, block);
        lock.lock();
        return group;
    }

    void finish(Owned group, bool whole) {
        if (whole) report_leftovers(*group);
        group->end();
        launch_.block_ended(*group);
        spare().give(std::move(group));
    }

    void work() {
        catch_crashes();
        std::unique_lock lock(mutex_);
        bool dead = false;
        while (Owned group = next(lock, dead)) {
            lock.unlock();
            uint64_t version = launch_.inter().version();
            set_working_on(group.get());
            Progress progress = launch_.aborted() ? Progress::aborted : dead ? Progress::deadlock : group->run();
            set_working_on(nullptr);
            if (progress == Progress::deadlock) report_deadlock(*group);
            bool holds = progress == Progress::holds;
            if (progress != Progress::waits_for_blocks && !holds) {
                finish(std::move(group), progress == Progress::finished);
                lock.lock();
            } else {
                lock.lock();
                parked_.push_back({std::move(group), version, holds});
            }
            --active_;
            dead = false;
            changed_.notify_all();
        }
        changed_.notify_all();
    }

    Launch& launch_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Parked> parked_;
    uint32_t next_ = 0;
    uint32_t active_ = 0;
};

void run_blocks(Launch& launch) {
    Workers workers(launch);
    workers.run();
}

}  // namespace aicore::engine
