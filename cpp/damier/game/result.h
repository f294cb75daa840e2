// Who plays, who won, and why a game ended.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace damier {

enum class Side : std::uint8_t { White, Black };

constexpr Side operator!(Side side) { return side == Side::White ? Side::Black : Side::White; }
constexpr int index(Side side) { return static_cast<int>(side); }

enum class Result : std::uint8_t { WhiteWins, BlackWins, Draw };

constexpr Result win_for(Side side) { return side == Side::White ? Result::WhiteWins : Result::BlackWins; }
constexpr std::optional<Side> winner(Result result) {
    if (result == Result::Draw) return std::nullopt;
    return result == Result::WhiteWins ? Side::White : Side::Black;
}

enum class Reason : std::uint8_t {
    Connection,              // LOA: a side's pieces form one group
    SimultaneousConnection,  // LOA: one move connected both sides
    Checkmate,
    Stalemate,
    NoMoves,  // the side to move cannot move and loses
    InsufficientMaterial,
    Repetition,       // automatic: fivefold in chess, third (or second) occurrence elsewhere
    MoveLimit,        // automatic: 75 moves in chess, the variant's own count elsewhere
    ThreefoldClaim,   // chess, only when claimed
    FiftyMovesClaim,  // chess, only when claimed
    Endgame,          // draughts: too many moves in an ending counted by the rules
    Goal,             // a side reached what wins its game, such as the last rank
};
constexpr Reason LastReason = Reason::Goal;

// Why a game is over, and for whom.
struct Outcome {
    Result result;
    Reason reason;
    bool operator==(const Outcome&) const = default;
};

std::string_view name(Reason reason);

}  // namespace damier
