// An efficiently updated network: (inputs -> width) seen by either side, then one output by the number of pieces. The
// sums of the first layer are updated along the line of play: a move changes only a few inputs.

#pragma once

#include <array>
#include <cassert>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "damier/eval/evaluator.h"
#include "damier/eval/nnue_inputs.h"
#include "damier/eval/nnue_kernels.h"

namespace damier {

// Memory aligned for vector instructions.
template <class T>
struct CacheLineAllocator {
    using value_type = T;
    static constexpr std::align_val_t Line{64};
    CacheLineAllocator() = default;
    template <class U>
    CacheLineAllocator(const CacheLineAllocator<U>&) {}
    T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), Line)); }
    void deallocate(T* memory, std::size_t) { ::operator delete(memory, Line); }
    bool operator==(const CacheLineAllocator&) const = default;
};
using NnueNumbers = std::vector<std::int16_t, CacheLineAllocator<std::int16_t>>;

constexpr int NnueLargestScale = 10'000;

// What a network holds; check() refuses what could not be computed exactly.
struct NnueWeights {
    NnueNumbers inputs;       // a row of `width` per input, NnueOne standing for 1
    NnueNumbers input_bias;   // one per sum
    NnueNumbers outputs;      // a row of twice the width per bucket, NnueOutputOne standing for 1
    NnueNumbers output_bias;  // one per bucket, NnueOne * NnueOutputOne standing for 1
    int scale = 0;            // an output of 1, in hundredths of a man
    Calibration calibration{};

    std::size_t width() const { return input_bias.size(); }
    std::size_t buckets() const { return output_bias.size(); }
    void check(std::size_t inputs) const;  // throws Error

    NnueRow row(std::size_t input) const { return inputs.data() + input * width(); }
    Score score(const NnueKernels& kernels, const std::int16_t* own, const std::int16_t* other,
                std::size_t bucket) const {
        const std::int64_t sum = kernels.output(own, other, outputs.data() + bucket * 2 * width(), width());
        const std::int64_t output = sum / NnueOne + output_bias[bucket];
        return clamp_evaluation(static_cast<int>(output * scale / (NnueOne * NnueOutputOne)));
    }
};

template <Game G>
class NnueEvaluator final : public Evaluator<G> {
  public:
    using Position = typename G::Position;
    using Move = typename G::Move;
    using Inputs = NnueInputs<G>;
    using PlaneSet = typename Inputs::PlaneSet;

    NnueEvaluator(std::string name, std::shared_ptr<const Inputs> inputs, std::shared_ptr<const NnueWeights> weights,
                  const NnueKernels& kernels = nnue_kernels().front())
        : name_(std::move(name)), inputs_(std::move(inputs)), weights_(std::move(weights)), kernels_(&kernels) {
        weights_->check(inputs_->size());
    }

    std::string name() const override { return name_; }
    Calibration calibration() const override { return weights_->calibration; }
    std::unique_ptr<Evaluator<G>> clone() const override {
        auto copy = std::make_unique<NnueEvaluator>(*this);
        if (for_bare_kings_) copy->for_bare_kings_ = for_bare_kings_->clone();
        return copy;
    }

    // Leaves positions with a bare king to another evaluator, which keeps nothing along the line.
    void leave_bare_kings_to(std::unique_ptr<Evaluator<G>> other)
        requires HasBareKings<G>
    {
        for_bare_kings_ = std::move(other);
    }

    bool follows_line() const override { return true; }
    void on_root(const Position& root) override {
        last_ = 0;
        enter(root);
        for (const Side side : {Side::White, Side::Black}) sum_up(side);
    }
    void on_push(const Position&, Move, const Position& after) override { follow_to(after); }
    void on_null_move(const Position&, const Position& after) override { follow_to(after); }
    void on_pop() override { --last_; }

    Score evaluate(const Position& pos) override {
        assert(G::planes(pos) == line_[last_].planes);
        if (leaves(pos)) [[unlikely]]
            return for_bare_kings_->evaluate(pos);
        return weights_->score(*kernels_, sums(last_, pos.turn()), sums(last_, !pos.turn()),
                               bucket(Inputs::pieces(line_[last_].planes)));
    }

    // The value of each piece: how much the score falls without it; and the rest of the score.
    std::vector<Term> terms(const Position& pos) override {
        if (leaves(pos)) return for_bare_kings_->terms(pos);
        const Perspectives views = perspectives(pos);
        const auto planes = G::planes(pos);
        const double sign = pos.turn() == Side::White ? 1 : -1;
        const double whole = sign * fresh_score(planes, views, pos.turn());
        double rest = whole;
        std::vector<Term> terms;
        for (std::size_t plane = 0; plane < Inputs::Planes; ++plane) {
            if constexpr (HasRoyalKind<G>)
                if (plane % (Inputs::Planes / 2) == G::RoyalKind) continue;
            for (const int sq : squares(planes[plane])) {
                auto without = planes;
                without[plane] &= ~bit(sq);
                const double worth = whole - sign * fresh_score(without, views, pos.turn());
                const bool is_white = plane < Inputs::Planes / 2;
                Term term{.name = inputs_->piece_name(plane, sq), .total = worth};
                (is_white ? term.white : term.black) = is_white ? worth : -worth;
                terms.push_back(std::move(term));
                rest -= worth;
            }
        }
        terms.push_back({.name = "together", .total = rest});
        return terms;
    }

  private:
    using Perspective = typename Inputs::Perspective;
    using Perspectives = std::array<Perspective, 2>;

    // A position of the line of play.
    struct Ply {
        PlaneSet planes;
        Perspectives views;

        Perspective view(Side side) const { return views[static_cast<std::size_t>(index(side))]; }
    };
    using Rows = InlineList<NnueRow, 64>;  // at most one per square

    bool leaves([[maybe_unused]] const Position& pos) const {
        if constexpr (HasBareKings<G>) return for_bare_kings_ && G::has_bare_king(pos);
        return false;
    }

    Perspectives perspectives(const Position& pos) const {
        return {inputs_->perspective(pos, Side::White), inputs_->perspective(pos, Side::Black)};
    }
    void enter(const Position& pos) {
        if (line_.size() <= last_) {
            line_.resize(last_ + 64);
            sums_.resize(line_.size() * 2 * weights_->width());
        }
        line_[last_] = {G::planes(pos), perspectives(pos)};
    }

    std::int16_t* sums(std::size_t ply, Side side) {
        return sums_.data() + (2 * ply + static_cast<std::size_t>(index(side))) * weights_->width();
    }
    std::size_t bucket(std::size_t pieces) const {
        const auto buckets = weights_->buckets();
        return pieces == 0 ? 0 : std::min(buckets - 1, (pieces - 1) * buckets / inputs_->start_pieces());
    }

    // Most positions are evaluated, and those that are not have others after them that are. While this is computed, a
    // search waits for what its table knows.
    void follow_to(const Position& pos) {
        ++last_;
        enter(pos);
        const Ply &before = line_[last_ - 1], &now = line_[last_];
        const auto changes = Inputs::changes(before.planes, now.planes);
        for (const Side side : {Side::White, Side::Black}) {
            if (before.view(side) == now.view(side))
                update(sums(last_, side), sums(last_ - 1, side), now.view(side), changes);
            else
                sum_up(side);
        }
    }
    void sum_up(Side side) { sum_up(line_[last_].planes, line_[last_].view(side), sums(last_, side)); }
    void update(std::int16_t* to, const std::int16_t* from, Perspective view, const Inputs::Changes& changes) const {
        const Rows added = rows(changes.added, view), removed = rows(changes.removed, view);
        kernels_->update(to, from, {added.data(), added.size()}, {removed.data(), removed.size()}, weights_->width());
    }
    Rows rows(const Inputs::Places& places, Perspective view) const {
        const std::size_t width = weights_->width();
        Rows found;
        NnueRow* end = found.data();
        for (const auto place : places) *end++ = weights_->inputs.data() + inputs_->number(view, place) * width;
        found.extend_to(end);
        return found;
    }
    void sum_up(const PlaneSet& planes, Perspective from, std::int16_t* to) const {
        Rows added;
        inputs_->visit(planes, from, [&](std::size_t number) { added.push_back(weights_->row(number)); });
        kernels_->update(to, weights_->input_bias.data(), {added.data(), added.size()}, {}, weights_->width());
    }

    Score fresh_score(const PlaneSet& planes, const Perspectives& views, Side turn) const {
        std::array<NnueNumbers, 2> fresh{NnueNumbers(weights_->width()), NnueNumbers(weights_->width())};
        for (std::size_t side = 0; side < 2; ++side) sum_up(planes, views[side], fresh[side].data());
        const auto own = static_cast<std::size_t>(index(turn));
        return weights_->score(*kernels_, fresh[own].data(), fresh[1 - own].data(), bucket(Inputs::pieces(planes)));
    }

    std::string name_;
    std::shared_ptr<const Inputs> inputs_;
    std::shared_ptr<const NnueWeights> weights_;
    const NnueKernels* kernels_;
    std::shared_ptr<Evaluator<G>> for_bare_kings_;  // of this evaluator alone
    std::vector<Ply> line_;
    NnueNumbers sums_;  // two for each of the line
    std::size_t last_ = 0;
};

}  // namespace damier
