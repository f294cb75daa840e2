// The `classic` evaluation of Lines of Action, written once over a sink.

#include "damier/games/loa/classic.h"

#include <algorithm>
#include <array>

#include "damier/games/loa/connection.h"
#include "damier/games/loa/lines.h"

namespace damier::loa {

namespace {

using C = Classic;

constexpr int PiecesAtMost = 12;

// What depends on the size of the board, looked up by it.
struct Shape {
    std::array<Bits, C::Kinds> kinds{};                   // the squares of each kind
    std::array<std::uint8_t, 64> kind{};                  // the kind of each square
    std::array<std::uint8_t, PiecesAtMost + 1> fewest{};  // steps to the centre of mass when packed as well as can be
};

// Kinds run from the corner inwards: (0,0), (0,1), ... (0,3), (1,1), ... (3,3), files and ranks folded and sorted.
// Smaller boards use the inner ones, so that a kind is a distance to the middle everywhere.
constexpr Shape make_shape(int size) {
    Shape shape;
    constexpr std::array<std::array<int, 4>, 4> Number{{{0, 1, 2, 3}, {1, 4, 5, 6}, {2, 5, 7, 8}, {3, 6, 8, 9}}};
    const auto folded = [&](int i) { return std::min(i, size - 1 - i) + (8 - size) / 2; };
    for (int rank = 0; rank < size; ++rank) {
        for (int file = 0; file < size; ++file) {
            const int kind = Number[static_cast<std::size_t>(std::min(3, folded(file)))]
                                   [static_cast<std::size_t>(std::min(3, folded(rank)))];
            shape.kinds[static_cast<std::size_t>(kind)] |= bit(square(file, rank));
            shape.kind[static_cast<std::size_t>(square(file, rank))] = static_cast<std::uint8_t>(kind);
        }
    }
    // One piece in the middle, eight around it, sixteen around those.
    for (int n = 0; n <= PiecesAtMost; ++n)
        shape.fewest[static_cast<std::size_t>(n)] = static_cast<std::uint8_t>(std::max(0, n - 1) + std::max(0, n - 9));
    return shape;
}

constexpr std::array<Shape, 4> Shapes{make_shape(5), make_shape(6), make_shape(7), make_shape(8)};

// Within[d][sq]: the squares at most d steps away, d from 0 to 6.
constexpr auto Within = [] {
    std::array<std::array<Bits, 7>, 64> within{};
    for (std::size_t sq = 0; sq < 64; ++sq) {
        within[sq][0] = bit(static_cast<int>(sq));
        for (std::size_t d = 1; d < 7; ++d) within[sq][d] = within[sq][d - 1] | neighbours(within[sq][d - 1]);
    }
    return within;
}();

// Moves and captures on a line for White, then for Black, one byte each.
std::uint32_t counted(int length, unsigned white, unsigned black) {
    const auto side = [&](unsigned own, unsigned enemy) {
        const auto moves = static_cast<std::uint32_t>(Table.count(length, own, enemy));
        std::uint32_t captures = 0;
        for (std::uint32_t i = 0; i < moves; ++i) captures += (Table.moves(length, own, enemy)[i] & CaptureOnLine) != 0;
        return moves | captures << 8;
    };
    return side(white, black) | side(black, white) << 16;
}

// By the line's state; filled when the program starts, being too much work for the compiler.
const auto Counts = [] {
    std::array<std::uint32_t, LineTable::States> counts{};
    LineTable::visit_states([&](int length, unsigned white, unsigned black) {
        counts[Table.state(length, white, black)] = counted(length, white, black);
    });
    return counts;
}();

// Moves and captures of White, then of Black, a byte each.
std::uint32_t count_moves(const Position& pos) {
    const Bits white = pos.pieces(Side::White), black = pos.pieces(Side::Black);
    std::uint32_t sum = 0;
    for (const Line& line : lines_of(pos.rules().size))
        sum += Counts[Table.state(line.length, line.read(white), line.read(black))];
    return sum;
}

// The sum of the files (or ranks) of a set, bit by bit of their numbers.
constexpr int sum_of_files(Bits set) {
    return count(set & 0xAAAAAAAAAAAAAAAAULL) + 2 * count(set & 0xCCCCCCCCCCCCCCCCULL) +
           4 * count(set & 0xF0F0F0F0F0F0F0F0ULL);
}
constexpr int sum_of_ranks(Bits set) {
    return count(set & 0xFF00FF00FF00FF00ULL) + 2 * count(set & 0xFFFF0000FFFF0000ULL) +
           4 * count(set & 0xFFFFFFFF00000000ULL);
}

// The square nearest to the centre of mass.
int middle_of(Bits set, int pieces) {
    return square((2 * sum_of_files(set) + pieces) / (2 * pieces), (2 * sum_of_ranks(set) + pieces) / (2 * pieces));
}

// The sides of the smallest rectangle around a set, added.
int span_of(Bits set) {
    Bits files = set | set >> 32;
    files |= files >> 16;
    files |= files >> 8;
    const auto row = static_cast<unsigned>(files & 0xFF);
    const int width = std::bit_width(row) - std::countr_zero(row);
    const int height = (63 - std::countl_zero(set)) / 8 - std::countr_zero(set) / 8 + 1;
    return width + height;
}

template <Side Us, class Sink>
void add_side(const Position& pos, Sink& sink, std::uint32_t moves) {
    const Bits set = pos.pieces(Us);
    const int pieces = count(set);
    if (pieces == 0) return;
    const Shape& shape = Shapes[static_cast<std::size_t>(pos.rules().size - 5)];
    const auto middle = static_cast<std::size_t>(middle_of(set, pieces));
    const auto& within = Within[middle];

    sink.template add<Us>(C::Pieces + std::min(pieces, PiecesAtMost));
    for (int kind = 0; kind < C::Kinds; ++kind)
        sink.template add<Us>(C::Squares + kind, count(set & shape.kinds[static_cast<std::size_t>(kind)]));
    sink.template add<Us>(C::Middle + shape.kind[middle]);

    int steps = 0;
    for (const Bits near : within) steps += count(set & ~near);
    const int surplus = steps - shape.fewest[static_cast<std::size_t>(std::min(pieces, PiecesAtMost))];
    sink.template add<Us>(C::Surplus + std::clamp(surplus, 0, C::MostSurplus - 1));
    sink.template add<Us>(C::Span + span_of(set));

    // Windows of 2x2 are named by their upper right square; see euler() for the count.
    const Bits left = (set << 1) & NotFileA, below = set << 8, below_left = left << 8;
    const Bits across = left & below, main = set & below_left;
    const int pairs = count(set & left) + count(set & below) + count(main) + count(across);
    const Bits full = main & across;
    const Bits three = ((main & (left | below)) | (across & (set | below_left))) & ~full;
    const int groups = pieces - pairs + count(three) + 3 * count(full);
    sink.template add<Us>(C::Groups + std::clamp(groups, 0, C::MostEuler));
    sink.template add<Us>(C::Alone, count(set & ~neighbours(set)));
    sink.template add<Us>(C::Pairs, pairs);
    sink.template add<Us>(C::Threes, count(three & within[2]));
    sink.template add<Us>(C::Fours, count(full & within[2]));
    sink.template add<Us>(C::Moves, static_cast<int>(moves & 0xFF));
    sink.template add<Us>(C::Captures, static_cast<int>(moves >> 8 & 0xFF));
}

template <class Sink>
Blend judged(const Position& pos, Sink& sink) {
    const std::uint32_t moves = count_moves(pos);
    add_side<Side::White>(pos, sink, moves);
    add_side<Side::Black>(pos, sink, moves >> 16);
    if (pos.turn() == Side::White)
        sink.template add<Side::White>(C::Tempo);
    else
        sink.template add<Side::Black>(C::Tempo);
    const int full = 4 * (pos.rules().size - 2), pieces = std::min(full, count(pos.occupied()));
    return {pieces, full - pieces, full};
}

constexpr std::array AllGroups{
    FeatureGroup{"pieces", "pieces", C::Pieces, 13, 13},
    FeatureGroup{"squares", "squares", C::Squares, C::Kinds, C::Kinds},
    FeatureGroup{"middle", "middle", C::Middle, C::Kinds, C::Kinds},
    FeatureGroup{"surplus", "concentration", C::Surplus, C::MostSurplus, 8},
    FeatureGroup{"groups", "groups", C::Groups, C::MostEuler + 1, 13},
    FeatureGroup{"span", "span", C::Span, 17, 9},
    FeatureGroup{"alone", "links", C::Alone, 1, 1},
    FeatureGroup{"pairs", "links", C::Pairs, 1, 1},
    FeatureGroup{"windows of three", "links", C::Threes, 1, 1},
    FeatureGroup{"windows of four", "links", C::Fours, 1, 1},
    FeatureGroup{"moves", "mobility", C::Moves, 1, 1},
    FeatureGroup{"captures", "mobility", C::Captures, 1, 1},
    FeatureGroup{"tempo", "tempo", C::Tempo, 1, 1},
};
static_assert(covers(AllGroups, C::Features));

}  // namespace

std::span<const FeatureGroup> Classic::groups() { return AllGroups; }
Blend Classic::judge(const Position& pos, Sum& sink, Cache&) { return judged(pos, sink); }
Blend Classic::judge(const Position& pos, Tally& sink, Cache&) { return judged(pos, sink); }

}  // namespace damier::loa
