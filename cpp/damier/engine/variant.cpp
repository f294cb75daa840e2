// Squares by name, and the registry of variants.

#include "damier/engine/variant.h"

#include "damier/base/error.h"
#include "damier/base/text.h"

namespace damier {

Variant::Variant(VariantInfo info, std::vector<SquareInfo> squares)
    : info_(std::move(info)), squares_(std::move(squares)) {
    for (const auto& square : squares_) {
        const auto index = static_cast<std::size_t>(square.index);
        if (square_names_.size() <= index) square_names_.resize(index + 1);
        square_names_[index] = square.name;
    }
}

int Variant::square(std::string_view wanted) const {
    for (const auto& square : squares_)
        if (square.name == wanted) return square.index;
    throw Error(shown(wanted) + " is not a square of " + name());
}

const std::string& Variant::square_name(int sq) const {
    const auto index = static_cast<std::size_t>(sq);
    if (sq < 0 || index >= square_names_.size() || square_names_[index].empty())
        throw Error("no square of " + name() + " has the number " + std::to_string(sq));
    return square_names_[index];
}

// Where a piece is taken on another square than the last (draughts), all of them are named, as Hub does.
std::string Variant::usual_text(const Move& move) const {
    if (move.kind == Move::Kind::Pass) return "pass";
    std::string text = square_name(move.from) + (move.captured ? "x" : "-") + square_name(move.to);
    if (move.captured != 0 && move.captured != bit(move.to))
        for (const int sq : damier::squares(move.captured)) text += "x" + square_name(sq);
    return text;
}

const Variant& Registry::add(std::shared_ptr<Variant> variant) {
    const std::lock_guard lock(mutex_);
    if (look_up(variant->name())) throw Error("there is a game named " + shown(variant->name()) + " already");
    const std::string& named_by = variant->info_.squares_of;
    if (named_by.empty()) {
        variant->squares_of_ = static_cast<std::uint16_t>(variants_.size());
    } else if (const auto other = look_up(named_by)) {
        variant->squares_of_ = other->squares_of_;
    } else {
        throw Error(variant->name() + " has the squares of " + shown(named_by) + ", which is not a game");
    }
    variants_.push_back(std::move(variant));
    return *variants_.back();
}

std::shared_ptr<const Variant> Registry::find(std::string_view name) const {
    const std::lock_guard lock(mutex_);
    if (auto found = look_up(name)) return found;
    std::string known;
    for (const auto& variant : variants_)
        if (variant->info().listed) known += (known.empty() ? "" : ", ") + variant->name();
    throw Error(shown(name) + " is not a game, expected one of " + known);
}

const Variant& Registry::at(std::uint16_t number) const {
    const std::lock_guard lock(mutex_);
    if (number >= variants_.size()) throw Error("no game has the number " + std::to_string(number));
    return *variants_[number];
}

std::vector<const Variant*> Registry::all() const {
    const std::lock_guard lock(mutex_);
    std::vector<const Variant*> all;
    for (const auto& variant : variants_) all.push_back(variant.get());
    return all;
}

std::shared_ptr<const Variant> Registry::look_up(std::string_view name) const {
    for (const auto& variant : variants_)
        if (variant->name() == name) return variant;
    return nullptr;
}

}  // namespace damier
