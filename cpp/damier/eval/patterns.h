// Tables over regions of squares (eval/pattern_inputs.h): the weights of the states of a position for one side, minus
// those for the other side, plus one for the turn. Weights are interpolated between phases by the number of pieces
// left. Nothing is kept along the line of play: a region's state is found by two bit extractions.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "damier/base/error.h"
#include "damier/eval/evaluator.h"
#include "damier/eval/pattern_inputs.h"

namespace damier {

constexpr int PatternOne = 1024;  // the integer that stands for 1
constexpr int PatternLargestScale = 10'000;
constexpr std::size_t PatternMostPhases = 8;

// What tables hold; check() refuses what does not fit.
struct PatternWeights {
    std::vector<std::int16_t> states;  // a row of one number per phase for each state, PatternOne standing for 1
    std::vector<std::int16_t> turn;    // one per phase
    int scale = 0;                     // a sum of 1, in hundredths of a man
    Calibration calibration{};

    std::size_t phases() const { return turn.size(); }
    void check(std::size_t expected) const;  // throws Error
};

// The two phases for a number of pieces: `high` parts of the later one, out of as many as there are at the start.
struct PatternPhase {
    std::size_t low;
    int high;
};
std::vector<PatternPhase> pattern_phases(std::size_t phases, std::size_t start_pieces);  // by the number of pieces

// Adds up rows, for two neighbouring phases.
struct PatternSum {
    std::int32_t low = 0;
    std::int32_t high = 0;

    void add(const std::int16_t* row, int times = 1) { low += times * row[0], high += times * row[1]; }
};

template <Game G>
class PatternEvaluator final : public Evaluator<G> {
  public:
    using Position = typename G::Position;
    using Inputs = PatternInputs<G>;
    using PlaneSet = typename Inputs::PlaneSet;

    PatternEvaluator(std::string name, std::shared_ptr<const Inputs> inputs, const PatternWeights& weights)
        : name_(std::move(name)),
          inputs_(std::move(inputs)),
          tables_(std::make_shared<const Tables>(*inputs_, weights)) {}

    std::string name() const override { return name_; }
    Calibration calibration() const override { return tables_->calibration; }
    std::unique_ptr<Evaluator<G>> clone() const override { return std::make_unique<PatternEvaluator>(*this); }

    Score evaluate(const Position& pos) override {
        const auto planes = G::planes(pos);
        const Weigher weigh(*inputs_, *tables_, planes);
        PatternSum sum;
        for (const Side side : {Side::White, Side::Black}) {
            PatternSum of_side;
            for (std::size_t region = 0; region < inputs_->regions(); ++region) of_side.add(weigh.region(region, side));
            weigh.others(side, of_side);
            const int sign = side == pos.turn() ? 1 : -1;
            sum.low += sign * of_side.low;
            sum.high += sign * of_side.high;
        }
        sum.add(weigh.turn());
        const std::int64_t whole = std::int64_t{tables_->whole} * PatternOne;
        return clamp_evaluation(static_cast<int>(tables_->weighted(sum, weigh.phase) * tables_->scale / whole));
    }

    // The value of pieces for either side by their squares, of later kinds also by their number, and what each
    // region adds to that.
    std::vector<Term> terms(const Position& pos) override {
        const auto planes = G::planes(pos);
        const Weigher weigh(*inputs_, *tables_, planes);
        std::vector<Term> terms;
        const auto add = [&](std::string name, auto of_side) {
            Term term{.name = std::move(name)};
            term.white = in_hundredths(of_side(Side::White), weigh.phase);
            term.black = in_hundredths(of_side(Side::Black), weigh.phase);
            term.total = *term.white - *term.black;
            terms.push_back(std::move(term));
        };
        for (std::size_t kind = 0; kind < inputs_->kinds(); ++kind)
            add(inputs_->kind_name(kind), [&](Side side) { return weigh.pieces(kind, side); });
        for (std::size_t kind = 1; kind < inputs_->kinds(); ++kind)
            add(inputs_->tables()[kind].name, [&](Side side) { return weigh.counts(kind, side); });
        for (std::size_t region = 0; region < inputs_->regions(); ++region)
            add(inputs_->region_name(region), [&](Side side) { return weigh.region_alone(region, side); });
        PatternSum turn;
        turn.add(weigh.turn());
        const double sign = pos.turn() == Side::White ? 1 : -1;
        terms.push_back({.name = "turn", .total = sign * in_hundredths(turn, weigh.phase)});
        return terms;
    }

  private:
    double in_hundredths(PatternSum sum, const PatternPhase& phase) const {
        return static_cast<double>(tables_->weighted(sum, phase)) * tables_->scale / tables_->whole / PatternOne;
    }

    // A piece of the first kind whose worth by its square is part of a region: the owner's square, where it looks from.
    struct Folded {
        int sq;
        bool own;
    };

    // The weights, with what the first kind of piece is worth by its square put into one of the regions that hold it.
    struct Tables {
        Tables(const Inputs& inputs, const PatternWeights& weights)
            : calibration(weights.calibration),
              scale(weights.scale),
              phases(pattern_phases(weights.phases(), inputs.most_pieces())),
              whole(static_cast<int>(phases.size()) - 1),
              stride(weights.phases()),
              states(weights.states),
              turn(weights.turn) {
            weights.check(inputs.size());
            fold_pieces(inputs);
            for (auto* numbers : {&states, &turn}) numbers->push_back(0);  // with one phase, sums look at the next row
        }

        const std::int16_t* row(std::size_t state) const { return states.data() + state * stride; }
        std::int64_t weighted(PatternSum sum, const PatternPhase& phase) const {
            return std::int64_t{sum.low} * (whole - phase.high) + std::int64_t{sum.high} * phase.high;
        }

        Calibration calibration;
        int scale;
        std::vector<PatternPhase> phases;  // by the number of pieces
        int whole;                         // the parts that phases have
        std::size_t stride;
        std::vector<std::int16_t> states;
        std::vector<std::int16_t> turn;
        std::vector<std::vector<Folded>> folded;  // by region
        std::array<Bits, 2> loose{};              // squares in no region, by side

      private:
        // Own pieces go into the first region that has their square, the rest into one that the other side looks at.
        void fold_pieces(const Inputs& inputs) {
            std::array<bool, 64> held{};
            folded.resize(inputs.regions());
            for (const bool own : {true, false}) {
                for (std::size_t region = 0; region < inputs.regions(); ++region) {
                    std::vector<int> worths;  // the state of the piece on each square, or none
                    for (const int sq : inputs.region_squares(region)) {
                        const int owners = own ? sq : inputs.turned(sq);
                        const bool is_new = !std::exchange(held[static_cast<std::size_t>(owners)], true);
                        worths.push_back(is_new ? static_cast<int>(inputs.piece_state(0, owners, Side::White)) : -1);
                        if (is_new) folded[region].push_back({owners, own});
                    }
                    fold(inputs.first_of_region(region), worths, own);
                }
            }
            for (const int sq : inputs.all_squares()) {
                if (held[static_cast<std::size_t>(sq)]) continue;
                loose[0] |= bit(sq);
                loose[1] |= bit(inputs.turned(sq));
            }
        }
        // States in order: with one more digit, the empty square comes first, then an own piece, then an enemy.
        void fold(std::size_t first, const std::vector<int>& worths, bool own) {
            std::vector<int> sums(stride);
            for (const int worth : worths) {
                const std::size_t before = sums.size();
                sums.resize(3 * before);
                for (std::size_t i = 0; i < before; ++i) {
                    const int more = worth < 0 ? 0 : row(static_cast<std::size_t>(worth))[i % stride];
                    sums[before + i] = sums[i] + (own ? more : 0);
                    sums[2 * before + i] = sums[i] - (own ? 0 : more);
                }
            }
            std::int16_t* const table = states.data() + first * stride;
            for (std::size_t i = 0; i < sums.size(); ++i) {
                const int together = table[i] + sums[i];
                if (together < INT16_MIN || together > INT16_MAX)
                    throw Error("its weights are too large: those of a region and its pieces do not fit in 16 bits");
                table[i] = static_cast<std::int16_t>(together);
            }
        }
    };

    // Rows of the tables for one position.
    struct Weigher {
        Weigher(const Inputs& of, const Tables& held, const PlaneSet& on)
            : inputs(of),
              tables(held),
              planes(on),
              phase(held.phases[std::min(Inputs::pieces(on), held.phases.size() - 1)]) {}

        const std::int16_t* row(std::size_t state) const { return tables.row(state) + phase.low; }
        const std::int16_t* turn() const { return tables.turn.data() + phase.low; }
        const std::int16_t* region(std::size_t number, Side side) const {
            return row(inputs.first_of_region(number) + inputs.region_state(planes, number, side));
        }
        Bits plane(std::size_t kind, Side side) const {
            return planes[static_cast<std::size_t>(index(side)) * Inputs::Kinds + kind];
        }

        // Everything except the regions, for one side.
        void others(Side side, PatternSum& sum) const {
            const Bits loose = plane(0, side) & tables.loose[static_cast<std::size_t>(index(side))];
            for (const int sq : squares(loose)) sum.add(row(inputs.piece_state(0, sq, side)));
            for (std::size_t kind = 1; kind < inputs.kinds(); ++kind) {
                for (const int sq : squares(plane(kind, side))) sum.add(row(inputs.piece_state(kind, sq, side)));
                sum.add(row(inputs.first_of_counts(kind) + inputs.count_state(planes, kind, side)));
            }
        }

        PatternSum counts(std::size_t kind, Side side) const {
            PatternSum sum;
            sum.add(row(inputs.first_of_counts(kind) + inputs.count_state(planes, kind, side)));
            return sum;
        }
        PatternSum pieces(std::size_t kind, Side side) const {
            PatternSum sum;
            for (const int sq : squares(plane(kind, side))) sum.add(row(inputs.piece_state(kind, sq, side)));
            return sum;
        }
        // Without the pieces whose worth is part of it.
        PatternSum region_alone(std::size_t number, Side side) const {
            PatternSum sum;
            sum.add(region(number, side));
            for (const auto& piece : tables.folded[number]) {
                const Side owner = piece.own ? side : !side;
                const int sq = owner == Side::White ? piece.sq : inputs.turned(piece.sq);
                if (has(plane(0, owner), sq)) sum.add(row(inputs.piece_state(0, sq, owner)), piece.own ? -1 : 1);
            }
            return sum;
        }

        const Inputs& inputs;
        const Tables& tables;
        const PlaneSet& planes;
        const PatternPhase phase;
    };

    std::string name_;
    std::shared_ptr<const Inputs> inputs_;
    std::shared_ptr<const Tables> tables_;
};

}  // namespace damier
