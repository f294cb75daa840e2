// Everything a game of its own needs to enter the registry: include this, describe the game, call add_game<G>().

#pragma once

#include <functional>

#include "damier/engine/function_probe.h"
#include "damier/engine/game_batch.h"
#include "damier/engine/game_board.h"
#include "damier/engine/game_engine.h"
#include "damier/engine/game_evaluations.h"
#include "damier/engine/variant.h"
#include "damier/search/textbook/search.h"

namespace damier {

// What a game brings besides its rules, the same for all its variants.
template <Game G>
struct GameSettings {
    std::vector<NamedEvaluation<G>> evaluations;  // the first is the engine's
    std::vector<FeatureSet<G>> features;
    Tunables tunables{};  // that suit its search, as measured

    // Articles on which rule sets differ, where callers may choose them one by one; `choose` throws Error.
    std::function<Articles(const typename G::Rules&)> articles{};
    std::function<typename G::Rules(typename G::Rules, const Articles&)> choose{};
};

template <Game G>
class GameVariant final : public Variant {
  public:
    using Rules = typename G::Rules;
    using Position = typename G::Position;
    using Settings = std::shared_ptr<const GameSettings<G>>;

    GameVariant(VariantInfo info, const Rules& rules, Settings settings)
        : Variant(std::move(info), G::squares(rules)),
          rules_(rules),
          settings_(std::move(settings)),
          evaluations_(rules, this->info().family, settings_->evaluations, settings_->features) {}

    const Rules& rules() const { return rules_; }

    std::string text(const Move& move) const override {
        if constexpr (WritesMoves<G>) {
            return G::text(move);
        } else {
            return usual_text(move);
        }
    }

    std::unique_ptr<Board> board(const std::optional<std::string>& fen) const override {
        const auto start = fen ? G::read_fen(*fen, rules_) : Setup<Position>{G::start(rules_)};
        return std::make_unique<GameBoard<G>>(shared_from_this(), rules_, squares_of(), start);
    }
    std::unique_ptr<BoardBatch> batch(std::size_t size, Seen seen) const override {
        return std::make_unique<GameBatch<G>>(shared_from_this(), rules_, size, seen);
    }
    std::unique_ptr<Engine> engine() const override {
        return std::make_unique<GameEngine<G>>(rules_, settings_->tunables,
                                               evaluations_.make(std::string(settings_->evaluations.front().name)));
    }
    const Evaluations& evaluations() const override { return evaluations_; }

    Articles articles() const override { return settings_->articles ? settings_->articles(rules_) : Articles{}; }
    std::shared_ptr<const Variant> with(const Articles& articles) const override {
        if (articles.empty()) return shared_from_this();
        if (!settings_->choose) throw Error(name() + " has no articles to choose, got " + articles.begin()->first);
        auto other = std::make_shared<GameVariant>(*this);
        other->rules_ = settings_->choose(rules_, articles);
        other->evaluations_ = {other->rules_, info().family, settings_->evaluations, settings_->features};
        return other;
    }

    SearchResult search(const Board& board, textbook::Algorithm algorithm, const textbook::Options& options,
                        AnyEvaluator& evaluator, const std::shared_ptr<const AnyEndgameProbe>& probe,
                        const std::atomic<bool>& stop) const override {
        const auto own = of_this_game<G>(evaluator, rules_).clone();
        const auto known = of_this_game<EndgameProbe<G>>(probe, rules_, "the endgame database");
        return textbook::search<G>(algorithm, of_this_game<G>(board, rules_).record(), *own, options, squares_of(),
                                   stop, known.get());
    }
    std::shared_ptr<const AnyEndgameProbe> probe(const Board& like, BoardProbe ask) const override {
        return std::make_shared<const FunctionProbe<G>>(of_this_game<G>(like, rules_), std::move(ask));
    }
    std::shared_ptr<const AnyOpeningBook> book(const Board& like, BoardBook ask) const override {
        return std::make_shared<const FunctionBook<G>>(of_this_game<G>(like, rules_), std::move(ask));
    }
    std::string text(const Board& board, const textbook::Trace& trace, std::size_t row) const override {
        using textbook::Role;
        if (trace.role[row] == Role::Root) return "";
        if (trace.role[row] == Role::Pass) return "pass";
        const auto& root = of_this_game<G>(board, rules_).position();
        return G::text(before(root, trace, row), G::native(trace.move[row]));
    }

  private:
    // The position in which the move of a row was played.
    static Position before(const Position& root, const textbook::Trace& trace, std::size_t row) {
        const auto parent = static_cast<std::size_t>(trace.parent[row]);
        if (trace.role[parent] == textbook::Role::Root) return root;
        auto pos = before(root, trace, parent);
        if (trace.role[parent] != textbook::Role::Pass) {
            pos.play(G::native(trace.move[parent]));
        } else if constexpr (CanPass<G>) {
            pos.pass();
        }
        return pos;
    }

    Rules rules_;
    Settings settings_;
    GameEvaluations<G> evaluations_;
};

// DAMIER_GAMES(registry) { add_game<...>(registry, ...); } makes a shared library of games for damier.load_games().
#define DAMIER_GAMES(registry)                                                          \
    extern "C" std::uint64_t damier_header_layout() { return damier::header_layout(); } \
    extern "C" void damier_add_games(damier::Registry& registry)

// Enters a variant of a game.
template <Game G>
const Variant& add_game(Registry& registry, VariantInfo info, const typename G::Rules& rules,
                        std::shared_ptr<const GameSettings<G>> settings) {
    return registry.add(std::make_shared<GameVariant<G>>(std::move(info), rules, std::move(settings)));
}

}  // namespace damier
