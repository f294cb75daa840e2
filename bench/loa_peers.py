"""Lines of Action against OpenSpiel: bench/loa_peers.py [--games N] [--simulations N] [--time S].

OpenSpiel plays by Monte-Carlo tree search, by its own rules; each opening of random moves is played with both colours.
"""

from __future__ import annotations

import argparse
import random
from concurrent.futures import ProcessPoolExecutor, as_completed

import pyspiel

from damier import Engine, Limit, Side, loa
from damier.arena import Pairs


def play(seed: int, ours: Side, simulations: int, seconds: float) -> float:
    """One game; our points."""
    dice = random.Random(seed)
    game = pyspiel.load_game("lines_of_action")
    state, board = game.new_initial_state(), loa.Board(variant="loa:openspiel")
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, seed), 1.4, simulations, 500, True, seed, False)
    with Engine("loa:openspiel") as engine:
        while not state.is_terminal() and board.outcome() is None:
            actions = {state.action_to_string(action): action for action in state.legal_actions()}
            if board.ply < 4:
                text = dice.choice(sorted(actions))
            elif board.turn == ours:
                ours_move = engine.play(board, Limit(time=seconds)).move
                text = next(name for name in actions if board.parse(name) == ours_move)
            else:
                text = state.action_to_string(bot.step(state))
            board.play(text)
            state.apply_action(actions[text])
    if (outcome := board.outcome()) is None or outcome.winner is None:
        return 0.5
    return float(outcome.winner == ours)


def pair(seed: int, simulations: int, seconds: float) -> tuple[float, float]:
    return play(seed, Side.BLACK, simulations, seconds), play(seed, Side.WHITE, simulations, seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--time", type=float, default=0.2)
    parser.add_argument("--processes", type=int, default=1)
    chosen = parser.parse_args()
    pairs = Pairs()
    with ProcessPoolExecutor(chosen.processes) as pool:
        running = [pool.submit(pair, seed, chosen.simulations, chosen.time) for seed in range(chosen.games // 2)]
        for future in as_completed(running):
            pairs += Pairs.of([sum(future.result())])
            print(f"{pairs.share:.1%} of {2 * len(pairs)} games", flush=True)
    print(
        f"loa, {chosen.time} s per move, against OpenSpiel's MCTS with {chosen.simulations} simulations: "
        f"{pairs.share:.1%} of {2 * len(pairs)} games, Elo {pairs.elo()}"
    )


if __name__ == "__main__":
    main()
