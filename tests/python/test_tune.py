"""Tuning from a file: what is kept, what an interruption leaves, and what is refused."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from common import out, refusal

import damier
from damier.arena.stats.sprt import Sprt
from damier.arena.tuning.spsa import Parameter
from damier.arena.tuning.trials import SAMPLERS, Trials
from damier.arena.tuning.tune import Tune
from damier.cli.app import run
from damier.storage.database import Database
from damier.storage.writer import PairWriter

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


OPTUNA = SPACE.replace("steps = 6", 'method = "optuna"\ntrials = 4').replace("c_end = 30\nr_end = 0.05\n", "")


def study(trials: int = 14, **more: Any) -> Tune:
    parameters = [Parameter("lmr_base", 70, 0, 200), Parameter("futility_margin", 90, 0, 400)]
    return Tune("loa5", "engine:nodes=20", parameters, method="optuna", steps=trials, pairs=2, seed=3, **more)


@pytest.mark.parametrize("stop_at", ["a trial played", "a pair played", "a trial asked for"])
def test_trials_that_were_interrupted_are_played_again_and_no_finished_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop_at: str
) -> None:
    whole = study()
    whole.run()
    played = [trial.params for trial in whole.tuner._finished()]

    def stop(*_: Any) -> None:
        raise StopError

    first = study(out=tmp_path)
    with monkeypatch.context() as patched:
        if stop_at == "a pair played":
            patched.setattr(Trials, "learn", stop)
        if stop_at == "a trial asked for":
            patched.setattr(Tune, "_works", stop)
        with pytest.raises(StopError):
            first.run(lambda tuner: stop() if tuner.done == 12 else None)
    before = (tmp_path / "pairs.jsonl").read_text() if (tmp_path / "pairs.jsonl").exists() else ""
    with (tmp_path / "optuna.journal").open("a") as file:
        file.write('{"op_code": 5, "tri')  # cut off by a crash
    (tmp_path / "optuna.journal.lock").touch()
    again = study(out=tmp_path, resume=True)
    again.run()
    assert [trial.params for trial in again.tuner._finished()] == played
    assert again.tuner.values == whole.tuner.values
    kept = (tmp_path / "pairs.jsonl").read_text()
    assert kept.startswith(before)
    assert kept.count("\n") == 28
    more = study(16, out=tmp_path, resume=True)
    assert more.run().done == 16
    assert (tmp_path / "pairs.jsonl").read_text().startswith(kept)


def test_the_journal_follows_from_the_games(tmp_path: Path) -> None:
    values = study(out=tmp_path).run().values
    kept = (tmp_path / "pairs.jsonl").read_text()
    (tmp_path / "optuna.journal").unlink()
    assert study(out=tmp_path, resume=True, concurrency=2).run().values == values
    assert (tmp_path / "pairs.jsonl").read_text() == kept


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_trials_find_the_top_of_a_hill(sampler: str) -> None:
    tuner = Trials([Parameter("x", 50, 0, 100), Parameter("y", 5, -10, 10)], trials=80, seed=2, sampler=sampler)
    for _ in range(80):
        step = tuner.step()
        assert step.down == {"x": 50, "y": 5}
        away = abs(step.up["x"] - 80) / 100 + abs(step.up["y"] + 5) / 20
        tuner.learn(step, 10 - 5 * away, 10)
    assert tuner.done == 80
    assert abs(tuner.best()["x"] - 80) < 12
    assert abs(tuner.best()["y"] + 5) < 4


def test_optuna_by_command(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "space.toml"
    file.write_text(OPTUNA)
    asked = ("tune", str(file), "--out", str(tmp_path / "run"), "--sprt", "0,150")
    assert "SPRT" in out(capfd, *asked)  # and nothing that Optuna has to say
    report = json.loads(out(capfd, *asked, "--resume", "--json"))
    assert (report["method"], report["steps"]) == ("optuna", 4)
    assert set(report["best"]) == {"lmr_base", "futility_margin"}
    assert report["test"]["verdict"] in ("elo0", "elo1")
    (tested,) = (tmp_path / "run").glob("sprt-*")
    kept = (tested / "pairs.jsonl").read_text()
    file.write_text(OPTUNA.replace("trials = 4", "trials = 30"))
    more = json.loads(out(capfd, *asked, "--resume", "--json"))
    assert (more["steps"], more["best"] == report["best"]) == (30, False)
    assert len(list((tmp_path / "run").glob("sprt-*"))) == 2
    assert (tested / "pairs.jsonl").read_text() == kept
    file.write_text(SPACE)
    assert "has method 'optuna', not 'spsa'" in refusal(capfd, *asked, "--resume")
    (tmp_path / "run" / "optuna.journal").write_text("nonsense\n{}\n")
    file.write_text(OPTUNA)
    assert "optuna.journal: this is not a journal of Optuna" in refusal(capfd, *asked, "--resume")


def test_without_optuna_one_line_says_what_to_install(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "space.toml"
    file.write_text(OPTUNA)
    monkeypatch.setitem(sys.modules, "optuna", None)
    assert 'pip install "damier[tune]"' in refusal(capsys, "tune", str(file))
    file.write_text(SPACE)
    assert json.loads(out(capsys, "tune", str(file), "--sprt", "none", "--json"))["method"] == "spsa"


def test_every_seed_can_be_tested() -> None:
    parameters = [Parameter("lmr_base", 70, 0, 200, 30)]
    seeds = 0, 2**31 - 1, 2**31
    assert [Tune("loa5", "engine", parameters, seed=seed).test(Sprt(0, 10)).seed for seed in seeds] == [1, 0, 1]


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
    assert report["test"]["verdict"] in ("elo0", "elo1")
    report = json.loads(out(capsys, "tune", str(file), "--sprt", "none", "--json"))
    assert "test" not in report


def test_the_games_of_the_test_go_to_a_database(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, rows = tmp_path / "space.toml", tmp_path / "games.db"
    file.write_text(SPACE)
    args = ("tune", str(file), "--sprt", "0,150", "--out", str(tmp_path / "run"), "--json")
    assert "there is no folder" in refusal(capsys, *args, "--database", str(tmp_path / "no" / "games.db"))
    report = json.loads(out(capsys, *args, "--database", str(rows)))
    with Database(rows) as database:
        (event,) = database.events()
    assert (event.event.kind, event.games) == ("match", report["test"]["games"])
    (tested,) = (tmp_path / "run").glob("sprt-*")
    (tested / "pairs.jsonl").unlink()
    monkeypatch.setenv("DAMIER_DATABASE", str(rows))
    monkeypatch.setattr(PairWriter, "_write", lambda self: (_ for _ in ()).throw(damier.DamierError("disk is full")))
    assert run([*args, "--resume"]) == 1
    printed = capsys.readouterr()
    assert json.loads(printed.out)["test"]["games"] == event.games  # what is known is printed even so
    assert "disk is full" in printed.err


WRONG = [
    ('game = "loa5"', "", "game is missing"),
    ('game = "loa5"', 'game = "go"', "game: "),
    ("start = 70", "start = 700", "lmr_base: start is 700"),
    ("start = 70", "", "parameters.lmr_base has no start"),
    ("start = 70", 'start = "x"', "parameters.lmr_base.start is 'x', expected a number"),
    ("least = 0", "least = -900", "lmr_base is -900, expected -200 to 400"),
    ("most = 200", "most = 400.5", "lmr_base is 401, expected -200 to 400"),
    ("start = 70", f"start = 1{'0' * 400}", "lmr_base: start is 1000"),
    ("c_end = 30", f"c_end = 1{'0' * 400}", "lmr_base: c_end is 1000"),
    ("lmr_base", "nonsense", "nonsense"),
    ("steps = 6", "steps = 0", "steps is 0"),
    ("pairs = 2", "pairs = 0", "pairs is 0"),
    ("pairs = 2", "peers = 2", "there is no key peers"),
    ("nodes=40", "nodes=40,set=lmr_base:3", "without set="),
    ("steps = 6", "steps = ", "space.toml"),
]
WRONG_TRIALS = [
    ('"optuna"', '"magic"', "method is 'magic', expected one of spsa, optuna"),
    ("trials = 4", "trials = 0", "trials is 0"),
    ("trials = 4", "steps = 4", 'steps is for method = "spsa", not "optuna"'),
    ("trials = 4", 'sampler = "dice"', "sampler is 'dice', expected one of tpe, random"),
    ('method = "optuna"', "", 'trials is for method = "optuna", not "spsa"'),
    ("least = 0", "least = -inf", "lmr_base: least is -inf"),
    ("most = 200", "most = nan", "lmr_base: most is nan"),
    ("most = 200", f"most = 1{'0' * 400}", "lmr_base: most is 1000"),
    ("most = 200", "most = 90000", "lmr_base is 90000, expected -200 to 400"),
    ("least = 0\nmost = 200", "least = 70\nmost = 70.5", "lmr_base: no whole numbers to try from 70 to 70.5"),
]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param(text.replace(before, after, 1), words, id=words)
        for text, wrong in ((SPACE, WRONG), (OPTUNA, WRONG_TRIALS))
        for before, after, words in wrong
    ],
)
def test_what_is_wrong_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "space.toml"
    file.write_text(text)
    assert words in refusal(capsys, "tune", str(file))


def test_a_spec_gets_its_values() -> None:
    parameters = [Parameter("lmr_base", 70, 0, 200, 30)]
    assert Tune("loa", "engine", parameters).with_values({"lmr_base": 5}) == "engine:set=lmr_base:5"
    assert damier.players.player(Tune("loa", "engine:depth=2", parameters).with_values({"lmr_base": 5}))
