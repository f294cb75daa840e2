// The positions of games in the order they were played, packed as squares, for labels that look at whole games.

#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "damier/eval/sample_buffer.h"
#include "damier/eval/squares.h"

namespace damier {

// Game g has the rows from ends[g - 1] to ends[g], one more than it has plies: the last is where it ended.
struct PositionRows {
    std::size_t words = 0;               // of a row
    std::vector<std::uint64_t> squares;  // seen by the side to move
    std::vector<std::uint8_t> turns;     // who that is
    std::vector<std::uint8_t> captures;  // pieces that the move played here takes
    std::vector<std::int64_t> ends;
};

template <Game G>
class RowWriter {
  public:
    using Position = typename G::Position;

    explicit RowWriter(const Squares<G>& squares) : squares_(squares) { rows_.words = squares.words(); }

    // Throws DataError where codes make no sense.
    void add_game(Position pos, std::span<const std::uint16_t> codes) {
        append(pos);
        for (std::size_t at = 0; at < codes.size();) {
            typename G::MoveList legal;
            pos.legal_moves(legal);
            const Side other = !pos.turn();
            const int before = pieces(pos, other);
            pos.play(take_code<G>(legal, codes, at));
            rows_.captures.back() = static_cast<std::uint8_t>(before - pieces(pos, other));
            append(pos);
        }
        rows_.ends.push_back(static_cast<std::int64_t>(rows_.turns.size()));
    }

    PositionRows take() { return std::move(rows_); }

  private:
    void append(const Position& pos) {
        rows_.squares.resize(rows_.squares.size() + rows_.words);
        squares_.pack(pos, rows_.squares.data() + rows_.squares.size() - rows_.words);
        rows_.turns.push_back(static_cast<std::uint8_t>(pos.turn()));
        rows_.captures.push_back(0);
    }
    static int pieces(const Position& pos, Side side) {
        const auto planes = G::planes(pos);
        const auto half = planes.size() / 2, first = static_cast<std::size_t>(index(side)) * half;
        int sum = 0;
        for (std::size_t i = first; i < first + half; ++i) sum += count(planes[i]);
        return sum;
    }

    const Squares<G>& squares_;
    PositionRows rows_;
};

template <Game G>
PositionRows rows_of_games(const typename G::Rules& rules, const Squares<G>& squares, const PlayedGames& games,
                           const GameStarts& starts, const std::atomic<bool>& stop) {
    RowWriter<G> writer(squares);
    StartReader<G> start(rules);
    for (std::size_t game = 0; game < games.ends.size() && !stop.load(std::memory_order_relaxed); ++game) {
        try {
            writer.add_game(start(starts, game), part_of(games.codes, games.ends, game));
        } catch (const DataError& error) {
            throw DataError("game " + std::to_string(game + 1) + ": " + error.what());
        }
    }
    return writer.take();
}

}  // namespace damier
