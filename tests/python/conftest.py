"""What must hold before any test runs, and what tests of several files are given."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from dialogue import Partner
from engine_bench import PATIENT, Bench, zombies
from hypothesis import settings
from threadpoolctl import threadpool_limits

from damier.protocols.xboard import client as xboard

# A shell's background job ignores Ctrl-C, and so would every program the tests start to interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Tables of levels that the user keeps would change what an Elo means.
os.environ["DAMIER_LADDERS"] = tempfile.gettempdir() + "/damier-no-ladders"

# Threads of numpy and torch mostly wait for each other beside other workers: test_puct took 3.3 CPU seconds with them,
# and takes 0.6 without. The variables are for what is loaded later and for programs that tests start.
os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
threadpool_limits(1, user_api="blas")

# What an example takes is a matter of how busy the machine is.
settings.register_profile("damier", deadline=None)
settings.load_profile("damier")

# Workers take whole files in turn: the long ones first, so that none is left to one worker at the end.
LONGEST_FILES = (
    *("cluster", "learn_faults", "outside_game", "uci_games", "deep_checker", "web_faults", "docs", "remote_faults"),
    *("remote", "pools", "peer_draughts", "loader", "match", "cli_bad_input", "interruption", "database", "play"),
    *("alphazero", "database_faults", "reproduce", "resume", "supervised", "data", "hub", "tournament"),
    *("engine_commands", "tune", "uci", "bad_input", "peer_chess", "simulate", "engine_faults", "engine", "learn"),
    *("sprt", "data_faults", "td", "nnue"),
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    order = {f"test_{name}": place for place, name in enumerate(LONGEST_FILES)}
    items.sort(key=lambda item: order.get(item.path.stem, len(order)))


@pytest.fixture
def uci() -> Iterator[Partner]:
    """A conversation with a `damier uci` of one's own."""
    with Partner("uci") as partner:
        yield partner


@pytest.fixture(scope="module")
def polyglot(request: pytest.FixtureRequest) -> Iterator[Partner]:
    """One conversation about many games, as with a GUI that changes them, in the PROTOCOL of a file."""
    with Partner(request.module.PROTOCOL) as partner:
        yield partner


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """Engines that misbehave, none of which may be left at the end."""
    bench = Bench(str(tmp_path))
    yield bench
    assert bench.left() == []
    assert zombies() == []


@pytest.fixture
def slow_greeting(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine an engine may take its time to say what it can do."""
    monkeypatch.setattr(xboard, "FEATURE_TIMEOUT", PATIENT)
