"""What goes wrong: malformed messages, dead engines, full disks, locked databases, kill -9. Nothing is lost."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event
from web_server import HUMAN, LEVEL1, MovableClock, RunningServer, Tab, running, small_config
from websockets.exceptions import ConnectionClosed

from damier.eval import Linear
from damier.web.config import default_database
from damier.web.schema import schema


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(small_config(tmp_path_factory.mktemp("web"))) as server:
        yield server


def play(tab: Tab, game: Any, *moves: str) -> Any:
    for move in moves:
        game = tab.game("move", game=game["id"], node=game["current"], move=move)
    return game


MALFORMED = [
    "",
    "{",
    "[]",
    "null",
    "3",
    '"open"',
    "{}",
    '{"type": "open"}',
    '{"type": "open", "request": 1}',
    '{"type": "open", "request": "1", "game": "a"}',
    '{"type": "open", "request": -1, "game": "a"}',
    '{"type": "open", "request": 1, "game": "../../etc/passwd"}',
    '{"type": "open", "request": 1, "game": "a", "path": "/etc"}',
    '{"type": "fly", "request": 1}',
    '{"type": "move", "request": 1, "game": "a", "node": 1.5, "move": "e4"}',
    '{"type": "new", "request": 1, "variant": "loa", "side": "white", "opponent": {"kind": "uci", "path": "/bin/sh"}}',
    '{"request": ' + "9" * 400 + "}",
    "[" * 100_000,
]


@pytest.mark.parametrize("text", MALFORMED)
def test_malformed_messages_are_refused(server: RunningServer, text: str) -> None:
    with server.tab() as tab:
        tab.socket.send(text)
        assert tab.read()["code"] == "malformed"
        assert tab.new("loa")["variant"] == "loa"  # and it goes on


def test_frames_that_are_no_text_or_too_long(server: RunningServer) -> None:
    with server.tab() as tab:
        tab.socket.send(b"\x00\xff")
        assert tab.read()["code"] == "malformed"
    tab = server.tab()
    tab.socket.send("x" * 1_000_001)
    with pytest.raises(ConnectionClosed) as closed:
        tab.read()
    tab.close()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009


def test_a_flood_is_cut_off(tmp_path: Path) -> None:
    with running(replace(small_config(tmp_path), rate=5.0, burst=50)) as server:
        tab = server.tab()
        codes = []
        with suppress(ConnectionClosed):
            for _ in range(200):
                tab.send("position", variant="loa5")
        with pytest.raises(ConnectionClosed) as closed:  # noqa: PT012
            while True:
                codes.append(tab.read().get("code"))
        tab.close()
        assert "too_fast" in codes
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008
        with server.tab() as another:
            assert another.hello


def test_a_dead_engine_loses_nothing(server: RunningServer) -> None:
    """A player whose file goes away in the middle of a game."""
    file = server.config.players / "mortal.safetensors"
    file.parent.mkdir(parents=True, exist_ok=True)
    Linear("quads", [1, 2, 3, 4, 5, 6, 7, 8]).save(file, "loa")
    with server.tab() as tab:
        game = tab.new("loa", "black", {"kind": "learnt", "id": "mortal"})
        held = file.read_bytes()
        file.unlink()
        play(tab, game, "b1-b3")
        state = tab.until(lambda game: game["failure"])
        assert (state["thinking"], state["position"]["ply"]) == (None, 1)
        assert "there is no learnt player 'mortal'" in state["failure"]
        file.write_bytes(held)
        tab.send("branch", game=game["id"], node=state["current"])  # try again
        assert tab.until(lambda game: game["position"]["ply"] == 2)["failure"] is None


def test_a_locked_database_refuses_the_move_and_keeps_the_game(tmp_path: Path) -> None:
    with running(replace(small_config(tmp_path), database_patience_s=0.05)) as server, server.tab() as tab:
        game = play(tab, tab.new("chess"), "e4")
        other = sqlite3.connect(tmp_path / "web.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        refused = tab.ask("move", game=game["id"], node=1, move="e5")
        assert (refused["code"], refused["detail"]) == ("storage", "locked")
        assert refused["message"] == "the database: another program has been writing to it for 0.05 s"
        assert tab.game("open", game=game["id"])["current"] == 1
        answer = server.http.put("/api/settings", json=server.get("/api/settings"))
        assert (answer.status_code, answer.json()["code"]) == (507, "storage")
        other.execute("ROLLBACK")
        other.close()
        assert play(tab, game, "e5")["current"] == 2


def test_a_full_disk_refuses_the_move_and_keeps_the_game(tmp_path: Path) -> None:
    with running(small_config(tmp_path)) as server, server.tab() as tab:
        game = play(tab, tab.new("chess"), "e4")
        saved = server.server.games.saved
        room = ["1"]
        event.listen(saved._engine, "connect", lambda raw, _: raw.execute(f"PRAGMA max_page_count = {room[0]}"))
        saved._engine.dispose()  # so that the next connection has no more room than is taken already
        answers = []
        for move in game["position"]["legal"]:
            added = tab.ask("add", game=game["id"], node=1, move=move["move"])
            answers += [added, tab.ask("edit", game=game["id"], node=added.get("added") or 1, comment="x" * 4000)]
        refused = [answer for answer in answers if answer["type"] == "error"]
        assert refused
        assert {(answer["code"], answer["detail"]) for answer in refused} == {("storage", "full")}
        assert "full" in refused[0]["message"]
        assert str(tmp_path) not in json.dumps(refused)
        room[0] = "1000000"
        saved._engine.dispose()
        again = tab.game("open", game=game["id"])
        assert again["tree"] == server.get(f"/api/games/{game['id']}")["tree"]
        assert play(tab, again, "e5")["position"]["ply"] == 2
        server.restart()
        assert server.get(f"/api/games/{game['id']}")["position"]["ply"] == 2


def test_a_damaged_database_is_reported(tmp_path: Path) -> None:
    with running(small_config(tmp_path)) as server:
        with server.tab() as tab:
            tab.new("chess")
        saved = server.server.games.saved
        saved._engine.dispose()  # which writes everything into the one file
        file = tmp_path / "web.db"
        file.write_bytes(file.read_bytes()[:4096] + b"?" * (file.stat().st_size - 4096))
        answer = server.http.get("/api/games").json()
        assert (answer["code"], answer["detail"]) == ("storage", "damaged"), answer["message"]
        assert server.get("/api/health")["status"] == "ok"


def test_another_program_may_change_a_game(tmp_path: Path) -> None:
    """Two servers on one database: the later one is told, and sees what the other did."""
    config = small_config(tmp_path)
    with running(config) as one, running(config) as two, one.tab() as here, two.tab() as there:
        game = here.new("chess")
        seen = there.game("open", game=game["id"])
        play(here, game, "e4")
        assert there.ask("move", game=seen["id"], node=0, move="d4")["code"] == "stale"
        assert there.game("open", game=game["id"])["tree"][1]["san"] == "e4"
        play(here, here.game("open", game=game["id"]), "e5")
        with two.tab() as third:  # a page that is opened shows what is written, and the one beside it hears of it
            assert third.game("open", game=game["id"])["tree"][2]["san"] == "e5"
        assert there.until(lambda game: game["position"]["ply"] == 2)["tree"][2]["san"] == "e5"


def test_tabs_hear_of_a_game_that_another_program_changed(tmp_path: Path) -> None:
    """All tabs of the later server see what the other did, and whatever happens from then on."""
    config = small_config(tmp_path)
    with running(config) as one, running(config) as two:
        with one.tab() as here, two.tab() as there, two.tab() as beside:
            game = here.new("chess", "white", LEVEL1)
            for tab in (there, beside):
                tab.game("open", game=game["id"])
            play(here, game, "e4")
            here.until(lambda game: game["position"]["ply"] == 2)
            refused = there.ask("move", game=game["id"], node=0, move="d4")
            assert (refused["code"], refused["game"]["tree"][1]["san"]) == ("stale", "e4")
            seen = beside.until(lambda game: game["position"]["ply"] == 2)
            play(there, seen, seen["position"]["legal"][0]["move"])
            for tab in (there, beside):  # its opponent answers as well
                tab.until(lambda game: game["position"]["ply"] == 4)
        with one.tab() as here, two.tab() as there:
            game = play(here, here.new("chess"), "e4")
            there.game("open", game=game["id"])
            assert one.http.delete(f"/api/games/{game['id']}").status_code == 204
            assert there.ask("move", game=game["id"], node=1, move="e5")["code"] in ("stale", "unknown_game")
            assert there.ask("open", game=game["id"])["code"] == "unknown_game"


class Locked:
    """Another program that writes to a database for as long as the block lasts."""

    def __init__(self, file: Path) -> None:
        self.other = sqlite3.connect(file, isolation_level=None)

    def __enter__(self) -> None:
        self.other.execute("BEGIN IMMEDIATE")

    def __exit__(self, *_: object) -> None:
        self.other.execute("ROLLBACK")
        self.other.close()


SLOW = {"kind": "textbook", "algorithm": "minimax", "depth": 8}


def test_an_opponent_goes_on_when_a_change_cannot_be_written(tmp_path: Path) -> None:
    config = replace(small_config(tmp_path), database_patience_s=0.05, longest_s=5.0)
    with running(config) as server, server.tab() as tab:
        game = play(tab, tab.new("chess", "white", SLOW), "e4")
        tab.wait("game", event="thinking")
        with Locked(tmp_path / "web.db"):
            for change in ({"type": "takeback", "node": 1}, {"type": "flip_sides"}, {"type": "resign"}):
                assert tab.ask(game=game["id"], **change)["code"] == "storage"
            state = tab.game("open", game=game["id"])
            assert (state["thinking"], state["outcome"], state["white"]["opponent"]) == ("black", None, HUMAN)
        assert tab.until(lambda game: game["position"]["ply"] == 2)["failure"] is None


def test_a_flag_falls_when_a_change_could_not_be_written(tmp_path: Path) -> None:
    clock = MovableClock()
    config = replace(small_config(tmp_path, clock=clock), database_patience_s=0.05)
    with running(config) as server, server.tab() as tab:
        game = play(tab, tab.new("chess", clock={"seconds": 60.0}), "e4", "e5")
        with Locked(tmp_path / "web.db"):
            clock.advance(10)
            assert tab.ask("resign", game=game["id"])["code"] == "storage"
            left = tab.game("open", game=game["id"])["clock"]
            assert (left["white"], left["running"]) == (50.0, "white")
        clock.advance(51)
        assert tab.wait("game", event="end")["game"]["outcome"]["reason"] == "time"


def test_the_environment_names_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DAMIER_DATABASE_URL", raising=False)
    monkeypatch.setenv("DAMIER_DATABASE", "games.db")
    assert default_database() == "games.db"
    monkeypatch.setenv("DAMIER_DATABASE_URL", "web.db")  # its name before
    assert default_database() == "web.db"


def test_every_acknowledged_move_survives_kill_9(tmp_path: Path) -> None:
    def started() -> tuple[subprocess.Popen[str], Any]:
        command = [sys.executable, "-m", "damier", "serve", "--no-browser", "--port", "0"]
        environment = os.environ | {"DAMIER_DATA": str(tmp_path)}
        for name in ("DAMIER_DATABASE", "DAMIER_DATABASE_URL"):
            environment.pop(name, None)
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert process.stdout
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", process.stdout.readline())
        assert found
        return process, SimpleNamespace(port=int(found[1]), origin=f"http://127.0.0.1:{found[1]}")

    acknowledged: list[str] = []
    process, where = started()
    try:
        tab = Tab(where, {})
        game = tab.new("international")
        for _ in range(2):
            for _ in range(5):
                move = game["position"]["legal"][0]["move"]
                game = play(tab, game, move)
                acknowledged.append(move)
            tab.send("move", game=game["id"], node=game["current"], move=game["position"]["legal"][0]["move"])
            process.send_signal(signal.SIGKILL)  # with a move on its way
            process.wait()
            tab.close()
            process, where = started()
            tab = Tab(where, {})
            game = tab.game("open", game=game["id"])
            moves = [node["move"] for node in game["tree"][1:]]
            assert moves[: len(acknowledged)] == acknowledged
            assert len(moves) <= len(acknowledged) + 1  # the one on its way may or may not be there
            acknowledged = moves
        tab.close()
        assert httpx.get(f"{where.origin}/api/health").json()["status"] == "ok"
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait() in (0, 130)


# Fuzzing: messages made from the schema, with some of their parts replaced by anything.

DEFINITIONS = schema()["$defs"]
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


PLAIN: dict[str, st.SearchStrategy[Any]] = {
    "string": st.sampled_from(["chess", "loa5", "english", "e4", "b1-b3", "GAME", "classic"]) | st.text(max_size=20),
    "integer": st.integers(0, 6) | st.integers(),
    "number": st.floats(allow_nan=False, allow_infinity=False) | st.integers(0, 100),
    "boolean": st.booleans(),
    "null": st.none(),
}


def values(found: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that fit a schema, more or less."""
    if "$ref" in found:
        return values(DEFINITIONS[found["$ref"].rpartition("/")[2]])
    if "const" in found or "enum" in found:
        return st.sampled_from(found.get("enum") or [found["const"]])
    if some := found.get("anyOf") or found.get("oneOf"):
        return st.one_of([values(each) for each in some])
    if found["type"] == "object":
        return st.fixed_dictionaries({name: values(each) for name, each in found["properties"].items()})
    return st.lists(values(found["items"]), max_size=3) if found["type"] == "array" else PLAIN[found["type"]]


messages = st.one_of([values(each) for each in DEFINITIONS["ClientMessage"]["oneOf"]])


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(messages, st.none() | anything), min_size=1, max_size=6), st.randoms())
def test_no_message_brings_the_server_down(server: RunningServer, sent: list[tuple[Any, Any]], dice: Random) -> None:
    with server.tab() as tab:
        game = tab.new("loa5", "black", HUMAN)
        for number, (made, other) in enumerate(sent, 1000):
            message = json.loads(json.dumps(made).replace("GAME", game["id"])) | {"request": number}
            if other is not None:
                message[dice.choice(sorted(message))] = other
            if message.get("type") == "review":
                message["nodes"] = 100
            tab.socket.send(json.dumps(message))
        last = tab.send("position", variant="loa5")
        while (answer := tab.read())["request"] != last:
            assert answer.get("code") != "internal", answer
        assert answer["type"] == "position"
    assert server.get("/api/health")["status"] == "ok"


PATHS = ["/api/games", "/api/games/GAME", "/api/games/GAME/export", "/api/games/import", "/api/position"]
PATHS += ["/api/settings", "/api/catalogue", "/api/nothing", "/", "/ws", "/assets/x"]


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    method=st.sampled_from(["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"]),
    path=st.sampled_from(PATHS) | st.text(max_size=20).map(lambda text: f"/{text}"),
    query=st.dictionaries(
        st.sampled_from(["search", "variant", "limit", "before", "format", "x"]), st.text(max_size=10)
    ),
    body=anything | st.binary(max_size=50),
)
def test_no_request_brings_the_server_down(
    server: RunningServer, method: str, path: str, query: dict[str, str], body: Any
) -> None:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    try:
        answer = server.http.request(method, path, params=query, content=content)
    except (httpx.InvalidURL, UnicodeEncodeError, httpx.UnsupportedProtocol):
        return  # such an address cannot even be asked for
    assert answer.status_code < 500, answer.text
    assert "content-security-policy" in answer.headers
