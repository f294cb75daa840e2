"""Whatever is given as a position or a move is understood or refused in one line; nothing else may happen."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from common import EVERY_GAME, walk
from hypothesis import given, settings
from hypothesis import strategies as st

import damier
from damier.engine import Engine

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
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_position_text(name: str, data: st.DataObject) -> None:
    text = data.draw(broken(FENS[name]))
    board = read_or_refused(damier.FenError, damier.board, name, text)
    if board is None:
        return
    assert damier.board(name, board.fen()) == board
    assert board.perft(2) >= 0


@pytest.mark.parametrize("name", EVERY_GAME)
@settings(max_examples=40, deadline=None)
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
        if damier.games.info(other).family != damier.games.info(name).family:
            for move in damier.board(other).legal_moves:
                assert not board.is_legal(move)
                with pytest.raises(damier.MoveError, match="is illegal in"):
                    board.push(move)
    for junk, words in ((None, "None"), (3, "a value of type int"), (b"e2e4", "a value of type bytes")):
        uses: list[Callable[[Any], Any]] = [board.push, board.is_legal, board.text, board.is_irreversible]
        uses += [board.path, board.ends]
        if isinstance(board, damier.chess.Board):
            uses += [board.san, board.uci, board.is_capture]
        for use in uses:
            with pytest.raises(TypeError, match=f"^{words} is not a move, expected one of board.legal_moves$"):
                use(junk)
        assert junk not in board.legal_moves
    for text in ("", "nonsense", "\ud800"):
        with pytest.raises(damier.MoveError):
            board.push(text)
    with pytest.raises(damier.DamierError, match=r"^searchmoves has None, expected moves or their texts$"):
        Engine(name).play(board, damier.Limit(depth=1), searchmoves=[None])  # type: ignore[list-item]


def test_a_move_belongs_to_its_variant() -> None:
    move = damier.draughts.Board(variant="english").parse("9-14")
    pool = damier.draughts.Board(variant="pool")
    assert not pool.is_legal(move)
    with pytest.raises(damier.MoveError, match="9-14 is illegal in"):
        pool.push(move)


@pytest.mark.parametrize("depth", [-1, 61, 10**9])
def test_absurd_depths_are_refused(depth: int) -> None:
    with pytest.raises(damier.DamierError, match=f"depth is {depth}, expected 0 to 60"):
        damier.board("loa").perft(depth)


@pytest.mark.parametrize("name", ["", "ludo", "loa9", "loa:", "loa:chess", "chess:olympiad", "Loa", "\x00", "x" * 5000])
def test_unknown_games_are_refused(name: str) -> None:
    with pytest.raises(damier.DamierError, match="is not a game, expected one of loa") as caught:
        damier.board(name)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("family", [damier.loa, damier.chess, damier.draughts])
def test_a_board_that_was_never_set_up_is_refused(family: Any) -> None:
    class Forgetful(family.Board):  # type: ignore[misc]
        def __init__(self) -> None:
            pass

    for use in (lambda board: len(board.legal_moves), lambda board: board.copy(), lambda board: board.fen()):
        with pytest.raises(TypeError), pytest.warns(RuntimeWarning):
            use(Forgetful())


def test_a_board_may_change_while_another_thread_counts() -> None:
    board = damier.chess.Board()
    counts: list[int] = []
    thread = threading.Thread(target=lambda: counts.append(board.perft(5)))
    thread.start()
    for text in ("e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6"):
        board.play(text)
    thread.join()
    assert board.ply == 8
    assert len(counts) == 1


def test_equal_outcomes_have_equal_hashes_and_boards_none() -> None:
    mate = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"
    assert len({damier.chess.Board(mate).outcome(), damier.chess.Board(mate).outcome()}) == 1
    with pytest.raises(TypeError, match="unhashable"):
        hash(damier.chess.Board())
    move = damier.chess.Board().parse("e4")
    assert move in damier.chess.Board().legal_moves
    assert None not in damier.chess.Board().legal_moves
    assert "e4" not in damier.chess.Board().legal_moves


def test_an_operation_that_does_not_fit_in_an_epd_is_refused() -> None:
    for operations in ({"bad op": ["x"]}, {"": ["x"]}, {"c0": ["two\nlines"]}):
        with pytest.raises(damier.FenError, match="bad EPD"):
            damier.chess.Board().epd(operations)


def test_a_move_without_its_promotion_fits_several() -> None:
    board = damier.chess.Board("7k/P7/8/8/8/8/8/K7 w - - 0 1")
    for read in (board.push, board.parse, board.parse_uci):
        with pytest.raises(damier.MoveError, match=r"^'a7a8' lacks a promotion piece, as in e8=Q or e7e8q$"):
            read("a7a8")
    with pytest.raises(damier.MoveError, match=r"^'a7b8' is illegal in "):
        board.push("a7b8")
