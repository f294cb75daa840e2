"""Whatever is given as a position or a move is understood or refused in one line; nothing else may happen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from common import EVERY_GAME, walk
from hypothesis import given, settings
from hypothesis import strategies as st

import damier

ALPHABET = "/12345678KQRBNPkqrbnpxowWbB:,-+.# xabcdefgh0"
FENS = {name: [board.fen() for board in walk(damier.board(name), 31, plies=50)] for name in EVERY_GAME}


@st.composite
def broken(draw: st.DrawFn, texts: list[str]) -> str:
    """A good text with a few edits, or plain noise."""
    if draw(st.booleans()):
        return draw(st.text(max_size=80))
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.text(ALPHABET, max_size=3)) + text[at + draw(st.integers(0, 3)) :]
    return text


def read_or_refused(refusal: type[Exception], read: Callable[..., Any], *text: str) -> Any:
    """What was read, or None when it was refused in exactly one line."""
    try:
        return read(*text)
    except refusal as error:
        words = str(error)
    assert len(words.splitlines()) == 1
    return None


@pytest.mark.parametrize("name", EVERY_GAME)
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_any_position_text(name: str, data: st.DataObject) -> None:
    text = data.draw(broken(FENS[name]))
    board = read_or_refused(damier.FenError, damier.board, name, text)
    if board is None:
        return
    assert damier.board(name, board.fen()) == board
    assert board.perft(2) >= 0


@pytest.mark.parametrize("name", EVERY_GAME)
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_any_move_text(name: str, data: st.DataObject) -> None:
    board = damier.board(name, data.draw(st.sampled_from(FENS[name])))
    texts = [board.text(move) for move in board.legal_moves] or ["-"]
    text = data.draw(broken(texts))
    move = read_or_refused(damier.MoveError, board.parse, text)
    assert move is None or move in board.legal_moves


@pytest.mark.parametrize("name", EVERY_GAME)
def test_moves_of_another_kind_are_refused(name: str) -> None:
    board = damier.board(name)
    for other in ("loa", "chess", "english"):
        move = next(iter(damier.board(other).legal_moves))
        if type(move) is not type(next(iter(board.legal_moves))):
            with pytest.raises(TypeError):
                board.push(move)  # type: ignore[arg-type]
    for junk in (None, 3, "e2e4"):
        with pytest.raises(TypeError):
            board.push(junk)  # type: ignore[arg-type]


def test_a_move_belongs_to_its_variant() -> None:
    move = damier.draughts.Board("english").parse("9-14")
    pool = damier.draughts.Board("pool")
    assert not pool.is_legal(move)
    with pytest.raises(damier.MoveError, match="9-14 is illegal in"):
        pool.push(move)


@pytest.mark.parametrize("depth", [-1, 61, 10**9])
def test_absurd_depths_are_refused(depth: int) -> None:
    with pytest.raises(damier.DamierError, match=f"depth is {depth}, expected 0 to 60"):
        damier.board("loa").perft(depth)


@pytest.mark.parametrize("name", ["", "ludo", "loa9", "loa:", "loa:chess", "chess:olympiad", "Loa", "\x00", "x" * 5000])
def test_unknown_games_are_refused(name: str) -> None:
    with pytest.raises(damier.DamierError, match="is no game, expected one of loa") as caught:
        damier.board(name)
    assert len(str(caught.value)) < 400
