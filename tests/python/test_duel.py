"""Games that two engines play without Python, against the same games played move by move."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import pytest

import damier
from damier._core import Adjudicator, DamierError, Side, StopFlag
from damier.arena import openings
from damier.arena.play.control import Control
from damier.arena.play.referee import Adjudication, play_game
from damier.engine import Engine, Limit
from damier.players import Player, player

GAMES = ["loa", "loa6", "chess", "chess960", "english", "international", "frisian", "turkish", "paris"]


class MoveByMove(Player):
    """A player whose moves go through Python, one by one."""

    def __init__(self, spec: str) -> None:
        self._inner = player(spec)
        self.name = self._inner.name
        self.new_game, self.play = self._inner.new_game, self._inner.play


def without_seconds(played: Any) -> Any:
    return replace(played, seconds=())


@pytest.mark.parametrize("rules", [Adjudication(), Adjudication(resign=300, resign_moves=2, draw=15, draw_moves=3)])
@pytest.mark.parametrize("game", GAMES)
def test_the_core_plays_what_the_referee_plays(game: str, rules: Adjudication) -> None:
    book = openings("random:4", game, seed=3)
    specs = "engine:nodes=120,hash=1", "engine:depth=2,hash=1"
    for number, first_is_white in ((0, True), (1, False)):
        setting: dict[str, Any] = {"first_is_white": first_is_white, "adjudication": rules, "seed": number}
        in_core = play_game(game, book[number], (player(specs[0]), player(specs[1])), **setting)
        by_moves = play_game(game, book[number], (MoveByMove(specs[0]), MoveByMove(specs[1])), **setting)
        assert without_seconds(in_core) == without_seconds(by_moves)


def test_the_core_is_asked_where_it_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr("damier.players.engine.EnginePlayer.play", lambda *_: asked.append(1))
    opening = openings("random:4", "loa")[0]
    played = play_game("loa", opening, (player("engine"), player("engine:depth=1")), control=Control(nodes=50))
    assert played
    assert played.seconds
    assert asked == []


def test_limits_that_need_python() -> None:
    engine = Engine("chess", hash=1)
    for limit in (Limit(mate=2), Limit(infinite=True), Limit(white_clock=1, black_clock=1), Limit(nodes=5, mate=1)):
        assert engine.native(limit) is None
    assert engine.native(Limit(time=0.5)) is not None
    engine.level = 3
    assert engine.native(Limit(nodes=5)) is None
    engine.level = 10
    assert engine.native(Limit(nodes=5)) is not None


def test_a_player_against_itself() -> None:
    both = player("engine:depth=1,hash=1")
    played = play_game("loa", openings("random:4", "loa")[0], (both, both))
    assert played
    assert played.result in ("1-0", "0-1", "1/2-1/2")


def test_a_game_in_the_core_stops_when_asked() -> None:
    stop = StopFlag()
    threading.Timer(0.1, stop.set).start()
    pair = player("engine:nodes=1000000000000,hash=1"), player("engine:nodes=1000000000000,hash=1")
    assert play_game("chess", openings("random:4", "chess")[0], pair, stop=stop) is None


def test_a_busy_engine_is_not_shared() -> None:
    first, second = (damier._core.Engine("loa") for _ in range(2))
    board = damier.board("loa")
    terms: Any = {"limit": Limit(depth=1), "rival_limit": Limit(depth=1), "max_plies": 4}
    terms |= {"adjudicator": Adjudicator(), "stop": StopFlag()}
    with pytest.raises(DamierError, match="searching"):
        first.play_on(board, first, **terms)
    search = second.start(board, Limit(infinite=True))
    with pytest.raises(DamierError, match="searching"):
        first.play_on(board, second, **terms)
    search.stop()
    search.result()
    assert first.play_on(board, second, **terms)[0] is None
    assert board.ply == 4


def test_the_side_to_move_comes_first() -> None:
    """Whoever asks moves first, whichever colour that is."""
    board = damier.board("chess", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
    deep, shallow = (damier._core.Engine(board.variant) for _ in range(2))
    limits: Any = {"limit": Limit(depth=4), "rival_limit": Limit(depth=1)}
    _, _, depths, _, _ = deep.play_on(board, shallow, **limits, max_plies=4, adjudicator=Adjudicator(), stop=StopFlag())
    assert depths == [4, 1, 4, 1]


def test_adjudication_counts_moves_in_a_row() -> None:
    adjudicator = Adjudication(resign=500, resign_moves=2).adjudicator()
    scores = [600, -600, 600, None, 600, -600, 600, -400, 600, -600, 600, -600]
    results = [
        adjudicator.after(Side.WHITE if ply % 2 == 0 else Side.BLACK, score, ply + 1)
        for ply, score in enumerate(scores)
    ]
    assert results == [None] * 11 + ["1-0"]


def test_no_draw_is_agreed_early() -> None:
    adjudicator = Adjudication(draw=10, draw_moves=1, draw_from=3).adjudicator()
    results = [adjudicator.after(Side.WHITE if ply % 2 else Side.BLACK, 5, ply) for ply in range(1, 8)]
    assert results == [None] * 5 + ["1/2-1/2"] * 2
