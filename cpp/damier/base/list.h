// Lists for the inside of a tree: no allocation while they stay short.

#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace damier {

// What both lists show: a List gives data() and size().
template <class List, class T>
class ListFace {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    using value_type = T;

    bool empty() const { return list().size() == 0; }
    T& operator[](std::size_t i) {
        assert(i < list().size());
        return begin()[i];
    }
    const T& operator[](std::size_t i) const {
        assert(i < list().size());
        return begin()[i];
    }
    T* begin() { return static_cast<List&>(*this).data(); }
    T* end() { return begin() + list().size(); }
    const T* begin() const { return list().data(); }
    const T* end() const { return begin() + list().size(); }

  private:
    const List& list() const { return static_cast<const List&>(*this); }
};

// A list whose largest size is known and never exceeded.
template <class T, std::size_t Capacity>
class InlineList : public ListFace<InlineList<T, Capacity>, T> {
  public:
    InlineList() {}  // leaves the items uninitialised on purpose: lists are made at every node

    T* data() { return items_.data(); }
    const T* data() const { return items_.data(); }
    std::size_t size() const { return size_; }

    void push_back(T item) {
        assert(size_ < Capacity);
        items_[size_++] = item;
    }
    // Declares that the items up to `end` have been written in place, after the last one.
    void extend_to(const T* end) {
        assert(end >= this->end() && end <= data() + Capacity);
        size_ = static_cast<std::size_t>(end - data());
    }

  private:
    std::size_t size_ = 0;
    union {
        std::array<T, Capacity> items_;
    };
};

// A list that holds `Inline` items in place and moves to the heap in the rare position that has more.
template <class T, std::size_t Inline>
class SpillList : public ListFace<SpillList<T, Inline>, T> {
  public:
    SpillList() {}
    SpillList(const SpillList&) = delete;
    SpillList& operator=(const SpillList&) = delete;

    T* data() { return data_; }
    const T* data() const { return data_; }
    std::size_t size() const { return size_; }

    void push_back(T item) {
        if (size_ == capacity_) [[unlikely]]
            grow();
        data_[size_++] = item;
    }
    // Lengthens the list by `n` items, which the caller writes.
    T* extend(std::size_t n) {
        while (capacity_ - size_ < n) [[unlikely]]
            grow();
        size_ += n;
        return data_ + size_ - n;
    }
    void resize_down(std::size_t size) {
        assert(size <= size_);
        size_ = size;
    }

  private:
    void grow() {
        auto larger = std::make_unique_for_overwrite<T[]>(2 * capacity_);
        for (std::size_t i = 0; i < size_; ++i) larger[i] = data_[i];
        heap_ = std::move(larger);
        data_ = heap_.get();
        capacity_ *= 2;
    }

    T* data_ = inline_.data();
    std::size_t size_ = 0;
    std::size_t capacity_ = Inline;
    std::unique_ptr<T[]> heap_;
    union {
        std::array<T, Inline> inline_;
    };
};

}  // namespace damier
