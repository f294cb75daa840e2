"""Engines that misbehave in the way they are told (bad_engine.py), and those of them that are left."""

from __future__ import annotations

import os
import shlex
import sys
import time
from contextlib import suppress
from pathlib import Path

from damier.protocols import HubEngine, UciEngine, XboardEngine

SCRIPT = Path(__file__).with_name("bad_engine.py")
PATIENT = 10.0  # seconds that the tests wait for what comes, however busy the machine
OTHER = {"hub": (HubEngine, "international", "1-2"), "xboard": (XboardEngine, "chess", "e2e5")}
ENGINES = OTHER | {"uci": (UciEngine, "chess", "e2e5")}


class Bench:
    """Starts bad engines and finds those that are left, by a word in their command."""

    def __init__(self, token: str) -> None:
        self.token = token

    def command(self, mode: str, protocol: str = "uci") -> str:
        return shlex.join([sys.executable, str(SCRIPT), protocol, mode, self.token])

    def uci(self, mode: str, patience: float = PATIENT) -> UciEngine:
        return UciEngine("chess", self.command(mode), patience=patience, move_patience=0.3)

    def starts(self) -> int:
        """How often an engine was started."""
        return len(Path(self.token, "starts").read_text().splitlines())

    def searches(self) -> bool:
        """Whether an engine has been asked to search."""
        return Path(self.token, "searching").exists()

    def left(self) -> list[str]:
        """The processes that ten seconds do not see go; what was killed may take some time to die."""
        for _ in range(500):
            found = [pid.name for pid in Path("/proc").glob("[0-9]*") if self.token.encode() in _command_line(pid)]
            if not found:
                break
            time.sleep(0.02)
        return found


def _command_line(pid: Path) -> bytes:
    try:
        return (pid / "cmdline").read_bytes()
    except OSError:
        return b""


def zombies() -> list[str]:
    """Our children that have ended and wait to be buried."""
    found = []
    for pid in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            state, parent = (pid / "stat").read_text().rpartition(")")[2].split()[:2]
            if (state, parent) == ("Z", str(os.getpid())):
                found.append(pid.name)
    return found
