#include "tape.h"

#include <unistd.h>

#include <cstdio>

#include "aicore/core.h"

namespace tape {

namespace {

constexpr std::string_view kMagic = "CTTAPE\r\n";
constexpr uint32_t kVersion = 1;

// The checksum of zlib.
uint32_t crc32(std::string_view data) {
    uint32_t table[256];
    for (uint32_t i = 0; i < 256; ++i) {
        uint32_t c = i;
        for (int bit = 0; bit < 8; ++bit) c = (c & 1) != 0 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
        table[i] = c;
    }
    uint32_t crc = ~0u;
    for (char byte : data) crc = table[(crc ^ static_cast<uint8_t>(byte)) & 0xFF] ^ (crc >> 8);
    return ~crc;
}

std::string contents(const char* path) {
    std::FILE* file = std::fopen(path, "rb");
    if (file == nullptr) fail(std::string("cannot open the tape ") + path);
    std::string data;
    char part[1 << 16];
    for (size_t n; (n = std::fread(part, 1, sizeof part, file)) != 0;) data.append(part, n);
    const bool whole = std::ferror(file) == 0;
    std::fclose(file);
    if (!whole) fail(std::string("cannot read the tape ") + path);
    return data;
}

std::string_view body_of(std::string_view file, const char* path) {
    const std::string name = path;
    constexpr size_t kHead = 8 + 4 + 4 + 8;
    if (file.substr(0, kMagic.size()) != kMagic) fail(name + " is no tape");
    if (file.size() < kHead) fail(name + " is cut off");
    Reader head(file.substr(kMagic.size()), "head");
    const uint32_t version = head.u32(), crc = head.u32();
    if (version != kVersion) {
        fail(name + " is a tape of version " + std::to_string(version) + ", not " + std::to_string(kVersion) +
             "; record it again");
    }
    const uint64_t bytes = head.u64();
    const std::string_view body = file.substr(kHead);
    if (body.size() < bytes) {
        fail(name + " is cut off: " + std::to_string(body.size()) + " of " + std::to_string(bytes) + " bytes are left");
    }
    if (body.size() > bytes || crc32(body) != crc) fail(name + " is damaged: its checksum does not match");
    return body;
}

}  // namespace

void fail(const std::string& what) {
    std::fprintf(stderr, "crosstree: tape: %s\n", what.c_str());
    std::fflush(stdout);
    _exit(70);  // other cores may be running
}

std::string_view Reader::bytes(uint64_t count) {
    if (count > data_.size() - at_) fail(std::string("a tape ends in the middle of its ") + of_);
    std::string_view part = data_.substr(at_, count);
    at_ += count;
    return part;
}

void Tables::read_strings(Reader& from) {
    for (uint32_t left = from.u32(); left != 0; --left) strings_.emplace_back(from.bytes(from.u32()));
}

void Tables::read_sites(Reader& from) {
    for (uint32_t left = from.u32(); left != 0; --left) {
        const std::string& call = string(from.u32());
        const std::string& step = string(from.u32());
        std::vector<aicore::SourceFrame> frames;
        for (uint32_t count = from.u32(); count != 0; --count) {
            const char* function = string(from.u32()).c_str();
            const char* file = string(from.u32()).c_str();
            frames.push_back({function, file, from.u32()});
        }
        const std::string what = call + " " + step;
        const uint32_t place = aicore::source_place(frames.data(), frames.size(), what.c_str());
        sites_.push_back({call, handler_of(call), place});
    }
}

const std::string& Tables::string(uint32_t index) const {
    if (index >= strings_.size()) fail("a tape names a string that it does not have");
    return strings_[index];
}

const Site& Tables::site(uint32_t index) const {
    if (index >= sites_.size()) fail("a tape names a place that it does not have");
    return sites_[index];
}

Tape read(const char* path) {
    Tape tape;
    tape.file = contents(path);
    Reader body(body_of(tape.file, path), "tables");
    tape.tables.read_strings(body);
    tape.kernel = tape.tables.string(body.u32());
    tape.kind = tape.tables.string(body.u32());
    tape.blocks = body.u32();
    for (uint32_t left = body.u32(); left != 0; --left) tape.command.push_back(tape.tables.string(body.u32()));
    for (uint32_t left = body.u32(); left != 0; --left) {
        const std::string& name = tape.tables.string(body.u32());
        body.u32();  // its element type: every argument has one of its own
        const std::string& role = tape.tables.string(body.u32());
        tape.tensors.push_back({name, role, body.u64()});
    }
    tape.tables.read_sites(body);
    for (uint32_t left = body.u32(); left != 0; --left) {
        const uint32_t block = body.u32(), unit = body.u32();
        Stream& stream = tape.cores[{block, unit}];
        stream.live = body.u32() != 0;
        stream.calls = body.bytes(body.u64());
    }
    return tape;
}

}  // namespace tape
