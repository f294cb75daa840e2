"""Analysis through the websocket: lines that stream and stop, hints, reviews, the terms of an evaluation."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from web_server import LEVEL1, PATIENCE, MovableClock, RunningServer, Tab, running, small_config

ENGINE = {"kind": "engine"}
MATE = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(small_config(tmp_path_factory.mktemp("web"), slice_s=0.2)) as server:
        yield server


def lines(tab: Tab, **fields: Any) -> dict[str, Any]:
    """The last message of an analysis that ends by itself."""
    number = tab.send("analyse", **{"engine": ENGINE, **fields})
    while True:
        message = tab.read()
        assert (message["type"], message["request"]) == ("analysis", number), message
        if message["done"]:
            return message


def until(server: RunningServer, wanted: Callable[[Any], bool]) -> None:
    """Wait until the server is as it should be."""
    end = time.monotonic() + PATIENCE
    while not wanted(server.get("/api/health")):
        assert time.monotonic() < end
        time.sleep(0.01)


def idle(server: RunningServer) -> None:
    """Wait until nothing searches."""
    until(server, lambda health: not health["searches"] and not health["waiting"])


def test_lines_stream_until_they_are_stopped(server: RunningServer) -> None:
    with server.tab() as tab:
        number = tab.send("analyse", variant="chess", engine=ENGINE, multipv=2)
        deep = 0
        while deep < 5:
            message = tab.wait("analysis", request=number)
            assert not message["done"]
            deep = max([deep, *(line["depth"] for line in message["lines"])])
            for line in message["lines"]:
                assert len(line["moves"]) == len(line["san"]) == len(line["squares"])
        assert [line["multipv"] for line in message["lines"]] == [1, 2]
        stop = tab.send("stop", search=number)
        assert tab.wait("ok")["request"] == stop
        assert tab.wait("analysis", request=number, done=True)["lines"]
        idle(server)


def test_scores_are_white_s(server: RunningServer) -> None:
    with server.tab() as tab:
        for fen, sign in ((MATE, 1), ("r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1", -1)):
            number = tab.send("analyse", variant="chess", fen=fen, engine=ENGINE)
            while not (message := tab.wait("analysis", request=number))["lines"]:
                pass
            while message["lines"][0]["score"]["mate"] is None and not message["done"]:
                message = tab.wait("analysis", request=number)
            assert message["lines"][0]["score"] == {"cp": None, "mate": sign, "expectation": float(sign > 0)}
            tab.send("stop", search=number)


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "mtdf", "mcts"])
def test_textbook_algorithms_analyse(server: RunningServer, algorithm: str) -> None:
    with server.tab() as tab:
        choice = {"kind": "textbook", "algorithm": algorithm, "depth": 3, "simulations": 500}
        message = lines(tab, variant="loa5", engine=choice)
        assert message["engine"] == f"{algorithm} classic"
        assert message["lines"][0]["moves"]
        if algorithm != "mcts":
            assert message["lines"][0]["depth"] == 3


def test_there_is_nothing_to_find_when_the_game_is_over(server: RunningServer) -> None:
    with server.tab() as tab:
        assert lines(tab, variant="chess", fen="R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1")["lines"] == []


def test_wrong_wishes_are_refused(server: RunningServer) -> None:
    with server.tab() as tab:
        for engine in (
            {"kind": "engine", "eval": "../../etc/passwd"},
            {"kind": "engine", "learnt": "nobody"},
            {"kind": "textbook", "algorithm": "rm"},
        ):
            assert tab.ask("analyse", variant="loa", engine=engine)["code"] == "unknown_player"
        for algorithm, much in (("minimax", {"depth": 9}), ("mcts", {"simulations": 10**6})):
            choice = {"kind": "textbook", "algorithm": algorithm, **much}
            refused = tab.ask("analyse", variant="loa", engine=choice)
            assert (refused["code"], "expected at most" in refused["message"]) == ("unknown_player", True)
            assert tab.ask("review", variant="loa", moves=["b1-b3"], engine=choice)["code"] == "unknown_player"
            assert tab.ask("new", variant="loa", side="white", opponent=choice)["code"] == "unknown_player"
        assert tab.ask("analyse", variant="loa", engine=ENGINE, moves=["a1a1"])["code"] == "illegal_move"
        assert tab.ask("analyse", variant="loa", engine=ENGINE, threads=0)["code"] == "malformed"


def test_analyses_of_many_tabs_take_turns(server: RunningServer) -> None:
    tabs = [server.tab() for _ in range(3)]
    try:
        for tab in tabs:
            tab.send("analyse", variant="chess", engine=ENGINE, threads=64, hash=65_536)
        for tab in tabs:  # one thread is for analyses here, and yet each gets somewhere
            while not tab.wait("analysis")["lines"]:
                pass
        with server.tab() as player:  # and who plays need not wait
            game = player.new("chess", "black", LEVEL1)
            assert player.until(lambda state: state["position"]["ply"] == 1)["id"] == game["id"]
    finally:
        for tab in tabs:
            tab.close()
    idle(server)


@pytest.mark.parametrize("slow", ["analyse", "review"])
def test_who_asks_for_much_lets_others_have_their_turn(server: RunningServer, slow: str) -> None:
    """One thread is for analyses here; searches that would take hours give it away after a slice."""
    much = {"kind": "textbook", "algorithm": "minimax", "depth": 8}
    with server.tab() as greedy, server.tab() as other:
        number = greedy.send(slow, variant="chess", moves=["e4", "e5"], engine=much)
        until(server, lambda health: health["searches"] == 1)
        other.send("analyse", variant="chess", engine=ENGINE)
        while not other.wait("analysis")["lines"]:
            pass
        if slow == "analyse":  # and it comes back to where it was
            while greedy.wait("analysis", request=number)["waiting"] is False:
                pass
            assert greedy.wait("analysis", request=number, waiting=False)["lines"][0]["depth"] >= 2
        else:
            assert greedy.wait("review_progress", request=number)["done"] == 1
    idle(server)


def test_a_silent_tab_ends_its_analysis(tmp_path: Path) -> None:
    clock = MovableClock()
    with running(small_config(tmp_path, clock=clock, silence_s=100.0)) as server, server.tab() as tab:
        number = tab.send("analyse", variant="chess", engine=ENGINE)
        while not tab.wait("analysis")["lines"]:
            pass
        clock.advance(90)
        tab.ask("position", variant="loa5")
        clock.advance(90)  # since which it was heard
        assert tab.ask("ping")["type"] == "ok"  # which only says that the line is there
        assert not tab.wait("analysis")["done"]
        assert server.get("/api/health")["searches"] == 1
        clock.advance(20)
        assert tab.wait("analysis", request=number, done=True)["lines"]
        idle(server)
        number = tab.send("analyse", variant="chess", engine=ENGINE)  # it is asked for again
        assert not tab.wait("analysis", request=number)["done"]


def test_a_search_ends_with_its_tab_within_a_second(server: RunningServer) -> None:
    waits = []
    for _ in range(5):  # the quickest, as this machine may be busy with something else
        tab = server.tab()
        tab.send("analyse", variant="chess", engine=ENGINE)
        while not tab.wait("analysis")["lines"]:
            pass
        assert server.get("/api/health")["searches"] == 1
        start = time.monotonic()
        tab.close()
        idle(server)
        waits.append(time.monotonic() - start)
        if waits[-1] < 1:
            break
    assert min(waits) < 1


def test_a_player_stops_thinking_with_its_tab(server: RunningServer) -> None:
    tab = server.tab()
    tab.new("chess", "black", {"kind": "textbook", "algorithm": "minimax", "depth": 8})
    tab.wait("game", event="thinking")
    tab.close()
    idle(server)


def test_a_hint_has_a_line(server: RunningServer) -> None:
    with server.tab() as tab:
        game = tab.new("chess", fen=MATE)
        hint = tab.ask("hint", game=game["id"])
        assert (hint["type"], hint["node"], hint["line"]["san"]) == ("hint", 0, ["Ra8#"])
        assert hint["line"]["squares"] == [["a1", "a8"]]


def test_a_review_names_the_blunder(server: RunningServer) -> None:
    with server.tab() as tab:
        game = tab.new("chess", moves=["e4", "e5", "Qh5", "Ke7"])
        tab.game("move", game=game["id"], node=4, move="Qxe5")
        number = tab.send("review", game=game["id"], engine=ENGINE, nodes=3000)
        done = []
        while (message := tab.read())["type"] == "review_progress":
            assert message["request"] == number
            done.append((message["done"], message["total"]))
        assert done == [(count, 6) for count in range(1, 7)]
        review = message["review"]
        assert [move["node"] for move in review["moves"]] == [1, 2, 3, 4, 5]
        blunder, mate = review["moves"][3], review["moves"][4]
        assert (blunder["judgement"], blunder["turning_point"]) == ("blunder", True)
        assert blunder["better"]["san"]
        assert blunder["loss"] > 0.3
        assert (mate["judgement"], mate["better"], mate["after"]["mate"]) == ("best", None, 0)
        assert review["accuracy"]["black"] < review["accuracy"]["white"] <= 100
        assert review["counts"]["black"]["blunder"] == 1
        sent = {"variant": "chess", "moves": ["e4", "e5"], "engine": ENGINE, "nodes": 500}
        number = tab.send("review", **sent)
        assert len(tab.wait("review", request=number)["review"]["moves"]) == 2


def test_terms_have_places(server: RunningServer) -> None:
    with server.tab() as tab:
        found = tab.ask("terms", variant="loa", eval="bing-linear")["evaluation"]
        assert [term["name"] for term in found["terms"]][:2] == ["pieces", "spread"]
        points = found["terms"][1]["places"]
        assert [(point["side"], point["file"], point["rank"]) for point in points] == [
            ("white", 3.5, 3.5),
            ("black", 3.5, 3.5),
        ]
        assert {place["what"] for place in found["places"]} >= {"centre", "group", "mobility"}
        pawns = tab.ask("terms", variant="chess", fen="4k3/8/8/3P4/8/8/8/4K3 w - - 0 1", eval="classic")["evaluation"]
        (term,) = (term for term in pawns["terms"] if term["name"] == "passed pawns")
        assert term["places"][0]["squares"] == ["d5"]
        man = tab.ask("terms", variant="international", eval="nnue")["evaluation"]["terms"][0]
        assert man["name"] == "man 31"
        assert [(place["what"], place["side"], place["squares"]) for place in man["places"]] == [
            ("piece", "white", ["31"])
        ]
        assert tab.ask("terms", variant="chess", eval="bing")["code"] == "unknown_player"
