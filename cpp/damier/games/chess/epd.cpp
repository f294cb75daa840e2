// Reading and writing EPD lines.

#include "damier/games/chess/epd.h"

#include <algorithm>

#include "damier/base/error.h"
#include "damier/base/text.h"

namespace damier::chess {

namespace {

constexpr std::string_view Blanks = " \t\r\n\f\v";

void skip_blanks(std::string_view& text) { text.remove_prefix(std::min(text.find_first_not_of(Blanks), text.size())); }

// Takes a quoted string off the front; a backslash keeps the next character as it is.
std::string take_string(std::string_view& text) {
    const std::string_view whole = text;
    std::string taken;
    text.remove_prefix(1);
    while (!text.empty() && text.front() != '"') {
        if (text.front() == '\\' && text.size() > 1) text.remove_prefix(1);
        taken += text.front();
        text.remove_prefix(1);
    }
    if (text.empty()) throw FenError("bad EPD: the string " + shown(whole) + " has no closing quote");
    text.remove_prefix(1);
    return taken;
}

std::string take_word(std::string_view& text) {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n\f\v;"), text.size());
    const std::string taken(text.substr(0, end));
    text.remove_prefix(end);
    return taken;
}

// Takes one operation off the front, with the semicolon that ends it.
Operation take_operation(std::string_view& text) {
    Operation operation{take_word(text), {}};
    for (skip_blanks(text); !text.empty() && text.front() != ';'; skip_blanks(text)) {
        operation.second.push_back(text.front() == '"' ? take_string(text) : take_word(text));
    }
    if (!text.empty()) text.remove_prefix(1);
    return operation;
}

int counter(const Operation& operation) {
    const auto number = operation.second.size() == 1 ? parse_number(operation.second[0]) : std::nullopt;
    if (!number || *number > LargestCounter)
        throw FenError("bad EPD: " + operation.first + " needs one number from 0 to " + std::to_string(LargestCounter));
    return *number;
}

bool needs_quotes(const std::string& opcode, const std::string& operand) {
    const bool comment =
        opcode == "id" || (opcode.size() == 2 && opcode[0] == 'c' && opcode[1] >= '0' && opcode[1] <= '9');
    return comment || operand.empty() || operand.find_first_of(" \t\r\n\f\v;\"\\") != std::string::npos;
}

std::string in_quotes(const std::string& operand) {
    std::string text = "\"";
    for (const char c : operand) {
        if (c == '"' || c == '\\') text += '\\';
        text += c;
    }
    return text + '"';
}

}  // namespace

Epd read_epd(std::string_view text, const Chess::Rules& rules) {
    const auto fields = words(text);
    const bool counted = fields.size() >= 6 && parse_number(fields[4]) && parse_number(fields[5]);
    const std::size_t size = std::min<std::size_t>(counted ? 6 : 4, fields.size());
    const std::string_view last = fields.empty() ? text : fields[size - 1];
    const auto end = static_cast<std::size_t>(last.data() + last.size() - text.data());
    Epd read{Chess::read_fen(text.substr(0, end), rules), {}};

    std::string_view rest = text.substr(end);
    for (skip_blanks(rest); !rest.empty(); skip_blanks(rest)) {
        if (rest.front() == ';') {  // nothing before it
            rest.remove_prefix(1);
            continue;
        }
        read.operations.push_back(take_operation(rest));
        const Operation& operation = read.operations.back();
        if (operation.first == "hmvc") read.setup.quiet_plies = counter(operation);
        if (operation.first == "fmvn") read.setup.move_number = std::max(1, counter(operation));
    }
    return read;
}

std::string epd(const Position& pos, const std::vector<Operation>& operations) {
    std::string text = board_text(pos);
    for (const auto& [opcode, operands] : operations) {
        if (opcode.empty() || opcode.find_first_of(" \t\r\n\f\v;\"") != std::string::npos)
            throw FenError("bad EPD: " + shown(opcode) + " is not an opcode, expected a word such as bm");
        for (const auto& operand : operands)
            if (operand.find_first_of("\r\n\f\v") != std::string::npos)
                throw FenError("bad EPD: the operand " + shown(operand) + " does not fit on a line");
        text += " " + opcode;
        for (const auto& operand : operands)
            text += " " + (needs_quotes(opcode, operand) ? in_quotes(operand) : operand);
        text += ";";
    }
    return text;
}

}  // namespace damier::chess
