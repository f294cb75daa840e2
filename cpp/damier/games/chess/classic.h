// `classic`: a hand-written evaluation of chess in the manner of the engines before networks. Every term is a count
// times a weight (classic.safetensors); only the scale of drawish endings and the index into the danger table are not.

#pragma once

#include <array>
#include <memory>
#include <span>

#include "damier/eval/tapered.h"
#include "damier/games/chess/position.h"

namespace damier {
class WeightsFile;
struct NnueWeights;
}  // namespace damier

namespace damier::chess {

// The features, by kind; ranks and squares are seen by the side they belong to, files are mirrored to a to d.
struct Classic {
    enum Feature : int {
        Material = 0,                       // pawn to queen
        Squares = Material + 5,             // six pieces, 8 ranks of files a to d
        KnightMobility = Squares + 6 * 32,  // by safe squares
        BishopMobility = KnightMobility + 9,
        RookMobility = BishopMobility + 14,
        QueenMobility = RookMobility + 15,
        BishopPair = QueenMobility + 28,
        KnightOutpost,  // supported by a pawn, out of reach of theirs
        BishopOutpost,
        ShelteredMinor,  // right behind a pawn
        BadBishop,       // an own pawn on its colour
        LongBishop,      // sees both squares of the centre on its long diagonal
        RookOpen,
        RookHalfOpen,
        RookSeventh,  // with something to take or the king to hem in
        RookTrapped,  // by its own king
        Isolated,     // facing a pawn on its file, not facing one
        Backward = Isolated + 2,
        Doubled = Backward + 2,
        Phalanx,                          // by rank
        Supported = Phalanx + 8,          // by rank
        Candidate = Supported + 8,        // by rank: half-open, helpers no fewer than sentries
        Passed = Candidate + 8,           // by rank
        PassedFree = Passed + 8,          // by rank: the next square is empty
        PassedSafe = PassedFree + 8,      // by rank: the next square is not attacked
        PassedClear = PassedSafe + 8,     // by rank: the whole path is empty and not attacked
        PassedOwnKing = PassedClear + 8,  // steps of the king to the next square, times (rank - 2)
        PassedTheirKing,
        PassedRook,                   // an own rook behind it
        PassedRunner,                 // no piece left to stop it, and their king is late
        Shield,                       // by file and rank of the own pawn near the king, rank 0: none
        Storm = Shield + 32,          // free or blocked, by rank of their pawn seen by us
        KingOpen = Storm + 16,        // no pawn on its file
        KingHalfOpen,                 // no own pawn
        Danger,                       // by what their pieces do near our king
        PawnThreat = Danger + 48,     // a safe pawn attacks: knight to queen
        PushThreat = PawnThreat + 4,  // a safe pawn push would attack a piece
        MinorThreat,                  // a minor piece attacks: pawn to queen
        RookThreat = MinorThreat + 5,
        KingThreat = RookThreat + 5,
        Hanging,
        Space,           // safe squares behind the centre pawns
        LoneKingEdge,    // their king has no helper: steps from the centre
        LoneKingNear,    // ... and steps by which the kings are nearer than 7
        LoneKingCorner,  // ... and, for bishop and knight, nearness to a right corner
        Tempo,
        Features,
    };

    // Pawns stay for many nodes: what they are worth by themselves is kept, and as a shelter of the last kings seen.
    struct Shelter {
        int king = NoSquare;
        Packed total = 0;
    };
    struct PawnEntry {
        std::array<Bits, 2> pawns{};
        std::array<Bits, 2> passed{};
        std::array<Shelter, 2> shelters{};
        Packed total = 0;
        bool used = false;
    };
    class Cache {
      public:
        Cache() : entries_(std::make_unique<PawnEntry[]>(Size)) {}
        Cache(const Cache&) : Cache() {}  // a clone starts afresh
        Cache& operator=(const Cache&) = delete;
        PawnEntry& at(Bits white, Bits black) {
            const std::uint64_t hash = (white ^ (black << 7 | black >> 57)) * 0x9E3779B97F4A7C15ULL;
            return entries_[hash >> (64 - Log)];
        }

      private:
        static constexpr int Log = 11;
        static constexpr std::size_t Size = std::size_t{1} << Log;
        std::unique_ptr<PawnEntry[]> entries_;
    };

    static std::span<const FeatureGroup> groups();

    // Adds the features of a position to the sink and says how its two values blend.
    static Blend judge(const Position& pos, Sum& sink, Cache& cache);
    static Blend judge(const Position& pos, Tally& sink, Cache& cache);
};

// The weights that are built in.
const WeightsFile& classic_weights();
const std::shared_ptr<const NnueWeights>& nnue_weights();

}  // namespace damier::chess
