"""Hub as dialogues with a scripted partner, and games led by somebody else's Hub client."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from common import PEERS, check_texts, walk
from dialogue import Partner

from damier import draughts
from damier.games import line_of
from damier.protocols.hub.text import VARIANTS, format_move, format_position, parse_move, parse_position

START = "W" + 20 * "b" + 10 * "e" + 20 * "w"
PROTOCOL = "hub"
DONE = r"done move=(\S+)(?: ponder=(\S+))?"
INFO = r'info depth=\d+ score=-?\d+\.\d\d nodes=\d+ time=\d+\.\d{3} nps=\d+\.\d{3} pv=("[^"]+"|\S+)'
CLIENT = Path(__file__).with_name("hub_client.py")
DAMIER = Path(sys.executable).with_name("damier")


@pytest.fixture
def hub() -> Iterator[Partner]:
    with Partner("hub") as partner:
        yield partner


def alive(hub: Partner) -> None:
    hub.send("ping")
    hub.expect("pong")


def test_introduction(hub: Partner) -> None:
    hub.send("hub")
    hub.expect(r'id name=damier version=\S+ author=".+"')
    hub.expect('param name=variant value=normal type=enum values="normal frisian .+"')
    hub.expect("wait")
    hub.send("set-param name=threads value=1", "set-param name=hash value=8", "init")
    hub.expect("ready")
    hub.send("hub")
    hub.expect("param name=hash value=8 type=int .*")


def test_as_many_threads_as_announced_are_accepted(hub: Partner) -> None:
    hub.send("hub")
    most = int(hub.expect(r"param name=threads value=1 type=int min=1 max=(\d+)")[1])
    hub.expect("wait")
    hub.send(f"set-param name=threads value={most}", "init")
    hub.expect("ready")
    assert hub.received[-2:] == ["wait", "ready"]


def test_a_game_is_answered(hub: Partner) -> None:
    board = draughts.Board(variant="international")
    hub.send("init", "new-game")
    for _ in range(8):
        moves = " ".join(line_of(draughts.Board(variant="international"), board.moves, format_move))
        hub.send(f'pos pos={START} moves="{moves}"', "level depth=3", "go think")
        found = hub.expect(DONE)
        board.push(parse_move(board, found[1]))
        if found[2]:
            assert board.is_legal(parse_move(board, found[2]))
    said = [line for line in hub.received if line.startswith("info")]
    assert said
    assert [line for line in said if not re.fullmatch(INFO, line)] == []


LEVELS = [
    "level depth=2",
    "level nodes=500",
    "level move-time=0.03",
    "level time=0.5",
    "level time=0.5 inc=0.01",
    "level moves=2 time=0.4",
    "level moves=0 time=-1",
    "level depth=0",
    "level move-time=0",
    "level move-time=.05 depth=70",
    "level unknown=3 depth=2",
]


def test_go_answers(hub: Partner) -> None:
    board = draughts.Board(variant="international")
    for level in LEVELS:
        hub.send(f"pos pos={START}", level, "go think")
        parse_move(board, hub.expect(DONE)[1])
    for lines in (["pos"], ["level"], ["level moves=3"]):
        hub.send(*lines, "go think")
        parse_move(board, hub.expect(DONE)[1])


def test_levels_add_up_until_they_are_used(hub: Partner) -> None:
    hub.send("pos start", "level infinite", "level depth=2", "go analyze")
    hub.silent("done.*", 0.3)
    hub.send("stop")
    hub.expect(DONE)
    hub.send("level depth=2", "go think")
    hub.expect(DONE)


def test_analysis_goes_on_until_stop(hub: Partner) -> None:
    hub.send(f"pos pos={START}", "level infinite", "go analyze")
    hub.expect("info .*")
    hub.send("ping")
    hub.expect("pong")
    hub.silent("done.*", 0.2)
    hub.send("stop")
    hub.expect(DONE)
    hub.send("stop", "ponder-hit")
    alive(hub)


def test_pondering(hub: Partner) -> None:
    hub.send(f'pos pos={START} moves="32-28"', "level move-time=0.05", "go ponder")
    hub.silent("done.*", 0.4)
    hub.send("ponder-hit")
    hub.expect(DONE)


def test_a_win_is_a_hundred_men_less_its_plies(hub: Partner) -> None:
    hub.send("pos pos=W" + "e" * 7 + "b" + "e" * 4 + "w" + "e" * 37, "level depth=4", "go think")
    hub.expect("info .* score=99.99 .*")
    assert hub.expect(DONE)[1] == "13x2x8"


def test_nothing_to_play(hub: Partner) -> None:
    hub.send("pos pos=W" + "b" * 20 + "e" * 30, "go think")
    hub.expect('error message="there is no move to play.*"')
    hub.expect("done")


BAD_LINES = [
    "pos pos=W",
    "pos pos=" + "x" * 51,
    f"pos pos={START}e",
    "pos pos=X" + START[1:],
    "pos pos=Ww" + "e" * 48 + "b",
    "pos pos=W" + "w" * 50,
    f'pos pos={START} moves="32-27 32-27"',
    f'pos pos={START} moves="32x28"',
    f'pos pos={START} moves="thirty-two"',
    f"pos pos={START} moves=99-98",
    f'pos pos={START} moves="32-28',
    "pos pos=",
    'pos ="W"',
    "level depth=deep",
    "level time=nan",
    "level time=1 inc=inf",
    "level depth",
    "level nodes=99999999999999999999",
    "set-param",
    "set-param name=variant value=ludo",
    "set-param name=threads value=1000000000",
    "set-param name=hash value=-5",
    "set-param name=hash value=33554432",
    "set-param name=level value=0",
    "set-param name=overhead value=-1",
    "set-param name=book value=true",
    "set-param name= value=",
]


def test_bad_lines_are_refused_in_words(hub: Partner) -> None:
    for line in BAD_LINES:
        hub.send(line)
        hub.expect('error message=".+"', within=5)
        hub.send("pos start", "level depth=1", "go think")
        hub.expect(DONE)


def test_unknown_words_are_ignored(hub: Partner) -> None:
    hub.send("", "  ", "hello", "hello world=1", b"\xff\x00", b"x" * 1_000_000, "ping loudly=yes")
    hub.expect("pong")
    assert hub.received == ["pong"]


WORDS = (
    *(
        "hub",
        "init",
        "new-game",
        "pos",
        "level",
        "go",
        "stop",
        "ponder-hit",
        "ping",
        "set-param",
        "pos=",
        "moves=",
        "=",
    ),
    *(
        '"',
        "name=variant",
        "value=frisian",
        "value=normal",
        "value=english",
        f"pos={START}",
        "start",
        "depth=1",
        "infinite",
    ),
    *(
        "move-time=0.01",
        "time=1",
        "inc=",
        "moves=3",
        "think",
        "ponder",
        "analyze",
        "32-28",
        '"19-23"',
        "nodes=nan",
        "é",
    ),
)


@pytest.mark.parametrize("seed", range(3))
def test_noise(hub: Partner, seed: int) -> None:
    dice = random.Random(f"hub {seed}")
    for _ in range(150):
        hub.send(" ".join(dice.choices(WORDS, k=dice.randint(1, 6))))
    alive(hub)
    hub.send("set-param name=variant value=normal", "pos start", "level depth=1", "go think")
    hub.expect(DONE)


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_is_played(polyglot: Partner, name: str) -> None:
    board = draughts.Board(variant=VARIANTS[name])
    polyglot.send(f"set-param name=variant value={name}", "init")
    polyglot.expect("ready")
    for _ in range(3):
        polyglot.send(f"pos pos={format_position(board)}", "level depth=2", "go think")
        board.push(parse_move(board, polyglot.expect(DONE)[1]))


@pytest.mark.parametrize("variant", VARIANTS.values())
def test_moves_and_positions_are_read_as_they_are_written(variant: str) -> None:
    for board in walk(draughts.Board(variant=variant), 7, plies=150):
        assert isinstance(board, draughts.Board)
        assert format_position(parse_position(variant, format_position(board))) == format_position(board)
        check_texts(board, format_move, parse_move)


@pytest.mark.parametrize("going", [[], ["pos start", "level infinite", "go analyze"]])
def test_quit_ends_everything(going: list[str]) -> None:
    with Partner("hub") as hub:
        hub.send(*going, "quit")
        assert hub.process.wait(5) == 0


@pytest.mark.parametrize("variant", ["international", "frisian"])
def test_a_game_led_by_another_client(variant: str) -> None:
    """pydraughts judges every move of ours by its own rules, and we every move of the game by ours."""
    done = subprocess.run(
        [sys.executable, str(CLIENT), variant, str(DAMIER)],
        env=os.environ | {"PYTHONPATH": str(PEERS / "pydraughts")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    board = draughts.Board(variant=variant)
    for word in json.loads(done.stdout):
        board.push(parse_move(board, word))
    assert board.ply >= 40 or board.outcome()
