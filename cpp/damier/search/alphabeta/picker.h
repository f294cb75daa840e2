// The order in which the moves of a node are tried: the table's, good captures, quiet moves by what refuted siblings
// and by history, then captures that lose by exchange. Each stage is scored only when it is reached.

#pragma once

#include <optional>

#include "damier/base/list.h"
#include "damier/search/alphabeta/statistics.h"
#include "damier/search/alphabeta/transposition_table.h"
#include "damier/search/alphabeta/tunables.h"

namespace damier {

// What is known of a node before its moves are tried.
template <Game G>
struct Hints {
    using Move = typename G::Move;
    using Row = typename Statistics<G>::Row;

    std::uint16_t table_code = 0;
    std::array<std::uint16_t, 2> killers{};
    std::uint16_t counter = 0;
    std::array<const Row*, ContinuationPlies.size()> following{};  // null where there was no such move
};

// Asks memory for what the table knows after a move: it comes while something else is done.
template <Game G>
struct LookAhead {
    const TranspositionTable& table;
    Key salt;

    void operator()([[maybe_unused]] const typename G::Position& pos, [[maybe_unused]] typename G::Move move) const {
        if constexpr (ForeseesKeys<G>) table.prefetch(pos.key_after(move) ^ salt);
    }
};

template <Game G>
class Picker {
  public:
    using Position = typename G::Position;
    using Move = typename G::Move;
    using MoveList = typename G::MoveList;

    Picker(const Position& pos, const MoveList& moves, const Hints<G>& hints, Statistics<G>& statistics,
           const Tunables& tunables, LookAhead<G> look_ahead)
        : pos_(pos),
          moves_(moves),
          hints_(hints),
          statistics_(statistics),
          tunables_(tunables),
          look_ahead_(look_ahead) {
        sort_into_kinds();
    }

    // The next move, or none; history() is that of the move last given.
    const Move* next() {
        switch (stage_) {
            case Stage::TranspositionTable:
                stage_ = Stage::Scoring;
                if (table_ >= 0) return give(static_cast<std::size_t>(table_), HistoryScore::Most);
                [[fallthrough]];
            case Stage::Scoring:
                stage_ = Stage::Tactical;
                score_tactical();
                [[fallthrough]];
            case Stage::Tactical:
                while (tried_tactical_ < tactical_.size()) {
                    const Pick pick = take_best(tactical_, tried_tactical_);
                    if (!loses_material<G>(pos_, moves_[pick.index()])) {
                        find_best(tactical_, tried_tactical_);
                        return give(pick);
                    }
                    bad_.push_back(pick);
                }
                stage_ = Stage::Quiet;
                if (wanted_ == Wanted::All) score_quiet();
                [[fallthrough]];
            case Stage::Quiet:
                if (const Move* move = next_quiet()) return move;
                stage_ = Stage::Bad;
                [[fallthrough]];
            case Stage::Bad:
                if (tried_bad_ < bad_.size()) return give(bad_[tried_bad_++]);
        }
        return nullptr;
    }

    bool in_bad_captures() const { return stage_ == Stage::Bad; }
    bool in_good_captures() const { return stage_ == Stage::Tactical; }  // they lose nothing by exchange
    int history() const { return history_; }

    // From now on leaves out quiet moves: all, or all that force no answer.
    void skip_quiet() { wanted_ = Wanted::None; }
    void skip_unforcing() {
        if constexpr (KnowsForcing<G>) {
            if (wanted_ != Wanted::All) return;
            forcing_.emplace(pos_.forcing());
            wanted_ = Wanted::Forcing;
        } else {
            skip_quiet();
        }
    }
    bool skips_quiet() const { return wanted_ == Wanted::None; }

  private:
    static constexpr int PrizeFactor = 32;     // what is won counts far more than what captures did before
    static constexpr int HintBonus = 1 << 20;  // above any history
    static constexpr int FirstKiller = 3, SecondKiller = 2;  // in bonuses, against one for the counter move
    static constexpr int QuietHistoryFactor = 2;             // against one for the history by the moves before

    enum class Stage : std::uint8_t { TranspositionTable, Scoring, Tactical, Quiet, Bad };
    enum class Wanted : std::uint8_t { All, Forcing, None };  // of the quiet moves

    static auto forcing_in(const Position& pos) {
        if constexpr (KnowsForcing<G>) {
            return pos.forcing();
        } else {
            return false;
        }
    }
    using Forcing = decltype(forcing_in(std::declval<const Position&>()));

    // A move to try. Score, place in its list and index among the moves share a word: the greatest word is the best
    // move and, of equals, the one that comes first.
    struct Pick {
        std::int64_t word;

        static Pick unscored(std::size_t index) { return {static_cast<std::int64_t>(index)}; }
        static Pick of(int score, std::size_t place, std::size_t index) {
            return {static_cast<std::int64_t>(score) * (std::int64_t{1} << 32) +
                    static_cast<std::int64_t>((0xFFFF - place) << 16 | index)};
        }
        int score() const { return static_cast<int>(word >> 32); }
        std::size_t place() const { return 0xFFFF - (static_cast<std::size_t>(word) >> 16 & 0xFFFF); }
        std::size_t index() const { return static_cast<std::size_t>(word) & 0xFFFF; }
    };
    static constexpr std::int64_t None = INT64_MIN;
    static constexpr std::size_t UsualMoves = 96;  // more are kept on the heap
    using Picks = SpillList<Pick, UsualMoves>;

    // Writes every move into both lists and keeps it in one: which kind comes next cannot be predicted.
    void sort_into_kinds() {
        const std::size_t n = moves_.size();
        Pick* tactical = tactical_.extend(n);
        Pick* quiet = quiet_.extend(n);
        std::size_t tacticals = 0, quiets = 0;
        const Move* const moves = moves_.begin();
        const std::uint16_t table_code = hints_.table_code;
        const bool tactics_first = tunables_.tactics_first;
        bool look = table_code != 0;
        for (std::size_t i = 0; i < n; ++i) {
            const Move move = moves[i];
            if (look && G::code(move) == table_code) {
                table_ = static_cast<int>(i);
                look = false;
                continue;
            }
            const bool first = tactics_first & is_tactical<G>(pos_, move);
            tactical[tacticals] = quiet[quiets] = Pick::unscored(i);
            tacticals += first;
            quiets += !first;
        }
        tactical_.resize_down(tacticals);
        quiet_.resize_down(quiets);
    }

    void score_tactical() {
        if constexpr (HasTactics<G>) {
            for (std::size_t place = 0; place < tactical_.size(); ++place) {
                const std::size_t index = tactical_[place].index();
                const Move move = moves_[index];
                const int score = PrizeFactor * pos_.prize(move) + statistics_.tactical(pos_.turn(), G::code(move));
                tactical_[place] = Pick::of(score, place, index);
            }
        }
    }

    void score_quiet() {
        const auto [first, second] = hints_.killers;
        const std::uint16_t counter = hints_.counter;
        const Move* const moves = moves_.begin();
        Pick* const picks = quiet_.begin();
        for (std::size_t place = 0, n = quiet_.size(); place < n; ++place) {
            const std::size_t index = picks[place].index();
            const std::uint16_t code = G::code(moves[index]);
            const int hint = FirstKiller * (code == first) + SecondKiller * (code == second) + (code == counter);
            picks[place] = Pick::of(history_of(moves[index], code) + hint * HintBonus, place, index);
        }
    }

    const Move* next_quiet() {
        if (wanted_ == Wanted::All && tried_quiet_ < quiet_.size()) {
            const Pick pick = take_best(quiet_, tried_quiet_);
            find_best(quiet_, tried_quiet_);
            return give(pick);
        }
        if constexpr (KnowsForcing<G>) {
            while (wanted_ == Wanted::Forcing && tried_quiet_ < quiet_.size()) {
                const Pick pick = quiet_[tried_quiet_++];
                if ((*forcing_)(moves_[pick.index()])) return give(pick);
            }
        }
        return nullptr;
    }

    int history_of(Move move, std::uint16_t code) const {
        int sum = tunables_.history ? QuietHistoryFactor * statistics_.quiet(pos_.turn(), code) : 0;
        if constexpr (HasShapes<G>) {
            const auto shape = static_cast<std::size_t>(pos_.shape(move));
            for (const auto* row : hints_.following)
                if (row) sum += (*row)[shape];
        }
        return sum;
    }

    // Finds the best of the moves not tried yet, one move ahead so that memory has time.
    void find_best(const Picks& picks, std::size_t tried) {
        if (best_ != None || tried == picks.size()) return;
        std::int64_t best = None;
        for (const Pick *pick = picks.begin() + tried, *end = picks.end(); pick != end; ++pick)
            best = std::max(best, pick->word);
        best_ = best;
        look_ahead_(pos_, moves_[Pick{best}.index()]);
    }

    // Takes the best of the moves not tried yet, and puts the next one into its place.
    Pick take_best(Picks& picks, std::size_t& tried) {
        find_best(picks, tried);
        const Pick taken{best_};
        best_ = None;
        const Pick next = picks[tried++];
        picks[taken.place()] = Pick::of(next.score(), taken.place(), next.index());
        return taken;
    }

    const Move* give(Pick pick) { return give(pick.index(), pick.score()); }
    const Move* give(std::size_t index, int history) {
        history_ = history;
        return &moves_[index];
    }

    const Position& pos_;
    const MoveList& moves_;
    const Hints<G>& hints_;
    Statistics<G>& statistics_;
    const Tunables& tunables_;
    const LookAhead<G> look_ahead_;
    Picks tactical_, quiet_, bad_;
    std::size_t tried_tactical_ = 0, tried_quiet_ = 0, tried_bad_ = 0;
    int table_ = -1;
    int history_ = 0;
    std::int64_t best_ = None;  // of the list that is being tried, if found already
    Stage stage_ = Stage::TranspositionTable;
    Wanted wanted_ = Wanted::All;
    std::optional<Forcing> forcing_;
};

}  // namespace damier
