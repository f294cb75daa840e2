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

# Workers take whole files in turn: the long ones first, so that none is left to one worker at the end.
LONGEST_FILES = ("outside_game", "uci_games", "cluster", "remote", "match", "remote_faults", "resume", "tune", "uci")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    order = {f"test_{name}": place for place, name in enumerate(LONGEST_FILES)}
    items.sort(key=lambda item: order.get(item.path.stem, len(order)))


@pytest.fixture
def uci() -> Iterator[Partner]:
    """A conversation with a `damier uci` of one's own."""
    with Partner("uci") as partner:
        yield partner
