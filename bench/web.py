"""The web server under load: idle and playing browsers on real websockets, and how fast pages answer meanwhile.

    python bench/web.py [--idle 200] [--playing 20] [--seconds 20] [--write docs/results/web.md]

The server runs as a process of its own with its database in a temporary folder. The clients are this process, so that
on two cores they take their share of the machine as browsers on the same machine would.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from page import print_page

GAMES = ("chess", "loa", "english", "international")
THINK_S = (0.5, 2.0)  # between two moves of a person
PAUSE_S = 0.05  # between two pages
GOAL_MS = 100


@asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[tuple[str, int]]:
    """A server: its address and the number of its process."""
    command = [sys.executable, "-m", "damier", "serve", "--no-browser", "--port", "0"]
    environment = os.environ | {"DAMIER_DATA": str(folder)}
    environment.pop("DAMIER_DATABASE_URL", None)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        assert process.stdout
        found = re.search(r"http://(\S+?)/", await asyncio.to_thread(process.stdout.readline))
        assert found
        yield found[1], process.pid
    finally:
        process.terminate()
        process.wait()


def cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Browser:
    """A tab that plays games against level 3, and how long its moves took to be acknowledged."""

    def __init__(self, socket: ClientConnection, dice: random.Random) -> None:
        self.socket, self.dice = socket, dice
        self.number = 0
        self.waits: list[float] = []
        self.games = 0

    async def ask(self, type: str, **fields: Any) -> Any:
        self.number += 1
        await self.socket.send(json.dumps({"type": type, "request": self.number, **fields}))
        while (message := json.loads(await self.socket.recv()))["request"] != self.number:
            pass
        return message

    async def play(self) -> None:
        await asyncio.sleep(self.dice.uniform(0, THINK_S[1]))  # people do not all begin in the same instant
        while True:
            game = await self.begin()
            while not game["outcome"] and game["position"]["ply"] < 120:
                if game["position"]["turn"] != "white":
                    message = json.loads(await self.socket.recv())
                    game = message["game"] if message["type"] in ("game", "change") else game
                    continue
                await asyncio.sleep(self.dice.uniform(*THINK_S))
                move = self.dice.choice(game["position"]["legal"])["move"]
                start = time.perf_counter()
                answer = await self.ask("move", game=game["id"], node=game["current"], move=move)
                self.waits.append(time.perf_counter() - start)
                game = answer["game"]

    async def begin(self) -> Any:
        self.games += 1
        opponent = {"kind": "level", "level": 3}
        variant = self.dice.choice(GAMES)
        return (await self.ask("new", variant=variant, side="white", opponent=opponent))["game"]


async def measure(address: str, process: int, arguments: argparse.Namespace) -> dict[str, Any]:
    origin = f"http://{address}"
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(httpx.AsyncClient(base_url=origin, headers={"origin": origin}))

        async def tab() -> ClientConnection:
            socket = await stack.enter_async_context(connect(f"ws://{address}/ws", origin=origin, max_size=None))
            await socket.recv()
            return socket

        for _ in range(arguments.idle):
            await tab()
        browsers = [Browser(await tab(), random.Random(seed)) for seed in range(arguments.playing)]
        await client.get("/api/health")  # what httpx loads with its first request is not the server's time
        gc.freeze()  # nor are full collections here
        at_rest = cpu_seconds(process)
        await asyncio.sleep(3)
        at_rest = (cpu_seconds(process) - at_rest) / 3
        playing = [asyncio.create_task(browser.play()) for browser in browsers]
        started, spent, own = time.perf_counter(), cpu_seconds(process), time.process_time()
        waits = await pages(client, started + arguments.seconds)
        seconds = time.perf_counter() - started
        for task in playing:
            task.cancel()
        for ended in await asyncio.gather(*playing, return_exceptions=True):
            if ended is not None and not isinstance(ended, asyncio.CancelledError):
                raise ended
        return {
            "pages": waits,
            "moves": {"a move is acknowledged": [wait for browser in browsers for wait in browser.waits]},
            "cpu": (cpu_seconds(process) - spent) / seconds,
            "cpu at rest": at_rest,
            "cpu of the clients": (time.process_time() - own) / seconds,
            "games": sum(browser.games for browser in browsers),
        }


async def pages(client: httpx.AsyncClient, end: float) -> dict[str, list[float]]:
    """Ask for pages one after the other, and how long each took."""
    asked: dict[str, Callable[[], Awaitable[httpx.Response]]] = {
        "GET /": lambda: client.get("/"),
        "GET /api/catalogue": lambda: client.get("/api/catalogue"),
        "GET /api/games": lambda: client.get("/api/games"),
        "POST /api/position": lambda: client.post("/api/position", json={"variant": "loa"}),
    }
    waits: dict[str, list[float]] = {name: [] for name in asked}
    while time.perf_counter() < end:
        for name, ask in asked.items():
            start = time.perf_counter()
            (await ask()).raise_for_status()
            waits[name].append(time.perf_counter() - start)
            await asyncio.sleep(PAUSE_S)
    return waits


def share(waits: list[float], percent: int) -> float:
    """What so many per cent of the waits do not exceed, never more than the longest.

    >>> share([1.0, 2.0, 3.0], 50), share([1.0, 2.0], 99) <= 2.0, share([5.0], 95)
    (2.0, True, 5.0)
    """
    return statistics.quantiles(waits * 2 if len(waits) == 1 else waits, n=100, method="inclusive")[percent - 1]


def table(found: dict[str, Any], arguments: argparse.Namespace) -> list[str]:
    lines = [
        f"{arguments.idle} idle and {arguments.playing} playing browsers for {arguments.seconds:g} s, "
        f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}. The server took {found['cpu']:.2f} of a core "
        f"({found['cpu at rest']:.2f} with all of them idle), the clients {found['cpu of the clients']:.2f}.",
        "",
        "| what | times | median, ms | 95 %, ms | 99 %, ms | longest, ms |",
        "|---|---|---|---|---|---|",
    ]
    for name, waits in {**found["pages"], **found["moves"]}.items():
        numbers = [statistics.median(waits), share(waits, 95), share(waits, 99), max(waits)]
        lines.append(f"| {name} | {len(waits)} | " + " | ".join(f"{1000 * number:.1f}" for number in numbers) + " |")
    return lines


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--idle", type=int, default=200)
    parser.add_argument("--playing", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--write", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        async with serving(Path(folder)) as (address, process):
            found = await measure(address, process, arguments)
    command = "`python bench/web.py --write docs/results/web.md`"
    print_page([command, "", *table(found, arguments)], arguments.write, section="The server under load")
    slow = max(max(waits) for waits in found["pages"].values())
    return 0 if 1000 * slow < GOAL_MS else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
