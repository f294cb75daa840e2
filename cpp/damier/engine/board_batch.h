// The door to many boards of one game that are stepped together. What is read after every step lies in columns, one
// entry per board, that never move: numpy looks at them in place.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "damier/engine/board.h"
#include "damier/engine/tree_batch.h"
#include "damier/game/actions.h"

namespace damier {

// Which way a batch looks at its boards: as their sides to move do, or always as White.
enum class Seen : std::uint8_t { ByMover, ByWhite };

class BoardBatch {
  public:
    // Actions that are no move.
    static constexpr std::int64_t Leave = -1;  // the board stays as it is, even one that is finished

    // The columns.
    struct Columns {
        std::vector<std::uint8_t> outcomes;  // 0 while unfinished, then 1 + Result
        std::vector<std::int8_t> reasons;    // -1 while unfinished
        std::vector<std::uint8_t> turns;
        std::vector<std::int32_t> plies;
        std::vector<std::uint8_t> mask;  // rows of action_count bytes, made when first asked for
    };

    struct LegalActions {
        std::vector<Action> actions;     // those of board i from ends[i - 1] to ends[i]
        std::vector<std::int64_t> ends;  // as in Playouts
    };

    // The ways to turn and mirror boards that keep the rules in all positions: where each square of a plane goes, and
    // which action each becomes. The first changes nothing.
    struct Symmetries {
        std::vector<std::vector<std::int64_t>> cells;
        std::vector<std::vector<std::int64_t>> actions;
    };

    struct Shape {
        int planes;
        int rows;
        int columns;
        std::size_t size() const { return static_cast<std::size_t>(planes * rows * columns); }
    };

    virtual ~BoardBatch() = default;
    virtual const std::shared_ptr<const Variant>& variant() const = 0;
    virtual std::size_t size() const = 0;
    virtual int action_count() const = 0;
    virtual Shape shape() const = 0;
    virtual const Columns& columns() const = 0;

    // Begins every game anew, after so many random moves that do not end it.
    virtual void reset(std::uint64_t seed, int opening_plies) = 0;

    // Plays an action on every board, or throws MoveError and changes none. A finished board begins anew instead.
    virtual void play(std::span<const std::int64_t> actions) = 0;

    virtual void random_actions(std::optional<std::uint64_t> seed, std::span<std::int64_t> actions) = 0;
    virtual const std::vector<std::uint8_t>& legal_mask() = 0;  // every step refreshes it from now on
    virtual LegalActions legal_actions() const = 0;

    // Writes the planes of every board, as the side sees it; without one, as the batch does. The last plane is plies
    // since the last irreversible move: up to 255, or hundredths.
    virtual void write_planes(std::optional<Side> side, std::span<std::uint8_t> planes) const = 0;
    virtual void write_planes(std::optional<Side> side, std::span<float> planes) const = 0;

    virtual std::unique_ptr<Board> board(std::size_t i) const = 0;
    virtual void put(std::size_t i, const Board& board) = 0;  // throws Error for a board of other rules
    // Board i becomes a copy of board `indices[i]` of the source; Leave leaves it.
    virtual void take(const BoardBatch& source, std::span<const std::int64_t> indices) = 0;

    virtual Symmetries symmetries() const = 0;
    virtual std::unique_ptr<TreeBatch> trees(const PuctOptions& options, std::uint64_t seed) const = 0;

    virtual Move move(std::size_t i, std::int64_t action) const = 0;         // throws MoveError
    virtual std::int64_t action(std::size_t i, const Move& move) const = 0;  // throws MoveError
};

}  // namespace damier
