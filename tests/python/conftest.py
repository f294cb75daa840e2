"""What must hold before any test runs, and what tests of several files are given."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Iterator

import pytest
from dialogue import Partner

# A shell's background job ignores Ctrl-C, and so would every program the tests start to interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Tables of levels that the user keeps would change what an Elo means.
os.environ["DAMIER_LADDERS"] = tempfile.gettempdir() + "/damier-no-ladders"


@pytest.fixture
def uci() -> Iterator[Partner]:
    """A conversation with a `damier uci` of one's own."""
    with Partner("uci") as partner:
        yield partner
