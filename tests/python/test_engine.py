"""The engine through its public face: every game, every limit, and what must never happen."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from common import EVERY_GAME, walk
from hypothesis import given, settings
from hypothesis import strategies as st

import damier
from damier.engine import Engine, Limit, Score, SearchResult
from damier.games import Board

FAMILIES = ["loa", "chess", "english"]
PROMPT = 10.0  # seconds: a search that did not hear would never end; how soon it ends is measured in bench/


@pytest.fixture(scope="module")
def engines() -> Iterator[dict[str, Engine]]:
    """An engine of each game, made when it is first asked for."""

    class Made(dict[str, Engine]):
        def __missing__(self, name: str) -> Engine:
            self[name] = Engine(name, hash=2)
            return self[name]

    made = Made()
    yield made
    for engine in made.values():
        engine.close()


def some_positions(name: str, seed: int) -> Iterator[Board]:
    """A few positions of a random game that is not over."""
    for board in walk(damier.board(name), seed, plies=60):
        if board.ply % 13 == 0 and not board.outcome():
            yield board.copy()


def check_line(board: Board, info: SearchResult) -> None:
    line: Any = board.copy()
    assert info.pv
    for move in info.pv:
        assert line.is_legal(move)
        line.push(move)


@pytest.mark.parametrize("name", EVERY_GAME)
def test_every_game_gets_legal_moves_and_playable_lines(name: str, engines: dict[str, Engine]) -> None:
    for board in some_positions(name, 5):
        before = board.fen()
        played = engines[name].play(board, Limit(nodes=1500))
        assert played.move in board.legal_moves
        assert played.pv[0] == played.move
        check_line(board, played)
        assert played.nodes <= 1510
        assert sum(played.wdl) == 1000
        assert 0 <= played.score.expectation() <= 1
        if played.ponder is not None:
            after: Any = board.copy()
            after.push(played.move)
            assert after.is_legal(played.ponder)
        assert board.fen() == before


@pytest.mark.parametrize("name", EVERY_GAME)
def test_the_same_nodes_find_the_same(name: str) -> None:
    board = next(iter(some_positions(name, 8)))

    def found() -> tuple[Any, ...]:
        with Engine(name, hash=2) as engine:
            info = engine.analyse(board, Limit(nodes=3000))
            return info.pv, info.score, info.depth, info.nodes

    assert found() == found()


@pytest.mark.parametrize("name", FAMILIES)
def test_clearing_forgets_everything(name: str, engines: dict[str, Engine]) -> None:
    board, engine = damier.board(name), engines[name]
    engine.clear()
    first = engine.analyse(board, Limit(depth=6))
    assert engine.analyse(board, Limit(depth=6)).nodes < first.nodes
    engine.clear()
    assert engine.analyse(board, Limit(depth=6)).nodes == first.nodes


@pytest.mark.parametrize("name", EVERY_GAME)
def test_several_lines_are_distinct_and_in_order(name: str, engines: dict[str, Engine]) -> None:
    for board in some_positions(name, 6):
        for limit in (Limit(depth=4), Limit(nodes=2500)):
            lines = engines[name].analyse(board, limit, multipv=4)
            assert [info.multipv for info in lines] == list(range(1, len(lines) + 1))
            assert len({info.pv[0] for info in lines}) == len(lines)
            for info in lines:
                check_line(board, info)
            if limit.depth:
                assert len(lines) == min(4, len(board.legal_moves))
                assert [info.score for info in lines] == sorted((info.score for info in lines), reverse=True)
    everything = engines[name].analyse(board, Limit(depth=2), multipv=500)
    assert len(everything) == len(board.legal_moves)


@pytest.mark.parametrize("name", FAMILIES)
def test_only_the_moves_asked_for_are_searched(name: str, engines: dict[str, Engine]) -> None:
    board = damier.board(name)
    moves = list(board.legal_moves)
    for wanted in (moves[:1], moves[-2:]):
        assert engines[name].play(board, Limit(nodes=2000), searchmoves=wanted).move in wanted
        lines = engines[name].analyse(board, Limit(depth=3), multipv=5, searchmoves=wanted)
        assert {info.pv[0] for info in lines} == set(wanted)
    elsewhere: Any = board.copy()
    elsewhere.push(moves[0])
    foreign = next(move for move in elsewhere.legal_moves if move not in moves)
    with pytest.raises(damier.DamierError, match="illegal"):
        engines[name].play(board, Limit(nodes=10), searchmoves=[foreign])


# Scores.


@given(st.integers(-32000, 32000), st.integers(-32000, 32000))
def test_scores_are_totally_ordered(left: int, right: int) -> None:
    a, b = Score(left, (80, 120)), Score(right, (80, 120))
    assert (a < b, a == b, a > b) == (left < right, left == right, left > right)
    assert (-a < -b) == (b < a)
    if a < b:
        assert a.expectation() <= b.expectation()
    assert sum(a.wdl()) == 1000
    assert min(a.wdl()) >= 0
    assert abs(a.expectation() + (-a).expectation() - 1) < 0.0021
    assert (a.cp is None) != (a.mate is None)
    assert (a == b) == (hash(a) == hash(b))


def test_sure_scores_count_the_moves_to_the_end() -> None:
    words = [str(Score(value)) for value in (31999, 31997, -31998, -32000, 0, 123, -5)]
    assert words == ["#1", "#2", "#-1", "#-0", "+0.00", "+1.23", "-0.05"]
    assert Score(31999) > Score(31997) > Score(3000) > Score(-31990) > Score(-31996)


# A search under way.


@pytest.mark.parametrize("name", FAMILIES)
def test_an_analysis_goes_on_until_it_is_stopped(name: str, engines: dict[str, Engine]) -> None:
    board = damier.board(name)
    depths = []
    with engines[name].analysis(board) as analysis:
        for info in analysis:
            depths.append(info.depth)
            if info.depth >= 5:
                break
        start = time.perf_counter()
        analysis.stop()
        played = analysis.result()
        assert time.perf_counter() - start < PROMPT
    assert depths == sorted(depths)
    assert played.move in board.legal_moves
    assert analysis.result() is played


def test_an_endless_search_does_not_end_by_itself(engines: dict[str, Engine]) -> None:
    board = damier.chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")  # mate in one: nothing is left to think about
    ended = threading.Event()
    with engines["chess"].analysis(board, Limit(infinite=True)) as analysis:
        waiter = threading.Thread(target=lambda: (analysis.result(), ended.set()))
        waiter.start()
        assert not ended.wait(0.5)
        analysis.stop()
        assert ended.wait(PROMPT)
        waiter.join()


def test_one_search_at_a_time(engines: dict[str, Engine]) -> None:
    board, engine = damier.loa.Board(), engines["loa"]
    with engine.analysis(board):
        for use in (
            lambda: engine.play(board, Limit(nodes=10)),
            lambda: setattr(engine, "threads", 2),
            lambda: setattr(engine, "hash", 4),
            lambda: setattr(engine, "eval", "material"),
            engine.clear,
        ):
            with pytest.raises(damier.DamierError, match="the engine is searching: stop it first"):
                use()
    assert engine.play(board, Limit(nodes=10)).move in board.legal_moves


def test_the_board_may_change_while_it_is_analysed(engines: dict[str, Engine]) -> None:
    board = damier.chess.Board()
    start = board.copy()
    with engines["chess"].analysis(board, Limit(nodes=30_000)) as analysis:
        for text in ("e4", "e5", "Nf3", "Nc6"):
            board.play(text)
        for info in analysis:
            check_line(start, info)
    assert analysis.result().move in start.legal_moves


def test_a_search_left_alone_is_ended(engines: dict[str, Engine]) -> None:
    board = damier.loa.Board()
    engines["loa"].analysis(board)
    assert engines["loa"].play(board, Limit(nodes=100)).move in board.legal_moves


def test_a_search_that_is_over_leaves_the_next_alone(engines: dict[str, Engine]) -> None:
    board, engine = damier.chess.Board(), engines["chess"]
    old = engine.analysis(board, Limit(nodes=500))
    old.result()
    new = engine.analysis(board, Limit(depth=6))
    old.stop()
    old.ponderhit()
    del old
    new.result()
    assert new.lines[0].depth == 6


def test_a_closed_engine_says_so() -> None:
    engine = Engine("chess")
    engine.close()
    engine.close()
    for use in (lambda: engine.play(damier.chess.Board(), Limit(depth=1)), engine.clear, engine.options):
        with pytest.raises(damier.DamierError, match="the engine is closed"):
            use()


def test_closing_ends_no_search_that_is_watched() -> None:
    engine = Engine("chess")
    analysis = engine.analysis(damier.chess.Board(), Limit(nodes=2000))
    engine.close()
    assert analysis.result().move in damier.chess.Board().legal_moves


@pytest.mark.parametrize("limit", [Limit(time=0.05), Limit(depth=2), Limit(white_clock=1, black_clock=1)])
def test_pondering_waits_for_the_move(limit: Limit, engines: dict[str, Engine]) -> None:
    board = damier.chess.Board()
    ended = threading.Event()
    with engines["chess"].analysis(board, limit, ponder=True) as analysis:
        waiter = threading.Thread(target=lambda: (analysis.result(), ended.set()))
        waiter.start()
        assert not ended.wait(0.3)
        analysis.ponderhit()
        assert ended.wait(PROMPT)
        waiter.join()
    assert analysis.result().move in board.legal_moves
    with engines["chess"].analysis(board, limit, ponder=True) as missed:
        missed.stop()
        assert missed.result().move in board.legal_moves


def test_what_was_pondered_long_enough_is_answered_at_once() -> None:
    asked = 0

    def count(board: damier.Board) -> int:
        nonlocal asked
        asked += 1
        return 0

    board = damier.chess.Board("7k/8/8/8/8/6p1/8/r6K w - - 0 1")  # there is only one move
    hour = Limit(white_clock=3600, black_clock=3600)
    with Engine("chess", eval=count) as engine, engine.analysis(board, hour, ponder=True) as analysis:
        for info in analysis:
            if info.depth == 12:
                break
        analysis.ponderhit()
        before = asked
        assert str(analysis.result().move) == "h1g2"
        assert asked - before < 10  # and not another iteration


def test_no_win_takes_longer_than_the_fifty_moves_allow() -> None:
    with Engine("chess", hash=16) as engine:
        for clock, nodes in (
            (0, 3_000_000),
            (70, 2_000_000),
            (72, 1_000_000),
        ):  # later searches find the table full of wins
            board = damier.chess.Board(f"8/8/8/4k3/8/8/8/KR6 w - - {clock} 60")
            score = engine.analyse(board, Limit(nodes=nodes)).score
            assert score.cp < 2000 if score.mate is None else 0 < 2 * score.mate <= 100 - clock + 1


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("threads", [1, 2])
def test_interrupted_at_any_time_it_has_a_move(name: str, threads: int) -> None:
    dice = random.Random(name)
    with Engine(name, threads=threads, hash=1) as engine:
        for board in some_positions(name, 9):
            for wait in (0.0, dice.uniform(0, 0.001), dice.uniform(0, 0.02)):
                with engine.analysis(board, multipv=dice.choice([1, 3])) as analysis:
                    time.sleep(wait)
                    start = time.perf_counter()
                    analysis.stop()
                    played = analysis.result()
                    assert time.perf_counter() - start < PROMPT
                assert played.move in board.legal_moves
                for info in analysis.lines:
                    check_line(board, info)


# Limits.


def test_time_is_kept(engines: dict[str, Engine]) -> None:
    board = damier.chess.Board()
    for limit in (Limit(time=0.1), Limit(white_clock=0.2, black_clock=60), Limit(white_clock=0, black_clock=0)):
        start = time.perf_counter()
        engines["chess"].play(board, limit)
        assert time.perf_counter() - start < 0.2 + PROMPT


ENGINE5 = Engine("loa5", hash=1)
SECONDS = st.one_of(st.none(), st.floats(-1e12, 1e12), st.sampled_from([0.0, float("nan"), float("inf")]))
COUNT = st.one_of(st.none(), st.integers(-3, 5), st.integers(1, 2**65))
LIMITS = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(("depth", "mate", "moves_to_go"), COUNT)
    | dict.fromkeys(("time", "white_clock", "black_clock"), SECONDS)
    | dict.fromkeys(("white_inc", "black_inc"), SECONDS.filter(lambda seconds: seconds is not None)),
)


def accepted(values: dict[str, Any]) -> Limit | None:
    """The limit, or None when it was refused in words."""
    try:
        return Limit(nodes=50, **values)
    except damier.DamierError as error:
        words = str(error)
    assert ", expected " in words
    return None


@settings(max_examples=200, deadline=None)
@given(LIMITS)
def test_any_limit_is_kept_or_refused(values: dict[str, Any]) -> None:
    limit = accepted(values)
    board = damier.loa.Board(variant="loa5")
    if limit is not None:
        assert ENGINE5.play(board, limit).move in board.legal_moves


def test_a_limit_that_sets_no_end_is_refused(engines: dict[str, Engine]) -> None:
    for limit in (Limit(), Limit(infinite=True), Limit(depth=3, infinite=True)):
        with pytest.raises(damier.DamierError, match="the limit sets no end"):
            engines["chess"].play(damier.chess.Board(), limit)


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({"threads": 0}, f"threads is 0, expected 1 to {8 * (os.cpu_count() or 1)}"),
        ({"threads": 10**9}, "threads is 1000000000, expected at most "),
        ({"hash": 0}, "hash is 0, expected 1 to"),
        ({"hash": -4}, "hash is -4, expected 1 to"),
        ({"hash": 4_000_000}, "a table of 4000000 MiB does not fit into the "),
        ({"level": 0}, "level is 0, expected 1 to 10"),
        ({"level": 11}, "level is 11, expected 1 to 10"),
        ({"elo": -999}, "elo is -999, expected "),
        ({"elo": 9999}, "elo is 9999, expected "),
        ({"eval": "nonsense"}, "'nonsense' is not an evaluation of this game"),
        ({"options": {"nonsense": 1}}, "nonsense"),
        ({"options": {"null_move": 7}}, "null_move"),
    ],
)
def test_bad_settings_are_refused_in_words(setting: dict[str, Any], words: str) -> None:
    with pytest.raises(damier.DamierError, match=words) as caught:
        Engine("chess", **setting)
    assert "\n" not in str(caught.value)


def test_other_things_that_cannot_be(engines: dict[str, Engine]) -> None:
    mated = damier.chess.Board("7k/5KQ1/8/8/8/8/8/8 b - - 0 1")
    with pytest.raises(damier.MoveError, match="no legal move"):
        engines["chess"].play(mated, Limit(depth=1))
    with pytest.raises(damier.DamierError, match="another game"):
        engines["english"].play(damier.draughts.Board(variant="russian"), Limit(depth=1))
    with pytest.raises(damier.DamierError, match="plays chess, not loa"):
        engines["chess"].play(damier.loa.Board(), Limit(depth=1))
    for lines in (0, 501):
        with pytest.raises(damier.DamierError, match=f"multipv is {lines}, expected 1 to 500"):
            engines["chess"].analyse(damier.chess.Board(), Limit(depth=1), multipv=lines)
