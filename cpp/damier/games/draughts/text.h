// Small readers shared by FEN and move texts.

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "damier/base/text.h"
#include "damier/games/draughts/layout.h"

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

// The square of that number, or of that name where a variant uses names; -1 when there is none.
template <class R>
int square_named(std::string_view text) {
    if (const auto number = parse_number(text)) {
        return *number >= 1 && *number <= Chart<R>::Count ? Chart<R>::SquareOf[*number] : -1;
    }
    if (!R::Algebraic || text.size() != 2) return -1;
    const int file = (text[0] | 0x20) - 'a';
    const int rank = text[1] - '1';
    if (file < 0 || file >= R::Size || rank < 0 || rank >= R::Size) return -1;
    return Chart<R>::at(file, rank);
}

}  // namespace damier::draughts
