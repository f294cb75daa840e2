// Many boards of one game, stepped together, behind the door.

#pragma once

#include <algorithm>
#include <numeric>

#include "damier/base/random.h"
#include "damier/engine/board_batch.h"
#include "damier/engine/game_board.h"
#include "damier/engine/game_trees.h"
#include "damier/engine/variant.h"
#include "damier/game/actions.h"
#include "damier/game/input_planes.h"
#include "damier/game/trail.h"
#include "damier/game/view.h"

namespace damier {

template <Game G>
    requires HasPlanes<G>
class GameBatch final : public BoardBatch {
  public:
    using Position = typename G::Position;

    GameBatch(std::shared_ptr<const Variant> variant, const typename G::Rules& rules, std::size_t size, Seen seen)
        : variant_(std::move(variant)),
          rules_(rules),
          seen_(seen),
          view_(rules),
          actions_(rules, view_.turned()),
          start_{G::start(rules)},
          slots_(size, Slot(start_)),
          chosen_(size) {
        columns_.outcomes.resize(size);
        columns_.reasons.resize(size);
        columns_.turns.resize(size);
        columns_.plies.resize(size);
        GameBatch::reset(0, 0);
    }

    const std::shared_ptr<const Variant>& variant() const override { return variant_; }
    std::size_t size() const override { return slots_.size(); }
    int action_count() const override { return actions_.count(); }
    Shape shape() const override { return {InputPlanes<G>::count(), view_.rows(), view_.columns()}; }
    const Columns& columns() const override { return columns_; }

    void reset(std::uint64_t seed, int opening_plies) override {
        opening_plies_ = opening_plies;
        std::uint64_t state = seed;
        random_ = Random(splitmix(state));
        const std::uint64_t boards = splitmix(state);
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            slots_[i].random = Random(boards ^ i);
            begin(i);
        }
    }

    void play(std::span<const std::int64_t> actions) override {
        if (actions.size() != size())
            throw Error(std::to_string(actions.size()) + " actions for " + std::to_string(size()) + " boards");
        for (std::size_t i = 0; i < actions.size(); ++i) chosen_[i] = choice(i, actions[i]);
        for (std::size_t i = 0; i < actions.size(); ++i) {
            if (chosen_[i] >= 0) {
                push(i, slots_[i].legal[static_cast<std::size_t>(chosen_[i])]);
            } else if (chosen_[i] == BeginAnew) {
                begin(i);
            }
        }
    }

    void random_actions(std::optional<std::uint64_t> seed, std::span<std::int64_t> actions) override {
        if (seed) random_ = Random(*seed);
        for (std::size_t i = 0; i < actions.size(); ++i) {
            const auto& legal = slots_[i].actions;
            actions[i] = legal.empty() ? 0 : legal[random_.below(static_cast<std::uint32_t>(legal.size()))];
        }
    }

    const std::vector<std::uint8_t>& legal_mask() override {
        if (columns_.mask.empty()) {
            columns_.mask.resize(size() * static_cast<std::size_t>(action_count()));
            for (std::size_t i = 0; i < size(); ++i) mark(i, 1);
        }
        return columns_.mask;
    }

    LegalActions legal_actions() const override {
        LegalActions all;
        for (const Slot& slot : slots_) {
            all.actions.insert(all.actions.end(), slot.actions.begin(), slot.actions.end());
            all.ends.push_back(static_cast<std::int64_t>(all.actions.size()));
        }
        return all;
    }

    void write_planes(std::optional<Side> side, std::span<std::uint8_t> planes) const override {
        write_all(side, planes, [](int plies) { return static_cast<std::uint8_t>(std::min(plies, 255)); });
    }
    void write_planes(std::optional<Side> side, std::span<float> planes) const override {
        write_all(side, planes, [](int plies) { return static_cast<float>(plies) / 100; });
    }

    std::unique_ptr<Board> board(std::size_t i) const override {
        const Slot& slot = slots_[i];
        auto made = std::make_unique<GameBoard<G>>(variant_, rules_, variant_->squares_of(), slot.start);
        made->push_all(slot.played);
        return made;
    }

    void put(std::size_t i, const Board& board) override {
        const auto* given = dynamic_cast<const GameBoard<G>*>(&board);
        if (!given || !same_rules(*board.variant())) throw Error("the board is not one of " + variant_->name());
        Slot& slot = slots_[i];
        slot.begin_at(given->record().start());
        for (const auto move : given->record().moves()) slot.push(move);
        settle(i);
    }

    void take(const BoardBatch& source, std::span<const std::int64_t> indices) override {
        const auto* given = dynamic_cast<const GameBatch*>(&source);
        if (!given || !same_rules(*source.variant())) throw Error("the boards are not ones of " + variant_->name());
        if (given->seen_ != seen_) throw Error("the boards are seen by another side");
        const auto before = given == this ? slots_ : std::vector<Slot>();  // some may be overwritten before their turn
        const auto& from = given == this ? before : given->slots_;
        for (std::size_t i = 0; i < indices.size(); ++i) {
            if (indices[i] == Leave) continue;
            mark(i, 0);
            const Random own = slots_[i].random;
            slots_[i] = from[static_cast<std::size_t>(indices[i])];
            slots_[i].random = own;
            set_columns(i, from[static_cast<std::size_t>(indices[i])].outcome);
        }
    }

    Move move(std::size_t i, std::int64_t action) const override { return seen(i, slots_[i].legal[place(i, action)]); }

    std::int64_t action(std::size_t i, const Move& move) const override {
        const Slot& slot = slots_[i];
        for (std::size_t at = 0; at < slot.legal.size(); ++at)
            if (seen(i, slot.legal[at]) == move) return slot.actions[at];
        const auto text = move.variant == variant_->squares_of() ? variant_->text(move) : "a move of another game";
        throw MoveError("board " + std::to_string(i) + ": " + text + " is illegal in " + fen(i));
    }

    Symmetries symmetries() const override {
        Symmetries all;
        for (const Turned& image : images()) {
            std::vector<std::int64_t> cells(static_cast<std::size_t>(view_.rows() * view_.columns()));
            std::iota(cells.begin(), cells.end(), 0);  // those that are no squares stay empty
            for (const auto& square : G::squares(rules_))
                cells[static_cast<std::size_t>(view_.place(square.index))] = view_.place(image[square.index]);
            all.cells.push_back(std::move(cells));
            const auto actions = actions_.images(image);
            all.actions.emplace_back(actions.begin(), actions.end());
        }
        return all;
    }

    std::unique_ptr<TreeBatch> trees(const PuctOptions& options, std::uint64_t seed) const override {
        return std::make_unique<GameTrees<G>>(*this, options, seed);
    }

    // What a tree search starts from.
    const Position& position(std::size_t i) const { return slots_[i].pos; }
    const Trail<G>& trail(std::size_t i) const { return slots_[i].trail; }
    const Setup<Position>& start(std::size_t i) const { return slots_[i].start; }
    const std::vector<typename G::Move>& played(std::size_t i) const { return slots_[i].played; }
    bool is_over(std::size_t i) const { return slots_[i].outcome.has_value(); }
    const View<G>& view() const { return view_; }
    const Actions<G>& actions() const { return actions_; }
    Seen seen() const { return seen_; }

  private:
    // Instead of the index of a move.
    static constexpr int BeginAnew = -1;
    static constexpr int Stay = -2;

    struct Slot {
        explicit Slot(const Setup<Position>& setup)
            : pos(setup.position), trail(pos, setup.quiet_plies), start(setup) {}

        void begin_at(const Setup<Position>& setup) {
            start = setup;
            pos = setup.position;
            trail.restart(pos, setup.quiet_plies);
            played.clear();
        }
        void push(typename G::Move move) {
            const Position before = pos;
            pos.play(move);
            trail.push(before, move, pos);
            played.push_back(move);
        }

        Position pos;
        std::optional<Outcome> outcome;
        std::vector<Action> actions;          // of the moves below; none once the game is over
        std::vector<typename G::Move> legal;  // in the order of their actions
        std::vector<typename G::Move> played;
        Trail<G> trail;
        Setup<Position> start;
        Random random{0};  // for openings
    };

    // Captures that share both squares are numbered in an order that a mirror would change.
    std::vector<Turned> images() const {
        auto images = view_.images(rules_);
        if (SharesCodes<G>) images.resize(1);
        return images;
    }

    bool same_rules(const Variant& other) const {
        return other.name() == variant_->name() && other.articles() == variant_->articles();
    }

    bool turned(const Position& pos) const { return seen_ == Seen::ByMover && pos.turn() == Side::Black; }

    int choice(std::size_t i, std::int64_t action) const {
        const Slot& slot = slots_[i];
        if (action == Leave) return Stay;
        if (slot.outcome) return BeginAnew;
        return static_cast<int>(place(i, action));
    }

    // Where a legal action stands in the list of its board.
    std::size_t place(std::size_t i, std::int64_t action) const {
        const auto& actions = slots_[i].actions;
        const auto wanted = static_cast<Action>(action);
        const auto found = std::find(actions.begin(), actions.end(), wanted);
        if (found == actions.end() || wanted != action) refuse(i, action);
        return static_cast<std::size_t>(found - actions.begin());
    }

    [[noreturn]] void refuse(std::size_t i, std::int64_t action) const {
        const auto where = "board " + std::to_string(i) + ": action " + std::to_string(action);
        if (action < 0 || action >= action_count())
            throw MoveError(where + " does not exist, expected 0 to " + std::to_string(action_count() - 1));
        throw MoveError(where + " is illegal in " + fen(i));
    }

    std::string fen(std::size_t i) const { return board(i)->fen(); }

    Move seen(std::size_t i, typename G::Move native) const {
        Move move = G::plain(slots_[i].pos, native);
        move.variant = variant_->squares_of();
        return move;
    }

    void push(std::size_t i, typename G::Move move) {
        slots_[i].push(move);
        settle(i);
    }

    // As Board::play_at_random does: an opening that ends the game, or lets a draw be claimed, is tried again.
    void begin(std::size_t i) {
        Slot& slot = slots_[i];
        for (int tries = opening_plies_ > 0 ? 100 : 0;; --tries) {
            slot.begin_at(start_);
            settle(i);
            if (tries == 0) return;
            int ply = 0;
            for (; ply < opening_plies_ && !slot.outcome && !may_claim(slot); ++ply)
                push(i, slot.legal[slot.random.below(static_cast<std::uint32_t>(slot.legal.size()))]);
            if (!slot.outcome && !may_claim(slot)) return;
        }
    }
    static bool may_claim(const Slot& slot) { return G::drawn(slot.pos, slot.trail.past()).has_value(); }

    // Looks at a board after a move: is it over, and what may be played?
    void settle(std::size_t i) {
        Slot& slot = slots_[i];
        mark(i, 0);
        slot.actions.clear();
        slot.outcome = slot.pos.decided();
        if (!slot.outcome) {
            typename G::MoveList legal;
            slot.pos.legal_moves(legal);
            slot.outcome = outcome_by_rules<G>(slot.pos, !legal.empty(), slot.trail.past(), false);
            if (!slot.outcome) actions_.list(legal, turned(slot.pos), slot.legal, slot.actions);
        }
        set_columns(i, slot.outcome);
    }

    void set_columns(std::size_t i, const std::optional<Outcome>& outcome) {
        columns_.outcomes[i] = outcome ? static_cast<std::uint8_t>(1 + static_cast<int>(outcome->result)) : 0;
        columns_.reasons[i] = outcome ? static_cast<std::int8_t>(outcome->reason) : std::int8_t{-1};
        columns_.turns[i] = static_cast<std::uint8_t>(slots_[i].pos.turn());
        columns_.plies[i] = static_cast<std::int32_t>(slots_[i].played.size());
        mark(i, 1);
    }

    void mark(std::size_t i, std::uint8_t legal) {
        if (columns_.mask.empty()) return;
        std::uint8_t* row = columns_.mask.data() + i * static_cast<std::size_t>(actions_.count());
        for (const Action action : slots_[i].actions) row[action] = legal;
    }

    template <class T, class Plies>
    void write_all(std::optional<Side> side, std::span<T> planes, Plies plies) const {
        const InputPlanes<G> writer(view_);
        T* plane = planes.data();
        for (const Slot& slot : slots_) {
            const Side by = side.value_or(seen_ == Seen::ByMover ? slot.pos.turn() : Side::White);
            writer.write(slot.pos, slot.trail.past(), by, plane, plies);
            plane += writer.size();
        }
    }

    std::shared_ptr<const Variant> variant_;
    typename G::Rules rules_;
    Seen seen_;
    View<G> view_;
    Actions<G> actions_;
    Setup<Position> start_;
    std::vector<Slot> slots_;
    std::vector<int> chosen_;
    Columns columns_;
    Random random_{0};
    int opening_plies_ = 0;
};

}  // namespace damier
