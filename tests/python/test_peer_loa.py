"""OpenSpiel as oracle for Lines of Action: moves and decisions on thousands of random positions.

OpenSpiel forgets the side to move in its repetition key, so games are compared up to the first repeated placement.
"""

from __future__ import annotations

import random

import pyspiel
import pytest

from damier import loa
from damier._core import Side


def their_moves(state: pyspiel.State) -> dict[str, int]:
    return {state.action_to_string(action): action for action in state.legal_actions()}


@pytest.mark.parametrize("seed", range(60))
def test_random_games_agree(seed: int) -> None:
    dice = random.Random(seed)
    board = loa.Board(variant="loa:openspiel")
    state = pyspiel.load_game("lines_of_action").new_initial_state()
    placements: set[str] = set()
    while True:
        placement = board.fen().split()[0]
        if placement in placements:
            return
        placements.add(placement)
        assert state.is_terminal() == board.is_over(), board.fen()
        if state.is_terminal():
            outcome = board.outcome()
            assert outcome is not None
            black, white = state.returns()
            assert (black > white) == (outcome.winner == Side.BLACK)
            assert (white > black) == (outcome.winner == Side.WHITE)
            return
        theirs = their_moves(state)
        assert sorted(str(move) for move in board.legal_moves) == sorted(theirs)
        move = dice.choice(sorted(theirs))
        state.apply_action(theirs[move])
        board.play(move)
