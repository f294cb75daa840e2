"""Every perft table, to the depths that take no time; `make perft` runs them all."""

from __future__ import annotations

import pytest
from common import perft_lines, start_of

QUICK = 2_000_000


@pytest.mark.parametrize(("variant", "fen", "counts"), list(perft_lines()))
def test_counts(variant: str, fen: str, counts: list[int]) -> None:
    board = start_of(variant, fen)
    quick = [count for count in counts if count <= QUICK]
    assert [board.perft(depth) for depth in range(1, len(quick) + 1)] == quick


@pytest.mark.parametrize("variant", ["loa", "chess", "international"])
def test_threads_and_divide_agree(variant: str) -> None:
    board = start_of(variant, "start")
    divided = board.divide(4, threads=3)
    assert sum(count for _, count in divided) == board.perft(4) == board.perft(4, threads=2)
    assert [move for move, _ in divided] == list(board.legal_moves)
