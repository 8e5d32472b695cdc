// One call of a tape: its arguments, and how they become tensors, scalars and names of the AscendC API.
#pragma once

#include <optional>
#include <string>

#include "kernel_operator.h"
#include "tape.h"

namespace tape {

using aicore::ascendc::Types;

// Element types by their code in the file; bool has none of its own.
using AllTypes =
    Types<float, half, bfloat16_t, int64_t, uint64_t, int32_t, uint32_t, int16_t, uint16_t, int8_t, uint8_t>;

template <class T, class... Ts>
constexpr uint8_t code_in(Types<Ts...>) {
    uint8_t code = 0;
    bool found = false;
    ((found = found || std::is_same_v<T, Ts>, code += !found), ...);
    return code;
}
template <class T>
inline constexpr uint8_t code_of = code_in<T>(AllTypes{});

// A number: of an integer type, or of a floating-point type.
struct Number {
    bool real = false;
    int64_t integer = 0;  // the bits of a uint64_t, too
    double value = 0;

    template <class T>
    T as() const {
        if constexpr (std::is_integral_v<T>) {
            return real ? static_cast<T>(value) : static_cast<T>(integer);
        } else {
            return T(real ? static_cast<float>(value) : static_cast<float>(integer));
        }
    }
    template <class T>
    static Number of(T number) {
        if constexpr (std::is_integral_v<T>) {
            return {false, static_cast<int64_t>(number), 0};
        } else {
            return {true, 0, static_cast<double>(static_cast<float>(number))};
        }
    }
};

struct Argument {
    char tag;       // of the file: i f s l g r
    uint8_t dtype;  // of a tensor
    AscendC::TPosition position;
    uint32_t index;  // of a string, a tensor in global memory or a register
    Number number;
    uint32_t address, elements, low, high;
    uint64_t offset;
};

// What a core has while it plays.
struct Player {
    const Tables* tables;
    const std::vector<uint8_t*>* tensors;
    std::vector<Number> registers;
    std::optional<AscendC::TPipe> pipe;

    const Number& register_at(uint32_t index) const {
        if (index >= registers.size()) fail("a tape uses a register before it is written");
        return registers[index];
    }
};

class Call {
public:
    static constexpr size_t kMost = 40;

    Call(Player& player, const Site& site, Reader& from);

    Player& player() { return *player_; }
    size_t size() const { return count_; }
    const std::string& name() const { return site_->name; }

    bool is_tensor(size_t i) const { return i < count_ && (arguments_[i].tag == 'l' || arguments_[i].tag == 'g'); }
    bool is_local(size_t i) const { return i < count_ && arguments_[i].tag == 'l'; }
    bool is_text(size_t i) const { return i < count_ && arguments_[i].tag == 's'; }
    // The code of a tensor's element type.
    uint8_t dtype(size_t i) const {
        if (!is_tensor(i)) refuse(i, "is no tensor");
        return arguments_[i].dtype;
    }
    template <class T>
    AscendC::LocalTensor<T> local(size_t i) const {
        if (!is_local(i)) refuse(i, "is no tensor in on-chip memory");
        const Argument& a = arguments_[i];
        if (aicore::ascendc::space_of(a.position) == aicore::Space::gm) refuse(i, "is at a position without a memory");
        require<T>(i);
        static aicore::ascendc::Buffer never_freed;
        return AscendC::LocalTensor<T>::in_buffer(a.position, a.address, a.elements * uint32_t{sizeof(T)}, a.low,
                                                  a.high, &never_freed);
    }
    template <class T>
    AscendC::GlobalTensor<T> global(size_t i) const {
        if (!is_tensor(i) || is_local(i)) refuse(i, "is no tensor in global memory");
        require<T>(i);
        AscendC::GlobalTensor<T> tensor;
        tensor.SetGlobalBuffer(reinterpret_cast<T*>(tensor_base(arguments_[i].index)));
        return tensor[arguments_[i].offset];
    }
    // A number, or what a register holds.
    Number number(size_t i) const;
    template <class T>
    T scalar(size_t i) const {
        return number(i).as<T>();
    }
    int64_t integer(size_t i) const { return number(i).as<int64_t>(); }
    int32_t count(size_t i) const { return static_cast<int32_t>(integer(i)); }
    bool flag(size_t i) const { return integer(i) != 0; }
    const std::string& text(size_t i) const;
    // Where the result of a scalar operation goes.
    Number& result(size_t i);

    // The index of a name in a list of them.
    template <size_t n>
    int one_of(size_t i, const char* const (&names)[n]) const {
        const std::string& found = text(i);
        for (size_t k = 0; k < n; ++k) {
            if (found == names[k]) return static_cast<int>(k);
        }
        refuse(i, "is a name that this call does not take");
    }

    // The model cannot carry this call out.
    [[noreturn]] void refuse(size_t argument, const char* why) const;
    [[noreturn]] void refuse_form() const;
    [[noreturn]] void refuse_type(uint8_t dtype) const;

private:
    template <class T>
    void require(size_t i) const {
        if (arguments_[i].dtype != code_of<T>) refuse(i, "has another element type than this call takes there");
    }
    uint8_t* tensor_base(uint32_t index) const;
    void read(Argument& a, Reader& from);

    Player* player_;
    const Site* site_;
    size_t count_;
    Argument arguments_[kMost];
};

template <class T>
struct Type {
    using Is = T;
};

// Calls `action(Type<T>{})` for the type of the list that has this code.
template <class List>
struct ByType;
template <class... Ts>
struct ByType<Types<Ts...>> {
    template <class Action>
    static void run(const Call& call, uint8_t code, Action action) {
        const bool known = ((code == code_of<Ts> && (action(Type<Ts>{}), true)) || ...);
        if (!known) call.refuse_type(code);
    }
};
// By the element type of an argument.
template <class List, class Action>
void by_type(const Call& call, size_t argument, Action action) {
    ByType<List>::run(call, call.dtype(argument), action);
}
template <class On2201, class On3510>
using OnChip = std::conditional_t<aicore::ascendc::kChip == aicore::Chip::dav2201, On2201, On3510>;

// Calls `action(set, mask, next)` for a call that has `behind` arguments behind its mask, which starts at `at`: one
// number of lanes, two words of bits, or nothing, where the call leaves the mask as it is (set: std::false_type).
template <class Action>
void with_mask(const Call& call, size_t at, size_t behind, Action action) {
    if (call.size() == at + behind) return action(std::false_type{}, uint64_t{0}, at);
    if (call.size() == at + 1 + behind) {
        return action(std::true_type{}, static_cast<uint64_t>(call.integer(at)), at + 1);
    }
    if (call.size() != at + 2 + behind) call.refuse_form();
    const uint64_t bits[2] = {static_cast<uint64_t>(call.integer(at)), static_cast<uint64_t>(call.integer(at + 1))};
    action(std::true_type{}, &bits[0], at + 2);
}

struct Entry {
    const char* name;
    Handler handler;
};
struct Entries {
    const Entry* first;
    size_t count;
};
Entries control_calls();
Entries copy_calls();
Entries matrix_calls();
Entries vector_calls();
Entries compute_calls();
Entries rearrange_calls();
Entries reduce_calls();
Entries scalar_calls();

}  // namespace tape
