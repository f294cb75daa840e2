"""Files are there whole or not at all, and texts in them cannot disturb who shows them."""

from __future__ import annotations

import ast
import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from common import ROOT
from hypothesis import given
from hypothesis import strategies as st

from damier import DamierError
from damier.arena.match import Match
from damier.drawing.readable import duration, readable
from damier.files import remove_leftovers, replacing, write_atomically


def test_an_error_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    write_atomically(file, "old")
    with pytest.raises(UnicodeEncodeError), replacing(file) as unfinished:
        unfinished.write_text("half of the ne\ud800", encoding="utf-8")
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("notes.txt", "old")]


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(DamierError, match=r"none/notes.txt: No such file or directory"):
        write_atomically(tmp_path / "none" / "notes.txt", "new")


def test_a_process_that_is_killed_leaves_nothing_for_long(tmp_path: Path) -> None:
    code = "import os, sys, pathlib; from damier.files import replacing\n"
    code += "with replacing(pathlib.Path(sys.argv[1])) as file: file.write_text('half'); os.kill(os.getpid(), 9)"
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "notes.txt")], check=False)
    ours = tmp_path / f".{os.getpid()}.under way.tmp"
    for file in (ours, tmp_path / ".hidden", tmp_path / ".7x.mine.tmp"):
        file.touch()
    assert len(list(tmp_path.iterdir())) == 4
    remove_leftovers(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted([ours.name, ".hidden", ".7x.mine.tmp"])


SPACE = 'game = "loa5"\nmethod = "optuna"\nparameters.lmr_base = {start = 70, least = 0, most = 200}\n'
ENDLESS = {
    "tournament": ["tournament", "DEVICE"],
    "tune": ["tune", "DEVICE"],
    "suite": ["suite", "DEVICE"],
    "toml": ["tournament", "LINK.toml"],
    **{name: ["match", "chess", "random", "random", "--openings", f"LINK.{name}"] for name in ("pgn", "epd", "pgn.gz")},
    "sgf": ["match", "loa", "random", "random", "--openings", "LINK.sgf"],
    "learn": ["learn", "classic", "rennes", "--games", "LINK.pdn", "--out", "w.safetensors"],
    "pairs": ["match", "loa5", "random", "random", "--games", "4", "--out", "run", "--resume"],
    "settings": ["match", "loa5", "random", "random", "--games", "4", "--out", "run", "--resume"],
    "journal": ["tune", "space.toml", "--out", "tuned"],
}


# Runs commands with little memory, one after the other: [folder, words] in, [exit code, output, errors] out.
LIMITED = """
import contextlib, io, json, os, resource, signal, sys
from damier.cli.app import run
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
for line in sys.stdin:
    folder, asked = json.loads(line)
    os.chdir(folder)
    signal.alarm(60)
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        code = run(asked)
    signal.alarm(0)
    print(json.dumps([code, out.getvalue(), err.getvalue()]), flush=True)
"""


@pytest.fixture(scope="module")
def limited() -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", LIMITED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit of memory, and devices")
@pytest.mark.parametrize(("case", "device"), [("tournament", "/dev/full"), *((case, "/dev/zero") for case in ENDLESS)])
def test_files_without_an_end_are_refused_at_once(
    limited: subprocess.Popen[str], tmp_path: Path, case: str, device: str
) -> None:
    asked = [device if word == "DEVICE" else word for word in ENDLESS[case]]
    link = next((word for word in asked if word.startswith("LINK")), "LINK")
    if case == "journal":
        pytest.importorskip("optuna")
        (tmp_path / "space.toml").write_text(SPACE)
        (tmp_path / "tuned").mkdir()
        link = "tuned/optuna.journal"
    elif case in ("pairs", "settings"):
        Match("loa5", "random", "random", games=2, out=tmp_path / "run").run()
        link = "run/pairs.jsonl" if case == "pairs" else "run/match.json"
        (tmp_path / link).unlink()
    if case == "pgn.gz":
        with gzip.open(tmp_path / link, "wb") as bomb:
            bomb.write(bytes(64 << 20))
    else:
        (tmp_path / link).symlink_to(device)
    assert limited.stdin
    assert limited.stdout
    print(json.dumps([str(tmp_path), asked]), file=limited.stdin, flush=True)
    code, printed, said = json.loads(limited.stdout.readline())
    assert (code, printed) == (1, "")
    assert said.count("\n") == 1
    assert "not enough memory" not in said
    assert any(name in said for name in (device, Path(link).name))
    assert ("is a device" if case == "journal" else "more than 16 MiB") in said


def test_there_is_one_way_to_put_a_file_in_the_place_of_another() -> None:
    """Whoever calls `replace` or `rename` with one argument moves a file, as texts are replaced by two."""

    def moves(node: ast.AST) -> bool:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return False
        return node.func.attr in ("replace", "rename") and len(node.args) == 1 and not node.keywords

    files = (ROOT / "python" / "damier").rglob("*.py")
    assert [file.name for file in files if any(map(moves, ast.walk(ast.parse(file.read_text()))))] == ["files.py"]


@given(st.floats(0, 1e9))
def test_durations_have_two_units_at_most(seconds: float) -> None:
    words = duration(seconds).split()
    assert len(words) in (2, 4)
    assert all(int(number) >= 0 for number in words[::2])


@given(st.text())
def test_whatever_is_shown_stays_in_its_line(text: str) -> None:
    shown = readable(text)
    assert shown.isprintable()
    assert readable(shown) == shown
