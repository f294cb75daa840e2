// The lines of an n x n board, each read as at most eight bits and looked up.
//
// On a line everything is known from which of its squares are ours and which are the enemy's: the number of pieces, so
// the length of every move, and who may move up or down. That is one table of 3^length entries for each length.
// Smaller boards lie in the lower left corner of the 8x8 layout (a1 = 0, b1 = 1, a2 = 8).

#pragma once

#include <array>
#include <cstdint>

#include "damier/base/bits.h"

namespace damier::loa {

constexpr int MaxLines = 42;  // 8 ranks, 8 files and 2 x 13 diagonals of at least two squares
constexpr int square(int file, int rank) { return 8 * rank + file; }

inline constexpr auto Mirrored = [] {
    std::array<std::uint8_t, 256> bytes{};
    for (unsigned byte = 0; byte < 256; ++byte)
        for (unsigned i = 0; i < 8; ++i)
            if (byte >> i & 1) bytes[byte] = static_cast<std::uint8_t>(bytes[byte] | 0x80u >> i);
    return bytes;
}();

// The moves of our pieces on a line, by places: from + 64 * to, and the top bit for a capture. No line has more than 5.
constexpr int MaxLineMoves = 8;
constexpr std::uint16_t CaptureOnLine = 0x8000;
using LineMoves = std::array<std::uint16_t, MaxLineMoves>;

// A line is read in the order of its square numbers. With PEXT that is one instruction; elsewhere a multiplication
// brings the squares together in the top byte, by files (or by ranks on a file), which mirrors the falling diagonals.
struct Line {
    LineMoves bases{}, steps{};  // 65 * first and step, eight times each: loaded faster than spread
    Bits mask = 0;
    Bits gather = 0;
    std::uint8_t before = 0;  // shift before the multiplication
    std::uint8_t after = 0;   // shift once the byte is read
    bool falling = false;     // a diagonal towards a1..h8's mirror image, step 7
    std::uint8_t first = 0;   // square of bit 0
    std::uint8_t step = 0;    // from one square of the line to the next
    std::uint8_t length = 0;

    constexpr unsigned read(Bits bits) const {
#if DAMIER_HAS_PEXT
        return static_cast<unsigned>(extract(bits, mask));
#else
        const auto byte = static_cast<unsigned>((((bits & mask) >> before) * gather) >> 56);
        return (falling ? Mirrored[byte] : byte) >> after;
#endif
    }

    // The inverse of read: the squares at these places of the line.
    constexpr Bits squares_at(unsigned places) const {
#if DAMIER_HAS_PEXT
        return deposit(places, mask);
#else
        Bits set = 0;
        for (const int place : squares(places)) set |= bit(first + step * place);
        return set;
#endif
    }
};

struct LineSet {
    std::array<Line, MaxLines> lines;
    int size = 0;
    constexpr const Line* begin() const { return lines.data(); }
    constexpr const Line* end() const { return lines.data() + size; }
};

constexpr Line make_line(int file, int rank, int step_file, int step_rank, int board) {
    constexpr Bits EveryRank = 0x0101010101010101ULL;  // sums the eight ranks into the top byte
    constexpr Bits EveryFile = 0x0102040810204080ULL;  // turns the a file into the top byte
    Line line;
    line.first = static_cast<std::uint8_t>(square(file, rank));
    line.step = static_cast<std::uint8_t>(8 * step_rank + step_file);
    for (int f = file, r = rank; f >= 0 && f < board && r < board; f += step_file, r += step_rank) {
        line.mask |= bit(square(f, r));
        ++line.length;
    }
    const bool vertical = step_file == 0;
    line.falling = step_file < 0;
    line.gather = vertical ? EveryFile : EveryRank;
    line.before = static_cast<std::uint8_t>(vertical ? file : 0);
    line.bases.fill(static_cast<std::uint16_t>(65 * line.first));
    line.steps.fill(line.step);
    line.after = static_cast<std::uint8_t>(vertical ? 0 : line.falling ? 7 - file : file);
    return line;
}

constexpr LineSet make_lines(int board) {
    LineSet set;
    const auto add = [&](int file, int rank, int step_file, int step_rank) {
        const Line line = make_line(file, rank, step_file, step_rank, board);
        if (line.length > 1) set.lines[static_cast<std::size_t>(set.size++)] = line;
    };
    const int last = board - 1;
    for (int i = 0; i < board; ++i) add(0, i, 1, 0);
    for (int i = 0; i < board; ++i) add(i, 0, 0, 1);
    for (int i = last; i > 0; --i) add(0, i, 1, 1);
    for (int i = 0; i < board; ++i) add(i, 0, 1, 1);
    for (int i = 0; i < board; ++i) add(i, 0, -1, 1);
    for (int i = 1; i < board; ++i) add(last, i, -1, 1);
    return set;
}

inline constexpr std::array<LineSet, 4> LinesOfSize = {make_lines(5), make_lines(6), make_lines(7), make_lines(8)};
constexpr const LineSet& lines_of(int board) { return LinesOfSize[static_cast<std::size_t>(board - 5)]; }

// The moves themselves, as Move keeps them: from and to are linear in their places. Eight at once, in one register.
inline LineMoves moves_from_places(const LineMoves& places, const Line& line) {
    LineMoves moves;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const auto squares = static_cast<std::uint16_t>(line.steps[i] * static_cast<std::uint16_t>(places[i] & 0x1FF));
        const auto capture = static_cast<std::uint16_t>(places[i] >> 15 << 12);
        moves[i] = static_cast<std::uint16_t>(line.bases[i] + squares + capture);
    }
    return moves;
}

// A line has 3^length states, each square being empty, ours or the enemy's; those of every length are numbered in turn.
class LineTable {
  public:
    static constexpr int States = 3276 + 6561;

    template <class Visit>
    static constexpr void visit_states(Visit visit) {
        for (int length = 2; length <= 8; ++length)
            for (unsigned own = 0; own < 1u << length; ++own)
                for (unsigned enemy = 0; enemy < 1u << length; ++enemy)
                    if ((own & enemy) == 0) visit(length, own, enemy);
    }

    constexpr LineTable() {
        for (unsigned set = 0; set < 256; ++set) {
            std::uint16_t value = 0;
            for (unsigned i = 8; i-- > 0;) value = static_cast<std::uint16_t>(3 * value + ((set >> i) & 1));
            ternary_[set] = value;
        }
        visit_states([this](int length, unsigned own, unsigned enemy) {
            const std::size_t at = state(length, own, enemy);
            counts_[at] = fill_moves(length, own, enemy, moves_[at]);
        });
    }

    constexpr std::size_t state(int length, unsigned own, unsigned enemy) const {
        return static_cast<std::size_t>(Start[length] + ternary_[own] + 2 * ternary_[enemy]);
    }

    const LineMoves& moves(int length, unsigned own, unsigned enemy) const { return moves_[state(length, own, enemy)]; }

    int count(int length, unsigned own, unsigned enemy) const { return counts_[state(length, own, enemy)]; }

  private:
    static constexpr int Start[9] = {0, 0, 0, 9, 36, 117, 360, 1089, 3276};  // 3^2 + 3^3 + ... before each length

    // A piece moves as many squares as the line holds pieces, over friends only, and not onto a friend.
    static constexpr std::uint8_t fill_moves(int length, unsigned own, unsigned enemy, LineMoves& moves) {
        const int distance = std::popcount(own | enemy);
        const unsigned reach = (1u << distance) - 1u;
        std::uint8_t found = 0;
        for (int from = 0; from < length; ++from) {
            if (!(own >> from & 1)) continue;
            for (const int to : {from + distance, from - distance}) {
                if (to < 0 || to >= length || (own >> to & 1)) continue;
                const unsigned path = to > from ? reach << from : reach << (to + 1);  // all but the target
                if (enemy & path) continue;
                const unsigned capture = enemy >> to & 1 ? CaptureOnLine : 0;
                moves[found++] = static_cast<std::uint16_t>(static_cast<unsigned>(from + 64 * to) | capture);
            }
        }
        return found;
    }

    std::array<std::uint16_t, 256> ternary_{};
    std::array<LineMoves, States> moves_{};
    std::array<std::uint8_t, States> counts_{};
};

extern const LineTable Table;

}  // namespace damier::loa
