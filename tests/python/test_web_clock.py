"""Clocks that the server keeps, on a clock that the test moves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from web_server import LEVEL1, MovableClock, RunningServer, Tab, running, small_config

CLOCK = {"seconds": 60.0, "increment": 2.0}


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture
def server(tmp_path: Path, clock: MovableClock) -> Iterator[RunningServer]:
    with running(small_config(tmp_path, clock=clock)) as server:
        yield server


def played(tab: Tab, game: Any, *moves: str) -> Any:
    for move in moves:
        game = tab.game("move", game=game["id"], node=game["current"], move=move)
    return game


def left(game: Any) -> tuple[float, float]:
    return game["clock"]["white"], game["clock"]["black"]


def test_clocks_run_after_the_first_moves(server: RunningServer, clock: MovableClock) -> None:
    with server.tab() as tab:
        game = tab.new("chess", clock=CLOCK)
        clock.advance(100)
        game = played(tab, game, "e4")
        assert (left(game), game["clock"]["running"]) == ((60.0, 60.0), None)
        clock.advance(100)
        game = played(tab, game, "e5")
        assert (left(game), game["clock"]["running"]) == ((60.0, 60.0), "white")
        clock.advance(10)
        assert tab.ask("clock", game=game["id"])["clock"]["white"] == 50.0
        game = played(tab, game, "Nf3")
        assert (left(game), game["clock"]["running"]) == ((52.0, 60.0), "black")
        assert game["tree"][-1]["seconds"] == 10.0


def test_clocks_go_back_with_the_moves(server: RunningServer, clock: MovableClock) -> None:
    """No move and its takeback gain an increment, and whoever plays on from an earlier move has the time of then."""
    with server.tab() as tab:
        game = played(tab, tab.new("chess", clock=CLOCK), "e4", "e5")
        for move, seconds in (("Nf3", 10), ("Nc6", 20), ("Bb5", 5)):
            clock.advance(seconds)
            game = played(tab, game, move)
        assert left(game) == (49.0, 42.0)
        clock.advance(5)
        game = tab.game("takeback", game=game["id"], node=game["current"])
        assert (left(game), game["clock"]["running"]) == ((52.0, 42.0), "white")
        clock.advance(52)
        lost = tab.wait("game", event="end")["game"]
        assert (lost["outcome"]["reason"], left(lost)) == ("time", (0.0, 42.0))
        game = tab.game("branch", game=game["id"], node=game["tree"][3]["id"])
        assert (left(game), game["clock"]["running"], game["outcome"]) == ((52.0, 60.0), "black", None)
        clock.advance(1)
        game = played(tab, game, "Nc6")  # which the tree has, and now it took less
        assert (left(game), game["tree"][4]["seconds"]) == ((52.0, 61.0), 1.0)
        game = played(tab, game, "Bc4")
        assert left(tab.game("takeback", game=game["id"], node=game["current"])) == (52.0, 61.0)


def test_a_move_takes_the_time_of_all_its_parts(server: RunningServer, clock: MovableClock) -> None:
    """The clock is read anew whenever someone comes or goes."""
    with server.tab() as tab:
        game = played(tab, tab.new("chess", clock=CLOCK), "e4", "e5")
        clock.advance(10)
    with server.tab() as tab:
        assert left(tab.game("open", game=game["id"])) == (50.0, 60.0)
        clock.advance(5)
        assert played(tab, game, "Nf3")["tree"][3]["seconds"] == 15.0


def test_the_flag_falls(server: RunningServer, clock: MovableClock) -> None:
    with server.tab() as tab, server.tab() as other:
        game = played(tab, tab.new("chess", clock=CLOCK), "e4", "e5")
        other.game("open", game=game["id"])
        clock.advance(60.5)
        for each in (tab, other):
            end = each.wait("game", event="end")["game"]
            assert end["outcome"] == {"result": "0-1", "winner": "black", "reason": "time"}
            assert left(end) == (0.0, 60.0)
        refused = tab.ask("move", game=game["id"], node=game["current"], move="Nf3")
        assert refused["code"] == "game_over"
        assert tab.ask("takeback", game=game["id"], node=game["current"])["code"] == "game_over"
        assert server.get("/api/games")["games"][0]["reason"] == "time"


def test_the_flag_falls_while_everyone_is_away(server: RunningServer, clock: MovableClock) -> None:
    with server.tab() as tab:
        game = played(tab, tab.new("chess", clock=CLOCK), "e4", "e5")
    clock.advance(61)
    with server.tab() as tab:
        state = tab.game("open", game=game["id"])
        if state["outcome"] is None:  # it falls at this moment
            state = tab.wait("game", event="end")["game"]
        assert state["outcome"]["reason"] == "time"


def test_clocks_stand_still_while_the_server_is_down(server: RunningServer, clock: MovableClock) -> None:
    with server.tab() as tab:
        game = played(tab, tab.new("chess", clock=CLOCK), "e4", "e5")
        clock.advance(10)
        game = played(tab, game, "Nf3")
    server.restart()
    clock.advance(1000)
    with server.tab() as tab:
        again = tab.game("open", game=game["id"])
        assert (left(again), again["outcome"]) == ((52.0, 60.0), None)
        clock.advance(3)
        assert left(played(tab, again, "Nc6")) == (52.0, 59.0)


def test_an_opponent_plays_by_its_clock(server: RunningServer) -> None:
    with server.tab() as tab:
        game = tab.new("english", "white", LEVEL1, clock=CLOCK)
        game = tab.until(lambda game: game["position"]["turn"] == "white")
        played(tab, game, game["position"]["legal"][0]["move"])
        game = tab.until(lambda game: game["position"]["ply"] == 3)
        assert left(game) == (60.0, 62.0)
        assert game["clock"]["running"] == "white"


def test_wrong_clocks_are_refused(server: RunningServer) -> None:
    with server.tab() as tab:
        wrong: list[dict[str, Any]] = [{"seconds": 0}, {"seconds": -1}, {"seconds": "60"}, {"seconds": 1e9}]
        for each in [*wrong, {"seconds": 60, "increment": -1}]:
            answer = tab.ask("new", variant="chess", side="white", opponent=LEVEL1, clock=each)
            assert answer["code"] == "malformed"
