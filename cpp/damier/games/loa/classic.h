// `classic`: a fast evaluation of Lines of Action, in the spirit of MIA's (Winands 2004): are the pieces together, near
// the middle of the board, joined, and free to move? A sum of features (eval/tapered.h), bitboards throughout.

#pragma once

#include <memory>
#include <span>

#include "damier/eval/tapered.h"
#include "damier/games/loa/loa.h"

namespace damier {
class WeightsFile;
struct NnueWeights;
}  // namespace damier

namespace damier::loa {

struct Classic {
    static constexpr int Kinds = 10;  // squares alike under the eight symmetries of the board
    static constexpr int MostSurplus = 32;
    static constexpr int MostEuler = 12;

    enum Feature : int {
        Pieces = 0,                      // by how many there are
        Squares = Pieces + 13,           // by kind, corner to centre
        Middle = Squares + Kinds,        // by kind of the square nearest to the centre of mass
        Surplus = Middle + Kinds,        // steps to the centre of mass beyond the fewest possible
        Groups = Surplus + MostSurplus,  // by Euler number: groups minus holes
        Span = Groups + MostEuler + 1,   // by the sides of the rectangle that holds all pieces, added
        Alone = Span + 17,               // pieces without a neighbour
        Pairs,                           // neighbours
        Threes,                          // windows of 2x2 near the centre of mass with three pieces
        Fours,                           // ... with four
        Moves,                           // legal moves, had the side the turn
        Captures,                        // those among them that capture
        Tempo,
        Features,
    };

    struct Cache {};

    static std::span<const FeatureGroup> groups();
    static Blend judge(const Position& pos, Sum& sink, Cache& cache);
    static Blend judge(const Position& pos, Tally& sink, Cache& cache);
};

// The weights that are built in; the network is for the board of 8x8.
const WeightsFile& classic_weights();
const std::shared_ptr<const NnueWeights>& nnue_weights();

}  // namespace damier::loa
