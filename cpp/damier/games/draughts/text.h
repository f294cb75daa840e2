// Small readers shared by FEN and move texts.

#pragma once

#include <string_view>
#include <vector>

namespace damier::draughts {

inline std::string_view trimmed(std::string_view text) {
    constexpr std::string_view Blanks = " \t\r\n\f\v";
    const std::size_t from = text.find_first_not_of(Blanks);
    return from == std::string_view::npos ? "" : text.substr(from, text.find_last_not_of(Blanks) - from + 1);
}

// The parts of a text between separators: at least one, possibly empty.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

}  // namespace damier::draughts
