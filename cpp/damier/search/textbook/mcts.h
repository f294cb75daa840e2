// Monte-Carlo tree search with UCT (Coulom 2006, Kocsis and Szepesvari 2006): no depth and no window. Each simulation
// walks down a tree that is kept, choosing moves that did well or were little tried, adds one position at the end,
// judges it by a random game or by the evaluation, and counts the result all the way up. The most tried move is played.
// Values are shares of the point, for the side to move: 1 won, 0 lost.

#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "damier/base/random.h"
#include "damier/search/textbook/walk.h"

namespace damier::textbook {

template <Game G>
class Mcts {
  public:
    using Position = typename G::Position;
    using Move = typename G::Move;
    using MoveList = typename G::MoveList;

    explicit Mcts(Walk<G>& walk) : walk_(walk), random_(walk.options.seed) {
        nodes_.push_back({});
        ++walk.counters.nodes;
    }

    Score run(const Position& root) {
        for (int i = 0; i < walk_.options.simulations && !walk_.stopped(); ++i) simulate(0, root, 0);
        if (walk_.options.trace_cap > 0) record(0, root, {}, 0);
        return nodes_[0].visits > 0 ? score_of(nodes_[0].mean()) : walk_.evaluate(root);
    }

    // The moves tried most, one after the other.
    std::vector<Move> line() const {
        std::vector<Move> line;
        for (int at = favourite(0); at >= 0; at = favourite(at)) line.push_back(nodes_[at].move);
        return line;
    }

  private:
    struct Node {
        Move move{};
        int first = 0;  // its children lie side by side
        int children = 0;
        std::uint32_t visits = 0;
        double total = 0;
        double mean() const { return total / visits; }
    };

    // The moves of a random game, taken back together.
    struct Playout {
        SearchPath<G>& path;
        int plies = 0;

        explicit Playout(SearchPath<G>& path_) : path(path_) {}
        Playout(const Playout&) = delete;
        Playout& operator=(const Playout&) = delete;
        ~Playout() {
            for (; plies > 0; --plies) path.pop();
        }
        void push(const Position& before, Move move, const Position& after) {
            path.push(before, move, after);
            ++plies;
        }
    };

    double simulate(int at, const Position& pos, int ply) {
        MoveList moves;
        double value;
        if (const auto score = walk_.finished(pos, moves, ply)) {
            ++walk_.counters.leaves;
            value = *score > 0 ? 1 : *score < 0 ? 0 : 0.5;
        } else if ((ply > 0 && nodes_[at].visits == 0) || !has_children(at, moves) || ply == MaxPly) {
            ++walk_.counters.leaves;
            value = walk_.options.leaves == Leaves::Random ? play_out(pos) : share_of(walk_.evaluate(pos));
        } else {
            const int child = choose(at);
            const Step step(walk_, pos, nodes_[child].move, ply);
            value = 1 - simulate(child, step.position, ply + 1);
        }
        walk_.counters.nodes += at > 0 && nodes_[at].visits == 0;
        ++nodes_[at].visits;
        nodes_[at].total += value;
        return value;
    }

    // Makes the children of a node unless it has them or the tree has grown too large.
    bool has_children(int at, const MoveList& moves) {
        constexpr std::size_t MostNodes = 1 << 24;
        if (nodes_[at].children > 0) return true;
        if (nodes_.size() + moves.size() > MostNodes) return false;
        nodes_[at].first = static_cast<int>(nodes_.size());
        nodes_[at].children = static_cast<int>(moves.size());
        for (const auto move : moves) nodes_.push_back({move});
        return true;
    }

    // UCB1: what a child has given us, and more the less it has been tried.
    int choose(int at) const {
        const Node& node = nodes_[at];
        const double eagerness = walk_.options.exploration * std::sqrt(std::log(std::max(node.visits, 1U)));
        int best = node.first;
        double most = -1;
        for (int child = node.first; child < node.first + node.children; ++child) {
            const Node& tried = nodes_[child];
            if (tried.visits == 0) return child;
            const double promise = 1 - tried.mean() + eagerness / std::sqrt(tried.visits);
            if (promise > most) most = promise, best = child;
        }
        return best;
    }

    // A random game from here, for the side to move here.
    double play_out(const Position& start) {
        Playout playout(walk_.path());
        auto pos = start;
        for (int plies = 0; !walk_.stopped(); ++plies) {
            MoveList moves;
            pos.legal_moves(moves);
            auto outcome = pos.decided();
            if (!outcome) outcome = outcome_by_rules<G>(pos, !moves.empty(), walk_.path().past(), true);
            if (outcome)
                return outcome->result == Result::Draw ? 0.5 : outcome->result == win_for(start.turn()) ? 1 : 0;
            if (plies == walk_.options.playout_plies) {
                const double share = share_of(walk_.evaluate(pos));
                return pos.turn() == start.turn() ? share : 1 - share;
            }
            const auto before = pos;
            const auto move = moves[random_.below(static_cast<std::uint32_t>(moves.size()))];
            pos.play(move);
            playout.push(before, move, pos);
        }
        return 0.5;
    }

    // The evaluation says how its scores become chances to win; draws share the rest.
    double share_of(Score score) const {
        const auto [margin, spread] = walk_.calibration();
        const auto chance = [&](double edge) { return 1 / (1 + std::exp((margin - edge) / spread)); };
        return (1 + chance(score) - chance(-score)) / 2;
    }
    Score score_of(double share) const {
        Score low = -SureWin + 1, high = SureWin - 1;
        while (low < high) {
            const Score middle = low + (high - low) / 2;
            if (share_of(middle) < share) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    int favourite(int at) const {
        int best = -1;
        std::uint32_t most = 0;
        for (int child = nodes_[at].first; child < nodes_[at].first + nodes_[at].children; ++child)
            if (nodes_[child].visits > most) most = nodes_[child].visits, best = child;
        return best;
    }

    void record(int at, const Position& pos, const damier::Move& plain, int ply) {
        const Node& node = nodes_[at];
        const auto role = at == 0 ? Role::Root : Role::Move;
        walk_.recorder().enter({ply, 0, plain, G::code(node.move), role, -Infinite, Infinite});
        bool explored = false;
        for (int child = node.first; child < node.first + node.children; ++child) {
            if (nodes_[child].visits == 0) continue;
            auto next = pos;
            next.play(nodes_[child].move);
            record(child, next, G::plain(pos, nodes_[child].move), ply + 1);
            explored = true;
        }
        const Score value = node.visits > 0 ? score_of(node.mean()) : 0;
        walk_.recorder().leave(value, explored ? Why::Searched : Why::Leaf, -Infinite, Infinite, node.visits);
    }

    Walk<G>& walk_;
    Random random_;
    std::vector<Node> nodes_;
};

}  // namespace damier::textbook
