"""The `damier` command.

Exit codes: 0 fine, 1 failed, 2 bad usage, 130 interrupted. A failure is one line on the standard error.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import NoReturn

__all__ = ["main"]

Interrupted = 130
Spoken = ("uci", "hub")  # programs wait for these to answer, so they load nothing that prints or parses


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run a command line and leave with its exit code.

    >>> main(["games", "--json"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    SystemExit: 0
    """
    args = sys.argv[1:] if args is None else args
    try:
        if len(args) == 1 and args[0] in Spoken:
            code = _speak(args[0])
        else:
            from damier.cli.app import run  # noqa: PLC0415  (loading takes a while, and may be interrupted too)

            code = run(args)
    except KeyboardInterrupt:
        code = Interrupted
    except ImportError as error:  # such as a CPU level this machine does not run
        print(f"damier: {error}", file=sys.stderr)
        code = 1
    sys.exit(code)


def _speak(protocol: str) -> int:
    """Serve a GUI; without standard streams there is none."""
    speak = getattr(importlib.import_module(f"damier.cli.{protocol}"), protocol)
    try:
        speak()
    except OSError as error:
        print(f"damier {protocol}: {error.strerror}", file=sys.stderr)
        return 1
    return 0
