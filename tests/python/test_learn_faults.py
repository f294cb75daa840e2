"""Every method of learning: what goes wrong is said in one line, and what was learnt before is not lost."""

from __future__ import annotations

import json
import os
import pickle
import shlex
import shutil
import signal
import struct
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import learners
import numpy as np
import pytest
from common import flip_bit, full_disk, out, refusal
from data_runs import self_played
from learners import GAME, LEARNERS, STEPS, counted
from rich.console import Console

from damier import Engine, simulate
from damier._core import DamierError
from damier.cli.app import run
from damier.cli.learn.show import _cell, _picture
from damier.lab import self_play
from damier.lab.blocks import Blocks
from damier.lab.plot import training_svg
from damier.lab.training import CHECKPOINT, LEARNT, METRICS, PLOT, Training, train
from damier.weights import read_weights

# The options of a command for a few quick steps; {base} is a run folder.
COMMANDS = {
    "td": "--games {base} --features bing --games-per-step 20",
    "classic": "--games {base} --features bing --iterations 1 --skip 4",
    "knockout": "--players 3 --games 2 --nodes 10 --settle 0",
    "genetic": "--pool 6 --games-per-step 12 --nodes 10 --trial 4",
    "knn": "--games {base}",
    "mlp": "--games {base} --label results --hidden 8",
    "alphazero": "--channels 4 --blocks 1 --games 4 --simulations 4 --gate-games 2 --threads 1 --device cpu",
    "nnue": "--games {base} --hidden 16 --skip 4 --device cpu",
    "patterns": "--games {base} --skip 4 --least 2",
}
COUNT = {"mlp": "--epochs", "nnue": "--epochs", "patterns": "--epochs"}  # instead of --steps
READERS = ("td", "classic", "knn", "mlp", "nnue", "patterns")  # methods that learn from stored games
every_method = pytest.mark.parametrize("method", LEARNERS)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return self_played(GAME, tmp_path_factory, games=60, nodes=40, random_plies=4)


@pytest.fixture(scope="module")
def calls() -> dict[str, int]:
    """How many calls of our functions a whole run of each method takes from its first checkpoint on."""
    return {}


@pytest.fixture(scope="module")
def whole(base: Path, calls: dict[str, int], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A run of each method that nothing disturbed."""
    folder = tmp_path_factory.mktemp("whole")
    calls |= {method: counted(method, base, folder / method) for method in LEARNERS}
    return {method: folder / method for method in LEARNERS}


def command(method: str, base: Path, folder: Path, *more: str) -> list[str]:
    asked = shlex.split(COMMANDS[method].format(base=shlex.quote(str(base))))
    return ["learn", method, GAME, *asked, COUNT.get(method, "--steps"), str(STEPS), "--out", str(folder), *more]


def metrics_in(folder: Path) -> list[dict[str, float]]:
    """All that was measured but times."""
    rows = [json.loads(line) for line in (folder / METRICS).read_text().splitlines()]
    return [{name: value for name, value in row.items() if "seconds" not in name} for row in rows]


def steps_in(folder: Path) -> int:
    return int(read_weights(folder / CHECKPOINT).metadata["steps"])


# What every method shows, writes and keeps


@every_method
def test_what_is_printed_can_be_pasted(
    method: str, base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    matches = [] if method == "knn" else ["--match-every", str(STEPS), "--match-games", "4"]
    printed = out(capsys, *command(method, base, Path("my run"), *matches))
    assert ("elo" in printed) == bool(matches)
    lines = dict(line.split(":  ", 1) for line in printed.splitlines() if ":  " in line)
    assert Path(lines["Curves"].strip()).read_text().startswith("<svg")
    damier, *play = shlex.split(lines["Play against it"])
    assert damier == "damier"
    monkeypatch.setattr(sys, "stdin", StringIO("quit\n"))
    assert "White to move" in out(capsys, *play)  # since it has moved
    damier, *match = shlex.split(lines["Measure it"])
    match[-1] = "2"  # games, rather than hundreds of them
    assert "2 of 2" in out(capsys, *match)


def test_what_is_learnt_by_heart_is_said(base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["learn", "mlp", GAME, "--games", str(base), "--label", "results", "--hidden", "64", "--out"]
    assert "Warning" not in out(capsys, *asked, str(tmp_path / "short"), "--epochs", "2")
    printed = out(capsys, *asked, str(tmp_path / "long"), "--epochs", "80")
    rows = metrics_in(tmp_path / "long")
    best = max(rows, key=lambda row: row["r2"])
    assert f"\nWarning: R2 on held-out games was {best['r2']:.3f} at step {best['step']:.0f} and is" in printed


def test_the_table_that_moves() -> None:
    rows = [{"step": step, "loss": 1 / step, "rate": 1e-4 / step, "weights/a": 1.0} for step in range(1, 41)]
    rows[9] |= {"elo_low": 150.0}  # all games won
    rows[-1] |= {"elo": 20.0, "elo_error": 9.6, "elo_low": 10.0, "elo_high": 31.0}
    screen = Console(file=StringIO(), width=100)
    screen.print(_picture(Training("td", 40, rows), 50))
    text = screen.file.getvalue()  # type: ignore[attr-defined]
    assert "td, step 40 of 50" in text
    assert "+20.0 ± 9.6" in text
    assert "loss █▃▂" in text
    assert "weights" not in text
    assert "2.5e-06" in text
    screen.print(_picture(Training("td", 10, rows[:10]), 50))
    assert ">= +150.0" in screen.file.getvalue()  # type: ignore[attr-defined]


def test_the_elo_of_nearly_all_games_is_an_interval() -> None:
    """Half its width would reach below what is known."""
    row = {"step": 1, "elo": 636.4, "elo_error": 1644.0, "elo_low": 182.7, "elo_high": 3470.7}
    assert _cell(row, "elo") == "+636.4 (+183 to +3471)"


@pytest.mark.parametrize(("bound", "end"), [("elo_low", 40.0), ("elo_high", 206.0)])
def test_a_bound_is_drawn_as_an_open_bar(bound: str, end: float) -> None:
    """From the bound to the end of the panel, and the curve leaves it out: it would seem to fall after better games."""
    known = {"elo": 300.0, "elo_error": 50.0, "elo_low": 250.0, "elo_high": 350.0}
    rows = [{"step": 1, **known}, {"step": 2, **known}, {"step": 3, bound: 183.0}]
    picture = training_svg(rows, "td")
    assert picture.count("<circle") == 2
    assert f"{end:.1f}" in picture.split("<path")[-2]
    assert "<path" in training_svg([{"step": 1, bound: 183.0}], "td")


@pytest.mark.parametrize("losses", [[1e30], [1e17, 1e17 + 32], [2e300, 3e300]])
def test_a_loss_beyond_measure_is_drawn(losses: list[float]) -> None:
    """Numbers so large that those next to them are far away."""
    rows = [{"step": step, "loss": loss} for step, loss in enumerate(losses)]
    assert training_svg(rows, "td").count("<circle") == len(losses)


@every_method
def test_the_file_says_how_it_came_to_be(method: str, base: Path, whole: dict[str, Path]) -> None:
    file = read_weights(whole[method] / LEARNT)
    assert file.game == GAME
    assert file.features in ("bing", "quads", "squares", "planes", "nnue", "patterns")
    held = file.metadata
    assert (held["method"], held["seed"], held["steps"]) == (method, "0", str(STEPS))
    assert held.get("data_sha256") == (Blocks(GAME, base).digest() if method in READERS else None)
    has_loss = method in ("td", "classic", "mlp", "alphazero", "nnue", "patterns")
    assert ("final_loss" in held) == ("first_loss" in held) == has_loss
    assert (whole[method] / PLOT).read_text().count("<g transform") >= 2
    assert list((whole[method] / "tensorboard").iterdir())


@every_method
def test_tensorboard_reads_the_curves(method: str, whole: dict[str, Path]) -> None:
    """Its own messages and checksums, as the package tensorboardX has them."""
    from tensorboardX.proto.event_pb2 import Event  # noqa: PLC0415  (loads torch)

    (path,) = (whole[method] / "tensorboard").iterdir()
    content, events = path.read_bytes(), []
    while content:
        (length,) = struct.unpack("<Q", content[:8])
        event = content[12 : 12 + length]
        assert struct.unpack("<I", content[8:12])[0] == masked(content[:8])
        assert struct.unpack("<I", content[12 + length : 16 + length])[0] == masked(event)
        events.append(Event.FromString(event))
        content = content[16 + length :]
    rows = [json.loads(line) for line in (whole[method] / METRICS).read_text().splitlines()]
    found = [{"step": event.step, **{each.tag: each.simple_value for each in event.summary.value}} for event in events]
    assert events[0].file_version == "brain.Event:2"
    assert found[1:] == [pytest.approx(row) for row in rows if row["step"]]


def masked(content: bytes) -> int:
    from tensorboardX.crc32c import crc32c  # noqa: PLC0415  (loads torch)

    value = crc32c(content)
    return ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF


# Interruptions


@every_method
def test_ctrl_c_in_the_middle_of_a_step(
    method: str, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The step has changed the learner already; what is kept is from before."""
    asked = command(method, base, tmp_path / "cut")
    kind = type(LEARNERS[method](base))
    step = kind.step

    def interrupted(learner: Any, number: int) -> dict[str, float]:
        found = step(learner, number)
        if number == 3:
            raise KeyboardInterrupt
        return found

    with monkeypatch.context() as patch:
        patch.setattr(kind, "step", interrupted)
        assert run(asked) == 130
    said = capsys.readouterr().err
    assert said == f"interrupted; resume with `{shlex.join(['damier', *asked, '--resume'])}`\n"
    assert steps_in(tmp_path / "cut") == 3
    held = read_weights(tmp_path / "cut" / LEARNT).metadata
    assert (held["final_step"], held["unfinished"]) == ("3", "True")
    assert (tmp_path / "cut" / PLOT).exists()
    assert "2 of 2" in out(capsys, "match", GAME, f"learnt:{tmp_path / 'cut' / LEARNT}", "random", "--games", "2")
    out(capsys, *asked, "--resume")
    out(capsys, *command(method, base, tmp_path / "whole"))
    assert (tmp_path / "cut" / LEARNT).read_bytes() == (tmp_path / "whole" / LEARNT).read_bytes()
    assert metrics_in(tmp_path / "cut") == metrics_in(tmp_path / "whole")


def test_ctrl_c_while_scikit_learn_computes(
    base: Path, whole: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes the interruption for its own: without care the training would go on with a part of an epoch."""
    from sklearn.neural_network import MLPRegressor  # noqa: PLC0415  (slow to load)

    backprop, batches = MLPRegressor._backprop, iter(range(1000))

    def interrupted(*given: Any) -> Any:
        found = backprop(*given)
        if next(batches) == 10:
            signal.raise_signal(signal.SIGINT)
        return found

    asked = command("mlp", base, tmp_path / "cut")
    with monkeypatch.context() as patch:
        patch.setattr(MLPRegressor, "_backprop", interrupted)
        assert run(asked) == 130
    assert run([*asked, "--resume"]) == 0
    assert (tmp_path / "cut" / LEARNT).read_bytes() == (whole["mlp"] / LEARNT).read_bytes()


@pytest.fixture(scope="module")
def killed(
    base: Path, whole: dict[str, Path], calls: dict[str, int], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    """A run of each method that was killed, each at another moment."""
    folder = tmp_path_factory.mktemp("killed")
    moments = {method: calls[method] * (number + 1) // (len(LEARNERS) + 1) for number, method in enumerate(LEARNERS)}
    asked = [sys.executable, learners.__file__, str(base), str(folder), json.dumps(moments)]
    done = subprocess.run(asked, capture_output=True, check=True, text=True, timeout=600)
    assert json.loads(done.stdout) == dict.fromkeys(LEARNERS, -signal.SIGKILL)
    return {method: folder / method for method in LEARNERS}


@every_method
def test_a_kill_at_any_moment_loses_one_interval_at_most(
    method: str, base: Path, whole: dict[str, Path], killed: dict[str, Path]
) -> None:
    folder = killed[method]
    assert metrics_in(folder)[-1]["step"] in (steps_in(folder), steps_in(folder) + 1)
    training = train(LEARNERS[method](base), out=folder, resume=folder.exists())
    assert training.steps == STEPS
    assert (folder / LEARNT).read_bytes() == (whole[method] / LEARNT).read_bytes()
    assert not list(folder.glob(".*"))


@every_method
def test_a_full_disk(method: str, base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = command(method, base, tmp_path / "run")
    with full_disk(300 if list(LEARNERS).index(method) % 2 else 1500):
        said = refusal(capsys, *asked)
    assert "File too large; make room there and resume with `damier learn" in said
    assert str(tmp_path / "run") in said
    out(capsys, *asked, "--resume")
    assert (tmp_path / "run" / LEARNT).exists()


@every_method
def test_a_measurement_that_is_not_a_number(method: str, base: Path, whole: dict[str, Path], tmp_path: Path) -> None:
    """It spoils the weights too; the checkpoint has those of before."""
    learner = LEARNERS[method](base)
    step = learner.step

    def spoilt(number: int) -> dict[str, float]:
        found = step(number)
        if number < 2:
            return found
        numbers = {name: array for name, array in learner.state().items() if name != "settling"}
        numbers = {name: array for name, array in numbers.items() if np.issubdtype(array.dtype, np.floating)}
        learner.restore(learner.state() | {name: np.full_like(array, np.nan) for name, array in numbers.items()})
        return found | {"loss": float("nan")}

    learner.step = spoilt  # type: ignore[method-assign]
    with pytest.raises(DamierError, match=f"^{method}: loss is nan after step 3, expected a number"):
        train(learner, out=tmp_path)
    assert steps_in(tmp_path) == 2
    assert read_weights(tmp_path / LEARNT).metadata["final_step"] == "2"
    train(LEARNERS[method](base), out=tmp_path, resume=True)
    assert (tmp_path / LEARNT).read_bytes() == (whole[method] / LEARNT).read_bytes()


@pytest.mark.parametrize("method", [method for method in LEARNERS if method not in COUNT or method == "mlp"])
def test_more_steps_than_before(method: str, base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    option, folder = COUNT.get(method, "--steps"), tmp_path / "run"
    few = command(method, base, folder, option, "3")
    out(capsys, *few)
    more = command(method, base, folder, "--resume")
    if method in ("genetic", "alphazero"):
        said = refusal(capsys, *more)
        assert "this training run has steps 3, not 5; this method plans all its steps from the first on" in said
        return
    out(capsys, *more)
    assert json.loads((folder / "training.json").read_text())["steps"] == STEPS
    out(capsys, *command(method, base, tmp_path / "whole"))
    assert (folder / LEARNT).read_bytes() == (tmp_path / "whole" / LEARNT).read_bytes()
    assert "this training run has steps 5 already, expected at least as many, not 3" in refusal(
        capsys, *few, "--resume"
    )


# Files that are not what they should be


@every_method
@pytest.mark.parametrize("harm", ["cut off", "edited", "of another method", "metrics"])
def test_a_damaged_run_is_refused(method: str, harm: str, base: Path, whole: dict[str, Path], tmp_path: Path) -> None:
    folder = shutil.copytree(whole[method], tmp_path / "run")
    path = folder / (METRICS if harm == "metrics" else CHECKPOINT)
    content = bytearray(path.read_bytes())
    if harm == "cut off":
        path.write_bytes(content[: len(content) // 2])
    elif harm == "edited":
        flip_bit(path)
    elif harm == "metrics":
        path.write_bytes(content[:-20])
    else:
        other = next(name for name in LEARNERS if name != method)
        path.write_bytes((whole[other] / CHECKPOINT).read_bytes())
    with pytest.raises(DamierError, match=path.name if harm != "metrics" else CHECKPOINT) as refused:
        train(LEARNERS[method](base), out=folder, resume=True)
    assert "\n" not in str(refused.value)
    assert (folder / LEARNT).read_bytes() == (whole[method] / LEARNT).read_bytes()


@every_method
def test_a_file_learnt_for_another_game(
    method: str, whole: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = whole[method] / LEARNT
    is_evaluation = method not in ("knn", "alphazero")
    for spec in (f"engine:eval={path},nodes=20", f"learnt:{path}{',nodes=20' if is_evaluation else ''}"):
        said = refusal(capsys, "match", "english", spec, "random", "--games", "2")
        assert LEARNT in said
        assert "loa" in said


@pytest.mark.parametrize("method", READERS)
@pytest.mark.parametrize("harm", ["cut off", "edited", "another game", "another run", "no file"])
def test_games_that_cannot_be_learnt_from(
    method: str, harm: str, base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games = shutil.copytree(base, tmp_path / "games")
    shard = next(games.glob("*.parquet"))
    content = bytearray(shard.read_bytes())
    if harm == "cut off":
        shard.write_bytes(content[: len(content) // 2])
    elif harm == "edited":
        content[len(content) // 3 : len(content) // 2] = bytes(len(content) // 2 - len(content) // 3)
        shard.write_bytes(content)
    elif harm == "another game":
        shutil.rmtree(games)
        simulate("rennes", games=3, out=games)
    elif harm == "another run":
        shutil.rmtree(games)
        train(LEARNERS["knockout"](base), out=games)
    else:
        shutil.rmtree(games)
    said = refusal(capsys, *command(method, games, tmp_path / "run"))
    assert str(games) in said
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("method", READERS)
def test_games_that_changed_meanwhile(method: str, base: Path, tmp_path: Path) -> None:
    games = shutil.copytree(base, tmp_path / "games")

    def stop(training: Training) -> None:
        if training.steps == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(LEARNERS[method](games), out=tmp_path / "run", on_step=stop)
    shutil.rmtree(games)
    self_play(GAME, games=60, nodes=40, random_plies=4, seed=3, out=games)
    with pytest.raises(DamierError, match="the games it learns from have changed since this training run began"):
        train(LEARNERS[method](games), out=tmp_path / "run", resume=True)


class Harmful:
    """Unpickled, it makes a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize("name", [LEARNT, CHECKPOINT])
def test_a_file_runs_no_code(name: str, base: Path, whole: dict[str, Path], tmp_path: Path) -> None:
    folder, learner = shutil.copytree(whole["knockout"], tmp_path / "run"), LEARNERS["knockout"](base)
    (folder / name).write_bytes(pickle.dumps(Harmful(tmp_path / "harm")))
    with pytest.raises(DamierError, match=name):
        Engine(GAME, eval=folder / name) if name == LEARNT else train(learner, out=folder, resume=True)
    assert not (tmp_path / "harm").exists()


def test_a_folder_that_no_player_could_name(base: Path, tmp_path: Path) -> None:
    with pytest.raises(DamierError, match="has a comma"):
        train(LEARNERS["knockout"](base), out=tmp_path / "a,b")
    assert not (tmp_path / "a,b").exists()


def test_a_rate_that_leads_nowhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refusal(capsys, "learn", "td", "loa", "--rate", "1e300", "--out", str(tmp_path / "run"))
    assert "rate is 1e+300, expected more than 0 and less than 100" in said
    assert not (tmp_path / "run").exists()


def test_a_device_that_is_not_there_is_no_fault_of_the_file(
    whole: dict[str, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    spec = f"learnt:{whole['alphazero'] / LEARNT},simulations=2,device=cuda"
    said = refusal(capsys, "match", GAME, spec, "random", "--games", "2")
    assert said == f"damier: {spec}: device is cuda, but torch finds no such device here; expected cpu or auto\n"
