// Rule sets and board sizes by name.

#include "damier/games/loa/rules.h"

namespace damier::loa {

namespace {

std::optional<Rules> set_named(std::string_view name) {
    if (name.empty()) return Default;
    if (name == ":olympiad") return Olympiad;
    if (name == ":openspiel") return OpenSpiel;
    if (name == ":bing") return Bing;
    return std::nullopt;
}

}  // namespace

std::optional<Rules> rules_named(std::string_view name) {
    const auto colon = name.find(':');
    const std::string_view board = name.substr(0, colon);
    auto rules = set_named(colon == std::string_view::npos ? std::string_view() : name.substr(colon));
    if (!rules) return std::nullopt;
    if (board == "loa") return rules;
    if (board.size() != 4 || !board.starts_with("loa") || board[3] < '5' || board[3] > '7') return std::nullopt;
    rules->size = static_cast<std::uint8_t>(board[3] - '0');
    return rules;
}

}  // namespace damier::loa
