// The nodes of the engine's tree (alphabeta.h): read search() from top to bottom, one idea per paragraph.

#pragma once

#include "damier/search/alphabeta/alphabeta.h"

namespace damier {

template <Game G>
Score AlphaBeta<G>::search(const Position& pos, const Node& asked) {
    const int ply = asked.ply;
    line_at(ply).size = 0;
    if (stopped()) return 0;
    if (const auto outcome = pos.decided()) return final_score(outcome->result, pos.turn(), ply);
    if (const auto draw = draw_score(pos, ply)) return *draw;

    // What an endgame database knows needs no search, or at least less.
    KnownRange known;
    if (probe_) [[unlikely]]
        if (const auto score = ask_probe(pos, asked, known)) return *score;

    // A threat to win by the next move is seen to before anything is judged.
    const bool threatened = is_threatened(pos, ply);
    Node node = asked;
    node.depth += threatened;
    if (node.depth <= 0) return task_.exact ? evaluate_leaf(pos, ply) : quiesce(pos, asked);
    if (ply >= MaxPly) return path_.evaluate(pos);

    node.clip_to_mate_distance();
    if (node.alpha >= node.beta) return node.alpha;

    Entry& here = at(ply);
    const TableEntry entry = here.has_excluded ? TableEntry{} : find_in_table(pos, ply);
    if (!node.pv && entry.depth >= node.depth && cuts(entry, node.alpha, node.beta)) return entry.score;
    if (const auto score = win_by_next_move(pos, node)) return *score;

    // The evaluation, and whether it has risen since our last move: then less is pruned.
    if (!here.has_excluded) {
        here.evaluation = task_.exact || !here.quiet ? NoScore : evaluate(pos, entry);
        const Score before = ply >= 2 ? at(ply - 2).evaluation : NoScore;
        here.improving = here.evaluation != NoScore && (before == NoScore || here.evaluation > before);
        reward_by_evaluation(pos, ply);
    }
    if (!node.pv && !threatened && !here.has_excluded && here.evaluation != NoScore && !is_decisive(node.beta)) {
        if (const auto score = prune(pos, node, entry)) return *score;
    }

    // Internal iterative reduction: where the table knows no move the order is poor, so search shallower and let the
    // next iteration do better.
    if (!task_.exact && tunables_.iir && node.depth >= tunables_.iir_depth && entry.code == 0 && !here.has_excluded &&
        (node.pv || node.cut))
        --node.depth;

    return search_moves(pos, node, entry, known);
}

// The value of a node whose side to move wins at once; the principal variation ends with that move.
template <Game G>
std::optional<Score> AlphaBeta<G>::win_by_next_move([[maybe_unused]] const Position& pos,
                                                    [[maybe_unused]] const Node& node) {
    if constexpr (KnowsWinningMoves<G>) {
        if (!tunables_.winning_moves || at(node.ply).has_excluded) return std::nullopt;
        const auto move = pos.winning_move(pos.turn());
        if (!move) return std::nullopt;
        line_at(node.ply + 1).size = 0;
        if (node.pv) line_at(node.ply).set(*move, line(node.ply + 1));
        return final_score(win_for(pos.turn()), pos.turn(), node.ply + 1);
    }
    return std::nullopt;
}

// Could the other side win by its next move? After a pass it was given that move, and its threat says nothing.
template <Game G>
bool AlphaBeta<G>::is_threatened([[maybe_unused]] const Position& pos, [[maybe_unused]] int ply) const {
    if constexpr (KnowsWinningMoves<G>) {
        return !task_.exact && tunables_.threat_extension && !at(ply - 1).null_move && may_extend(ply) &&
               pos.winning_move(!pos.turn());
    }
    return false;
}

// Could the other side capture if it had the move? The evaluation sees no captures.
template <Game G>
bool AlphaBeta<G>::capture_threatened([[maybe_unused]] const Position& pos) const {
    if constexpr (KnowsCaptureThreats<G>) return tunables_.capture_threats && pos.capture_threatened();
    return false;
}

// The value by the database, or what it says of it; a move left out is not the database's question.
template <Game G>
[[gnu::noinline]] std::optional<Score> AlphaBeta<G>::ask_probe(const Position& pos, const Node& node,
                                                               KnownRange& known) {
    if (at(node.ply).has_excluded) return std::nullopt;
    const auto found = probe_->probe(pos);
    if (!found) return std::nullopt;
    tbhits_.store(tbhits() + 1, std::memory_order_relaxed);
    const auto [score, bound] = score_of(*found, node.ply);
    if (cuts({.score = score, .bound = bound}, node.alpha, node.beta)) return score;
    if (bound == Bound::Lower) known.least = score;
    if (bound == Bound::Upper) known.most = score;
    return std::nullopt;
}

// The horizon of an exact search: the game is over for want of moves, or the evaluation speaks.
template <Game G>
Score AlphaBeta<G>::evaluate_leaf(const Position& pos, int ply) {
    seldepth_ = std::max(seldepth_, ply);
    if (count_legal_moves<G>(pos) == 0) return final_score(pos.stuck().result, pos.turn(), ply);
    return path_.evaluate(pos);
}

// Ways to leave a quiet node without trying its moves.
template <Game G>
std::optional<Score> AlphaBeta<G>::prune(const Position& pos, const Node& node, const TableEntry& entry) {
    const int depth = node.depth, ply = node.ply;
    const Score alpha = node.alpha, beta = node.beta;
    const Entry& here = at(ply);
    Score evaluation = here.evaluation;
    if (entry.bound == Bound::Exact || (entry.bound == Bound::Lower && entry.score > evaluation) ||
        (entry.bound == Bound::Upper && entry.score < evaluation)) {
        if (!is_decisive(entry.score)) evaluation = entry.score;
    }

    // Razoring: so far below alpha that only a tactical stroke can help, so look for one.
    if (tunables_.razoring && depth <= tunables_.razoring_depth &&
        evaluation + tunables_.razoring_margin * depth < alpha) {
        const Score score = quiesce(pos, {0, alpha, alpha + 1, ply, false});
        if (score <= alpha) return score;
    }

    // Reverse futility: so far above beta that the other side will not come back within the depth left. The truth lies
    // somewhere between beta and what the evaluation promises.
    if (tunables_.reverse_futility && depth <= tunables_.reverse_futility_depth &&
        evaluation - tunables_.reverse_futility_margin * (depth - (here.improving ? 1 : 0)) >= beta &&
        !capture_threatened(pos))
        return (evaluation + beta) / 2;

    // Null move: a side that can afford to pass need not find its best move. The further it is ahead, the shallower
    // the proof may be.
    if constexpr (HasNullMove) {
        constexpr int MostForBeingAhead = 3;  // plies
        constexpr int DepthPerExtraPly = 3;   // one ply more of reduction
        if (tunables_.null_move && depth >= tunables_.null_depth && evaluation >= beta &&
            here.evaluation >= beta - tunables_.null_margin * depth && !at(ply - 1).null_move && pos.pass_is_sound()) {
            const int reduction = tunables_.null_reduction + depth / DepthPerExtraPly +
                                  std::min((evaluation - beta) / tunables_.null_evaluation, MostForBeingAhead);
            const Score score = try_null_move(pos, node, depth - reduction);
            if (score >= beta && !stopped()) return is_win(score) ? beta : score;  // a win after a pass is no proof
        }
    }
    return std::nullopt;
}

template <Game G>
Score AlphaBeta<G>::try_null_move(const Position& pos, const Node& node, int depth)
    requires HasNullMove
{
    Step step(*this, pos, node.ply);
    return -search(step.next, {depth, -node.beta, -node.beta + 1, node.ply + 1, !node.cut});
}

template <Game G>
Score AlphaBeta<G>::search_moves(const Position& pos, Node& node, const TableEntry& entry, const KnownRange& known) {
    const int ply = node.ply;
    const Entry& here = at(ply);
    const Score first_alpha = node.alpha;
    MoveList moves;
    pos.legal_moves(moves);
    if (moves.empty()) return final_score(pos.stuck().result, pos.turn(), ply);
    const bool single_reply = moves.size() == 1 && tunables_.single_reply_extension && !task_.exact && may_extend(ply);

    at(ply + 2).killers = {};
    const Hints<G> learnt = hints(ply, entry.code);
    Picker<G> picker(pos, moves, learnt, statistics_, tunables_, {table_, salt_});
    TriedMoves tried;
    Score best = -Infinite;
    std::uint16_t best_code = 0;
    int number = 0;
    while (true) {
        const bool prunes = !task_.exact && number > 0 && !is_loss(best);
        if (prunes && !picker.skips_quiet()) prune_quiet_moves(picker, node, number);
        const Move* next = picker.next();
        if (!next) break;
        const Move move = *next;
        if (here.has_excluded && move == here.excluded) continue;
        const bool tactical = is_tactical<G>(pos, move);
        const int history = picker.history();
        if (prunes && loses_exchange(pos, move, tactical, node.depth, picker)) continue;
        const Singular singular = look_for_singular(pos, node, move, entry);
        if (singular.cut) return *singular.cut;
        int extension = single_reply ? 1 : singular.extension;

        Step step(*this, pos, move, ply);
        if (extension == 0) extension = forcing_extension(pos, move, ply);
        const int less = number == 0 || extension > 0 ? 0 : reduction(node, number, tactical, history);
        const Score score = search_move(step.next, node, number, extension, less);
        ++number;
        if (stopped()) return 0;

        if (score > best) {
            best = score;
            if (score > node.alpha) {
                node.alpha = score;
                best_code = G::code(move);
                if (node.pv) line_at(ply).set(move, line(ply + 1));
                if (score >= node.beta) {
                    update_statistics(pos, node, move, tried);
                    break;
                }
            }
        }
        if (tried.size() < MaxTried) tried.push_back(move);
    }
    if (number == 0) return node.alpha;  // the only move is the excluded one

    if (best <= first_alpha && !here.has_excluded) reward_previous_move(pos, node);
    best = known.clamp(best);
    if (!here.has_excluded) {
        const Bound bound = best >= node.beta ? Bound::Lower : best > first_alpha ? Bound::Exact : Bound::Upper;
        table_.store(table_key(pos), ply, {best_code, best, here.evaluation, node.depth, bound});
    }
    return best;
}

// Principal variation search: the first move gets the whole window. Later ones must first beat alpha in a zero window,
// shallower the later they come; one that does is searched again to the full depth, then with the window open.
template <Game G>
Score AlphaBeta<G>::search_move(const Position& next, const Node& node, int number, int extension, int reduction) {
    const int deep = node.depth - 1 + extension;
    if (number == 0) return -search(next, node.full_window(deep, !node.pv && !node.cut));
    const bool root = node.ply == 0;
    const int reduced = std::min(std::max(deep - reduction, 1), deep);
    Score score = -search(next, node.zero_window(reduced, true));
    if (score > node.alpha && reduced < deep) score = -search(next, node.zero_window(deep, !root && !node.cut));
    // At the root a score beyond beta widens the window, and all is searched again anyway.
    if (score > node.alpha && node.pv && !(root && score >= node.beta))
        score = -search(next, node.full_window(deep, false));
    return score;
}

// Near the leaves quiet moves will not raise alpha that come too late in the order or start too far below it.
template <Game G>
void AlphaBeta<G>::prune_quiet_moves(Picker<G>& picker, const Node& node, int number) const {
    const Entry& here = at(node.ply);
    if (here.evaluation == NoScore) return;  // the moves are answers to a threat
    if (tunables_.late_move_pruning && node.depth <= tunables_.late_move_depth &&
        number >= (tunables_.late_move_base + node.depth * node.depth) / (here.improving ? 1 : 2))
        return picker.skip_quiet();
    const int left = std::max(0, node.depth - reductions_.plies(node.depth, number));
    if (tunables_.futility && left <= tunables_.futility_depth &&
        here.evaluation + tunables_.futility_base + tunables_.futility_margin * left <= node.alpha)
        tunables_.spare_forcing ? picker.skip_unforcing() : picker.skip_quiet();
}

// Near the leaves a move that loses material by exchange will not raise alpha either.
template <Game G>
bool AlphaBeta<G>::loses_exchange([[maybe_unused]] const Position& pos, [[maybe_unused]] Move move,
                                  [[maybe_unused]] bool tactical, [[maybe_unused]] int depth,
                                  [[maybe_unused]] const Picker<G>& picker) const {
    if constexpr (HasExchanges<G>) {
        if (!tunables_.exchange_pruning || depth > tunables_.exchange_depth || picker.in_good_captures()) return false;
        const int margin = tactical ? tunables_.capture_exchange_margin : tunables_.quiet_exchange_margin;
        return !pos.exchange_is_at_least(move, -margin * depth);
    } else {
        return false;
    }
}

// Late move reduction: how many plies shallower a late move is searched at first.
template <Game G>
int AlphaBeta<G>::reduction(const Node& node, int number, bool tactical, int history) const {
    constexpr int MostByHistory = 2;  // plies, more or less
    if (task_.exact || !tunables_.lmr || node.depth < tunables_.lmr_depth) return 0;
    if (number < tunables_.lmr_moves + (node.pv ? 1 : 0)) return 0;
    int plies = reductions_.plies(node.depth, number);
    if (tactical) plies /= 2;
    if (node.pv) --plies;
    if (node.cut) ++plies;
    if (!at(node.ply).improving) ++plies;
    if (!tactical) plies -= std::clamp(history / tunables_.lmr_history, -MostByHistory, MostByHistory);
    return std::max(plies, 0);
}

// Singular extension: if every other move fails well below the table's score, the table's move is searched deeper, by
// two plies if they fail far below. If another one reaches beta as well, the node fails high without a search to the
// full depth (multi-cut). Else the table's move is one of several good ones, and is searched shallower.
template <Game G>
auto AlphaBeta<G>::look_for_singular(const Position& pos, const Node& node, Move move, const TableEntry& entry)
    -> Singular {
    constexpr int OldestEntry = 3;                    // plies by which the table's search may have been shallower
    constexpr int OneOfSeveral = -2, PoorAtCut = -1;  // extensions
    Entry& here = at(node.ply);
    if (task_.exact || !tunables_.singular || here.has_excluded || node.depth < tunables_.singular_depth ||
        G::code(move) != entry.code || entry.code == 0 || entry.depth < node.depth - OldestEntry ||
        entry.bound == Bound::Upper || entry.bound == Bound::None || is_decisive(entry.score) || !may_extend(node.ply))
        return {};
    const Score target = entry.score - tunables_.singular_margin * node.depth;
    here.has_excluded = true;
    here.excluded = move;
    const int half = (node.depth - 1) / 2;
    const Score score = search(pos, {half, target - 1, target, node.ply, node.cut});
    here.has_excluded = false;
    if (score < target) return {.extension = !node.pv && score < target - tunables_.double_margin ? 2 : 1};
    if (tunables_.multi_cut && score >= node.beta && !is_decisive(score)) return {.cut = score};
    return {.extension = entry.score >= node.beta ? OneOfSeveral : node.cut ? PoorAtCut : 0};
}

// Only what cannot wait: captures and the like where the position is quiet, every move where it is not.
template <Game G>
Score AlphaBeta<G>::quiesce(const Position& pos, const Node& node) {
    const int ply = node.ply;
    const Score beta = node.beta;
    Score alpha = node.alpha;
    line_at(ply).size = 0;
    seldepth_ = std::max(seldepth_, ply);
    if (stopped()) return 0;
    if (ply >= MaxPly) return path_.evaluate(pos);

    const TableEntry entry = find_in_table(pos, ply);
    if (!node.pv && cuts(entry, alpha, beta)) return entry.score;
    if (const auto score = win_by_next_move(pos, node)) return *score;

    // Stand pat: where the position is quiet the side to move may also stop here.
    const bool quiet = at(ply).quiet;
    Score best = -Infinite, evaluation = NoScore;
    if (quiet) {
        evaluation = best = evaluate(pos, entry);
        if (best < beta && cuts(entry, best, best) && !is_decisive(entry.score)) best = entry.score;
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
    const Hints<G> learnt = hints(ply, entry.code);
    Picker<G> picker(pos, moves, learnt, statistics_, tunables_, {table_, salt_});
    std::uint16_t best_code = 0;
    while (const Move* next = picker.next()) {
        const Move move = *next;
        if (quiet) {
            if (picker.in_bad_captures()) break;
            if (const Score most = most_by_capture(pos, move, evaluation); most <= alpha) {
                best = std::max(best, most);
                continue;
            }
        }
        Step step(*this, pos, move, ply);
        const auto outcome = step.next.decided();
        const auto draw = outcome ? std::nullopt : draw_score(step.next, ply + 1);
        line_at(ply + 1).size = 0;  // where the game ends, so does the line
        const Score score = outcome ? -final_score(outcome->result, step.next.turn(), ply + 1)
                            : draw  ? -*draw
                                    : -quiesce(step.next, {0, -beta, -alpha, ply + 1, false});
        if (stopped()) return 0;
        if (score > best) {
            best = score;
            if (score > alpha) {
                alpha = score;
                best_code = G::code(move);
                if (node.pv) line_at(ply).set(move, line(ply + 1));
                if (score >= beta) break;
            }
        }
    }
    const Bound bound = best >= beta ? Bound::Lower : best > node.alpha ? Bound::Exact : Bound::Upper;
    table_.store(table_key(pos), ply, {best_code, best, evaluation, 0, bound});
    return best;
}

// Delta pruning: what a capture could make of the evaluation at most, the prize and a margin.
template <Game G>
Score AlphaBeta<G>::most_by_capture([[maybe_unused]] const Position& pos, [[maybe_unused]] Move move,
                                    [[maybe_unused]] Score evaluation) const {
    if constexpr (HasExchanges<G>) {
        return evaluation + pos.prize(move) + tunables_.delta_margin;
    } else {
        return Infinite;
    }
}

template <Game G>
Hints<G> AlphaBeta<G>::hints(int ply, std::uint16_t table_code) {
    Hints<G> known;
    known.table_code = table_code;
    if (tunables_.killers) known.killers = at(ply).killers;
    if (ply >= 1 && tunables_.counter_moves && at(ply - 1).move.code != 0)
        known.counter = statistics_.counter(at(ply - 1).move.code);
    if (tunables_.continuation_history) {
        for (std::size_t i = 0; i < ContinuationPlies.size() && ContinuationPlies[i] <= ply; ++i)
            if (const int shape = at(ply - ContinuationPlies[i]).move.shape; shape >= 0)
                known.following[i] = &statistics_.following(i, shape);
    }
    return known;
}

// The deeper the tree, the more it says.
template <Game G>
int AlphaBeta<G>::history_bonus(int depth) const {
    return std::min((tunables_.history_square * depth + tunables_.history_slope) * depth, tunables_.history_most);
}

// The move that cut gets a bonus, the moves tried before it in vain a malus.
template <Game G>
void AlphaBeta<G>::update_statistics(const Position& pos, const Node& node, Move best, const TriedMoves& tried) {
    const int ply = node.ply;
    const int bonus = history_bonus(node.depth);
    const bool tactical = is_tactical<G>(pos, best);
    if (!tactical) {
        Entry& here = at(ply);
        const std::uint16_t code = G::code(best);
        if (here.killers[0] != code) here.killers = {code, here.killers[0]};
        if (ply >= 1 && at(ply - 1).move.code != 0) statistics_.counter(at(ply - 1).move.code) = code;
    }
    update_history(pos, best, ply, bonus);
    for (const Move move : tried)
        if (is_tactical<G>(pos, move) || !tactical) update_history(pos, move, ply, -bonus);
}

// Where all our moves fail low, the quiet move that led here was good.
template <Game G>
void AlphaBeta<G>::reward_previous_move(const Position& pos, const Node& node) {
    const int ply = node.ply - 1;
    if (!tunables_.previous_move_history || ply < 0 || at(ply).move.code == 0 || at(ply).tactical) return;
    update_quiet_history(!pos.turn(), ply, at(ply).move, history_bonus(node.depth) / 2);
}

// A quiet move after which the evaluation is better for the side that made it was good, if only a little.
template <Game G>
void AlphaBeta<G>::reward_by_evaluation(const Position& pos, int ply) {
    if (!tunables_.evaluation_history || ply < 1) return;
    const Entry &here = at(ply), &before = at(ply - 1);
    if (before.move.code == 0 || before.tactical) return;
    if (here.evaluation == NoScore || before.evaluation == NoScore) return;
    const int gain = -here.evaluation - before.evaluation, most = tunables_.evaluation_most;
    const int bonus = std::clamp(gain * tunables_.evaluation_weight, -most, most);
    statistics_.quiet(!pos.turn(), before.move.code).add(bonus);
}

template <Game G>
void AlphaBeta<G>::update_history(const Position& pos, Move move, int ply, int bonus) {
    if (tunables_.tactics_first && is_tactical<G>(pos, move))
        statistics_.tactical(pos.turn(), G::code(move)).add(bonus);
    else
        update_quiet_history(pos.turn(), ply, outline(pos, move), bonus);
}

// The history of a move by itself, and after the moves before it.
template <Game G>
void AlphaBeta<G>::update_quiet_history(Side side, int ply, const MoveOutline& move, int bonus) {
    statistics_.quiet(side, move.code).add(bonus);
    if (move.shape < 0 || !tunables_.continuation_history) return;
    for (std::size_t i = 0; i < ContinuationPlies.size() && ContinuationPlies[i] <= ply; ++i)
        if (const int before = at(ply - ContinuationPlies[i]).move.shape; before >= 0)
            statistics_.following(i, before)[static_cast<std::size_t>(move.shape)].add(bonus);
}

}  // namespace damier
