"""What an engine is told beyond its evaluation: an endgame probe and a book, both functions of a board."""

from __future__ import annotations

import gc
import weakref
from collections import Counter

import numpy as np
import pytest

from damier import DamierError, Side, chess, draughts, textbook
from damier.board import Board
from damier.engine import Engine, Limit, Probe

TAKES_THE_PAWN = "8/7k/8/8/p7/8/8/QK6 w - - 0 1"


def pieces(board: Board) -> str:
    return "".join(letter for letter in board.fen().split()[0] if letter.isalpha())


def lone_king_loses(board: chess.Board) -> int | None:
    """Lost for a king alone against more, in a number of plies that nobody knows."""
    white, black = (sum(map(case, pieces(board))) for case in (str.isupper, str.islower))
    if min(white, black) > 1:
        return None
    to_move = white if board.turn == Side.WHITE else black
    return -1 if to_move == 1 else 1


def counted(board: chess.Board) -> tuple[int, int] | None:
    known = lone_king_loses(board)
    return None if known is None else (known, 12)


@pytest.mark.parametrize("threads", [1, 2])
def test_the_search_asks_a_probe(threads: int) -> None:
    with Engine("chess", probe=counted, threads=threads) as engine:
        found = engine.play(chess.Board(TAKES_THE_PAWN), Limit(depth=2))
        assert (found.move, found.score.value) == (chess.Board(TAKES_THE_PAWN).parse("Qxa4"), 32000 - 13)
        engine.probe = None
        assert engine.play(chess.Board(TAKES_THE_PAWN), Limit(depth=2)).score.cp is not None


def endless(board: chess.Board) -> tuple[int, int] | None:
    known = lone_king_loses(board)
    return None if known is None else (known, 2**31 - 1)


@pytest.mark.parametrize("probe", [lone_king_loses, endless])
def test_a_win_that_nobody_can_count_is_kept_and_no_mate(probe: Probe) -> None:
    found = Engine("chess", probe=probe).analyse(chess.Board(TAKES_THE_PAWN), Limit(depth=3))
    assert found.pv[0] == chess.Board(TAKES_THE_PAWN).parse("Qxa4")
    assert found.score.mate is None
    assert found.score.expectation() > 0.99


@pytest.mark.parametrize("algorithm", textbook.ALGORITHMS)
def test_textbook_algorithms_ask_it_too(algorithm: str) -> None:
    board = chess.Board(TAKES_THE_PAWN)
    found = textbook.search(board, algorithm, depth=1, probe=counted, simulations=400, leaves="evaluated")
    assert found.move == board.parse("Qxa4")
    if algorithm != "mcts":
        assert found.score.value == 32000 - 13


def test_a_probe_sees_boards_of_the_kind_that_is_played() -> None:
    seen: set[tuple[type, str, int]] = set()

    def watch(board: Board) -> None:
        seen.add((type(board), board.variant, board.ply))

    Engine("russian", probe=watch).play(draughts.Board(variant="russian"), Limit(depth=2))
    textbook.search(draughts.Board(variant="russian"), depth=2, probe=watch)
    assert seen == {(draughts.Board, "russian", 0)}


def test_a_probe_may_answer_in_numbers_of_numpy() -> None:
    def known(board: chess.Board) -> tuple[np.int8, np.int64] | None:
        found = counted(board)
        return None if found is None else (np.int8(found[0]), np.int64(found[1]))

    with Engine("chess", probe=known) as engine:  # type: ignore[arg-type]
        assert engine.play(chess.Board(TAKES_THE_PAWN), Limit(depth=2)).score.value == 32000 - 13


@pytest.mark.parametrize("answer", [2, "won", (1, -3), (1, 2, 3), 0.5, (5, None), (1, "soon"), []])
def test_wrong_answers_of_a_probe_are_told(answer: object) -> None:
    with pytest.raises(DamierError, match="a probe must return"):
        Engine("loa5", probe=lambda board: answer).play(Engine("loa5")._board, Limit(depth=2))  # type: ignore[arg-type, return-value]


def test_errors_of_a_probe_and_a_book_come_out_and_the_engine_goes_on() -> None:
    def broken(board: Board) -> None:
        raise KeyError("no such table")

    engine = Engine("chess", probe=broken)
    with pytest.raises(KeyError, match="no such table"):
        engine.play(chess.Board(), Limit(depth=2))
    with pytest.raises(KeyError, match="no such table"):
        textbook.search(chess.Board(), depth=2, probe=broken)
    engine.probe = None
    engine.book = broken
    with pytest.raises(KeyError, match="no such table"):
        engine.play(chess.Board(), Limit(depth=2))
    engine.book = None
    assert engine.play(chess.Board(), Limit(depth=2)).depth == 2


def test_a_book_is_played_by_its_weights_and_seed() -> None:
    def book(board: chess.Board) -> dict[str, float]:
        return {"e4": 3, "d4": 1, "a3": 0} if board == chess.Board() else {}

    def games(seed: int) -> list[str]:
        engine = Engine("chess", book=book, seed=seed)
        return [chess.Board().san(engine.play(chess.Board(), Limit(depth=1)).move) for _ in range(200)]  # type: ignore[arg-type]

    played = Counter(games(1))
    assert set(played) == {"e4", "d4"}
    assert played["e4"] > 2 * played["d4"]
    assert games(1) == games(1) != games(2)


def test_where_a_book_ends_the_engine_searches() -> None:
    engine = Engine("chess", book=lambda board: [board.parse("e4")] if board == chess.Board() else None)
    assert engine.play(chess.Board(), Limit(depth=3)).nodes == 0
    board = chess.Board()
    board.push("a3")
    assert engine.play(board, Limit(depth=3)).nodes > 0
    assert engine.analyse(chess.Board(), Limit(depth=3)).nodes > 0  # an analysis wants a search
    engine.level = 4
    assert engine.play(chess.Board(), Limit(nodes=500)).move == chess.Board().parse("e4")


@pytest.mark.parametrize("answer", [["e5"], {"e4": "much"}, "e4", [7], {"Qh5": 1}])
def test_wrong_answers_of_a_book_are_told(answer: object) -> None:
    with pytest.raises(DamierError, match="a book must return legal moves"):
        Engine("chess", book=lambda board: answer).play(chess.Board(), Limit(depth=1))  # type: ignore[arg-type, return-value]


def test_only_functions_are_taken() -> None:
    for name in ("probe", "book"):
        with pytest.raises(DamierError, match=f"{name} is 3, expected a function"):
            Engine("chess", **{name: 3})  # type: ignore[arg-type]


def test_a_bot_that_is_its_own_probe_and_book_is_collected() -> None:
    class Bot:
        def __init__(self) -> None:
            self.engine = Engine("loa5", hash=0.25, probe=self.know, book=self.open)

        def know(self, board: Board) -> None:
            return None

        def open(self, board: Board) -> None:
            return None

    bots = [Bot() for _ in range(5)]
    for bot in bots:
        bot.engine.play(bot.engine._board, Limit(depth=1))
    alive = [weakref.ref(bot) for bot in bots]
    del bots, bot
    gc.collect()
    assert [ref() for ref in alive] == [None] * 5
