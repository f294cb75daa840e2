"""A child process that reads and writes lines, handled safely if it crashes, hangs, floods, or does not read.

Output is read only when needed: an engine that floods its output blocks on its own full pipe.
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
from damier.protocols.lines import LineBuffer, clean

__all__ = ["Process", "check_command"]

READ_SIZE = 1 << 16  # bytes
MOST_UNREAD = 1 << 20  # bytes kept from a program that writes but does not read
POLL_INTERVAL = 0.1  # seconds between two checks that the program is alive
SEND_TIMEOUT = 3.0  # seconds a program may leave its input unread
QUIT_TIMEOUT = 0.5  # seconds from `quit` to SIGTERM, and from there to SIGKILL


def check_command(command: str, directory: str | None = None) -> list[str]:
    """Split a command into words, the program as a full path; DamierError if it cannot be started.

    >>> check_command("cat --number")[1:]
    ['--number']
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise DamierError(f"engine command cannot be read: {clean(command[:200])} ({error})") from None
    if not words:
        raise DamierError("engine command is empty")
    if directory is not None and not Path(directory).is_dir():
        raise DamierError(f"engine directory not found: {clean(directory)}")
    program = words[0]
    near = Path(directory or ".", program).absolute() if directory or "/" in program else None
    if path := (near and shutil.which(near)) or shutil.which(program):
        return [str(Path(path).absolute()), *words[1:]]
    why = "is not executable" if near and near.exists() else "not found"
    raise DamierError(f"engine command {why}: {clean(program)}")


class Process:
    """A running program: lines go in, lines come out. PlayerError when it ends or does not read.

    One thread reads; any thread may send and close.

    >>> with Process("cat") as process:
    ...     process.send("hello")
    ...     process.read(time.monotonic() + 5)
    'hello'
    """

    def __init__(self, command: str, directory: str | None = None) -> None:
        self._closed = True
        self._owner = os.getpid()
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
                # Its children are killed with it, and Ctrl-C is for us alone. It stays in our session: Linux shares
                # out time by session, and an engine with one of its own would starve those in ours.
                process_group=0,
            )
        except OSError as error:
            raise DamierError(f"engine command cannot be started: {clean(words[0])} ({error.strerror})") from None
        assert self._child.stdin
        assert self._child.stdout
        assert self._child.stderr
        self._input, self._output, self._errors = (
            stream.fileno() for stream in (self._child.stdin, self._child.stdout, self._child.stderr)
        )
        for stream in (self._input, self._output, self._errors):
            os.set_blocking(stream, False)
        self.pid = self._child.pid
        self._lines = LineBuffer()
        self._stderr = LineBuffer()
        self._last_errors: deque[str] = deque(maxlen=8)
        self._open = {self._output: self._lines, self._errors: self._stderr}
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

    # Lines

    def send(self, *lines: str) -> None:
        """Send lines in one write; a program that does not read them in time has stalled."""
        data = memoryview("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
        deadline = time.monotonic() + SEND_TIMEOUT
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
        """The program may itself wait for us to read, so read meanwhile."""
        if time.monotonic() > deadline:
            raise PlayerError("stall", f"did not read its input for {SEND_TIMEOUT:g} s")
        if self._lines.size < MOST_UNREAD and self._reading.acquire(blocking=False):
            try:
                self._receive(0)
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
                received = self._receive(min(left, POLL_INTERVAL))
            if not received and (self._output not in self._open or self._is_dead()):
                if (line := self._lines.rest()) is not None:
                    return line
                raise self._ended("closed its output")

    def _receive(self, seconds: float) -> bool:
        """Wait for output on either stream and buffer it; whether there was any."""
        if self._closed:
            return False
        received = False
        for stream, _ in self._poll.poll(max(0, round(seconds * 1000))):
            try:
                data = os.read(stream, READ_SIZE)
            except BlockingIOError:
                continue
            received = True
            if data:
                self._open[stream].add(data)
            else:
                self._poll.unregister(stream)
                del self._open[stream]
        while (line := self._stderr.take()) is not None:
            self._last_errors.append(line[:200])
        return received

    # The end

    @property
    def is_alive(self) -> bool:
        """Whether it is running."""
        return not self._closed and not self._is_dead()

    def _is_dead(self) -> bool:
        return self._code() is not None

    def _code(self) -> int | None:
        """The exit code, None while it runs. It is not reaped, so that its id stays valid until its group is killed."""
        with suppress(ChildProcessError):  # closed meanwhile
            ended = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if ended is None:
                return None
            return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
        return self._child.wait()

    def _ended(self, otherwise: str) -> PlayerError:
        """The error that says how it ended, or what went wrong if it is still running."""
        self._wait_for_end(0.2)
        code = self._code()
        if code is None:
            how = otherwise
        elif code < 0:
            how = f"killed by {_signal_name(-code)}"
        else:
            how = f"ended with exit code {code}"
        last = next((line for line in reversed(self._last_errors) if line.strip()), None)
        return PlayerError("crash", f"{how}, last output: {last.strip()}" if last else how)

    def _wait_for_end(self, seconds: float) -> bool:
        """Wait until it has ended, draining its output meanwhile; whether it has."""
        deadline = time.monotonic() + seconds
        while not self._is_dead() and time.monotonic() < deadline:
            with self._reading:
                received = bool(self._open) and self._receive(0.01)
                self._lines.clear()
            if not received:
                time.sleep(0.002)
        with self._reading:
            while self._open and self._receive(0) and time.monotonic() < deadline:
                self._lines.clear()
        return self._is_dead()

    def close(self, quit_line: str | None = None) -> None:
        """End it: by a last line if given, then by signals, which nothing survives."""
        with self._closing:
            if self._closed or self._owner != os.getpid():  # a forked copy of us does not own it
                return
            if quit_line is not None:
                try:
                    os.write(self._input, f"{quit_line}\n".encode())
                except OSError:
                    quit_line = None
            if quit_line is None or not self._wait_for_end(QUIT_TIMEOUT):
                self._signal(signal.SIGTERM)
                self._wait_for_end(QUIT_TIMEOUT if quit_line is not None else POLL_INTERVAL)
            self._signal(signal.SIGKILL)
            self._child.wait()
            self._closed = True
            with self._reading, self._writing:
                for stream in (self._child.stdin, self._child.stdout, self._child.stderr):
                    if stream:
                        stream.close()
        _running.discard(self)

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):  # all of them have ended
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
