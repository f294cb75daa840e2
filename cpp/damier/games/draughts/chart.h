// Where squares are drawn, and their numbers (PDN 3.0) and names.

#pragma once

#include <array>
#include <string>
#include <string_view>

#include "damier/base/text.h"
#include "damier/games/draughts/board.h"

namespace damier::draughts {

enum class Corner { TopLeft, BottomRight };
enum class Naming { Numbers, Letters };  // 1 to 50, or a1 to h8

class Chart {
  public:
    // A mirrored board is drawn with the playing squares of the other colour; square 1 is in the corner `first`.
    constexpr Chart(const Board& board, bool mirrored, Corner first, Naming naming)
        : board_(&board), mirrored_(mirrored), naming_(naming) {
        const int places = board.size * board.size;
        for (int i = 0; i < places; ++i) {
            const int place = first == Corner::TopLeft ? i : places - 1 - i;
            const int sq = at(place % board.size, board.size - 1 - place / board.size);
            if (sq < 0) continue;
            square_[++count_] = static_cast<std::uint8_t>(sq);
            number_[sq] = static_cast<std::uint8_t>(count_);
        }
    }

    constexpr int count() const { return count_; }
    constexpr int square(int number) const {
        assert(number >= 1 && number <= count_);
        return square_[number];
    }
    constexpr int number(int sq) const { return number_[sq]; }

    // As drawn, seen by White.
    constexpr int file(int sq) const { return mirrored_ ? board_->size - 1 - board_->file(sq) : board_->file(sq); }
    constexpr int rank(int sq) const { return board_->size - 1 - board_->row(sq); }
    constexpr int at(int file, int rank) const {
        return board_->at(board_->size - 1 - rank, mirrored_ ? board_->size - 1 - file : file);
    }

    std::string name(int sq) const {
        if (naming_ == Naming::Numbers) return std::to_string(number(sq));
        return {static_cast<char>('a' + file(sq)), static_cast<char>('1' + rank(sq))};
    }

    // The square of that number, or of that name where squares have one; -1 when there is none.
    int square_named(std::string_view text) const {
        if (const auto n = parse_number(text)) return *n >= 1 && *n <= count_ ? square(*n) : -1;
        if (naming_ == Naming::Numbers || text.size() != 2) return -1;
        return at((text[0] | 0x20) - 'a', text[1] - '1');
    }

  private:
    const Board* board_;
    bool mirrored_;
    Naming naming_;
    int count_ = 0;
    std::array<std::uint8_t, 65> square_ = {};  // by number, from 1
    std::array<std::uint8_t, 64> number_ = {};
};

}  // namespace damier::draughts
