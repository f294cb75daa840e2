// Evaluations for tests that search below the door: the engine's own, one that is quick, and one that follows the line.

#pragma once

#include <atomic>

#include "damier/base/error.h"
#include "damier/base/random.h"
#include "damier/eval/plain.h"
#include "damier/eval/tapered_evaluator.h"
#include "damier/game/record.h"
#include "damier/games/chess/chess.h"
#include "damier/games/chess/classic.h"
#include "damier/games/chess/evaluation.h"
#include "damier/games/draughts/classic.h"
#include "damier/games/draughts/draughts.h"
#include "damier/games/draughts/evaluation.h"
#include "damier/games/loa/classic.h"
#include "damier/games/loa/evaluation.h"
#include "damier/games/loa/loa.h"

namespace damier {

// The engine's own evaluation by these rules.
template <Game G>
std::unique_ptr<Evaluator<G>> classic(const typename G::Rules& rules = {}) {
    if constexpr (std::is_same_v<G, Loa>) {
        return std::make_unique<TaperedEvaluator<G, loa::Classic>>("classic", loa::classic_weights());
    } else if constexpr (std::is_same_v<G, Chess>) {
        return std::make_unique<TaperedEvaluator<G, chess::Classic>>("classic", chess::classic_weights());
    } else {
        const auto& weights = draughts::classic_weights(rules->name);
        if (rules->board == &draughts::Dark10)
            return std::make_unique<TaperedEvaluator<G, draughts::Classic<draughts::Dark10>>>("classic", weights);
        return std::make_unique<TaperedEvaluator<G, draughts::Classic<draughts::Dark8>>>("classic", weights);
    }
}

template <Game G>
std::unique_ptr<Evaluator<G>> quick() {
    if constexpr (std::is_same_v<G, Loa>) {
        return std::make_unique<PlainEvaluator<G>>("material", loa::material, loa::material_terms, Calibration{});
    } else if constexpr (std::is_same_v<G, Chess>) {
        return std::make_unique<PlainEvaluator<G>>("ocap", chess::ocap, chess::ocap_terms, Calibration{});
    } else {
        return classic<G>(draughts::English);
    }
}

// The quick one, made once.
template <Game G>
const Evaluator<G>& evaluator() {
    static const auto made = quick<G>();
    return *made;
}

template <Game G>
std::vector<typename G::Move> moves_of(const Record<G>& record) {
    typename G::MoveList list;
    record.legal_moves(list);
    return {list.begin(), list.end()};
}

// Judges like the quick one and keeps a hash of the board along the line of play, from what each move changes; throws
// where that differs from the hash of the position it is asked about.
template <Game G>
class FollowingEvaluator final : public Evaluator<G> {
  public:
    using Position = typename G::Position;
    using Move = typename G::Move;
    struct Counts {
        std::atomic<int> evaluated = 0, null_moves = 0, deepest = 0;
    };

    std::string name() const override { return "following"; }
    std::unique_ptr<Evaluator<G>> clone() const override {
        auto copy = std::make_unique<FollowingEvaluator>();
        copy->counts_ = counts_;
        return copy;
    }
    Score evaluate(const Position& pos) override {
        ++counts_->evaluated;
        if (hashes_.empty() || hashes_.back() != hash(pos)) throw Error("what follows the line is out of step");
        return judge_->evaluate(pos);
    }
    std::vector<Term> terms(const Position& pos) override { return judge_->terms(pos); }

    bool follows_line() const override { return true; }
    void on_root(const Position& root) override { hashes_.assign(1, hash(root)); }
    void on_push(const Position& before, Move, const Position& after) override { push(before, after); }
    void on_null_move(const Position& before, const Position& after) override {
        ++counts_->null_moves;
        push(before, after);
    }
    void on_pop() override { hashes_.pop_back(); }

    const Counts& counts() const { return *counts_; }

  private:
    static std::uint64_t number(std::size_t plane, int sq) {
        std::uint64_t state = 64 * plane + static_cast<std::uint64_t>(sq);
        return splitmix(state);
    }
    static std::uint64_t side(const Position& pos) { return pos.turn() == Side::White ? 0 : 1; }
    static std::uint64_t hash(const Position& pos) {
        std::uint64_t sum = side(pos);
        const auto planes = G::planes(pos);
        for (std::size_t plane = 0; plane < planes.size(); ++plane)
            for (const int sq : squares(planes[plane])) sum ^= number(plane, sq) << 1;
        return sum;
    }
    void push(const Position& before, const Position& after) {
        std::uint64_t sum = hashes_.back() ^ side(before) ^ side(after);
        const auto was = G::planes(before), is = G::planes(after);
        for (std::size_t plane = 0; plane < was.size(); ++plane)
            for (const int sq : squares(was[plane] ^ is[plane])) sum ^= number(plane, sq) << 1;
        hashes_.push_back(sum);
        counts_->deepest = std::max(counts_->deepest.load(), static_cast<int>(hashes_.size()) - 1);
    }

    std::unique_ptr<Evaluator<G>> judge_ = quick<G>();
    std::shared_ptr<Counts> counts_ = std::make_shared<Counts>();
    std::vector<std::uint64_t> hashes_;
};

}  // namespace damier
