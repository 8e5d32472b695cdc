// LocalTensor and GlobalTensor: a position, a byte address and the bounds of the allocation behind it.
#pragma once

#include <algorithm>

#include "ascendc/tensor_api/core_state.h"

namespace aicore::ascendc {
struct Buffer;  // one buffer of a TPipe

// How often the buffer was freed; a handle that is older than the last time must not be used any more.
inline uint32_t frees_of(const Buffer* buffer);
inline void report_freed(Buffer* buffer);
}  // namespace aicore::ascendc

namespace AscendC {

struct ShapeInfo {
    uint8_t shapeDim = 0;
    uint32_t shape[8] = {};

    ShapeInfo() = default;
    ShapeInfo(uint8_t dims, const uint32_t values[]) : shapeDim(dims) {
        for (int i = 0; i < dims && i < 8; ++i) shape[i] = values[i];
    }
};

// `tensor(i)`: a scalar that is read or written by pipe S.
template <class Tensor>
class ElementRef {
public:
    using Value = typename Tensor::PrimType;
    ElementRef(const Tensor& tensor, uint64_t index) : tensor_(tensor), index_(index) {}
    operator Value() const { return tensor_.GetValue(index_); }
    const ElementRef& operator=(Value value) const {
        tensor_.SetValue(index_, value);
        return *this;
    }

private:
    Tensor tensor_;
    uint64_t index_;
};

// A tensor in on-chip memory. Offsets and sizes are in elements, addresses in bytes.
template <class T>
class LocalTensor {
public:
    using PrimType = T;

    constexpr LocalTensor() = default;
    // A tensor without a TPipe ("static tensor"): its own extent is the allocation that it may touch.
    constexpr LocalTensor(TPosition position, uint32_t address, uint32_t elements)
        : address_(address),
          elements_(elements),
          lo_(address),
          hi_(elements == 0 ? address : address + static_cast<uint32_t>(aicore::ascendc::bytes_of<T>(elements))),
          position_(position) {}

    LocalTensor operator[](uint32_t offset) const {
        LocalTensor part = *this;
        part.address_ += static_cast<uint32_t>(aicore::ascendc::bytes_of<T>(offset));
        part.elements_ = offset < elements_ ? elements_ - offset : 0;
        return part;
    }
    template <class U>
    LocalTensor<U> ReinterpretCast() const {
        LocalTensor<U> other;
        other.address_ = address_;
        other.elements_ = aicore::ascendc::elements_in<U>(GetLength());
        other.lo_ = lo_, other.hi_ = hi_;
        other.position_ = position_;
        other.buffer_ = buffer_;
        other.frees_ = frees_;
        return other;
    }

    T GetValue(uint32_t index) const {
        if (!scalar_reachable("AscendC::LocalTensor::GetValue on a memory that the scalar unit cannot read")) {
            return T(0);
        }
        return aicore::ascendc::value_of<T>(aicore::scalar_read("GetValue", element(index, false)));
    }
    template <class S>
    void SetValue(uint32_t index, S value) const {
        if (!scalar_reachable("AscendC::LocalTensor::SetValue on a memory that the scalar unit cannot write")) return;
        aicore::scalar_write("SetValue", element(index, true), aicore::ascendc::bits_of<T>(static_cast<T>(value)));
    }
    ElementRef<LocalTensor> operator()(uint32_t index) const { return {*this, index}; }

    uint64_t GetPhyAddr() const { return GetPhyAddr(0); }
    uint64_t GetPhyAddr(uint32_t offset) const {
        note_taken();
        return byte_of(offset);
    }
    int32_t GetPosition() const { return static_cast<int32_t>(position_); }
    uint32_t GetSize() const { return elements_; }
    uint32_t GetLength() const { return static_cast<uint32_t>(aicore::ascendc::bytes_of<T>(elements_)); }
    void SetSize(uint32_t elements) { elements_ = elements; }
    void SetShapeInfo(const ShapeInfo&) {}
    void SetUserTag(int32_t tag) { tag_ = tag; }
    int32_t GetUserTag() const { return tag_; }

    // For the face itself.
    aicore::Space space() const { return aicore::ascendc::space_of(position_); }
    aicore::ops::Mem mem() const {
        require_not_freed();
        return {space(), address_, lo_, end(), aicore::Unit::self};
    }
    T dumped(uint32_t index) const {
        return aicore::ascendc::value_of<T>(aicore::scalar_read("DumpTensor", element(index, false)));
    }
    aicore::ascendc::Buffer* buffer() const { return buffer_; }
    static LocalTensor in_buffer(TPosition position, uint32_t address, uint32_t bytes, uint32_t lo, uint32_t hi,
                                 aicore::ascendc::Buffer* buffer) {
        LocalTensor tensor(position, address, aicore::ascendc::elements_in<T>(bytes));
        tensor.lo_ = lo, tensor.hi_ = hi;
        tensor.buffer_ = buffer;
        tensor.frees_ = aicore::ascendc::frees_of(buffer);
        return tensor;
    }

private:
    template <class U>
    friend class LocalTensor;

    void require_not_freed() const {
        if (buffer_ != nullptr && aicore::ascendc::frees_of(buffer_) != frees_) aicore::ascendc::report_freed(buffer_);
    }
    uint64_t byte_of(uint32_t index) const { return address_ + uint64_t{index} * sizeof(T); }
    // What a vector function gets is a bare address: the bounds behind it are kept for that.
    void note_taken() const {
        if (space() == aicore::Space::ub) aicore::ascendc::state().taken.note(lo_, lo_ == hi_ ? UINT32_MAX : hi_);
    }
    aicore::Region element(uint32_t index, bool write) const {
        require_not_freed();
        aicore::Region region;
        region.space = space();
        region.write = write;
        region.align = sizeof(T);
        region.base = byte_of(index);
        region.row_bytes = sizeof(T);
        region.lo = lo_, region.hi = hi_;
        return region;
    }
    // The size of a static tensor of fp4x2_* is a number of elements or, in public samples, of pairs of them.
    uint32_t end() const {
        if (!aicore::ascendc::is_float4<T> || buffer_ != nullptr) return hi_;
        const uint64_t of_pairs = uint64_t{hi_} + (hi_ - lo_);
        return static_cast<uint32_t>(std::max<uint64_t>(hi_, std::min(of_pairs, aicore::usable(space()))));
    }
    // A core without the memory reads 0 and writes nothing (asc-devkit, impl/basic_api/kernel_tensor_impl.h).
    bool scalar_reachable(const char* what) const {
        if (space() != aicore::Space::ub) aicore::unsupported(what);
        return aicore::ascendc::is_aiv();
    }

    uint32_t address_ = 0;
    uint32_t elements_ = 0;
    uint32_t lo_ = 0, hi_ = 0;
    TPosition position_ = TPosition::VECCALC;
    int32_t tag_ = -1;
    aicore::ascendc::Buffer* buffer_ = nullptr;
    uint32_t frees_ = 0;  // of the buffer, when this handle was made
};

// A tensor in global memory. The model knows the bounds of every allocation there.
template <class T>
class GlobalTensor {
public:
    using PrimType = T;

    GlobalTensor() = default;
    void SetGlobalBuffer(__gm__ T* address, uint64_t elements = 0) {
        address_ = address;
        elements_ = elements;
    }
    GlobalTensor operator[](uint64_t offset) const {
        GlobalTensor part = *this;
        part.address_ =
            reinterpret_cast<T*>(reinterpret_cast<uintptr_t>(address_) + aicore::ascendc::bytes_of<T>(offset));
        part.elements_ = offset < elements_ ? elements_ - offset : 0;
        return part;
    }
    template <class U>
    GlobalTensor<U> ReinterpretCast() const {
        GlobalTensor<U> other;
        const uint64_t bytes = aicore::ascendc::bytes_of<T>(elements_);
        other.SetGlobalBuffer(reinterpret_cast<U*>(address_), aicore::ascendc::elements_in<U>(bytes));
        return other;
    }
    T GetValue(uint64_t index) const {
        return aicore::ascendc::value_of<T>(aicore::scalar_read("GetValue", element(index, false)));
    }
    void SetValue(uint64_t index, T value) const {
        aicore::scalar_write("SetValue", element(index, true), aicore::ascendc::bits_of<T>(value));
        aicore::written_to_cache(reinterpret_cast<const void*>(element(index, true).base), sizeof(T));
    }
    ElementRef<GlobalTensor> operator()(uint64_t index) const { return {*this, index}; }
    const __gm__ T* GetPhyAddr() const { return address_; }
    __gm__ T* GetPhyAddr(uint64_t offset) const { return (*this)[offset].address_; }
    uint64_t GetSize() const { return elements_; }
    void SetShapeInfo(const ShapeInfo&) {}
    void SetL2CacheHint(CacheMode) {}

    aicore::ops::Mem mem() const {
        return {aicore::Space::gm, reinterpret_cast<uintptr_t>(address_), 0, 0, aicore::Unit::self};
    }

private:
    aicore::Region element(uint64_t index, bool write) const {
        aicore::Region region;
        region.write = write;
        region.align = sizeof(T);
        region.base = reinterpret_cast<uintptr_t>(address_) + index * sizeof(T);
        region.row_bytes = sizeof(T);
        return region;
    }

    T* address_ = nullptr;
    uint64_t elements_ = 0;
};

}  // namespace AscendC

namespace aicore::ascendc {

// An access that other cores are meant to see at once: as an atomic one it does not race with its like.
template <class T>
Region shared_scalar(const T* address, bool write) {
    Region region;
    region.write = write;
    region.atomic = true;
    region.align = sizeof(T);
    region.base = reinterpret_cast<uintptr_t>(address);
    region.row_bytes = sizeof(T);
    return region;
}

}  // namespace aicore::ascendc

namespace AscendC {

// Scalars in global memory past the data cache: with them cores signal each other (docs, DataSyncBarrier, example).
template <class T>
T ReadGmByPassDCache(__gm__ T* address) {
    const auto region = aicore::ascendc::shared_scalar(address, false);
    return aicore::ascendc::value_of<T>(aicore::scalar_read("ReadGmByPassDCache", region));
}
template <class T>
void WriteGmByPassDCache(__gm__ T* address, T value) {
    const auto region = aicore::ascendc::shared_scalar(address, true);
    aicore::scalar_write("WriteGmByPassDCache", region, aicore::ascendc::bits_of<T>(value));
}

constexpr TPosition default_position(Hardware hardware) {
    switch (hardware) {
        case Hardware::L1:
            return TPosition::A1;
        case Hardware::L0A:
            return TPosition::A2;
        case Hardware::L0B:
            return TPosition::B2;
        case Hardware::L0C:
            return TPosition::CO1;
        case Hardware::BIAS:
            return TPosition::C2;
        case Hardware::FIXBUF:
            return TPosition::C2PIPE2GM;
        default:
            return TPosition::VECCALC;
    }
}

// Hands out one memory from its start upwards, in the order of the calls; nothing is rounded and nothing is freed.
template <Hardware hardware = Hardware::UB>
class LocalMemAllocator {
    static_assert(hardware != Hardware::GM && hardware != Hardware::MAX, "LocalMemAllocator is for on-chip memory");

public:
    uint32_t GetCurAddr() const { return next_; }
    template <TPosition position, class T, uint32_t elements>
    LocalTensor<T> Alloc() {
        return Alloc<position, T>(elements);
    }
    template <class T, uint32_t elements>
    LocalTensor<T> Alloc() {
        return Alloc<default_position(hardware), T>(elements);
    }
    template <class T>
    LocalTensor<T> Alloc(uint32_t elements) {
        return Alloc<default_position(hardware), T>(elements);
    }
    template <TPosition position, class T>
    LocalTensor<T> Alloc(uint32_t elements) {
        constexpr aicore::Space space = aicore::ascendc::space_of(position);
        static_assert(space == aicore::ascendc::space_of(default_position(hardware)),
                      "the position lies in another memory than the allocator");
        const uint64_t bytes = aicore::ascendc::bytes_of<T>(elements);
        if (next_ + bytes > aicore::usable(space) && aicore::ascendc::owns(space)) overflow(space, bytes);
        LocalTensor<T> tensor(position, next_, elements);
        next_ += static_cast<uint32_t>(bytes);
        return tensor;
    }

private:
    [[noreturn]] void overflow(aicore::Space space, uint64_t bytes) const {
        const aicore::ascendc::Message message(
            "LocalMemAllocator::Alloc asks for %llu bytes of %s at %u, which ends at %llu of %llu bytes",
            static_cast<unsigned long long>(bytes), aicore::ascendc::name_of(space), next_,
            static_cast<unsigned long long>(next_ + bytes), static_cast<unsigned long long>(aicore::usable(space)));
        aicore::ascendc::stop("overflow", message.text, "use smaller tiles");
    }

    uint32_t next_ = 0;
};

}  // namespace AscendC
