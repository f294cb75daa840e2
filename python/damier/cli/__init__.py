"""The `damier` command.

Exit codes: 0 fine, 1 failed, 2 bad usage, 130 interrupted. A failure is one line on the standard error.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

__all__ = ["main"]

Interrupted = 130


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run a command line and leave with its exit code.

    >>> main(["games", "--json"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    SystemExit: 0
    """
    try:
        from damier.cli.app import run  # noqa: PLC0415  (loading takes a while, and may be interrupted too)

        code = run(args)
    except KeyboardInterrupt:
        code = Interrupted
    except ImportError as error:  # such as a CPU level this machine does not run
        print(f"damier: {error}", file=sys.stderr)
        code = 1
    sys.exit(code)
