#include "verdict/report.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "launch/outputs.h"
#include "launch/profile.h"
#include "memory/gm.h"
#include "record/site.h"
#include "verdict/json.h"
#include "verdict/redundant.h"

namespace aicore::engine {

namespace {

struct Kept {
    std::vector<LaunchReport> launches;
    std::string unsupported;
};

Kept& kept() {
    static Kept* k = new Kept;
    return *k;
}

}  // namespace

void write_place(Json& json, const char* key, const Place& place) {
    json.key(key);
    if (place.op.empty() && place.pipe.empty()) {
        json.null();
        return;
    }
    json.open('{');
    json.key("op").string(place.op);
    json.key("pipe").string(place.pipe);
    json.key("stack").open('[');
    const Stack& stack = stack_of(place.site);
    for (int i = 0; i < stack.count; ++i) json.number(stack.frames[static_cast<size_t>(i)]);
    json.close(']').close('}');
}

void write_frames(Json& json, uint64_t name) {
    json.open('[');
    for (const NamedFrame& frame : frames_of(name)) {
        json.open('[').string(frame.function).string(frame.file).number(frame.line).close(']');
    }
    json.close(']');
}

namespace {

void write_fix(Json& json, const Fix& fix) {
    json.key("fix");
    if (fix.kind.empty()) {
        json.null();
        return;
    }
    json.open('{').key("kind").string(fix.kind);
    for (const auto& [key, value] : fix.words) json.key(key).string(value);
    for (const auto& [key, value] : fix.numbers) json.key(key).integer(value);
    json.close('}');
}

void write_also(Json& json, const std::vector<Consequence>& also) {
    json.key("also").open('[');
    for (const Consequence& c : also) {
        json.open('{').key("code").string(c.code).key("edge").string(c.edge).key("count").number(c.count);
        write_place(json, "first", c.first);
        write_place(json, "second", c.second);
        json.close('}');
    }
    json.close(']');
}

void write_finding(Json& json, const Finding& f) {
    json.open('{');
    json.key("code").string(f.code);
    json.key("severity").string(f.note ? "note" : "error");
    json.key("message").string(f.message);
    json.key("remedy").string(f.remedy.text);
    write_fix(json, f.remedy.fix);
    json.key("space").string(f.space);
    json.key("bytes").open('[').integer(static_cast<int64_t>(f.lo)).integer(static_cast<int64_t>(f.hi)).close(']');
    json.key("edge").string(f.edge);
    json.key("count").number(f.count);
    json.key("core").string(f.core);
    write_place(json, "first", f.first);
    write_place(json, "second", f.second);
    write_place(json, "behind", f.behind);
    write_also(json, f.also);
    json.close('}');
}

void write_launch(Json& json, const LaunchReport& launch) {
    json.open('{');
    json.key("kernel").string(launch.kernel);
    json.key("kind").string(launch.kind);
    json.key("blocks").number(launch.blocks);
    json.key("unsupported");
    launch.unsupported.empty() ? json.null() : json.string(launch.unsupported);
    write_place(json, "unsupported_at", launch.unsupported_at);
    json.key("findings").open('[');
    for (const Finding& f : launch.findings.all()) write_finding(json, f);
    json.close(']');
    json.key("tensors").open('[');
    for (const TensorReport& t : launch.tensors) {
        json.open('{').key("index").number(t.index).key("name").string(t.name).key("bytes").number(t.bytes);
        json.key("written_bytes").number(t.written_bytes).close('}');
    }
    json.close(']');
    json.key("counts").open('{');
    for (const auto& [pipe, names] : launch.counts) {
        json.key(pipe).open('{');
        for (const auto& [name, count] : names) json.key(name).number(count);
        json.close('}');
    }
    json.close('}');
    write_unwritten(json, launch.reads_unwritten);
    json.key("sync");
    write_sync(json, profile().deep ? launch.sync : SyncLog{});
    json.key("cycles").number(launch.cycles).close('}');
}

void write_profile(Json& json) {
    const Profile& p = profile();
    json.key("profile").open('{');
    json.key("chip").string(p.chip == Chip::dav2201 ? "2201" : "3510");
    json.key("auto_sync").boolean(p.auto_sync);
    json.key("flag_identity").string(p.flag_identity == FlagIdentity::doc ? "doc" : "strict");
    json.key("xflag").string(p.cross_flag == CrossFlag::counter ? "counter" : "binary");
    json.key("poison").number(p.poison);
    json.key("hazards").boolean(p.hazards).close('}');
}

void write_outputs(Json& json) {
    json.key("outputs").open('[');
    for (const Output& output : keep_outputs()) {
        json.open('{').key("index").number(static_cast<uint64_t>(output.tensor)).key("name").string(output.name);
        json.key("file").string(output.file).key("bytes").number(output.bytes).key("fetched").boolean(output.fetched);
        json.key("atomic").boolean(output.atomic).key("read").boolean(output.read).close('}');
    }
    json.close(']');
}

// What the host allocated: whether it gave it back, and how much of it ever got a value from it.
void write_memory(Json& json) {
    json.key("memory").open('[');
    for (size_t i = 0; i < gm().size(); ++i) {
        const Tensor& t = gm()[static_cast<int>(i)];
        uint64_t initialised = 0;
        for (const Range& r : t.initialised.all()) initialised += r.hi - r.lo;
        json.open('{').key("index").number(i).key("bytes").number(t.bytes).key("alive").boolean(t.alive);
        json.key("initialised").number(initialised).key("stored").boolean(t.stored).close('}');
    }
    json.close(']');
}

// The stacks of positions in sources that the program interprets; left out where it does not.
void write_sources(Json& json) {
    const std::vector<uint64_t> names = names_of_sites();
    if (names.empty()) return;
    json.key("sources").open('{');
    for (uint64_t name : names) {
        json.key(std::to_string(name));
        write_frames(json, name);
    }
    json.close('}');
}

void write_report() {
    const char* path = std::getenv("AICORE_REPORT");
    if (!path) return;
    std::string temporary = std::string(path) + ".tmp" + std::to_string(getpid());
    std::FILE* file = std::fopen(temporary.c_str(), "w");
    if (!file) return;
    std::string json = report_json();
    bool ok = std::fwrite(json.data(), 1, json.size(), file) == json.size();
    ok = std::fclose(file) == 0 && ok;
    if (!ok || std::rename(temporary.c_str(), path) != 0) std::remove(temporary.c_str());
}

void write_at_exit() {
    static const bool registered = (std::atexit(write_report), true);
    (void)registered;
}

}  // namespace

std::string report_json() {
    Json json;
    json.open('{');
    json.key("version").number(1);
    write_profile(json);
    json.key("unsupported");
    kept().unsupported.empty() ? json.null() : json.string(kept().unsupported);
    json.key("launches").open('[');
    for (const LaunchReport& launch : kept().launches) write_launch(json, launch);
    json.close(']');
    write_outputs(json);
    write_memory(json);
    write_sources(json);
    json.close('}');
    return json.text() + "\n";
}

bool any_launch() { return !kept().launches.empty(); }
void add_to_last_launch(Finding finding) { kept().launches.back().findings.add(std::move(finding)); }

void add_to_report(LaunchReport launch) {
    write_at_exit();
    kept().launches.push_back(std::move(launch));
}

void host_unsupported(const char* what) {
    write_at_exit();
    kept().unsupported = what;
    std::fprintf(stderr, "crosstree: unsupported: %s\n", what);
    std::exit(3);
}

}  // namespace aicore::engine
