#include "launch/outputs.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>

#include "launch/profile.h"
#include "memory/gm.h"

namespace aicore::engine {

namespace {

const char* folder() {
    static const char* value = std::getenv("AICORE_OUTPUTS");
    return value;
}

std::vector<Output>& kept() {
    static auto* outputs = new std::vector<Output>;
    return *outputs;
}

std::string file_name(int tensor, const std::string& name) {
    std::string out = std::to_string(tensor) + "_";
    for (char c : name) out += std::isalnum(static_cast<unsigned char>(c)) || c == '-' ? c : '_';
    return out + ".bin";
}

// What nobody wrote is the same whatever the poison: two runs differ only in what kernels stored.
bool write_whole(std::FILE* file, const Tensor& t) {
    auto* data = reinterpret_cast<const uint8_t*>(t.base);
    if (profile().poison == 0 || !profile().hazards) return std::fwrite(data, 1, t.bytes, file) == t.bytes;
    std::vector<uint8_t> copy(data, data + t.bytes);
    t.initialised.each_gap(0, t.bytes, [&](uint64_t lo, uint64_t hi) {
        std::fill(copy.begin() + static_cast<int64_t>(lo), copy.begin() + static_cast<int64_t>(hi), uint8_t{0xFF});
    });
    return std::fwrite(copy.data(), 1, copy.size(), file) == copy.size();
}

}  // namespace

void keep_output(int tensor) {
    if (tensor < 0 || !folder()) return;
    const Tensor& t = gm()[tensor];
    if (!t.alive || !t.stored) return;
    Output output{tensor, t.stored_as, file_name(tensor, t.stored_as), t.bytes, t.fetched, t.atomic, t.read};
    std::FILE* file = std::fopen((std::string(folder()) + "/" + output.file).c_str(), "wb");
    if (!file) return;
    bool ok = write_whole(file, t);
    if (std::fclose(file) == 0 && ok) kept().push_back(std::move(output));
}

const std::vector<Output>& keep_outputs() {
    for (int tensor = 0; tensor < static_cast<int>(gm().size()); ++tensor) keep_output(tensor);
    return kept();
}

}  // namespace aicore::engine
