// The evaluations and features of a game, for callers that learn only at run time which game it is.

#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/engine/board.h"
#include "damier/eval/evaluator.h"
#include "damier/eval/network.h"
#include "damier/eval/nnue.h"
#include "damier/eval/patterns.h"
#include "damier/eval/position_rows.h"
#include "damier/eval/sample_buffer.h"
#include "damier/eval/samples.h"

namespace damier {

class Evaluations {
  public:
    virtual ~Evaluations() = default;

    // By name, or by the path of a file of weights (Error for one that the game does not know or that does not fit);
    // the first is the engine's.
    virtual std::vector<std::string> names() const = 0;
    virtual std::shared_ptr<AnyEvaluator> make(const std::string& name_or_path) const = 0;

    // Of the board's position, for the side to move, and term by term for people.
    virtual Score evaluate(const Board& board, AnyEvaluator& evaluator) const = 0;
    virtual std::vector<Term> terms(const Board& board, AnyEvaluator& evaluator) const = 0;

    virtual std::vector<std::string> feature_sets() const = 0;
    virtual std::vector<std::string> feature_names(std::string_view set) const = 0;
    virtual std::vector<std::size_t> turned_features(std::string_view set) const = 0;
    // Of a network over pieces on squares, by the name of a set: "nnue", or "nnue:kings" with king buckets. What its
    // inputs are, how many buckets there are, and how many pieces there are at the start.
    virtual std::vector<std::string> nnue_inputs(std::string_view set) const = 0;
    virtual std::size_t king_buckets() const = 0;
    virtual std::size_t start_pieces() const = 0;
    // Of tables over windows of the board (eval/windows.h), the game's own for none: which those are, what each table
    // is about and how many states it has; and all that decides what the numbers of states mean, as text.
    virtual std::string pattern_windows(std::string_view windows) const = 0;
    virtual std::vector<PatternTable> pattern_tables(std::string_view windows) const = 0;
    virtual std::vector<std::string> pattern_names(std::string_view windows) const = 0;
    virtual std::vector<float> features(const Board& board, std::string_view set) const = 0;

    // Evaluations made of what callers give: weights, layers, or a function that is asked about a board of the
    // position, for the side to move.
    virtual std::shared_ptr<AnyEvaluator> linear(std::string name, std::string_view set, std::vector<double> weights,
                                                 Calibration calibration) const = 0;
    virtual std::shared_ptr<AnyEvaluator> network(std::string name, std::string_view set,
                                                  std::vector<DenseLayer> layers, double scale, Calibration calibration,
                                                  bool both_sides) const = 0;
    virtual std::shared_ptr<AnyEvaluator> nnue(std::string name, std::string_view set, NnueWeights weights) const = 0;
    virtual std::shared_ptr<AnyEvaluator> patterns(std::string name, std::string_view windows,
                                                   const PatternWeights& weights) const = 0;
    using BoardValue = std::function<double(std::unique_ptr<Board>)>;
    virtual std::shared_ptr<AnyEvaluator> function(std::string name, const Board& like, BoardValue value) const = 0;

    // For evaluations that are sums of weighted features; an Error for others.
    virtual std::vector<FeatureGroup> groups(const AnyEvaluator& evaluator) const = 0;
    virtual std::vector<Worth> weights(const AnyEvaluator& evaluator) const = 0;
    virtual std::shared_ptr<AnyEvaluator> with_weights(const AnyEvaluator& evaluator,
                                                       std::span<const Worth> weights) const = 0;
    // Of games that began where the board's did.
    virtual Samples sample(const Board& board, AnyEvaluator& evaluator, const PlayedGames& games,
                           const Selection& selection, const std::atomic<bool>& stop) const = 0;
    // Samples described by the features of a set, "nnue" (or "nnue:kings") by the numbers of active inputs, "patterns"
    // (and windows, if others than usual, behind a colon) by the numbers of states, or by planes for none.
    virtual std::unique_ptr<SampleBuffer> sample_buffer(std::optional<std::string_view> set,
                                                        const SampleOptions& options) const = 0;
    // All positions of games, in order, as packed squares; fewer games once `stop` is set.
    virtual PositionRows position_rows(const PlayedGames& games, const GameStarts& starts,
                                       const std::atomic<bool>& stop) const = 0;
};

}  // namespace damier
