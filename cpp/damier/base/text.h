// Reading short texts strictly: no locale, no exceptions, no allocation.

#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace damier {

// The whole text as a decimal number, or nothing (no sign, no blanks, no overflow).
inline std::optional<int> parse_number(std::string_view text) {
    int value = 0;
    const char* end = text.data() + text.size();
    if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return value;
}

// The words of a text, split at any run of blanks.
inline std::vector<std::string_view> words(std::string_view text) {
    constexpr std::string_view Blanks = " \t\r\n\f\v";
    std::vector<std::string_view> found;
    for (std::size_t at = text.find_first_not_of(Blanks); at != std::string_view::npos;) {
        const std::size_t end = text.find_first_of(Blanks, at);
        found.push_back(text.substr(at, end == std::string_view::npos ? end : end - at));
        at = end == std::string_view::npos ? end : text.find_first_not_of(Blanks, end);
    }
    return found;
}

// A text with control characters and what is not ASCII escaped.
inline std::string escaped(std::string_view text) {
    constexpr const char* Hex = "0123456789abcdef";
    std::string line;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f) {
            line += c;
        } else {
            line += {'\\', 'x', Hex[byte >> 4], Hex[byte & 15]};
        }
    }
    return line;
}

// A text as it may be shown inside a one-line message: quoted, cut when long, control characters escaped.
inline std::string shown(std::string_view text) {
    constexpr std::size_t Longest = 60;
    return "'" + escaped(text.substr(0, Longest)) + (text.size() > Longest ? "...'" : "'");
}

}  // namespace damier
