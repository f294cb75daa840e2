// Windows as text.

#include "damier/game/windows.h"

#include "damier/base/error.h"
#include "damier/base/text.h"

namespace damier {

namespace {

constexpr int Largest = 64;
constexpr std::size_t MostWindows = 64;  // of different sizes or steps

// Takes a number and the sign behind it, none for the last.
int take(std::string_view& text, char sign) {
    const auto end = sign == 0 ? text.size() : text.find(sign);
    if (end == std::string_view::npos) throw Error("");
    const auto number = parse_number(text.substr(0, end));
    if (!number || *number < 1 || *number > Largest) throw Error("");
    text.remove_prefix(std::min(end + 1, text.size()));
    return *number;
}

}  // namespace

std::vector<Windows> read_windows(std::string_view text) {
    std::vector<Windows> windows;
    for (std::string_view left = text;;) {
        const auto comma = left.find(',');
        auto one = left.substr(0, comma);
        try {
            windows.push_back({take(one, 'x'), take(one, '/'), take(one, 'x'), take(one, 0)});
        } catch (const Error&) {
            throw Error("windows are " + shown(text) + ", expected rows, columns and steps such as 4x6/2x2,6x4/2x2");
        }
        if (comma == std::string_view::npos) return windows;
        if (windows.size() == MostWindows)
            throw Error("there are more than " + std::to_string(MostWindows) + " windows in " + shown(text));
        left.remove_prefix(comma + 1);
    }
}

std::string windows_text(const std::vector<Windows>& windows) {
    std::string text;
    for (const Windows& each : windows)
        text += (text.empty() ? "" : ",") + std::to_string(each.rows) + "x" + std::to_string(each.columns) + "/" +
                std::to_string(each.row_step) + "x" + std::to_string(each.column_step);
    return text;
}

}  // namespace damier
