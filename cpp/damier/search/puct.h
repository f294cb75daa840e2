// A tree searched by PUCT (Rosin 2011; AlphaZero, Silver et al. 2018): a network says which moves look good and who is
// winning, and the tree is walked where values, priors and few visits promise most.
//
// The network is called from outside: select() descends to positions that it has to evaluate, back_up() takes its
// answers. What the rules decide is not evaluated: a finished game, and a position in which a move wins at once. Such
// positions are proved, and proofs are passed up the tree (MCTS-Solver, Winands 2008).
//
// Every number of a node is for the side that moved there: 1 won, -1 lost.

#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "damier/base/random.h"
#include "damier/game/actions.h"
#include "damier/game/trail.h"

namespace damier {

struct PuctOptions {
    float exploration = 1.5F;
    float fpu_reduction =
        0.25F;            // first-play urgency: an untried move is thought to be so much worse than its position
    float noise = 0.25F;  // share of the Dirichlet noise in the priors of a root
    float dirichlet_concentration = 10.0F;  // sum of its alphas, one per move and all alike
    int most_nodes = 1 << 20;               // a larger tree is searched without growing
};

template <Game G>
class PuctTree {
  public:
    using Position = typename G::Position;
    using Move = typename G::Move;

    // A position that the network has to evaluate.
    struct Leaf {
        Position pos;
        Past past;
        std::vector<int> path;  // the nodes from the root to it
    };

    PuctTree(const PuctOptions& options, const Actions<G>& actions, std::uint64_t seed)
        : options_(options), actions_(&actions), random_(seed) {}

    // A new tree; the trail is that of the game so far.
    void restart(const Position& root, const Trail<G>& trail) {
        root_ = root;
        trail_ = trail;
        nodes_.assign(1, Node{});
        leaves_.clear();
    }

    // Keeps what was found below a move that was played; false if nothing was.
    bool advance(Move move) {
        const int at = child_of(0, move);
        if (at < 0 || nodes_[index(at)].state != State::Expanded) return false;
        const Position before = *root_;
        root_->play(move);
        trail_.push(before, move, *root_);
        std::vector<Node> kept{nodes_[index(at)]};
        for (std::size_t i = 0; i < kept.size(); ++i) {
            const auto first = nodes_.begin() + kept[i].first;
            const auto last = first + kept[i].children;
            kept[i].first = static_cast<int>(kept.size());
            kept.insert(kept.end(), first, last);
        }
        nodes_ = std::move(kept);
        return true;
    }

    // Searches until the root was visited so many times, with noise in its priors or without.
    void begin(int simulations, bool noisy, bool turned_when_black) {
        simulations_ = simulations;
        turned_when_black_ = turned_when_black;
        wants_noise_ = noisy;
        if (nodes_[0].state == State::Expanded) add_noise();
    }

    // Walks down to at most so many positions that the network has to judge. None means that the search is over.
    const std::vector<Leaf>& select(int most) {
        leaves_.clear();
        const auto under_way = [&] { return static_cast<int>(leaves_.size()); };
        while (under_way() < most && static_cast<int>(nodes_[0].visits) + under_way() < simulations_ &&
               nodes_[0].proof == Proof::Open)
            if (!descend()) break;
        return leaves_;
    }
    const std::vector<Leaf>& leaves() const { return leaves_; }
    void forget_leaves() { leaves_.clear(); }

    // What the network said of a leaf: a logit per action, and a value for the side to move there.
    void back_up(const Leaf& leaf, std::span<const float> logits, float value) {
        const int at = leaf.path.back();
        for (const int passed : leaf.path) --nodes_[index(passed)].waiting;
        set_priors(at, logits);
        nodes_[index(at)].state = nodes_[index(at)].children > 0 ? State::Expanded : State::Unseen;
        if (at == 0) add_noise();
        count(leaf.path, -value);
    }

    // The moves of the root.
    struct Choice {
        Move move;
        Action action;
        float share;  // of the visits; what is proved counts more
        float prior;
        float value;  // for the side to move, NaN where the move was not tried
    };
    std::vector<Choice> choices() const {
        std::vector<Choice> all;
        const auto children = children_of(0);
        const auto best = best_proof(0);
        double sum = 0;
        for (const Node& child : children) {
            const float share = share_of(child, best);
            all.push_back({child.move, child.action, share, child.prior, child.mean()});
            sum += share;
        }
        for (Choice& choice : all) choice.share = sum > 0 ? static_cast<float>(choice.share / sum) : choice.prior;
        return all;
    }

    // One of them: in proportion to its share to the power of 1 / temperature, or the one with the largest at 0.
    Choice choose(float temperature) {
        const auto all = choices();
        assert(!all.empty());
        const auto less = [](const Choice& a, const Choice& b) {
            return a.share != b.share ? a.share < b.share : a.prior < b.prior;
        };
        const auto most = std::max_element(all.begin(), all.end(), less);
        if (temperature <= 0) return *most;
        std::vector<double> weights;
        double sum = 0;
        for (const Choice& choice : all) {
            weights.push_back(std::pow(static_cast<double>(choice.share / most->share), 1.0 / temperature));
            sum += weights.back();
        }
        double drawn = uniform() * sum;
        for (std::size_t i = 0; i < all.size(); ++i)
            if ((drawn -= weights[i]) < 0) return all[i];
        return *most;
    }

    // For the side to move at the root.
    float value() const { return nodes_[0].visits > 0 ? -nodes_[0].mean() : 0; }
    std::size_t size() const { return nodes_.size(); }

  private:
    enum class State : std::uint8_t { Unseen, Waiting, Expanded };
    enum class Proof : std::int8_t { Lost = -1, Drawn = 0, Won = 1, Open = 2 };

    struct Node {
        Move move{};
        Action action = 0;
        State state = State::Unseen;
        Proof proof = Proof::Open;
        float prior = 0;
        int first = 0;  // its children lie side by side
        int children = 0;
        std::uint32_t visits = 0;
        std::uint32_t waiting = 0;  // virtual loss: visits under way count as lost, so that others go elsewhere
        double total = 0;

        float mean() const {
            if (proof != Proof::Open) return static_cast<float>(static_cast<int>(proof));
            return visits > 0 ? static_cast<float>(total / visits) : std::nanf("");
        }
    };

    static std::size_t index(int at) { return static_cast<std::size_t>(at); }
    static Proof opposite(Proof proof) { return static_cast<Proof>(-static_cast<int>(proof)); }

    std::span<Node> children_of(int at) {
        return std::span(nodes_).subspan(index(nodes_[index(at)].first), index(nodes_[index(at)].children));
    }
    std::span<const Node> children_of(int at) const {
        return std::span(nodes_).subspan(index(nodes_[index(at)].first), index(nodes_[index(at)].children));
    }
    int child_of(int at, Move move) const {
        const Node& node = nodes_[index(at)];
        for (int child = node.first; child < node.first + node.children; ++child)
            if (nodes_[index(child)].move == move) return child;
        return -1;
    }

    // One simulation; false where it met another that waits for the network.
    bool descend() {
        std::vector<int> path{0};
        Position pos = *root_;
        while (nodes_[index(path.back())].state == State::Expanded && nodes_[index(path.back())].proof == Proof::Open) {
            const int next = promising(path.back());
            const Position before = pos;
            pos.play(nodes_[index(next)].move);
            trail_.push(before, nodes_[index(next)].move, pos);
            path.push_back(next);
        }
        const std::size_t plies = path.size() - 1;
        const bool went_on = arrive(std::move(path), pos);
        for (std::size_t ply = 0; ply < plies; ++ply) trail_.pop();
        return went_on;
    }

    // At the end of the walk: a value that is known goes up, or the position waits for the network.
    bool arrive(std::vector<int> path, const Position& pos) {
        const int at = path.back();
        if (nodes_[index(at)].state == State::Waiting) return false;
        if (nodes_[index(at)].proof == Proof::Open) judge_by_rules(at, pos, path.size() > 1);
        if (nodes_[index(at)].proof != Proof::Open) {
            count(path, static_cast<float>(static_cast<int>(nodes_[index(at)].proof)));
            return true;
        }
        nodes_[index(at)].state = State::Waiting;
        for (const int passed : path) ++nodes_[index(passed)].waiting;
        leaves_.push_back({pos, trail_.past(), std::move(path)});
        return true;
    }

    // PUCT: a move is tried for its value so far and for its prior, the more so the less it was tried.
    int promising(int at) const {
        const Node& node = nodes_[index(at)];
        const float eagerness = options_.exploration * std::sqrt(static_cast<float>(node.visits + node.waiting));
        const float untried = std::max(-1.0F, -node.mean() - options_.fpu_reduction);
        int best = -1;
        float most = 0;
        for (int at_child = node.first; at_child < node.first + node.children; ++at_child) {
            const Node& child = nodes_[index(at_child)];
            if (child.proof == Proof::Lost) continue;
            const auto tried = static_cast<float>(child.visits + child.waiting);
            const float value = tried == 0 ? untried : static_cast<float>(child.total - child.waiting) / tried;
            const float promise = value + eagerness * child.prior / (1 + tried);
            if (best < 0 || promise > most) most = promise, best = at_child;
        }
        assert(best >= 0);  // otherwise it would be proved
        return best;
    }

    // Is the game over, or won by the next move? Else the moves become nodes, if there is room. The game goes on at
    // the root, whatever its past.
    void judge_by_rules(int at, const Position& pos, bool may_be_over) {
        if (nodes_[index(at)].children > 0) return;
        typename G::MoveList legal;
        pos.legal_moves(legal);
        auto outcome = pos.decided();
        if (!outcome && may_be_over) outcome = outcome_by_rules<G>(pos, !legal.empty(), trail_.past(), true);
        if (outcome) {
            nodes_[index(at)].proof = outcome->result == Result::Draw          ? Proof::Drawn
                                      : outcome->result == win_for(pos.turn()) ? Proof::Lost
                                                                               : Proof::Won;
            return;
        }
        if (at > 0 && nodes_.size() + legal.size() > index(options_.most_nodes)) return;
        actions_->list(legal, turned_when_black_ && pos.turn() == Side::Black, moves_, numbers_);
        nodes_[index(at)].first = static_cast<int>(nodes_.size());
        nodes_[index(at)].children = static_cast<int>(moves_.size());
        for (std::size_t i = 0; i < moves_.size(); ++i) {
            Node child;
            child.move = moves_[i];
            child.action = numbers_[i];
            child.prior = 1.0F / static_cast<float>(moves_.size());
            Position next = pos;
            next.play(moves_[i]);
            const auto end = next.decided();
            if (end && end->result == win_for(pos.turn())) {
                child.proof = Proof::Won;
                nodes_[index(at)].proof = Proof::Lost;
            }
            nodes_.push_back(child);
        }
        if (nodes_[index(at)].proof != Proof::Open) nodes_[index(at)].state = State::Expanded;
    }

    // Counts a value for the side that moved to the end of a path, all the way up, and proves what follows.
    void count(const std::vector<int>& path, float value) {
        bool proved = false;
        for (std::size_t ply = path.size(); ply-- > 0; value = -value) {
            if (proved) prove(path[ply]);
            Node& node = nodes_[index(path[ply])];
            proved = node.proof != Proof::Open;
            if (proved) value = static_cast<float>(static_cast<int>(node.proof));
            ++node.visits;
            node.total += value;
        }
    }

    // A side that has a winning move has won; one whose moves are all proved has the best of them.
    void prove(int at) {
        if (const auto best = best_proof(at)) nodes_[index(at)].proof = opposite(*best);
    }
    std::optional<Proof> best_proof(int at) const {
        std::optional<Proof> best;
        bool all = true;
        for (const Node& child : children_of(at)) {
            if (child.proof == Proof::Won) return Proof::Won;
            if (child.proof == Proof::Open)
                all = false;
            else
                best = std::max(best.value_or(Proof::Lost), child.proof);
        }
        return all ? best : std::nullopt;
    }

    // Visits, but only of the best moves where all is proved, and never of lost ones where some are not.
    static float share_of(const Node& child, std::optional<Proof> best) {
        if (best == Proof::Lost) return static_cast<float>(child.visits);
        if (best) return child.proof == *best ? 1.0F + static_cast<float>(child.visits) : 0.0F;
        return child.proof == Proof::Lost ? 0.0F : static_cast<float>(child.visits);
    }

    // Softmax of the logits of the legal moves.
    void set_priors(int at, std::span<const float> logits) {
        const auto children = children_of(at);
        if (children.empty()) return;
        float top = logits[children[0].action];
        for (const Node& child : children) top = std::max(top, logits[child.action]);
        float sum = 0;
        for (Node& child : children) sum += child.prior = std::exp(logits[child.action] - top);
        for (Node& child : children) child.prior /= sum;
    }

    void add_noise() {
        if (!std::exchange(wants_noise_, false)) return;
        const auto children = children_of(0);
        std::vector<double> noise;
        double sum = 0;
        for (std::size_t i = 0; i < children.size(); ++i) {
            noise.push_back(gamma(options_.dirichlet_concentration / static_cast<double>(children.size())));
            sum += noise.back();
        }
        if (sum <= 0) return;
        for (std::size_t i = 0; i < children.size(); ++i)
            children[i].prior += options_.noise * (static_cast<float>(noise[i] / sum) - children[i].prior);
    }

    double uniform() { return static_cast<double>(random_.next() >> 11) * 0x1p-53; }  // in [0, 1)
    double normal() {                                                                 // Box and Muller
        constexpr double Turn = 6.283185307179586;
        return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(Turn * uniform());
    }
    double gamma(double shape) {  // Marsaglia and Tsang 2000
        if (shape < 1) {
            const double raised = gamma(shape + 1);
            return raised * std::pow(1 - uniform(), 1 / shape);
        }
        const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
        while (true) {
            const double x = normal();
            const double v = (1 + c * x) * (1 + c * x) * (1 + c * x);
            if (v > 0 && std::log(1 - uniform()) < x * x / 2 + d - d * v + d * std::log(v)) return d * v;
        }
    }

    PuctOptions options_;
    const Actions<G>* actions_;
    Random random_;
    std::optional<Position> root_;
    Trail<G> trail_;
    std::vector<Node> nodes_;
    std::vector<Leaf> leaves_;
    std::vector<Move> moves_;      // scratch
    std::vector<Action> numbers_;  // scratch
    int simulations_ = 0;
    bool wants_noise_ = false;
    bool turned_when_black_ = true;
};

}  // namespace damier
