"""Tuning from a file: what is kept, what an interruption leaves, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from common import out, refusal

import damier
from damier.arena.spsa import Parameter
from damier.arena.tune import Tune

SPACE = """
game = "loa5"
player = "engine:nodes=40"
steps = 6
pairs = 2
[parameters.lmr_base]
start = 70
least = 0
most = 200
c_end = 30
r_end = 0.05
[parameters.futility_margin]
start = 90
least = 0
most = 400
c_end = 40
r_end = 0.05
"""


def space(**more: Any) -> Tune:
    parameters = [Parameter("lmr_base", 70, 0, 200, 30, 0.05), Parameter("futility_margin", 90, 0, 400, 40, 0.05)]
    return Tune("loa5", "engine:nodes=40", parameters, steps=8, pairs=2, seed=3, **more)


class StopError(Exception):
    pass


def test_an_interrupted_run_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    whole = space().run().values

    def stop(spsa: Any) -> None:
        if spsa.done == 3:
            raise StopError

    with pytest.raises(StopError):
        space(out=tmp_path).run(stop)
    kept = (tmp_path / "pairs.jsonl").read_text().splitlines(keepends=True)
    assert len(kept) == 6
    (tmp_path / "pairs.jsonl").write_text("".join(kept[:5]) + '{"pair": [3,')  # in the middle of a step
    steps = []
    again = space(out=tmp_path, resume=True).run(lambda spsa: steps.append(spsa.done))
    assert again.values == whole
    assert steps == list(range(1, 9))
    assert len((tmp_path / "pairs.jsonl").read_text().splitlines()) == 16


def test_concurrency_changes_nothing() -> None:
    assert space(concurrency=3).run().values == space().run().values


def test_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "space.toml"
    file.write_text(SPACE)
    folder = tmp_path / "run"
    asked = ("tune", str(file), "--out", str(folder), "--sprt", "0,150", "--concurrency", "2")
    text = out(capsys, *asked)
    assert "engine:nodes=40,set=lmr_base:" in text
    assert "SPRT" in text
    report = json.loads(out(capsys, *asked, "--resume", "--json"))
    assert report["steps"] == 6
    assert set(report["values"]) == {"lmr_base", "futility_margin"}
    assert report["trial"]["verdict"] in ("elo0", "elo1")
    report = json.loads(out(capsys, "tune", str(file), "--sprt", "none", "--json"))
    assert "trial" not in report


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ('game = "loa5"', "", "there is no game"),
        ('game = "loa5"', 'game = "go"', "game: "),
        ("start = 70", "start = 700", "lmr_base: start is 700"),
        ("start = 70", "", "parameters.lmr_base has no start"),
        ("start = 70", 'start = "x"', "parameters.lmr_base.start is 'x', expected a number"),
        ("lmr_base", "nonsense", "nonsense"),
        ("steps = 6", "steps = 0", "steps is 0"),
        ("pairs = 2", "pairs = 0", "pairs is 0"),
        ("pairs = 2", "peers = 2", "there is no key peers"),
        ("nodes=40", "nodes=40,set=lmr_base:3", "without set="),
        ("steps = 6", "steps = ", "space.toml"),
    ],
)
def test_what_is_wrong_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, before: str, after: str, words: str
) -> None:
    file = tmp_path / "space.toml"
    file.write_text(SPACE.replace(before, after, 1))
    assert words in refusal(capsys, "tune", str(file))


def test_a_spec_gets_its_values() -> None:
    parameters = [Parameter("lmr_base", 70, 0, 200, 30)]
    assert Tune("loa", "engine", parameters).with_values({"lmr_base": 5}) == "engine:set=lmr_base:5"
    assert damier.players.player(Tune("loa", "engine:depth=2", parameters).with_values({"lmr_base": 5}))
