"""A program spoken to by lines, whatever it does: dies, hangs, floods, prints rubbish or does not read.

Nothing is read ahead of need: an engine that floods its output is held up by its own full pipe, not by our memory.
The program leads a session of its own, which is killed as a whole.
"""

from __future__ import annotations

import atexit
import os
import select
import shlex
import shutil
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from contextlib import suppress
from pathlib import Path

from damier._core import DamierError
from damier.engine import PlayerError
from damier.protocols.buffer import Lines

__all__ = ["Process", "check_command"]

Chunk = 1 << 16  # bytes read at once
Aside = 1 << 20  # bytes kept while a program writes but does not read
Glance = 0.1  # seconds between two looks whether the program lives
SendPatience = 3.0  # seconds a program may leave its input unread
QuitPatience = 0.5  # seconds from `quit` to SIGTERM, and from there to SIGKILL


def check_command(command: str, directory: str | None = None) -> list[str]:
    """The words of a command that can be started, its program by its full path; DamierError says why it cannot.

    >>> check_command("cat --number")[1:]
    ['--number']
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise DamierError(f"engine command cannot be read: {command[:200]} ({error})") from None
    if not words:
        raise DamierError("engine command is empty")
    if directory is not None and not Path(directory).is_dir():
        raise DamierError(f"engine directory not found: {directory}")
    program = words[0]
    near = Path(directory or ".", program).absolute() if directory or "/" in program else None
    if path := (near and shutil.which(near)) or shutil.which(program):
        return [str(Path(path).absolute()), *words[1:]]
    why = "is not executable" if near and near.exists() else "not found"
    raise DamierError(f"engine command {why}: {program}")


class Process:
    """A running program: lines go in, lines come out; PlayerError when it ends or does not read.

    One thread reads; any thread may send and close.

    >>> with Process("cat") as process:
    ...     process.send("hello")
    ...     process.read(time.monotonic() + 5)
    'hello'
    """

    def __init__(self, command: str, directory: str | None = None) -> None:
        self._closed = True
        self._home = os.getpid()
        self._reading, self._writing, self._closing = threading.Lock(), threading.Lock(), threading.Lock()
        words = check_command(command, directory)
        try:
            self._child = subprocess.Popen(
                words,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=directory,
                start_new_session=True,  # so that all it starts dies with it, and Ctrl-C is ours alone
            )
        except OSError as error:
            raise DamierError(f"engine command cannot be started: {words[0]} ({error.strerror})") from None
        assert self._child.stdin
        assert self._child.stdout
        assert self._child.stderr
        self._input, self._output, self._errors = (
            stream.fileno() for stream in (self._child.stdin, self._child.stdout, self._child.stderr)
        )
        for stream in (self._input, self._output, self._errors):
            os.set_blocking(stream, False)
        self.pid = self._child.pid
        self._lines = Lines()
        self._last_words = Lines()
        self._complaints: deque[str] = deque(maxlen=8)
        self._open = {self._output: self._lines, self._errors: self._last_words}
        self._poll = select.poll()
        for stream in self._open:
            self._poll.register(stream, select.POLLIN)
        self._closed = False
        _running.add(self)

    def __enter__(self) -> Process:
        return self

    def __del__(self) -> None:
        self.close()

    def __exit__(self, *_: object) -> None:
        self.close()

    # Talking

    def send(self, *lines: str) -> None:
        """Send lines together; a program that leaves them unread too long has stalled."""
        data = memoryview("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
        deadline = time.monotonic() + SendPatience
        with self._writing:
            while data:
                if self._closed:
                    raise PlayerError("crash", "it was closed")
                try:
                    data = data[os.write(self._input, data) :]
                except BlockingIOError:
                    self._wait_to_write(deadline)
                except OSError:
                    raise self._ended("closed its input") from None

    def _wait_to_write(self, deadline: float) -> None:
        """It may be waiting for us to read, so read meanwhile."""
        if time.monotonic() > deadline:
            raise PlayerError("stall", f"does not read its input for {SendPatience:g} s")
        if self._lines.size < Aside and self._reading.acquire(blocking=False):
            try:
                self._hear(0)
            finally:
                self._reading.release()
        writable = select.poll()
        writable.register(self._input, select.POLLOUT)
        writable.poll(10)

    def read(self, deadline: float) -> str | None:
        """The next line, None if there is none before the deadline (of `time.monotonic()`)."""
        while True:
            if (line := self._lines.take()) is not None:
                return line
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            with self._reading:
                if self._closed:
                    raise PlayerError("crash", "it was closed")
                heard = self._hear(min(left, Glance))
            if not heard and (self._output not in self._open or self._is_dead()):
                if (line := self._lines.rest()) is not None:
                    return line
                raise self._ended("closed its output")

    def _hear(self, seconds: float) -> bool:
        """Take in what both streams hold, after waiting for it; whether there was anything."""
        if self._closed:
            return False
        heard = False
        for stream, _ in self._poll.poll(max(0, round(seconds * 1000))):
            try:
                data = os.read(stream, Chunk)
            except BlockingIOError:
                continue
            heard = True
            if data:
                self._open[stream].add(data)
            else:
                self._poll.unregister(stream)
                del self._open[stream]
        while (complaint := self._last_words.take()) is not None:
            self._complaints.append(complaint[:200])
        return heard

    # The end

    def _is_dead(self) -> bool:
        return self._code() is not None

    def _code(self) -> int | None:
        """Its exit code, None while it lives; the body stays, so that its number is its own until all are killed."""
        with suppress(ChildProcessError):  # closed meanwhile
            body = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if body is None:
                return None
            return body.si_status if body.si_code == os.CLD_EXITED else -body.si_status
        return self._child.wait()

    def _ended(self, otherwise: str) -> PlayerError:
        """The error that tells how it ended, or what it did where it lives on."""
        self._linger(0.2)
        code = self._code()
        if code is None:
            how = otherwise
        elif code < 0:
            how = f"killed by {_signal_name(-code)}"
        else:
            how = f"ended with exit code {code}"
        said = next((line for line in reversed(self._complaints) if line.strip()), None)
        return PlayerError("crash", f"{how}, last said: {said.strip()}" if said else how)

    def _linger(self, seconds: float) -> bool:
        """Wait for its end, leaving nothing unread that it may wait for; whether it came."""
        deadline = time.monotonic() + seconds
        while not self._is_dead() and time.monotonic() < deadline:
            with self._reading:
                heard = bool(self._open) and self._hear(0.01)
                self._lines.clear()
            if not heard:
                time.sleep(0.002)
        with self._reading:
            while self._open and self._hear(0) and time.monotonic() < deadline:
                self._lines.clear()
        return self._is_dead()

    def close(self, farewell: str | None = None) -> None:
        """End it: by a last line if given, then by signals, which nothing survives."""
        with self._closing:
            if self._closed or self._home != os.getpid():  # a fork of us does not own it
                return
            if farewell is not None:
                try:
                    os.write(self._input, f"{farewell}\n".encode())
                except OSError:
                    farewell = None
            if farewell is None or not self._linger(QuitPatience):
                self._signal(signal.SIGTERM)
                self._linger(QuitPatience if farewell is not None else Glance)
            self._signal(signal.SIGKILL)
            self._child.wait()
            self._closed = True
            with self._reading, self._writing:
                for stream in (self._child.stdin, self._child.stdout, self._child.stderr):
                    if stream:
                        stream.close()
        _running.discard(self)

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):  # nobody of the session is left
            os.killpg(self.pid, number)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


_running: weakref.WeakSet[Process] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    """No engine outlives us."""
    for process in list(_running):
        process.close()
