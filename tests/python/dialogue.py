"""A scripted client for the protocols: sends lines to a damier of its own and waits for those it expects."""

from __future__ import annotations

import queue
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Self

PATIENCE = 20.0  # seconds; only a stall takes that long
BEST = r"bestmove (\S+)(?: ponder (\S+))?"


def dialogues(page: Path) -> list[list[str]]:
    """The dialogues on a page: indented lines that start with `> ` or `< `."""
    blocks = re.findall(r"(?:^    [<>] .*\n)+", page.read_text(encoding="utf-8"), re.MULTILINE)
    return [[line.strip() for line in block.splitlines()] for block in blocks]


class Partner:
    """`damier uci` or `damier hub` as a process, and all that it has sent."""

    def __init__(self, protocol: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "damier", protocol],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.received: list[str] = []
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line.decode().rstrip("\n"))

    def send(self, *lines: str | bytes) -> None:
        assert self.process.stdin
        for line in lines:
            self.process.stdin.write((line.encode() if isinstance(line, str) else line) + b"\n")
        self.process.stdin.flush()

    def expect(self, pattern: str, *, within: float = PATIENCE) -> re.Match[str]:
        """The next line that fits; those before it are skipped."""
        deadline = time.monotonic() + within
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no {pattern!r} came, but {self.received[-8:]}") from None
            self.received.append(line)
            if found := re.fullmatch(pattern, line):
                return found

    def silent(self, pattern: str, seconds: float) -> None:
        """Nothing that fits may come for a while."""
        time.sleep(seconds)
        while not self._lines.empty():
            self.received.append(line := self._lines.get())
            assert not re.fullmatch(pattern, line), line

    def leave(self) -> int:
        """Close the input and return the exit code; nothing may have gone wrong unseen."""
        assert self.process.stdin
        assert self.process.stderr
        self.process.stdin.close()
        code = self.process.wait(PATIENCE)
        self._reader.join()
        while not self._lines.empty():
            self.received.append(self._lines.get())
        assert self.process.stderr.read() == b""
        assert [line for line in self.received if "internal error" in line or "search failed" in line] == []
        return code

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        try:
            if kind is None:
                assert self.leave() == 0
        finally:
            self.process.kill()
            self.process.wait()
            for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
                if stream:
                    stream.close()


def ready(uci: Partner) -> None:
    """Wait until all that was sent is done."""
    uci.send("isready")
    uci.expect("readyok")
