// Just enough JSON to write.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace aicore::engine {

class Json {
public:
    Json& open(char bracket) {
        comma();
        out_ += bracket;
        first_ = true;
        return *this;
    }
    Json& close(char bracket) {
        out_ += bracket;
        first_ = false;
        return *this;
    }
    Json& key(std::string_view name) {
        string(name);
        out_ += ':';
        first_ = true;
        return *this;
    }
    Json& string(std::string_view text);
    Json& number(uint64_t value) {
        comma();
        out_ += std::to_string(value);
        return *this;
    }
    Json& integer(int64_t value) {
        comma();
        out_ += std::to_string(value);
        return *this;
    }
    Json& boolean(bool value) {
        comma();
        out_ += value ? "true" : "false";
        return *this;
    }
    Json& null() {
        comma();
        out_ += "null";
        return *this;
    }
    const std::string& text() const { return out_; }

private:
    void comma() {
        if (!first_) out_ += ',';
        first_ = false;
    }
    std::string out_;
    bool first_ = true;
};

}  // namespace aicore::engine
