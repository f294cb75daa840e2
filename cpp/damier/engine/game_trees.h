// Tree searches of the boards of a batch, behind the door.

#pragma once

#include <algorithm>
#include <thread>

#include "damier/engine/board_batch.h"
#include "damier/engine/tree_batch.h"
#include "damier/game/input_planes.h"
#include "damier/search/puct.h"

namespace damier {

template <Game G>
    requires HasPlanes<G>
class GameBatch;

template <Game G>
class GameTrees final : public TreeBatch {
  public:
    // The batch must outlive its trees.
    GameTrees(const GameBatch<G>& boards, const PuctOptions& options, std::uint64_t seed) : boards_(boards) {
        const std::uint64_t common = splitmix(seed);
        for (std::size_t i = 0; i < boards.size(); ++i)
            trees_.emplace_back(PuctTree<G>(options, boards.actions(), common ^ i));
    }

    void begin(std::span<const std::int64_t> simulations, std::span<const std::uint8_t> noisy) override {
        for (std::size_t i = 0; i < trees_.size(); ++i) {
            trees_[i].is_searched = simulations[i] > 0 && !boards_.is_over(i);
            if (!trees_[i].is_searched) continue;
            follow(i);
            trees_[i].tree.begin(static_cast<int>(simulations[i]), noisy[i], boards_.seen() == Seen::ByMover);
        }
    }

    std::size_t select(int leaves_per_tree, int threads) override {
        for_each_tree(threads, [&](std::size_t i) {
            if (trees_[i].is_searched) trees_[i].tree.select(leaves_per_tree);
        });
        std::size_t leaves = 0;
        for (Slot& slot : trees_) {
            slot.first_leaf = leaves;
            if (slot.is_searched) leaves += slot.tree.leaves().size();
        }
        return leaves;
    }

    void write_planes(std::span<float> planes, int threads) const override {
        const InputPlanes<G> writer(boards_.view());
        for_each_leaf(threads, [&](const Slot&, const auto& leaf, std::size_t number) {
            const Side by = boards_.seen() == Seen::ByMover ? leaf.pos.turn() : Side::White;
            writer.write(leaf.pos, leaf.past, by, planes.data() + number * writer.size());
        });
    }

    void back_up(std::span<const float> logits, std::span<const float> values, int threads) override {
        const auto count = static_cast<std::size_t>(boards_.actions().count());
        for_each_tree(threads, [&](std::size_t i) {
            Slot& slot = trees_[i];
            if (!slot.is_searched) return;
            std::size_t number = slot.first_leaf;
            for (const auto& leaf : slot.tree.leaves()) {
                slot.tree.back_up(leaf, logits.subspan(number * count, count), values[number]);
                ++number;
            }
            slot.tree.forget_leaves();
        });
    }

    Policies policies() const override {
        Policies all;
        for (const Slot& slot : trees_) {
            if (slot.is_searched) {
                for (const auto& choice : slot.tree.choices()) {
                    all.actions.push_back(choice.action);
                    all.shares.push_back(choice.share);
                    all.priors.push_back(choice.prior);
                    all.values.push_back(choice.value);
                }
            }
            all.ends.push_back(static_cast<std::int64_t>(all.actions.size()));
        }
        return all;
    }

    void root_values(std::span<float> values) const override {
        for (std::size_t i = 0; i < trees_.size(); ++i) values[i] = trees_[i].is_searched ? trees_[i].tree.value() : 0;
    }

    void choose(std::span<const float> temperatures, std::span<std::int64_t> actions) override {
        for (std::size_t i = 0; i < trees_.size(); ++i)
            actions[i] = trees_[i].is_searched ? trees_[i].tree.choose(temperatures[i]).action : -1;
    }

    std::size_t nodes() const override {
        std::size_t nodes = 0;
        for (const Slot& slot : trees_) nodes += slot.tree.size();
        return nodes;
    }

  private:
    struct Slot {
        explicit Slot(PuctTree<G> made) : tree(std::move(made)) {}
        PuctTree<G> tree;
        std::optional<Setup<typename G::Position>> start;  // of the game it searched last
        std::vector<typename G::Move> played;              // in that game, up to its root
        std::size_t first_leaf = 0;
        bool is_searched = false;
    };

    // Brings a tree to where its board stands: along the moves played since, or anew.
    void follow(std::size_t i) {
        Slot& slot = trees_[i];
        const auto& played = boards_.played(i);
        bool knows = slot.tree.leaves().empty() && slot.start == boards_.start(i) &&
                     slot.played.size() <= played.size() &&
                     std::equal(slot.played.begin(), slot.played.end(), played.begin());
        for (std::size_t ply = slot.played.size(); knows && ply < played.size(); ++ply)
            knows = slot.tree.advance(played[ply]);
        if (!knows) slot.tree.restart(boards_.position(i), boards_.trail(i));
        slot.start = boards_.start(i);
        slot.played = played;
    }

    // Trees have nothing in common, so that it does not matter how many threads share them out.
    template <class Work>
    void for_each_tree(int threads, const Work& work) const {
        const std::size_t all = trees_.size(), parts = std::min(static_cast<std::size_t>(threads), all);
        const auto part = [&](std::size_t number) {
            for (std::size_t i = all * number / parts; i < all * (number + 1) / parts; ++i) work(i);
        };
        std::vector<std::jthread> others;
        for (std::size_t number = 1; number < parts; ++number) others.emplace_back(part, number);
        part(0);
    }

    template <class Work>
    void for_each_leaf(int threads, const Work& work) const {
        for_each_tree(threads, [&](std::size_t i) {
            const Slot& slot = trees_[i];
            if (!slot.is_searched) return;
            std::size_t number = slot.first_leaf;
            for (const auto& leaf : slot.tree.leaves()) work(slot, leaf, number++);
        });
    }

    const GameBatch<G>& boards_;
    std::vector<Slot> trees_;
};

}  // namespace damier
