"""A real server on a free port, tabs that talk to it by real websockets, and a clock that tests move."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Self

import httpx
from websockets.sync.client import ClientConnection, connect

from damier.web.config import Config
from damier.web.serve import bound, listener
from damier.web.server import Server

PATIENCE = 60.0  # seconds to wait for what must come; a test that fails waits no longer


class MovableClock:
    """Stands still until a test moves it; whoever sleeps on it wakes up then."""

    def __init__(self) -> None:
        self._now = 1000.0
        self._moved: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    def now(self) -> float:
        return self._now

    def date(self) -> datetime:
        return datetime(2030, 1, 1, tzinfo=UTC) + timedelta(seconds=self._now)

    async def sleep(self, seconds: float) -> None:
        end = self._now + seconds
        while self._now < end:
            moved = asyncio.Event()
            self._moved.append((asyncio.get_running_loop(), moved))
            await moved.wait()

    def advance(self, seconds: float) -> None:
        self._now += seconds
        sleepers, self._moved = self._moved, []
        for loop, moved in sleepers:
            if not loop.is_closed():  # that of a server that was stopped
                loop.call_soon_threadsafe(moved.set)


class RunningServer:
    """A server in a thread of this process; `restart` ends it and starts another on the same database."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.start()

    def start(self) -> None:
        socket = bound("127.0.0.1", 0)
        self.port = socket.getsockname()[1]
        self.origin = f"http://127.0.0.1:{self.port}"
        self.listener = listener(self.config)
        self._thread = threading.Thread(target=self.listener.run, kwargs={"sockets": [socket]}, daemon=True)
        self._thread.start()
        self.http = httpx.Client(base_url=self.origin, headers={"origin": self.origin}, timeout=PATIENCE)

    @property
    def server(self) -> Server:
        """What is behind it."""
        guard: Any = self.listener.config.app
        found: Server = guard.app.state.server
        return found

    def stop(self) -> None:
        self.http.close()
        self.listener.should_exit = True
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    def restart(self) -> None:
        self.stop()
        self.start()

    def tab(self, **headers: str) -> Tab:
        return Tab(self, headers)

    def get(self, path: str) -> Any:
        answer = self.http.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()


class Tab:
    """A browser tab: requests with numbers, and whatever the server says."""

    def __init__(self, server: RunningServer, headers: dict[str, str]) -> None:
        origin = headers.pop("origin", server.origin)
        where = f"ws://127.0.0.1:{server.port}/ws"
        self._opened = ExitStack()
        self.socket: ClientConnection = self._opened.enter_context(
            connect(where, origin=origin, additional_headers=headers, max_size=None, open_timeout=PATIENCE)
        )
        self.number = 0
        self.known: dict[str, Any] = {}  # games by id
        self.hello = self.read()
        assert self.hello["type"] == "hello"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._opened.close()

    def send(self, type: str, **fields: Any) -> int:
        self.number += 1
        self.socket.send(json.dumps({"type": type, "request": self.number, **fields}))
        return self.number

    def read(self) -> dict[str, Any]:
        """The next message; a change of a game that is known becomes the game as it stands then."""
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=PATIENCE))
        if message["type"] == "change" and message["game"]["id"] in self.known:
            tree = changed_tree(self.known[message["game"]["id"]], message["tree"])
            message |= {"type": "game", "game": {**message["game"], "tree": tree}}
        if message.get("type") in ("game", "error") and message.get("game"):
            self.known[message["game"]["id"]] = message["game"]
        return message

    def wait(self, type: str, **fields: Any) -> dict[str, Any]:
        """The next message of a type with these fields; whatever comes before it is read and forgotten."""
        while True:
            message = self.read()
            if message["type"] == type and all(message[name] == value for name, value in fields.items()):
                return message

    def ask(self, type: str, **fields: Any) -> dict[str, Any]:
        """The answer to a request."""
        number = self.send(type, **fields)
        while (message := self.read())["request"] != number:
            pass
        return message

    def game(self, type: str, **fields: Any) -> Any:
        """The game that answers a request."""
        message = self.ask(type, **fields)
        assert message["type"] == "game", message
        return message["game"]

    def until(self, wanted: Any) -> Any:
        """The first state of a game that fulfils a condition."""
        while True:
            message = self.wait("game")
            if wanted(message["game"]):
                return message["game"]

    def new(self, variant: str, side: str = "white", opponent: Any = None, **more: Any) -> Any:
        return self.game("new", variant=variant, side=side, opponent=opponent or HUMAN, **more)


def changed_tree(game: Any, change: Any) -> list[Any]:
    """The tree of a game after a change, as pages put it together."""
    assert game["revision"] == change["since"]
    nodes = {node["id"]: node for node in [*game["tree"], *change["nodes"]]}
    children = {id: [node["id"] for node in game["tree"] if node["parent"] == id] for id in nodes}
    children |= {int(id): ids for id, ids in change["children"].items()}
    tree, rest = [], [0]
    while rest:
        tree.append(nodes[rest.pop()])
        rest += reversed(children[tree[-1]["id"]])
    return tree


HUMAN = {"kind": "human"}
LEVEL1 = {"kind": "level", "level": 1}


def small_config(folder: Path, **changes: Any) -> Config:
    usual = Config(
        database=str(folder / "web.db"),
        players=folder / "players",
        token_file=folder / "token",
        static=folder / "static",
        threads=2,
        rate=10_000.0,
        burst=100_000,
        move_s=0.05,
    )
    return replace(usual, **changes)


@contextmanager
def running(config: Config) -> Iterator[RunningServer]:
    server = RunningServer(config)
    try:
        yield server
    finally:
        server.stop()
