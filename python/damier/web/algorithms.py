"""The textbook algorithms that pages may choose, and the limits of each."""

from __future__ import annotations

from damier import games
from damier.textbook import ALGORITHMS
from damier.web.errors import RefusedError
from damier.web.state import Algorithm, Bounds, TextbookEngine, TextbookOpponent

__all__ = ["algorithm_of", "check_choice", "check_evaluation"]

DEEPEST = {"minimax": 8, "negamax": 8}  # the others look no deeper than 12
MOST_SIMULATIONS = 200_000


def algorithm_of(name: str) -> Algorithm:
    """An algorithm of the catalogue.

    >>> algorithm_of("minimax").limit.most
    8
    """
    if name == "mcts":
        return Algorithm(name=name, measure="simulations", limit=Bounds(least=1, most=MOST_SIMULATIONS))
    return Algorithm(name=name, measure="depth", limit=Bounds(least=1, most=DEEPEST.get(name, 12)))


def check_choice(choice: TextbookOpponent | TextbookEngine, variant: str) -> None:
    """Refuse what is not in the catalogue."""
    if choice.algorithm not in ALGORITHMS:
        known = ", ".join(ALGORITHMS)
        raise RefusedError("unknown_player", f"{choice.algorithm!r} is not an algorithm, expected one of {known}")
    check_evaluation(choice.eval, variant)
    found = algorithm_of(choice.algorithm)
    value, most = getattr(choice, found.measure), found.limit.most
    if value > most:
        text = f"the {found.measure} of {choice.algorithm} is {value}, expected at most {most}"
        raise RefusedError("unknown_player", text)


def check_evaluation(name: str | None, variant: str) -> None:
    """Refuse an evaluation that a game does not have; None is the default."""
    known = games.board(variant).evaluations()
    if name is not None and name not in known:
        raise RefusedError("unknown_player", f"{name!r} is not an evaluation, expected one of {', '.join(known)}")
