// Lines of Action: the articles on which rule sets differ. Everything else is the same for all (Sackson 1969).

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace damier::loa {

enum class Simultaneous : std::uint8_t { MoverWins, Draws };  // one move connects both sides
enum class NoMove : std::uint8_t { Loses, Passes };           // the side to move has no legal move

struct Rules {
    std::uint8_t size = 8;  // 5 to 8
    Simultaneous simultaneous = Simultaneous::MoverWins;
    NoMove no_move = NoMove::Loses;
    std::uint8_t repetition = 3;  // the occurrence of a position that draws, 2 or 3

    bool operator==(const Rules&) const = default;
};

// The sets people play by.
constexpr Rules Default{};
constexpr Rules Olympiad{8, Simultaneous::Draws, NoMove::Passes, 3};  // Computer Olympiad
constexpr Rules OpenSpiel{8, Simultaneous::MoverWins, NoMove::Loses, 2};
constexpr Rules Bing{8, Simultaneous::Draws, NoMove::Loses, 2};  // Helmstetter and Cazenave's program

// The rules a name stands for: "loa", "loa5" to "loa7", each with an optional set such as "loa:olympiad".
std::optional<Rules> rules_named(std::string_view name);

}  // namespace damier::loa
