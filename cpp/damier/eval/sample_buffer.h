// Samples for learning, shuffled: games go in move by move, positions come out at random as batches of numbers.

#pragma once

#include <array>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "damier/base/memory.h"
#include "damier/base/random.h"
#include "damier/eval/features.h"
#include "damier/eval/nnue_inputs.h"
#include "damier/eval/pattern_inputs.h"
#include "damier/eval/sample_planes.h"
#include "damier/eval/samples.h"
#include "damier/eval/score.h"
#include "damier/game/codes.h"

namespace damier {

// Which positions of a game become samples. Each is one in which a move was played.
struct SampleFilter {
    int skip = 0;              // the first plies are left out
    int every = 1;             // one in so many is taken, at random
    bool in_check = true;      // also where the position is not quiet
    bool tactical = true;      // also where the move played is tactical
    bool unscored = true;      // also where no search left a score
    int max_score = Infinite;  // scores further from 0 are left out

    bool takes_score(std::int16_t score) const {
        if (score == NotSearched) return unscored;
        return std::abs(int{score}) <= max_score;
    }
};

struct SampleOptions {
    SampleFilter filter;
    bool symmetries = false;  // each sample is given as one of its images, at random
    std::uint64_t seed = 0;
    std::size_t expected = 0;  // so many samples are held at a time
};

// Samples as columns, all from the view of the side to move.
struct SampleBatch {
    std::size_t size = 0;
    std::unique_ptr<std::uint8_t[]> planes;  // or
    std::unique_ptr<float[]> features;       // or
    std::unique_ptr<std::int16_t[]> inputs;  // or
    std::unique_ptr<std::int32_t[]> states;  // whichever is asked for, sample by sample
    std::vector<float> scores;               // NaN where there is none
    std::vector<float> results;              // from 0 for a loss to 1 for a win
    std::vector<std::int32_t> plies;         // played before
    std::vector<std::int32_t> plies_left;
};

// Where games began: a FEN each, or the usual start for none. `of` has a place in `fens` for each game.
struct GameStarts {
    std::span<const std::optional<std::string>> fens;
    std::span<const std::int32_t> of;
};

// The items of one game out of those of all.
template <class T>
std::span<const T> part_of(std::span<const T> items, std::span<const std::int32_t> ends, std::size_t game) {
    if (ends.empty()) return {};
    const std::int32_t begin = game == 0 ? 0 : ends[game - 1], end = ends[game];
    if (begin < 0 || end < begin || static_cast<std::size_t>(end) > items.size())
        throw DataError("its columns do not fit");
    return items.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

// Where a game began. Most games begin where the last one did.
template <Game G>
class StartReader {
  public:
    explicit StartReader(const typename G::Rules& rules) : rules_(rules) {}

    const typename G::Position& operator()(const GameStarts& starts, std::size_t game) {
        const auto at = starts.of[game];
        if (at < 0 || static_cast<std::size_t>(at) >= starts.fens.size())
            throw DataError("there is no start " + std::to_string(at));
        const auto& fen = starts.fens[static_cast<std::size_t>(at)];
        if (!last_ || last_->first != fen)
            last_.emplace(fen, fen ? G::read_fen(*fen, rules_).position : G::start(rules_));
        return last_->second;
    }

  private:
    typename G::Rules rules_;
    std::optional<std::pair<std::optional<std::string>, typename G::Position>> last_;
};

// For callers that learn only at run time which game it is.
class SampleBuffer {
  public:
    virtual ~SampleBuffer() = default;
    virtual std::size_t size() const = 0;
    virtual std::vector<std::size_t> shape() const = 0;  // of what a sample is described by

    // Takes the samples of the games with these numbers. Throws DataError where codes make no sense.
    virtual void add(const PlayedGames& games, const GameStarts& starts, std::span<const std::int32_t> numbers) = 0;
    // Removes so many samples at random, all if there are fewer.
    virtual SampleBatch draw(std::size_t count) = 0;
};

template <Game G>
class GameSampleBuffer final : public SampleBuffer {
  public:
    using Position = typename G::Position;

    // Samples are described by features, by the inputs of a network, by the states of tables, or by planes, whichever
    // is given.
    GameSampleBuffer(const typename G::Rules& rules, const FeatureSet<G>* set, const NnueInputs<G>* inputs,
                     std::shared_ptr<const PatternInputs<G>> patterns, const SampleOptions& options)
        : set_(set),
          inputs_(inputs),
          patterns_(std::move(patterns)),
          options_(options),
          planes_(rules),
          random_(options.seed),
          start_(rules) {
        samples_.reserve(options.expected);
        ask_for_large_pages(samples_.data(), samples_.capacity() * sizeof(Sample));
    }

    std::size_t size() const override { return samples_.size(); }
    std::vector<std::size_t> shape() const override {
        if (set_) return {set_->size()};
        if (inputs_) return {2, inputs_->start_pieces()};
        if (patterns_) return {2, patterns_->width()};
        const auto shape = planes_.shape();
        return {shape.begin(), shape.end()};
    }

    void add(const PlayedGames& games, const GameStarts& starts, std::span<const std::int32_t> numbers) override {
        for (const auto number : numbers) {
            if (number < 0 || static_cast<std::size_t>(number) >= games.ends.size())
                throw DataError("there is no game " + std::to_string(number));
            const auto game = static_cast<std::size_t>(number);
            try {
                add_game(start_(starts, game), part_of(games.codes, games.ends, game),
                         part_of(games.scores, games.score_ends, game), games.results[game]);
            } catch (const DataError& error) {
                throw DataError("game " + std::to_string(number + 1) + ": " + error.what());
            }
        }
    }

    SampleBatch draw(std::size_t wanted) override {
        const std::size_t count = std::min(wanted, samples_.size());
        auto batch = room_for(count);
        choose(count);
        for (std::size_t row = 0; row < count; ++row) {
            if (row + Ahead < count) prefetch(chosen_[row + Ahead]);
            write(batch, row, samples_[chosen_[row]]);
            samples_[chosen_[row]] = samples_.back();
            samples_.pop_back();
        }
        return batch;
    }

  private:
    struct Sample {
        Position pos;
        std::int16_t score;
        std::uint16_t ply;
        std::uint16_t plies_left;
        std::uint8_t half_points;  // of the side to move
    };
    static constexpr std::size_t Ahead = 16;  // samples lie anywhere in memory: they are asked for early
    static constexpr std::size_t MostPlies = std::numeric_limits<std::uint16_t>::max();

    // Not set to zero: every number is written.
    template <class T>
    static std::unique_ptr<T[]> room(std::size_t count) {
        auto numbers = std::make_unique_for_overwrite<T[]>(count);
        ask_for_large_pages(numbers.get(), count * sizeof(T));
        return numbers;
    }
    SampleBatch room_for(std::size_t count) const {
        SampleBatch batch;
        batch.size = count;
        if (set_) {
            batch.features = room<float>(count * set_->size());
        } else if (inputs_) {
            batch.inputs = room<std::int16_t>(count * 2 * inputs_->start_pieces());
        } else if (patterns_) {
            batch.states = room<std::int32_t>(count * 2 * patterns_->width());
        } else {
            batch.planes = room<std::uint8_t>(count * planes_.size());
        }
        for (auto* column : {&batch.scores, &batch.results}) column->resize(count);
        for (auto* column : {&batch.plies, &batch.plies_left}) column->resize(count);
        return batch;
    }

    void add_game(Position pos, std::span<const std::uint16_t> codes, std::span<const std::int16_t> scores,
                  std::uint8_t result) {
        if (result > static_cast<std::uint8_t>(Result::Draw))
            throw DataError("result " + std::to_string(result) + " is not one of 0 to 2");
        const auto won_by = winner(static_cast<Result>(result));
        const SampleFilter& filter = options_.filter;
        const std::size_t before = samples_.size();
        std::size_t ply = 0;
        for (std::size_t at = 0; at < codes.size(); ++ply) {
            typename G::MoveList legal;
            pos.legal_moves(legal);
            const auto move = take_code<G>(legal, codes, at);
            const auto score = ply < scores.size() ? scores[ply] : NotSearched;
            if (is_chosen(ply) && filter.takes_score(score) && (filter.in_check || is_quiet<G>(pos)) &&
                (filter.tactical || !is_tactical<G>(pos, move))) {
                const int half_points = !won_by ? 1 : *won_by == pos.turn() ? 2 : 0;
                samples_.push_back(
                    {pos, score, static_cast<std::uint16_t>(ply), 0, static_cast<std::uint8_t>(half_points)});
            }
            pos.play(move);
        }
        if (ply > MostPlies) {
            samples_.erase(samples_.begin() + static_cast<std::ptrdiff_t>(before), samples_.end());
            throw DataError("it has " + std::to_string(ply) + " plies, expected " + std::to_string(MostPlies) +
                            " at most");
        }
        for (std::size_t i = before; i < samples_.size(); ++i)
            samples_[i].plies_left = static_cast<std::uint16_t>(ply - samples_[i].ply);
    }

    bool is_chosen(std::size_t ply) {
        if (ply < static_cast<std::size_t>(options_.filter.skip)) return false;
        const auto every = static_cast<std::uint32_t>(options_.filter.every);
        return every <= 1 || random_.below(every) == 0;
    }

    // The place of each sample to be drawn, at the time it is drawn.
    void choose(std::size_t count) {
        chosen_.resize(count);
        for (std::size_t row = 0; row < count; ++row)
            chosen_[row] = random_.below(static_cast<std::uint32_t>(samples_.size() - row));
    }
    void prefetch([[maybe_unused]] std::size_t at) const {
#if defined(__GNUC__)
        const auto* bytes = reinterpret_cast<const char*>(&samples_[at]);
        __builtin_prefetch(bytes);
        __builtin_prefetch(bytes + sizeof(Sample) - 1);
#endif
    }

    void write(SampleBatch& batch, std::size_t row, const Sample& sample) {
        const auto number =
            options_.symmetries ? random_.below(static_cast<std::uint32_t>(symmetries<G>(sample.pos))) : 0;
        if (number == 0) {
            describe(batch, row, sample.pos);
        } else {
            describe(batch, row, image<G>(sample.pos, static_cast<int>(number)));
        }
        const bool searched = sample.score != NotSearched;
        batch.scores[row] = searched ? static_cast<float>(sample.score) : std::numeric_limits<float>::quiet_NaN();
        batch.results[row] = 0.5F * static_cast<float>(sample.half_points);
        batch.plies[row] = sample.ply;
        batch.plies_left[row] = sample.plies_left;
    }
    void describe(SampleBatch& batch, std::size_t row, const Position& pos) const {
        if (set_) {
            set_->compute(pos, std::span(batch.features.get() + row * set_->size(), set_->size()));
        } else if (inputs_) {
            inputs_->write(pos, batch.inputs.get() + row * 2 * inputs_->start_pieces());
        } else if (patterns_) {
            patterns_->write(pos, batch.states.get() + row * 2 * patterns_->width());
        } else {
            planes_.write(pos, batch.planes.get() + row * planes_.size());
        }
    }

    const FeatureSet<G>* set_;
    const NnueInputs<G>* inputs_;
    std::shared_ptr<const PatternInputs<G>> patterns_;
    SampleOptions options_;
    PlaneWriter<G> planes_;
    Random random_;
    std::vector<Sample> samples_;
    std::vector<std::size_t> chosen_;
    StartReader<G> start_;
};

}  // namespace damier
