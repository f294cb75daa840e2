// `classic`: a hand-written evaluation of every draughts variant, a sum of features (eval/tapered.h) counted by one
// code for all rule books. The weights differ: weights.cpp says which variants share them.

#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <span>

#include "damier/eval/tapered.h"
#include "damier/games/draughts/draughts.h"

namespace damier {
class WeightsFile;
struct NnueWeights;
}  // namespace damier

namespace damier::draughts {

// Squares as a side sees them: place 0 is the first square of its own back row, the last one is where men are crowned.
template <const Board& B>
struct Places {
    static constexpr int Count = count(B.all);

    static constexpr auto Of = [] {
        std::array<std::array<std::uint8_t, 64>, 2> place{};
        int next = 0;
        for (const int sq : squares(B.all)) {
            place[index(Side::Black)][sq] = static_cast<std::uint8_t>(next);
            place[index(Side::White)][sq] = static_cast<std::uint8_t>(Count - 1 - next);
            ++next;
        }
        return place;
    }();

    // All squares an enemy could stop a man from: the widening cone ahead of it.
    static constexpr auto Cone = [] {
        std::array<std::array<Bits, 64>, 2> cone{};
        for (const Side side : {Side::White, Side::Black}) {
            for (const int from : squares(B.all)) {
                for (const int to : squares(B.all)) {
                    const int rows = side == Side::White ? B.row(from) - B.row(to) : B.row(to) - B.row(from);
                    const int files = B.file(from) < B.file(to) ? B.file(to) - B.file(from) : B.file(from) - B.file(to);
                    if (rows > 0 && files <= rows + 1) cone[index(side)][from] |= bit(to);
                }
            }
        }
        return cone;
    }();

    static constexpr int steps_to_crown(Side side, int sq) {
        return side == Side::White ? B.row(sq) : B.size - 1 - B.row(sq);
    }

    // The longest diagonal, where play is on diagonals.
    static constexpr Bits MainRoad = [] {
        Bits bits = 0;
        for (int i = 0; i < B.size && B.squares == Squares::Dark; ++i) bits |= bit(B.at(i, B.size - 1 - i));
        return bits;
    }();

    // The files that begin on the back row of a side, on which "the move" is counted.
    static constexpr Bits system_of(Side side) {
        Bits bits = 0;
        for (const int sq : squares(B.all))
            if ((B.file(sq) % 2 == 0) == (side == Side::White)) bits |= bit(sq);
        return bits;
    }
};

template <const Board& B>
struct Classic {
    static constexpr int Count = Places<B>::Count;
    static constexpr int Width = damier::count(B.last_row(Side::White));  // squares in a row
    static constexpr bool AllSquares = B.squares == Squares::All;
    static constexpr int BackRows = AllSquares ? Width + 1 : 1 << Width;
    static constexpr int Full = 2 * B.men_at_start();  // pieces at the start

    enum Feature : int {
        Man = 0,
        King,
        ManSquares,                        // by place
        KingSquares = ManSquares + Count,  // by place
        BackRow = KingSquares + Count,     // by which squares of the back row men hold (Turkish: by how many)
        ManMoves = BackRow + BackRows,     // steps that men can make
        ManStuck,                          // men that cannot step
        KingMoves,                         // squares that kings can reach
        KingStuck,                         // kings that cannot move
        Links,                             // men with a man behind them, on each diagonal
        Lines = Links + 2,                 // ... and another one in front
        Runaway = Lines + 2,               // men that nobody stops, by steps to crowning
        FirstKing = Runaway + B.size,      // a king while they have none
        Road,                              // kings that hold the main road, with no enemy there
        TheMove,                           // the opposition, for the side to move
        Skew,                              // by how many men one flank outnumbers the other
        Tempo,
        Features,
    };

    struct Cache {};

    static std::span<const FeatureGroup> groups() {
        static constexpr std::array All{
            FeatureGroup{"man", "material", Man, 1, 1},
            FeatureGroup{"king", "material", King, 1, 1},
            FeatureGroup{"man squares", "squares", ManSquares, Count, Width},
            FeatureGroup{"king squares", "squares", KingSquares, Count, Width},
            FeatureGroup{"back row", "back row", BackRow, BackRows, 8},
            FeatureGroup{"steps of men", "mobility", ManMoves, 1, 1},
            FeatureGroup{"stuck man", "mobility", ManStuck, 1, 1},
            FeatureGroup{"moves of kings", "mobility", KingMoves, 1, 1},
            FeatureGroup{"stuck king", "mobility", KingStuck, 1, 1},
            FeatureGroup{"links", "formation", Links, 2, 2},
            FeatureGroup{"lines of three", "formation", Lines, 2, 2},
            FeatureGroup{"runaway", "runaways", Runaway, B.size, 10},
            FeatureGroup{"only side with a king", "kings", FirstKing, 1, 1},
            FeatureGroup{"main road", "kings", Road, 1, 1},
            FeatureGroup{"the move", "tempo", TheMove, 1, 1},
            FeatureGroup{"skew", "formation", Skew, 1, 1},
            FeatureGroup{"tempo", "tempo", Tempo, 1, 1},
        };
        static_assert(covers(All, Features));
        return All;
    }

    template <class Sink>
    static Blend judge(const Position& pos, Sink& sink, Cache&) {
        add_side<Side::White>(pos, sink);
        add_side<Side::Black>(pos, sink);
        if (pos.turn() == Side::White)
            add_turn<Side::White>(pos, sink);
        else
            add_turn<Side::Black>(pos, sink);
        const int pieces = damier::count(pos.own() | pos.other());
        const int now = std::min(pieces, Full), scale = hard_to_win(pos, sink.total()) ? FullScale / 4 : FullScale;
        return {now * scale, (Full - now) * scale, Full * FullScale};
    }

  private:
    static constexpr int FullScale = 16;

    template <Side Us, class Sink>
    static void add_side(const Position& pos, Sink& sink) {
        const Bits men = pos.men(Us), kings = pos.kings(Us);
        sink.template add<Us>(Man, damier::count(men));
        for (const int sq : squares(men)) sink.template add<Us>(ManSquares + Places<B>::Of[index(Us)][sq]);
        add_back_row<Us>(men, sink);
        add_men<Us>(pos, men, sink);
        if (kings != 0) add_kings<Us>(pos, kings, sink);
        if (pos.kings(!Us) == 0) add_runaways<Us>(pos, men, sink);
    }

    template <Side Us, class Sink>
    static void add_back_row(Bits men, Sink& sink) {
        constexpr Bits Row = B.last_row(!Us);
        int held = 0;
        if constexpr (AllSquares) {
            held = damier::count(men & Row);
        } else {
            held = static_cast<int>(extract(men, Row));
            if constexpr (Us == Side::White) held = Turned[held];
        }
        sink.template add<Us>(BackRow + held);
    }

    // The bits of a row read from the other end.
    static constexpr auto Turned = [] {
        std::array<std::uint8_t, 1 << (AllSquares ? 1 : Width)> turned{};
        for (std::size_t i = 0; i < turned.size(); ++i)
            for (int b = 0; b < Width; ++b)
                if (i >> b & 1) turned[i] = static_cast<std::uint8_t>(turned[i] | 1 << (Width - 1 - b));
        return turned;
    }();

    template <Side Us, class Sink>
    static void add_men(const Position& pos, Bits men, Sink& sink) {
        const Bits empty = B.all & ~(pos.own() | pos.other());
        Bits movable = 0;
        int steps = 0, along = 0;
        for_each_direction<B.forward(Us)>([&](auto d) {
            constexpr int D = decltype(d)::value, Back = opposite(D);
            const Bits free = men & step<B, Back>(empty);
            steps += damier::count(free);
            movable |= free;
            const Bits backed = men & step<B, D>(men) & B.all;
            if (along < 2) {
                sink.template add<Us>(Links + along, damier::count(backed));
                sink.template add<Us>(Lines + along, damier::count(backed & step<B, Back>(men)));
            }
            ++along;
        });
        sink.template add<Us>(ManMoves, steps);
        sink.template add<Us>(ManStuck, damier::count(men & ~movable));
        sink.template add<Us>(Skew, skew(men));
    }

    // By how many men one flank outnumbers the other.
    static int skew(Bits men) {
        constexpr auto Right = [] {
            Bits bits = 0;
            for (const int sq : squares(B.all))
                if (B.file(sq) >= B.size / 2) bits |= bit(sq);
            return bits;
        }();
        const int right = damier::count(men & Right), left = damier::count(men) - right;
        return right > left ? right - left : left - right;
    }

    template <Side Us, class Sink>
    static void add_kings(const Position& pos, Bits kings, Sink& sink) {
        const Bits empty = B.all & ~(pos.own() | pos.other());
        sink.template add<Us>(King, damier::count(kings));
        for (const int sq : squares(kings)) sink.template add<Us>(KingSquares + Places<B>::Of[index(Us)][sq]);
        Bits movable = 0;
        int moves = 0;
        for_each_direction<B.lines>([&](auto d) {
            constexpr int D = decltype(d)::value;
            movable |= kings & step<B, opposite(D)>(empty);
            for (Bits reached = step<B, D>(kings) & empty; reached != 0; reached = step<B, D>(reached) & empty) {
                moves += damier::count(reached);
                if (!pos.rules()->long_moves) break;
            }
        });
        sink.template add<Us>(KingMoves, moves);
        sink.template add<Us>(KingStuck, damier::count(kings & ~movable));
        if (pos.kings(!Us) == 0) sink.template add<Us>(FirstKing);
        if ((kings & Places<B>::MainRoad) != 0 && (pos.pieces(!Us) & Places<B>::MainRoad) == 0)
            sink.template add<Us>(Road);
    }

    // Men past all enemies, who have no king to catch them.
    template <Side Us, class Sink>
    static void add_runaways(const Position& pos, Bits men, Sink& sink) {
        const Bits others = pos.own() | pos.other();
        for (const int sq : squares(men)) {
            if ((Places<B>::Cone[index(Us)][sq] & others) == 0)
                sink.template add<Us>(Runaway + Places<B>::steps_to_crown(Us, sq));
        }
    }

    // Pieces on the files of our system: an odd number gives the side to move the last word when sides are equal.
    template <Side Us, class Sink>
    static void add_turn(const Position& pos, Sink& sink) {
        sink.template add<Us>(Tempo);
        if constexpr (!AllSquares) {
            constexpr Bits System = Places<B>::system_of(Us);
            if (damier::count(pos.own()) == damier::count(pos.other()) &&
                damier::count((pos.own() | pos.other()) & System) % 2 == 1)
                sink.template add<Us>(TheMove);
        }
    }

    // With long kings and no men left, a lone king is seldom caught by two or three.
    static bool hard_to_win(const Position& pos, Packed total) {
        if (AllSquares || !pos.rules()->long_captures) return false;
        const int lean = end_of(total);
        const Side strong = lean > 0 ? Side::White : Side::Black;
        if (lean == 0 || pos.kings(!strong) == 0) return false;
        return pos.men(strong) == 0 && damier::count(pos.kings(strong)) - damier::count(pos.pieces(!strong)) <= 2;
    }
};

// The weights that are built in for a variant: those tuned for it or for its nearest relative.
const WeightsFile& classic_weights(std::string_view variant);

// Reads the network that is built in for a variant, once; null where there is none.
using NnueOfVariant = std::shared_ptr<const NnueWeights> (*)();
NnueOfVariant nnue_of(std::string_view variant);

}  // namespace damier::draughts
