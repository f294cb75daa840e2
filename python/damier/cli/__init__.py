"""The `damier` command.

Exit codes: 0 fine, 1 failed, 2 bad usage, 130 interrupted, 143 terminated, which ends a run as an interruption does.
A failure is one line on standard error.
"""

from __future__ import annotations

import importlib
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

__all__ = ["main"]

Interrupted, Terminated = 130, 143
Spoken = ("uci", "hub")  # programs wait for these to answer, so they load nothing that prints or parses


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run a command line and leave with its exit code.

    >>> main(["games", "--json"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    SystemExit: 0
    """
    args = sys.argv[1:] if args is None else args
    try:
        code = _speak(args[0]) if len(args) == 1 and args[0] in Spoken else _run(args)
    except KeyboardInterrupt:
        code = Interrupted
    except ModuleNotFoundError as error:  # of a package that damier depends on
        package, _, part = (error.name or "damier").partition(".")
        again = "--force-reinstall " if part else ""
        print(f"damier: {error}; install it with: pip install {again}{package}", file=sys.stderr)
        code = 1
    except ImportError as error:  # such as a CPU level this machine does not run
        print(f"damier: {error}", file=sys.stderr)
        code = 1
    sys.exit(code)


def _run(args: Sequence[str]) -> int:
    """Run a command; SIGTERM also leaves no engine running and keeps what is finished."""
    with _terminations() as came:
        try:
            from damier.cli.app import run  # noqa: PLC0415  (loading takes a while, and may be interrupted too)

            code = run(args)
        except KeyboardInterrupt:
            code = Interrupted
    return Terminated if came and code == Interrupted else code


@contextmanager
def _terminations() -> Iterator[list[int]]:
    """The termination signals received, each of which interrupts like Ctrl-C; a caller's own handler stays."""
    came: list[int] = []

    def interrupt(number: int, _: object) -> None:
        came.append(number)
        raise KeyboardInterrupt

    if signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield came
        return
    signal.signal(signal.SIGTERM, interrupt)
    try:
        yield came
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _speak(protocol: str) -> int:
    """Serve a GUI; without standard streams there is none."""
    speak = getattr(importlib.import_module(f"damier.cli.{protocol}"), protocol)
    try:
        speak()
    except OSError as error:
        print(f"damier {protocol}: {error.strerror}", file=sys.stderr)
        return 1
    return 0
