"""What the engine makes of draws, wins in n, threads and levels."""

from __future__ import annotations

from typing import Any

import pytest
from common import walk

import damier
from damier.engine import LEVELS, Engine, Limit
from damier.games import Board


def value(fen: str, limit: Limit) -> int:
    with Engine("chess", hash=2) as engine:
        return engine.analyse(damier.chess.Board(fen), limit).score.value


def test_perpetual_check_saves_the_weaker_side() -> None:
    perpetual = "5rk1/5p1p/7Q/8/8/r7/q5PP/7K w - - 0 1"  # Qg5+ Kh8 Qf6+ Kg8 for ever, two rooks down
    assert value(perpetual, Limit(nodes=30_000)) == 0
    assert value(perpetual.replace("7Q", "8"), Limit(nodes=30_000)) < -500


def test_a_side_that_wins_does_not_repeat() -> None:
    board = damier.chess.Board("7k/8/8/8/8/8/R7/K7 w - - 0 1")
    for text in ("Rb2", "Kg8", "Ra2", "Kh8", "Rb2", "Kg8"):
        board.play(text)
    with Engine("chess", hash=2) as engine:
        assert engine.analyse(board, Limit(nodes=40_000)).score.value > 300
        back = [board.parse("Ra2")]  # Kh8 then repeats for the third time
        assert engine.analyse(board, Limit(nodes=40_000), searchmoves=back).score.value == 0


def test_the_fifty_moves_are_counted() -> None:
    assert value("7k/8/8/8/8/8/R7/K7 w - - 0 90", Limit(depth=4)) > 300
    assert value("7k/8/8/8/8/8/R7/K7 w - - 99 90", Limit(depth=4)) == 0
    for limit in (Limit(depth=4), Limit(mate=2)):  # mate ends the game before the count does
        assert value("7k/8/6K1/8/8/8/8/R7 w - - 99 90", limit) == 31999


@pytest.mark.parametrize(
    ("name", "most"), [("loa5", 2), ("loa", 2), ("english", 3), ("international", 2), ("turkish", 2)]
)
def test_wins_in_n_agree_with_trying_everything(name: str, most: int) -> None:
    wins = 0
    with Engine(name, hash=2) as engine:
        for seed in range(6):
            boards = [board.copy() for board in walk(damier.board(name), seed) if not board.outcome()]
            for board in boards[-4:]:
                expected = shortest_win(board, most)
                info = engine.analyse(board, Limit(mate=most))
                assert max(info.score.mate or 0, 0) == expected, board.fen()
                if expected:
                    assert len(info.pv) == 2 * expected - 1
                    wins += 1
    assert wins > 3


def shortest_win(board: Any, most: int) -> int:
    """The least number of moves with which the side to move wins against everything, 0 for more than `most`."""
    return next((moves for moves in range(1, most + 1) if wins_within(board, moves)), 0)


def wins_within(board: Any, moves: int) -> bool:
    us = board.turn
    for move in list(board.legal_moves):
        board.push(move)
        outcome = board.outcome()
        won = outcome.winner == us if outcome else moves > 1 and loses_within(board, moves - 1)
        board.pop()
        if won:
            return True
    return False


def loses_within(board: Any, moves: int) -> bool:
    us = board.turn
    for move in list(board.legal_moves):
        board.push(move)
        outcome = board.outcome()
        lost = outcome.winner not in (us, None) if outcome else wins_within(board, moves)
        board.pop()
        if not lost:
            return False
    return True


@pytest.mark.parametrize("name", ["loa", "chess", "english"])
def test_two_threads_find_legal_moves(name: str) -> None:
    with Engine(name, threads=2) as engine:
        for board in walk(damier.board(name), 4, plies=40):
            if board.ply % 10 == 0 and not board.outcome():
                assert engine.play(board, Limit(nodes=3000)).move in board.legal_moves


def test_two_threads_find_what_one_finds() -> None:
    board = damier.chess.Board("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w - - 0 1")
    with Engine("chess", threads=2) as engine:
        assert engine.analyse(board, Limit(depth=8)).score.mate == 2
        for _ in range(3):  # with what was found before in the table
            assert engine.analyse(board, Limit(mate=4)).score.mate == 2


def points(name: str, strong: int, weak: int, games: int) -> float:
    """What a level scores against another from random openings, each played from both sides."""
    total = 0.0
    with Engine(name, level=strong, seed=1, hash=1) as one, Engine(name, level=weak, seed=2, hash=1) as other:
        for game in range(games):
            *_, start = walk(damier.board(name), game // 2, plies=4)
            board: Any = start.copy()
            begins = board.turn
            first, second = (one, other) if game % 2 == 0 else (other, one)
            while not (outcome := board.outcome(claim_draw=True)) and board.ply < 160:
                board.push((first if board.turn == begins else second).play(board, Limit(nodes=8000)).move)
            winner = outcome.winner if outcome else None
            total += 0.5 if winner is None else float((winner == begins) == (game % 2 == 0))
    return total


@pytest.mark.parametrize("name", ["loa", "chess", "international"])
def test_levels_are_stronger_one_than_the_other(name: str) -> None:
    assert points(name, 5, 1, 4) >= 3
    assert points(name, 9, 4, 2) >= 1.5


def test_levels_grow() -> None:
    assert list(LEVELS) == list(range(1, 11))
    sees = [(strength.depth or 99, strength.nodes or 10**9) for strength in LEVELS.values()]
    assert sees == sorted(sees)
    strays = [strength.temperature for strength in LEVELS.values()]
    assert strays == sorted(strays, reverse=True)
    assert Engine("chess", level=4).level == 4
    assert Engine("chess", elo=1500).elo == 1500
    assert Engine("chess").level is None


def test_a_weak_level_takes_a_win_at_once() -> None:
    board = damier.chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    for seed in range(10):
        assert board.san(Engine("chess", level=2, seed=seed, hash=1).play(board, Limit(time=1)).move) == "Ra8#"


def test_a_seed_plays_the_same_game_twice() -> None:
    def game() -> list[str]:
        board = damier.board("loa6")
        with Engine("loa6", level=2, seed=7, hash=1) as engine:
            while not board.outcome() and board.ply < 20:
                board.push(engine.play(board, Limit(nodes=500)).move)  # type: ignore[arg-type]
        return list(map(str, board.moves))

    assert game() == game()


def test_levels_play_with_the_evaluation_of_the_engine() -> None:
    with Engine("loa", level=5) as engine:
        assert engine.eval == "nnue"
        engine.eval = "quads"
        engine.level = 3
        assert engine.eval == "quads"
        engine.eval = None
        assert (engine.level, engine.eval) == (3, "nnue")


def test_an_evaluation_is_told_apart_from_another_of_its_name() -> None:
    def nnue(board: Board) -> float:
        return 1234.0

    board = damier.board("loa")
    with Engine("loa", eval=nnue) as engine:
        other = engine.analyse(board, Limit(depth=1)).score
        engine.eval = "nnue"
        assert engine.analyse(board, Limit(depth=1)).score != other
