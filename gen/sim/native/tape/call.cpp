#include "call.h"

namespace tape {

using aicore::ascendc::Message;

Call::Call(Player& player, const Site& site, Reader& from) : player_(&player), site_(&site), count_(from.u8()) {
    if (count_ > kMost) fail("a tape has a call of " + site.name + " with " + std::to_string(count_) + " arguments");
    for (size_t i = 0; i < count_; ++i) read(arguments_[i], from);
}

void Call::read(Argument& a, Reader& from) {
    a.tag = static_cast<char>(from.u8());
    switch (a.tag) {
        case 'i':
            a.number = {false, from.i64(), 0};
            return;
        case 'f':
            a.number = {true, 0, from.f64()};
            return;
        case 's':
        case 'r':
            a.index = from.u32();
            return;
        case 'l':
            a.position = static_cast<AscendC::TPosition>(from.u8());
            a.dtype = from.u8();
            a.address = from.u32();
            a.elements = from.u32();
            a.low = from.u32();
            a.high = from.u32();
            return;
        case 'g':
            a.index = from.u32();
            a.dtype = from.u8();
            a.offset = from.u64();
            return;
        default:
            fail("a tape has an argument of an unknown kind");
    }
}

Number Call::number(size_t i) const {
    if (i >= count_) refuse(i, "is missing");
    const Argument& a = arguments_[i];
    if (a.tag == 'i' || a.tag == 'f') return a.number;
    if (a.tag != 'r') refuse(i, "is no number");
    return player_->register_at(a.index);
}

const std::string& Call::text(size_t i) const {
    if (!is_text(i)) refuse(i, "is no name");
    return player_->tables->string(arguments_[i].index);
}

Number& Call::result(size_t i) {
    if (i >= count_ || arguments_[i].tag != 'r') refuse(i, "is no register");
    std::vector<Number>& registers = player_->registers;
    // Registers are numbered as they are written.
    if (arguments_[i].index > registers.size()) fail("a tape skips a register");
    if (arguments_[i].index == registers.size()) registers.emplace_back();
    return registers[arguments_[i].index];
}

uint8_t* Call::tensor_base(uint32_t index) const {
    if (index >= player_->tensors->size()) fail("a tape names a tensor that it does not have");
    return (*player_->tensors)[index];
}

void Call::refuse(size_t argument, const char* why) const {
    const Message message("AscendC::%s (argument %zu %s)", name().c_str(), argument + 1, why);
    aicore::unsupported(message.text);
}

void Call::refuse_form() const {
    const Message message("AscendC::%s (with %zu arguments)", name().c_str(), count_);
    aicore::unsupported(message.text);
}

void Call::refuse_type(uint8_t dtype) const {
    constexpr const char* kNames[] = {"float",    "half",    "bfloat16_t", "int64_t", "uint64_t", "int32_t",
                                      "uint32_t", "int16_t", "uint16_t",   "int8_t",  "uint8_t"};
    const char* type = dtype < sizeof kNames / sizeof kNames[0] ? kNames[dtype] : "an unknown type";
    const Message message("AscendC::%s of %s, which this chip does not have", name().c_str(), type);
    aicore::unsupported(message.text);
}

Handler handler_of(const std::string& name) {
    const Entries all[] = {control_calls(), copy_calls(),      matrix_calls(), vector_calls(),
                           compute_calls(), rearrange_calls(), reduce_calls(), scalar_calls()};
    for (const Entries& entries : all) {
        for (const Entry* entry = entries.first; entry != entries.first + entries.count; ++entry) {
            if (name == entry->name) return entry->handler;
        }
    }
    return nullptr;
}

}  // namespace tape
