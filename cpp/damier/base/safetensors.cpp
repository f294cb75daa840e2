// A reader of the few forms of JSON that a header has; it never calls itself, so nothing can be nested too deeply.

#include "damier/base/safetensors.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "damier/base/error.h"
#include "damier/base/text.h"

namespace damier {

namespace {

constexpr std::size_t LengthBytes = 8;
constexpr std::size_t LongestHeader = 1 << 20;
constexpr std::size_t MostDimensions = 8;
constexpr std::size_t MostTensors = 4096;

// How many bytes the character at the front takes in UTF-8, 0 if it is none (RFC 3629).
std::size_t character_size(std::string_view text) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
    if (byte(0) < 0x80) return 1;
    if (byte(0) >= 0xC2 && byte(0) <= 0xDF && follows(1)) return 2;
    if ((byte(0) & 0xF0) == 0xE0 && follows(1) && follows(2)) {
        const bool overlong = byte(0) == 0xE0 && byte(1) < 0xA0, surrogate = byte(0) == 0xED && byte(1) >= 0xA0;
        return overlong || surrogate ? 0 : 3;
    }
    if (byte(0) >= 0xF0 && byte(0) <= 0xF4 && follows(1) && follows(2) && follows(3)) {
        const bool overlong = byte(0) == 0xF0 && byte(1) < 0x90, beyond = byte(0) == 0xF4 && byte(1) >= 0x90;
        return overlong || beyond ? 0 : 4;
    }
    return 0;
}

class Header {
  public:
    explicit Header(std::string_view text) : text_(text) {}

    Safetensors read() {
        Safetensors file;
        read_object([&](const std::string& key, std::size_t) {
            if (key == "__metadata__") {
                if (seen_metadata_) fail("has __metadata__ twice");
                seen_metadata_ = true;
                read_metadata(file);
            } else {
                if (file.tensors.size() == MostTensors) fail("has more than 4096 tensors");
                if (file.find(key)) fail("has tensor " + shown(key) + " twice");
                file.tensors.push_back(read_tensor(key));
            }
        });
        if (at_ != text_.size()) fail("goes on after its end");
        return file;
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw Error("its header " + what + " (at byte " + std::to_string(LengthBytes + at_) + ")");
    }

    void skip_blanks() {
        while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
    }
    bool take(char wanted) {
        skip_blanks();
        if (at_ == text_.size() || text_[at_] != wanted) return false;
        ++at_;
        skip_blanks();
        return true;
    }
    void expect(char wanted) {
        if (!take(wanted)) fail(std::string("is not that of a safetensors file, expected ") + wanted);
    }

    // Calls with each key and where its value begins; the call reads the value.
    template <class Read>
    void read_object(Read read) {
        expect('{');
        if (take('}')) return;
        do {
            const std::string key = read_string();
            expect(':');
            read(key, LengthBytes + at_);
        } while (take(','));
        expect('}');
    }

    std::string read_string() {
        skip_blanks();
        if (at_ == text_.size() || text_[at_] != '"') fail("is not that of a safetensors file, expected a text");
        std::string value;
        for (++at_; at_ < text_.size() && text_[at_] != '"';) {
            if (text_[at_] == '\\') {
                ++at_;
                if (at_ == text_.size() || std::string_view("\"\\/").find(text_[at_]) == std::string_view::npos)
                    fail("has an escape other than \\\", \\\\ and \\/");
            }
            const auto byte = static_cast<unsigned char>(text_[at_]);
            const auto size = character_size(text_.substr(at_));
            if (byte < 0x20 || byte == 0x7F || size == 0) fail("has a control character or is not UTF-8");
            value += text_.substr(at_, size);
            at_ += size;
        }
        if (at_ == text_.size()) fail("ends inside a text");
        ++at_;
        return value;
    }

    std::size_t read_number() {
        skip_blanks();
        std::uint64_t value = 0;
        const char *begin = text_.data() + at_, *end = text_.data() + text_.size();
        const auto [stop, error] = std::from_chars(begin, end, value);
        const bool padded = stop - begin > 1 && *begin == '0';
        if (begin == end || *begin == '-' || error != std::errc{} || padded || value > SIZE_MAX)
            fail("is not that of a safetensors file, expected a whole number");
        at_ += static_cast<std::size_t>(stop - begin);
        return static_cast<std::size_t>(value);
    }

    std::vector<std::size_t> read_numbers() {
        std::vector<std::size_t> numbers;
        expect('[');
        if (take(']')) return numbers;
        do {
            if (numbers.size() == MostDimensions) fail("has a list of more than 8 numbers");
            numbers.push_back(read_number());
        } while (take(','));
        expect(']');
        return numbers;
    }

    void read_metadata(Safetensors& file) {
        read_object([&](const std::string& key, std::size_t at) {
            const auto [_, is_new] = file.metadata.try_emplace(key, Safetensors::Entry{read_string(), at + 1});
            if (!is_new) fail("has " + shown(key) + " twice");
        });
    }

    Tensor read_tensor(const std::string& tensor_name) {
        Tensor tensor;
        tensor.name = tensor_name;
        std::map<std::string, int> seen;
        read_object([&](const std::string& key, std::size_t) {
            if (++seen[key] > 1) fail("has " + shown(key) + " of tensor " + shown(tensor_name) + " twice");
            if (key == "dtype") {
                tensor.type = read_type(tensor_name);
            } else if (key == "shape") {
                tensor.shape = read_numbers();
            } else if (key == "data_offsets") {
                const auto offsets = read_numbers();
                if (offsets.size() != 2) fail("has " + std::to_string(offsets.size()) + " data_offsets, expected 2");
                tensor.begin = offsets[0], tensor.end = offsets[1];
            } else {
                fail("has " + shown(key) + " in a tensor, expected dtype, shape and data_offsets");
            }
        });
        if (seen.size() != 3) fail("lacks dtype, shape or data_offsets of tensor " + shown(tensor_name));
        return tensor;
    }

    ElementType read_type(const std::string& tensor_name) {
        const std::string text = read_string();
        for (const auto type : {ElementType::I16, ElementType::U64, ElementType::F32, ElementType::F64})
            if (text == name(type)) return type;
        fail("has tensor " + shown(tensor_name) + " of type " + shown(text) + ", expected I16, U64, F32 or F64");
    }

    std::string_view text_;
    std::size_t at_ = 0;
    bool seen_metadata_ = false;
};

std::size_t size_of(ElementType type) { return type == ElementType::I16 ? 2 : type == ElementType::F32 ? 4 : 8; }

// The bytes that a tensor of this shape takes, or more than `most` if there are more.
std::size_t bytes_of(const Tensor& tensor, std::size_t most) {
    std::size_t bytes = size_of(tensor.type);
    for (const std::size_t length : tensor.shape) {
        if (length != 0 && bytes > most / length) return most + 1;
        bytes *= length;
    }
    return bytes;
}

// The numbers of all tensors follow each other from the first byte to the last.
void place(std::vector<Tensor>& tensors, std::size_t data, std::size_t size) {
    std::vector<const Tensor*> order;
    for (const auto& tensor : tensors) order.push_back(&tensor);
    std::stable_sort(order.begin(), order.end(), [](const Tensor* a, const Tensor* b) {
        return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
    });
    std::size_t next = 0;
    for (const Tensor* tensor : order) {
        const auto what = "tensor " + shown(tensor->name) + " ";
        if (tensor->begin != next) throw Error(what + "does not begin where the one before it ends");
        if (tensor->end < tensor->begin || tensor->end > size) throw Error(what + "ends beyond the end of the file");
        if (tensor->end - tensor->begin != bytes_of(*tensor, size))
            throw Error(what + "has " + std::to_string(tensor->end - tensor->begin) +
                        " bytes, which does not fit its shape " + shape_text(tensor->shape));
        next = tensor->end;
    }
    if (next != size) throw Error(std::to_string(size - next) + " bytes follow the last tensor");
    for (auto& tensor : tensors) tensor.begin += data, tensor.end += data;
}

}  // namespace

std::string_view name(ElementType type) {
    switch (type) {
        case ElementType::I16: return "I16";
        case ElementType::U64: return "U64";
        case ElementType::F32: return "F32";
        case ElementType::F64: break;
    }
    return "F64";
}

const Tensor* Safetensors::find(std::string_view wanted) const {
    for (const auto& tensor : tensors)
        if (tensor.name == wanted) return &tensor;
    return nullptr;
}

std::string shape_text(const std::vector<std::size_t>& shape) {
    std::string text = "[";
    for (const auto length : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(length);
    return text + "]";
}

Safetensors read_safetensors(std::string_view file) {
    if (file.size() < LengthBytes)
        throw Error("not a safetensors file: only " + std::to_string(file.size()) + " bytes");
    std::uint64_t length = 0;
    for (std::size_t i = LengthBytes; i-- > 0;) length = length << 8 | static_cast<unsigned char>(file[i]);
    if (length > LongestHeader)
        throw Error("not a safetensors file: a header of " + std::to_string(length) + " bytes, expected at most " +
                    std::to_string(LongestHeader));
    if (length > file.size() - LengthBytes) throw Error("ends inside its header");
    auto read = Header(file.substr(LengthBytes, length)).read();
    const std::size_t data = LengthBytes + length;
    place(read.tensors, data, file.size() - data);
    return read;
}

}  // namespace damier
