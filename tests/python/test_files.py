"""Files are there whole or not at all, and texts in them cannot disturb who shows them."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from common import ROOT
from hypothesis import given
from hypothesis import strategies as st

from damier import DamierError
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
