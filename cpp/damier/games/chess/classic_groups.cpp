// The features of `classic` by name, as people and tuners see them.

#include "damier/games/chess/classic.h"

namespace damier::chess {

namespace {

using C = Classic;

constexpr std::array Groups{
    FeatureGroup{"material", "material", C::Material, 5, 5},
    FeatureGroup{"pawn squares", "squares", C::Squares, 32, 4},
    FeatureGroup{"knight squares", "squares", C::Squares + 32, 32, 4},
    FeatureGroup{"bishop squares", "squares", C::Squares + 64, 32, 4},
    FeatureGroup{"rook squares", "squares", C::Squares + 96, 32, 4},
    FeatureGroup{"queen squares", "squares", C::Squares + 128, 32, 4},
    FeatureGroup{"king squares", "squares", C::Squares + 160, 32, 4},
    FeatureGroup{"knight mobility", "mobility", C::KnightMobility, 9, 5},
    FeatureGroup{"bishop mobility", "mobility", C::BishopMobility, 14, 7},
    FeatureGroup{"rook mobility", "mobility", C::RookMobility, 15, 8},
    FeatureGroup{"queen mobility", "mobility", C::QueenMobility, 28, 7},
    FeatureGroup{"bishop pair", "minor pieces", C::BishopPair, 1, 1},
    FeatureGroup{"knight outpost", "minor pieces", C::KnightOutpost, 1, 1},
    FeatureGroup{"bishop outpost", "minor pieces", C::BishopOutpost, 1, 1},
    FeatureGroup{"sheltered minor", "minor pieces", C::ShelteredMinor, 1, 1},
    FeatureGroup{"bad bishop", "minor pieces", C::BadBishop, 1, 1},
    FeatureGroup{"long bishop", "minor pieces", C::LongBishop, 1, 1},
    FeatureGroup{"rook on open file", "rooks", C::RookOpen, 1, 1},
    FeatureGroup{"rook on half-open file", "rooks", C::RookHalfOpen, 1, 1},
    FeatureGroup{"rook on seventh", "rooks", C::RookSeventh, 1, 1},
    FeatureGroup{"trapped rook", "rooks", C::RookTrapped, 1, 1},
    FeatureGroup{"isolated", "pawn structure", C::Isolated, 2, 2},
    FeatureGroup{"backward", "pawn structure", C::Backward, 2, 2},
    FeatureGroup{"doubled", "pawn structure", C::Doubled, 1, 1},
    FeatureGroup{"phalanx", "pawn structure", C::Phalanx, 8, 8},
    FeatureGroup{"supported", "pawn structure", C::Supported, 8, 8},
    FeatureGroup{"candidate", "passed pawns", C::Candidate, 8, 8},
    FeatureGroup{"passed", "passed pawns", C::Passed, 8, 8},
    FeatureGroup{"passed, free", "passed pawns", C::PassedFree, 8, 8},
    FeatureGroup{"passed, safe", "passed pawns", C::PassedSafe, 8, 8},
    FeatureGroup{"passed, clear path", "passed pawns", C::PassedClear, 8, 8},
    FeatureGroup{"passed, own king", "passed pawns", C::PassedOwnKing, 1, 1},
    FeatureGroup{"passed, their king", "passed pawns", C::PassedTheirKing, 1, 1},
    FeatureGroup{"passed, rook behind", "passed pawns", C::PassedRook, 1, 1},
    FeatureGroup{"runner", "passed pawns", C::PassedRunner, 1, 1},
    FeatureGroup{"shield", "king", C::Shield, 32, 8},
    FeatureGroup{"storm", "king", C::Storm, 16, 8},
    FeatureGroup{"king on open file", "king", C::KingOpen, 1, 1},
    FeatureGroup{"king on half-open file", "king", C::KingHalfOpen, 1, 1},
    FeatureGroup{"danger", "king danger", C::Danger, 48, 8},
    FeatureGroup{"threat by pawn", "threats", C::PawnThreat, 4, 4},
    FeatureGroup{"threat by push", "threats", C::PushThreat, 1, 1},
    FeatureGroup{"threat by minor", "threats", C::MinorThreat, 5, 5},
    FeatureGroup{"threat by rook", "threats", C::RookThreat, 5, 5},
    FeatureGroup{"threat by king", "threats", C::KingThreat, 1, 1},
    FeatureGroup{"hanging", "threats", C::Hanging, 1, 1},
    FeatureGroup{"space", "space", C::Space, 1, 1},
    FeatureGroup{"lone king to the edge", "mating", C::LoneKingEdge, 1, 1, true},
    FeatureGroup{"kings near", "mating", C::LoneKingNear, 1, 1, true},
    FeatureGroup{"lone king to the corner", "mating", C::LoneKingCorner, 1, 1, true},
    FeatureGroup{"tempo", "tempo", C::Tempo, 1, 1},
};
static_assert(covers(Groups, C::Features));

}  // namespace

std::span<const FeatureGroup> Classic::groups() { return Groups; }

}  // namespace damier::chess
