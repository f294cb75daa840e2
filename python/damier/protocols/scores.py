"""Scores as protocols write them, for the side to move: UCI in hundredths or moves to mate, Hub in men."""

from __future__ import annotations

import math

from damier.engine import Score
from damier.engine.score import SURE_WIN, WIN

__all__ = ["judged", "men", "score_of_men", "sure", "uci_score"]

Won = 100.0  # men; a win in n plies scores n hundredths less, as Scan has it
LongestWin = WIN - SURE_WIN  # plies


def judged(hundredths: float) -> Score:
    """A score that proves nothing, however high an engine puts it.

    >>> judged(25), judged(1e9).is_sure
    (Score(value=25, calibration=(0.0, 150.0)), False)
    """
    return Score(round(max(1 - SURE_WIN, min(hundredths, SURE_WIN - 1))))


def sure(plies: int, *, won: bool) -> Score:
    """A proven win or loss in so many plies.

    >>> str(sure(3, won=True)), str(sure(0, won=False))
    ('#2', '#-0')
    """
    value = WIN - max(0, min(plies, LongestWin))
    return Score(value if won else -value)


def uci_score(score: Score) -> str:
    """A score as UCI has it.

    >>> uci_score(judged(-12)), uci_score(sure(3, won=True))
    ('cp -12', 'mate 2')
    """
    return f"mate {score.mate}" if score.mate is not None else f"cp {score.cp}"


def men(score: Score) -> float:
    """A score as Hub has it; a win is a hundred, less its plies in hundredths.

    >>> men(judged(-12)), men(sure(3, won=True))
    (-0.12, 99.97)
    """
    if score.plies is None:
        return score.value / 100
    return math.copysign(Won - score.plies / 100, score.value)


def score_of_men(value: float) -> Score:
    """The score Hub writes so.

    >>> score_of_men(-0.12).cp, score_of_men(99.97).plies
    (-12, 3)
    """
    plies = round((Won - abs(value)) * 100)
    return sure(plies, won=value > 0) if plies <= LongestWin else judged(value * 100)
