// The safetensors format (github.com/huggingface/safetensors): eight bytes with the length of a header in JSON, the
// header, then the numbers of all tensors. Read strictly, since files come from anywhere: a header that any JSON reader
// would forgive is refused, and so are numbers that overlap, leave gaps or are not all there.

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace damier {

enum class ElementType { I16, U64, F32, F64 };

std::string_view name(ElementType type);

struct Tensor {
    std::string name;
    ElementType type{};
    std::vector<std::size_t> shape;
    std::size_t begin = 0;  // in the file
    std::size_t end = 0;
};

struct Safetensors {
    struct Entry {
        std::string value;
        std::size_t begin = 0;  // of its text in the file
    };
    std::map<std::string, Entry, std::less<>> metadata;
    std::vector<Tensor> tensors;  // in the order of the header

    const Tensor* find(std::string_view name) const;
};

// Throws Error, one line that says what is wrong.
Safetensors read_safetensors(std::string_view file);

// As people write it, such as [5, 2].
std::string shape_text(const std::vector<std::size_t>& shape);

}  // namespace damier
