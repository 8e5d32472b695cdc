#include "launch/outputs.h"

#include <cctype>
#include <cstdio>
#include <cstdlib>

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

}  // namespace

void keep_output(int tensor) {
    if (tensor < 0 || !folder()) return;
    const Tensor& t = gm()[tensor];
    if (!t.alive || !t.stored) return;
    Output output{tensor, t.stored_as, file_name(tensor, t.stored_as), t.bytes};
    std::FILE* file = std::fopen((std::string(folder()) + "/" + output.file).c_str(), "wb");
    if (!file) return;
    bool ok = std::fwrite(reinterpret_cast<const void*>(t.base), 1, t.bytes, file) == t.bytes;
    if (std::fclose(file) == 0 && ok) kept().push_back(std::move(output));
}

const std::vector<Output>& keep_outputs() {
    for (int tensor = 0; tensor < static_cast<int>(gm().size()); ++tensor) keep_output(tensor);
    return kept();
}

}  // namespace aicore::engine
