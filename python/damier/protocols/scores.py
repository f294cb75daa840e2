"""Scores as protocols write them, for the side to move: UCI in centipawns or moves to mate, Hub in men."""

from __future__ import annotations

import math

from damier._core import SURE_WIN, WIN
from damier.engine import Score

__all__ = ["cp_score", "format_men", "format_uci_score", "mate_score", "parse_men"]

WON = 100.0  # men; a win in n plies scores n hundredths less, as in Scan
LONGEST_WIN = WIN - SURE_WIN  # plies


def cp_score(cp: float) -> Score:
    """A score in centipawns. It is never a proven win, however high an engine puts it.

    >>> cp_score(25), cp_score(1e9).is_sure
    (Score(value=25, calibration=(0.0, 150.0)), False)
    """
    return Score(round(max(1 - SURE_WIN, min(cp, SURE_WIN - 1))))


def mate_score(plies: int, *, won: bool) -> Score:
    """A proven win or loss in this many plies.

    >>> str(mate_score(3, won=True)), str(mate_score(0, won=False))
    ('#2', '#-0')
    """
    value = WIN - max(0, min(plies, LONGEST_WIN))
    return Score(value if won else -value)


def format_uci_score(score: Score) -> str:
    """A score as UCI writes it.

    >>> format_uci_score(cp_score(-12)), format_uci_score(mate_score(3, won=True))
    ('cp -12', 'mate 2')
    """
    return f"mate {score.mate}" if score.mate is not None else f"cp {score.cp}"


def format_men(score: Score) -> str:
    """A score as Hub writes it: a win is 100 men, less a hundredth per ply.

    >>> format_men(cp_score(-12)), format_men(mate_score(3, won=True))
    ('-0.12', '99.97')
    """
    men = score.value / 100 if score.plies is None else math.copysign(WON - score.plies / 100, score.value)
    return f"{men:.2f}"


def parse_men(men: float) -> Score:
    """The score that Hub writes as this number of men.

    >>> parse_men(-0.12).cp, parse_men(99.97).plies
    (-12, 3)
    """
    plies = round((WON - abs(men)) * 100)
    return mate_score(plies, won=men > 0) if plies <= LONGEST_WIN else cp_score(men * 100)
