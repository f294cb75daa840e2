// The nodes of the engine's tree (tree.h): read search() from top to bottom, one idea a paragraph.

#pragma once

#include "damier/search/alphabeta/alphabeta.h"

namespace damier {

template <Game G>
Score AlphaBeta<G>::search(const Position& pos, int depth, Score alpha, Score beta, int ply, bool cut_node) {
    line_at(ply).size = 0;
    if (stopped()) return 0;
    if (const auto outcome = pos.decided()) return final_score(outcome->result, pos.turn(), ply);
    if (const auto draw = drawn(pos, ply)) return *draw;
    if (depth <= 0) return exact_ ? leaf(pos, ply) : quiesce(pos, alpha, beta, ply);
    if (ply >= MaxPly) return evaluator_->evaluate(pos);

    // No line from here can be better than a win at the next ply, nor worse than a loss now.
    alpha = std::max(alpha, loss_in(ply));
    beta = std::min(beta, win_in(ply + 1));
    if (alpha >= beta) return alpha;

    Node& node = at(ply);
    const bool pv_node = beta - alpha > 1;
    const TableEntry entry = node.skips ? TableEntry{} : table_.find(table_key(pos), ply);
    if (!pv_node && entry.depth >= depth && cuts(entry, alpha, beta)) return entry.score;

    // The evaluation, and whether it has risen since our last move: then less is pruned.
    if (!node.skips) {
        node.evaluation = exact_ || !node.quiet ? NoScore : evaluation_of(pos, entry);
        const Score before = ply >= 2 ? at(ply - 2).evaluation : NoScore;
        node.improving = node.evaluation != NoScore && (before == NoScore || node.evaluation > before);
    }
    if (!pv_node && !node.skips && node.evaluation != NoScore && !is_sure(beta)) {
        if (const auto score = cut_early(pos, depth, alpha, beta, ply, cut_node, entry)) return *score;
    }

    // Where the table knows no move the order is poor: search shallower and let the next iteration do better.
    if (!exact_ && tunables_.iir && depth >= 4 && entry.code == 0 && !node.skips && (pv_node || cut_node)) --depth;

    return search_moves(pos, depth, alpha, beta, ply, cut_node, entry);
}

// A position that is decided without moves, else judged by looking at it.
template <Game G>
Score AlphaBeta<G>::leaf(const Position& pos, int ply) {
    seldepth_ = std::max(seldepth_, ply);
    if (count_legal_moves<G>(pos) == 0) return final_score(pos.stuck().result, pos.turn(), ply);
    return evaluator_->evaluate(pos);
}

// Ways to leave a quiet node without trying its moves.
template <Game G>
std::optional<Score> AlphaBeta<G>::cut_early(const Position& pos, int depth, Score alpha, Score beta, int ply,
                                             bool cut_node, const TableEntry& entry) {
    const Node& node = at(ply);
    Score evaluation = node.evaluation;
    if (entry.bound == Bound::Exact || (entry.bound == Bound::Lower && entry.score > evaluation) ||
        (entry.bound == Bound::Upper && entry.score < evaluation)) {
        if (!is_sure(entry.score)) evaluation = entry.score;
    }

    // Razoring: so far below alpha that only a tactical stroke can help, so look for one.
    if (tunables_.razoring && depth <= tunables_.razoring_depth &&
        evaluation + tunables_.razoring_margin * depth < alpha) {
        const Score score = quiesce(pos, alpha, alpha + 1, ply);
        if (score <= alpha) return score;
    }

    // Reverse futility: so far above beta that the other side will not come back within the depth left.
    if (tunables_.reverse_futility && depth <= tunables_.reverse_futility_depth &&
        evaluation - tunables_.reverse_futility_margin * (depth - (node.improving ? 1 : 0)) >= beta)
        return (evaluation + beta) / 2;

    // Null move: a side that can afford to pass need not find its best move.
    if constexpr (Passes) {
        if (tunables_.null_move && depth >= tunables_.null_depth && evaluation >= beta &&
            node.evaluation >= beta - 20 * depth && !at(ply - 1).passed && pos.pass_is_sound()) {
            const int reduction = tunables_.null_reduction + depth / 3 + std::min((evaluation - beta) / 200, 3);
            const Score score = try_pass(pos, depth - reduction, beta, ply, cut_node);
            if (score >= beta && !stopped()) return is_win(score) ? beta : score;
        }
    }
    return std::nullopt;
}

template <Game G>
Score AlphaBeta<G>::try_pass(const Position& pos, int depth, Score beta, int ply, bool cut_node)
    requires Passes
{
    Step step(*this, pos, ply);
    return -search(step.next, depth, -beta, -beta + 1, ply + 1, !cut_node);
}

template <Game G>
Score AlphaBeta<G>::search_moves(const Position& pos, int depth, Score alpha, Score beta, int ply, bool cut_node,
                                 const TableEntry& entry) {
    Node& node = at(ply);
    const bool pv_node = beta - alpha > 1;
    const Score first_alpha = alpha;
    MoveList moves;
    pos.legal_moves(moves);
    if (moves.empty()) return final_score(pos.stuck().result, pos.turn(), ply);
    const bool only_move = moves.size() == 1 && tunables_.single_reply_extension && !exact_ && ply < 2 * root_depth_;

    at(ply + 2).killers = {};
    const Hints<G> known = hints(ply, entry.code);
    Picker<G> picker(pos, moves, known, statistics_, tunables_);
    Tried tried;
    Score best = -Infinite;
    std::uint16_t best_code = 0;
    int number = 0;
    while (true) {
        const bool prunes = !exact_ && number > 0 && !is_loss(best);
        if (prunes && !picker.skips_quiet()) leave_out_quiet(picker, number, depth, alpha, ply);
        const Move* next = picker.next();
        if (!next) break;
        const Move move = *next;
        if (node.skips && move == node.skipped) continue;
        const bool tactical = is_tactical<G>(pos, move);
        const int history = picker.history();
        if (prunes && loses_too_much(pos, move, tactical, depth, picker)) continue;
        int extension = only_move ? 1 : singular_extension(pos, move, depth, beta, ply, cut_node, entry);

        Step step(*this, pos, move, ply);
        if (extension == 0) extension = forced_extension(ply);
        const int deep = depth - 1 + extension;
        Score score;
        if (number == 0) {
            score = -search(step.next, deep, -beta, -alpha, ply + 1, pv_node ? false : !cut_node);
        } else {
            const int reduced =
                extension > 0 ? deep : deep - reduction(depth, number, tactical, pv_node, cut_node, history, ply);
            score = -search(step.next, std::min(std::max(reduced, 1), deep), -alpha - 1, -alpha, ply + 1, true);
            if (score > alpha && reduced < deep)
                score = -search(step.next, deep, -alpha - 1, -alpha, ply + 1, !cut_node);
            if (score > alpha && pv_node) score = -search(step.next, deep, -beta, -alpha, ply + 1, false);
        }
        ++number;
        if (stopped()) return 0;

        if (score > best) {
            best = score;
            if (score > alpha) {
                alpha = score;
                best_code = G::code(move);
                if (pv_node) line_at(ply).set(move, line(ply + 1));
                if (score >= beta) {
                    reward(pos, move, depth, ply, tried);
                    break;
                }
            }
        }
        if (tried.size() < 64) tried.push_back(move);
    }
    if (number == 0) return alpha;  // the only move is the one left out

    if (!node.skips) {
        const Bound bound = best >= beta ? Bound::Lower : best > first_alpha ? Bound::Exact : Bound::Upper;
        table_.store(table_key(pos), ply, {best_code, best, node.evaluation, depth, bound});
    }
    return best;
}

// Near the leaves quiet moves will not raise alpha that come too late in the order or start too far below it.
template <Game G>
void AlphaBeta<G>::leave_out_quiet(Picker<G>& picker, int number, int depth, Score alpha, int ply) const {
    const Node& node = at(ply);
    if (node.evaluation == NoScore) return;  // the moves are answers to a threat
    if (tunables_.late_move_pruning && depth <= tunables_.late_move_depth &&
        number >= (tunables_.late_move_base + depth * depth) / (node.improving ? 1 : 2))
        return picker.skip_quiet();
    const int left = std::max(0, depth - reductions_.plies(depth, number));
    if (tunables_.futility && left <= tunables_.futility_depth &&
        node.evaluation + tunables_.futility_base + tunables_.futility_margin * left <= alpha)
        tunables_.spare_forcing ? picker.skip_unforcing() : picker.skip_quiet();
}

// Near the leaves a move that loses material by exchange will not raise alpha either.
template <Game G>
bool AlphaBeta<G>::loses_too_much([[maybe_unused]] const Position& pos, [[maybe_unused]] Move move,
                                  [[maybe_unused]] bool tactical, [[maybe_unused]] int depth,
                                  [[maybe_unused]] const Picker<G>& picker) const {
    if constexpr (HasExchanges<G>) {
        if (!tunables_.exchange_pruning || depth > 8 || picker.in_good_captures()) return false;
        const int margin = tactical ? tunables_.capture_exchange_margin : tunables_.quiet_exchange_margin;
        return !pos.exchange_is_at_least(move, -margin * depth);
    } else {
        return false;
    }
}

// How many plies less a late move is searched at first.
template <Game G>
int AlphaBeta<G>::reduction(int depth, int number, bool tactical, bool pv_node, bool cut_node, int history,
                            int ply) const {
    if (exact_ || !tunables_.lmr || depth < 3 || number < (pv_node ? 3 : 2)) return 0;
    int plies = reductions_.plies(depth, number);
    if (tactical) plies /= 2;
    if (pv_node) --plies;
    if (cut_node) ++plies;
    if (!at(ply).improving) ++plies;
    if (!tactical) plies -= std::clamp(history / tunables_.lmr_history, -2, 2);
    return std::max(plies, 0);
}

// Singular extension: if every other move fails well below the table's score, the table's move is searched deeper.
template <Game G>
int AlphaBeta<G>::singular_extension(const Position& pos, Move move, int depth, Score beta, int ply, bool cut_node,
                                     const TableEntry& entry) {
    Node& node = at(ply);
    if (exact_ || !tunables_.singular || node.skips || depth < tunables_.singular_depth ||
        G::code(move) != entry.code || entry.code == 0 || entry.depth < depth - 3 || entry.bound == Bound::Upper ||
        entry.bound == Bound::None || is_sure(entry.score) || ply >= 2 * root_depth_)
        return 0;
    const Score target = entry.score - 2 * depth;
    node.skips = true;
    node.skipped = move;
    const Score score = search(pos, (depth - 1) / 2, target - 1, target, ply, cut_node);
    node.skips = false;
    if (score < target) return 1;
    if (target >= beta) return 0;
    return entry.score >= beta ? -1 : 0;
}

// Only what cannot wait: captures and the like where the position is quiet, every move where it is not.
template <Game G>
Score AlphaBeta<G>::quiesce(const Position& pos, Score alpha, Score beta, int ply) {
    line_at(ply).size = 0;
    seldepth_ = std::max(seldepth_, ply);
    if (stopped()) return 0;
    if (ply >= MaxPly) return evaluator_->evaluate(pos);

    const bool pv_node = beta - alpha > 1;
    const TableEntry entry = table_.find(table_key(pos), ply);
    if (!pv_node && cuts(entry, alpha, beta)) return entry.score;

    const bool quiet = at(ply).quiet;
    Score best = -Infinite, evaluation = NoScore;
    const Score first_alpha = alpha;
    if (quiet) {
        evaluation = best = evaluation_of(pos, entry);
        if (best < beta && cuts(entry, best, best) && !is_sure(entry.score)) best = entry.score;
        if (best >= beta || !HasTactics<G> || !tunables_.quiescence_tactics) {
            if (!entry.found()) table_.store(table_key(pos), ply, {0, best, evaluation, -1, Bound::None});
            return best;
        }
        alpha = std::max(alpha, best);
    }

    MoveList moves;
    if (quiet) {
        if constexpr (HasTactics<G>) pos.tactical_moves(moves);
    } else {
        pos.legal_moves(moves);
        if (moves.empty()) return final_score(pos.stuck().result, pos.turn(), ply);
    }
    const Hints<G> known = hints(ply, entry.code);
    Picker<G> picker(pos, moves, known, statistics_, tunables_);
    std::uint16_t best_code = 0;
    while (const Move* next = picker.next()) {
        const Move move = *next;
        if (quiet) {
            if (picker.in_bad_captures()) break;
            if (hopeless_capture(pos, move, evaluation, alpha)) continue;
        }
        Step step(*this, pos, move, ply);
        const auto outcome = step.next.decided();
        const auto draw = outcome ? std::nullopt : drawn(step.next, ply + 1);
        const Score score = outcome ? -final_score(outcome->result, step.next.turn(), ply + 1)
                            : draw  ? -*draw
                                    : -quiesce(step.next, -beta, -alpha, ply + 1);
        if (stopped()) return 0;
        if (score > best) {
            best = score;
            if (score > alpha) {
                alpha = score;
                best_code = G::code(move);
                if (pv_node) line_at(ply).set(move, line(ply + 1));
                if (score >= beta) break;
            }
        }
    }
    const Bound bound = best >= beta ? Bound::Lower : best > first_alpha ? Bound::Exact : Bound::Upper;
    table_.store(table_key(pos), ply, {best_code, best, evaluation, 0, bound});
    return best;
}

// Even winning the prize and a margin would not reach alpha.
template <Game G>
bool AlphaBeta<G>::hopeless_capture([[maybe_unused]] const Position& pos, [[maybe_unused]] Move move,
                                    [[maybe_unused]] Score evaluation, [[maybe_unused]] Score alpha) const {
    if constexpr (HasExchanges<G>) {
        return evaluation + pos.prize(move) + tunables_.delta_margin <= alpha;
    } else {
        return false;
    }
}

template <Game G>
Hints<G> AlphaBeta<G>::hints(int ply, std::uint16_t table_code) {
    Hints<G> known;
    known.table_code = table_code;
    if (tunables_.killers) known.killers = at(ply).killers;
    if (ply >= 1 && tunables_.counter_moves && at(ply - 1).code != 0)
        known.counter = statistics_.counter(at(ply - 1).code);
    if (tunables_.continuation_history) {
        for (int back = 1; back <= 2 && back <= ply; ++back)
            if (const int shape = at(ply - back).shape; shape >= 0)
                known.following[static_cast<std::size_t>(back - 1)] = &statistics_.following(back, shape);
    }
    return known;
}

// The move that cut is remembered, and those tried before it in vain are held against them.
template <Game G>
void AlphaBeta<G>::reward(const Position& pos, Move best, int depth, int ply, const Tried& tried) {
    const int bonus = std::min(16 * depth * depth + 128 * depth, 2400);
    const bool tactical = is_tactical<G>(pos, best);
    if (!tactical) {
        Node& node = at(ply);
        const std::uint16_t code = G::code(best);
        if (node.killers[0] != code) node.killers = {code, node.killers[0]};
        if (ply >= 1 && at(ply - 1).code != 0) statistics_.counter(at(ply - 1).code) = code;
    }
    add_history(pos, best, ply, bonus);
    for (const Move move : tried)
        if (is_tactical<G>(pos, move) || !tactical) add_history(pos, move, ply, -bonus);
}

template <Game G>
void AlphaBeta<G>::add_history(const Position& pos, Move move, int ply, int bonus) {
    const std::uint16_t code = G::code(move);
    if (tunables_.tactics_first && is_tactical<G>(pos, move)) {
        statistics_.tactical(pos.turn(), code).add(bonus);
        return;
    }
    statistics_.quiet(pos.turn(), code).add(bonus);
    if constexpr (HasShapes<G>) {
        const auto shape = static_cast<std::size_t>(pos.shape(move));
        for (int back = 1; back <= 2 && back <= ply; ++back)
            if (const int before = at(ply - back).shape; before >= 0)
                statistics_.following(back, before)[shape].add(bonus);
    }
}

}  // namespace damier
