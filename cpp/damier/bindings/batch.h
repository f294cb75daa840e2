// How Python holds many boards, for them and for the trees that search them.

#pragma once

#include <mutex>

#include "damier/bindings/bindings.h"

namespace damier {

// What Python holds. Work runs without the GIL, so threads that share a batch take turns.
struct PyBatch {
    std::unique_ptr<BoardBatch> door;
    mutable std::mutex mutex;
    std::vector<std::uint8_t> bytes;  // planes, made when first asked for
    std::vector<float> floats;

    explicit PyBatch(std::unique_ptr<BoardBatch> batch) : door(std::move(batch)) {}

    std::size_t index(long long i) const {
        check_count("board", i, 0, static_cast<long long>(door->size()) - 1);
        return static_cast<std::size_t>(i);
    }
};

template <class Work>
auto alone(const PyBatch& batch, Work work) {
    const nb::gil_scoped_release release;
    const std::lock_guard lock(batch.mutex);
    return work();
}

// An array of whole numbers of any size and stride, one per board.
using Numbers = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;

template <class T>
void append_numbers(const Numbers& given, std::vector<std::int64_t>& numbers) {
    const auto* at = static_cast<const T*>(given.data());
    for (std::size_t i = 0; i < given.shape(0); ++i)
        numbers.push_back(static_cast<std::int64_t>(at[static_cast<std::int64_t>(i) * given.stride(0)]));
}

inline std::vector<std::int64_t> numbers_of(const char* what, const Numbers& given, const PyBatch& batch) {
    if (given.shape(0) != batch.door->size())
        throw Error(std::to_string(given.shape(0)) + " " + what + " for " + std::to_string(batch.door->size()) +
                    " boards, expected one for each");
    std::vector<std::int64_t> numbers;
    numbers.reserve(given.shape(0));
    const auto type = given.dtype();
    const auto is = [&](auto sample) { return type == nb::dtype<decltype(sample)>(); };
    if (is(std::int64_t{}))
        append_numbers<std::int64_t>(given, numbers);
    else if (is(std::int32_t{}))
        append_numbers<std::int32_t>(given, numbers);
    else if (is(std::int16_t{}))
        append_numbers<std::int16_t>(given, numbers);
    else if (is(std::int8_t{}))
        append_numbers<std::int8_t>(given, numbers);
    else if (is(std::uint64_t{}))
        append_numbers<std::uint64_t>(given, numbers);
    else if (is(std::uint32_t{}))
        append_numbers<std::uint32_t>(given, numbers);
    else if (is(std::uint16_t{}))
        append_numbers<std::uint16_t>(given, numbers);
    else if (is(std::uint8_t{}))
        append_numbers<std::uint8_t>(given, numbers);
    else
        throw Error(std::string(what) + " are not whole numbers, expected an array of integers");
    return numbers;
}

}  // namespace damier
