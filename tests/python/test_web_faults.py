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
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from common import ROOT
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from web_server import HUMAN, LEVEL1, RunningServer, Tab, running, small_config
from websockets.exceptions import ConnectionClosed

from damier._core import DamierError
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
    '{"type": "new", "request": 1, "variant": "chess", "side": "white", "opponent": {"kind": "uci", "path": "/bin/sh"}}',
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
    tab.socket.send("x" * 1_000_000)
    with pytest.raises(ConnectionClosed) as closed:
        tab.read()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009


def test_a_flood_is_cut_off(tmp_path: Path) -> None:
    with running(replace(small_config(tmp_path), rate=5.0, burst=50)) as server:
        tab = server.tab()
        codes = []
        with pytest.raises(ConnectionClosed) as closed:
            for _ in range(200):
                tab.send("position", variant="loa5")
            while True:
                codes.append(tab.read().get("code"))
        assert "too_fast" in codes
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008
        with server.tab() as another:
            assert another.hello


def test_a_dead_engine_loses_nothing(server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    from damier.players.engine import EnginePlayer  # noqa: PLC0415

    def dies(*_: object, **__: object) -> None:
        raise DamierError("the engine is gone")

    with server.tab() as tab:
        game = tab.new("chess", "white", LEVEL1)
        with monkeypatch.context() as patch:
            patch.setattr(EnginePlayer, "play", dies)
            play(tab, game, "e4")
            state = tab.until(lambda game: game["failure"])
            assert (state["failure"], state["thinking"], state["position"]["ply"]) == ("the engine is gone", None, 1)
        tab.send("branch", game=game["id"], node=state["current"])  # try again
        assert tab.until(lambda game: game["position"]["ply"] == 2)["failure"] is None


def test_a_locked_database_refuses_the_move_and_keeps_the_game(tmp_path: Path) -> None:
    with running(replace(small_config(tmp_path), database_patience_s=0.05)) as server, server.tab() as tab:
        game = play(tab, tab.new("chess"), "e4")
        other = sqlite3.connect(tmp_path / "web.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        refused = tab.ask("move", game=game["id"], node=1, move="e5")
        assert (refused["code"], "another program" in refused["message"]) == ("storage", True)
        assert tab.game("open", game=game["id"])["current"] == 1
        answer = server.http.put("/api/settings", json=server.get("/api/settings"))
        assert (answer.status_code, answer.json()["code"]) == (507, "storage")
        other.execute("ROLLBACK")
        assert play(tab, game, "e5")["current"] == 2


def test_a_full_disk_refuses_the_move_and_keeps_the_game(tmp_path: Path) -> None:
    with running(small_config(tmp_path)) as server, server.tab() as tab:
        game = play(tab, tab.new("chess"), "e4")
        saved = server.listener.config.app.app.state.server.games.saved  # type: ignore[union-attr]

        def pages(most: int) -> None:
            saved._engine.dispose()
            SETTINGS.most = most

        SETTINGS = SimpleNamespace(most=0)  # noqa: N806
        from sqlalchemy import event  # noqa: PLC0415

        event.listen(
            saved._engine,
            "connect",
            lambda raw, _: SETTINGS.most and raw.execute(f"PRAGMA max_page_count={SETTINGS.most}"),
        )
        pages(1)
        refused = tab.ask("edit", game=game["id"], node=1, comment="x" * 4000)
        while refused["type"] != "error":  # there may have been room for some
            refused = tab.ask("add", game=game["id"], node=1, move=refused["game"]["position"]["legal"][0]["move"])
            refused = tab.ask("edit", game=game["id"], node=1, comment="y" * 4000)
        assert (refused["code"], "full" in refused["message"]) == ("storage", True)
        pages(1_000_000)
        again = tab.game("open", game=game["id"])
        assert [node["san"] for node in again["tree"]][:2] == [None, "e4"]
        assert play(tab, again, "e5")["position"]["ply"] == 2


def test_another_program_may_change_a_game(tmp_path: Path) -> None:
    """Two servers on one database: the later one is told, and sees what the other did."""
    with running(small_config(tmp_path)) as one, running(small_config(tmp_path)) as two:
        with one.tab() as here, two.tab() as there:
            game = here.new("chess")
            seen = there.game("open", game=game["id"])
            play(here, game, "e4")
            assert there.ask("move", game=seen["id"], node=0, move="d4")["code"] == "stale"
            assert there.game("open", game=game["id"])["tree"][1]["san"] == "e4"


def test_every_acknowledged_move_survives_kill_9(tmp_path: Path) -> None:
    def started() -> tuple[subprocess.Popen[str], Any]:
        command = [sys.executable, "-m", "damier", "serve", "--no-browser", "--port", "0"]
        environment = os.environ | {"DAMIER_DATA": str(tmp_path), "PYTHONPATH": str(ROOT / "python")}
        environment.pop("DAMIER_DATABASE_URL", None)
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
        for _ in range(3):
            for _ in range(5):
                move = game["position"]["legal"][0]["move"]
                game = play(tab, game, move)
                acknowledged.append(move)
            tab.send("move", game=game["id"], node=game["current"], move=game["position"]["legal"][0]["move"])
            process.send_signal(signal.SIGKILL)  # with a move on its way
            process.wait()
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


def values(found: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that fit a schema, more or less."""
    if "$ref" in found:
        return values(DEFINITIONS[found["$ref"].rpartition("/")[2]])
    if "const" in found:
        return st.just(found["const"])
    if "enum" in found:
        return st.sampled_from(found["enum"])
    if some := found.get("anyOf") or found.get("oneOf"):
        return st.one_of([values(each) for each in some])
    match found.get("type"):
        case "object":
            fields = {name: values(each) for name, each in found.get("properties", {}).items()}
            return st.fixed_dictionaries(fields)
        case "array":
            return st.lists(values(found.get("items", {})), max_size=3)
        case "string":
            return st.sampled_from(["chess", "loa5", "english", "e4", "b1-b3", "GAME", "classic", ""]) | st.text(
                max_size=20
            )
        case "integer":
            return st.integers(0, 6) | st.integers()
        case "number":
            return st.floats(allow_nan=False, allow_infinity=False) | st.integers(0, 100)
        case "boolean":
            return st.booleans()
    return st.none()


messages = st.one_of([values(each) for each in DEFINITIONS["ClientMessage"]["oneOf"]])


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(messages, min_size=1, max_size=4), st.data())
def test_no_message_brings_the_server_down(
    server: RunningServer, sent: list[dict[str, Any]], data: st.DataObject
) -> None:
    with server.tab() as tab:
        game = tab.new("loa5", "black", HUMAN)
        for number, message in enumerate(sent, 1000):
            message = json.loads(json.dumps(message).replace("GAME", game["id"]))
            if data.draw(st.booleans()):
                name = data.draw(st.sampled_from(sorted(message)))
                message[name] = data.draw(anything)
            else:
                message["request"] = number
            message["nodes"] = 100 if message.get("type") == "review" else message.get("nodes")
            if message["nodes"] is None:
                del message["nodes"]
            tab.socket.send(json.dumps(message))
        while (answer := tab.ask("position", variant="loa5"))["type"] != "position":
            assert answer["type"] in ("error", "analysis", "review_progress"), answer
            assert answer.get("code") != "internal", answer
    assert server.get("/api/health")["status"] == "ok"


PATHS = ["/api/games", "/api/games/GAME", "/api/games/GAME/export", "/api/games/import", "/api/position"]
PATHS += ["/api/settings", "/api/catalogue", "/api/nothing", "/", "/ws", "/assets/x"]


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
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
