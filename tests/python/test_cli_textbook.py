"""`damier compare` and `damier trace` from outside."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from common import out

import damier
from damier import textbook

SVG = "{http://www.w3.org/2000/svg}"


def test_compare_prints_one_table(capsys: pytest.CaptureFixture[str]) -> None:
    header, *rows = out(capsys, "compare", "chess", "--depth", "2", "--eval", "ocap").splitlines()
    for name in ("algorithm", "value", "best move", "nodes", "leaves", "cut-offs", "table hits", "time", "branching"):
        assert name in header
    assert [row.split()[0] for row in rows] == list(textbook.EXACT)
    assert "100.00%" in rows[0]
    assert len({row.split()[1] for row in rows}) == 1


FIELDS = {"algorithm", "value", "move", "pv", "depth", "nodes", "leaves", "cutoffs", "table_hits", "researches"}
FIELDS |= {"seconds", "branching", "stopped"}


def test_compare_reports_json(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["compare", "loa", "--depth", "2", "--ordering", "history", "--iterative", "--aspiration", "20"]
    report = json.loads(out(capsys, *arguments, "--algorithms", ",".join(textbook.ALGORITHMS), "--json"))
    assert [row["algorithm"] for row in report] == list(textbook.ALGORITHMS)
    board = damier.loa.Board()
    for row in report:
        assert set(row) == FIELDS
        assert row["nodes"] >= row["leaves"] > 0
        assert row["depth"] == (0 if row["algorithm"] == "mcts" else 2)
        assert board.parse(row["move"]) in board.legal_moves
        assert row["pv"][0] == row["move"]
    assert len({row["value"] for row in report if row["algorithm"] != "mcts"}) == 1


def test_compare_without_minimax_has_no_ratio(capsys: pytest.CaptureFixture[str]) -> None:
    text = out(capsys, "compare", "english", "--depth", "6", "--algorithms", "alphabeta,pvs", "--fen", "B:W22,31:B9,10")
    assert all(row.endswith("-") for row in text.splitlines()[1:])


def test_compare_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "nodes.svg"
    out(capsys, "compare", "loa5", "--depth", "3", "--plot", str(file), "--algorithms", "minimax,alphabeta,mcts")
    root = ET.parse(file).getroot()
    assert len(root.findall(f"{SVG}path")) == 2
    assert len(root.findall(f"{SVG}circle")) == 6


@pytest.mark.parametrize("algorithm", textbook.ALGORITHMS)
def test_trace_draws_what_was_recorded(algorithm: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "tree.svg"
    said = out(
        capsys, "trace", "loa", "--algorithm", algorithm, "--depth", "3", "--out", str(file), "--max-drawn", "40"
    )
    assert f"recorded in {file}" in said
    picture = ET.parse(file).getroot()
    drawn = [group for group in picture.iter(f"{SVG}g") if group.get("class") == "node"]
    assert 5 <= len(drawn) <= 40
    texts = [text.text or "" for text in picture.iter(f"{SVG}text")]
    assert any(re.fullmatch(r"\+.*nodes?", text) for text in texts)


def test_nothing_drawn_or_left_out_is_lost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "tree.svg"
    for most in ("1", "7", "100", "100000"):
        arguments = ["trace", "english", "--depth", "4", "--cap", "300", "--max-drawn", most, "--out", str(file)]
        report = json.loads(out(capsys, *arguments, "--json"))
        assert report["recorded"] + report["unrecorded"] == report["nodes"]
        texts = [text.text or "" for text in ET.parse(file).getroot().iter(f"{SVG}text")]
        counted = sum(
            int(found[1].replace(",", "")) for found in map(re.compile(r"\+.*?([\d,]+) nodes?$").match, texts) if found
        )
        drawn = sum(group.get("class") == "node" for group in ET.parse(file).getroot().iter(f"{SVG}g"))
        assert drawn <= int(most)
        assert drawn + counted == report["nodes"]


def test_trace_writes_every_column(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "tree.json"
    out(capsys, "trace", "chess", "--depth", "3", "--algorithm", "pvs", "--cap", "200", "--out", str(file))
    tree = json.loads(file.read_text())
    columns = tree["columns"]
    assert {len(column) for column in columns.values()} == {tree["recorded"]}
    assert tree["recorded"] + sum(columns["unrecorded"]) == tree["nodes"]
    assert columns["move"][0] == ""
    assert tree["move"] in columns["move"]
    assert max(columns["why"]) < len(tree["why"])


def test_trace_writes_graphviz(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "tree.dot"
    out(capsys, "trace", "loa", "--depth", "2", "--out", str(file), "--max-drawn", "20")
    text = file.read_text()
    assert text.startswith("digraph search {")
    assert text.count("{") == text.count("}")
    assert len(re.findall(r"^  n\d+ \[", text, re.MULTILINE)) <= 20
