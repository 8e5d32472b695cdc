#include "verdict/json.h"

#include <cstdio>

namespace aicore::engine {

Json& Json::string(std::string_view text) {
    comma();
    out_ += '"';
    for (char c : text) {
        auto u = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out_ += '\\';
            out_ += c;
        } else if (u < 0x20) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", u);
            out_ += escape;
        } else {
            out_ += c;
        }
    }
    out_ += '"';
    return *this;
}

}  // namespace aicore::engine
