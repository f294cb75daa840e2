"""Generations of networks: each learns from the games of those before it, and plays if it is better."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from common import out, refusal

from damier import DamierError
from damier.eval import Linear
from damier.lab.nnue import GenerationLearner, GenerationSettings, NnueSettings, generation
from damier.lab.training import LEARNT, METRICS, is_finished, train
from damier.weights import read_weights

GAME = "loa5"
NET = NnueSettings(hidden=16, buckets=1, epochs=30, batch_size=256, skip=4, tactical=True)
QUICK = GenerationSettings(games=120, nodes=30, random_plies=3, net=NET, elo0=-20, elo1=20, most_games=200)


@pytest.fixture
def blind(tmp_path: Path) -> str:
    """An evaluation that sees nothing: whoever learnt anything is better."""
    Linear("quads", [0] * 8).save(tmp_path / "blind.safetensors", GAME)
    return str(tmp_path / "blind.safetensors")


def rows_in(folder: Path) -> list[dict[str, float]]:
    rows = [json.loads(line) for line in (folder / METRICS).read_text().splitlines()]
    return [{name: value for name, value in row.items() if "seconds" not in name} for row in rows]


def test_generations_get_better_and_survive_an_interruption(
    blind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = replace(QUICK, start=blind)
    whole = train(GenerationLearner(GAME, tmp_path / "whole", steps=2, settings=settings), out=tmp_path / "whole")
    first, second = whole.metrics
    assert first["adopted"] == 1
    assert first["gate_elo"] > 50
    assert second["positions"] > 1.5 * first["positions"]  # of both generations
    assert sorted(path.name for path in (tmp_path / "whole").glob("generation-*/*")) == 2 * ["games"] + 2 * [
        "match"
    ] + 2 * ["net"]
    played = generation.Match.run

    def interrupted(match: Any, on_progress: Any) -> Any:
        if "generation-2" in str(match.out):
            raise KeyboardInterrupt
        return played(match, on_progress)

    cut, step = tmp_path / "cut", generation.NnueLearner.step

    def interrupted_early(learner: Any, number: int) -> Any:
        if number == 2:
            raise KeyboardInterrupt
        return step(learner, number)

    with monkeypatch.context() as patch:
        patch.setattr(generation.NnueLearner, "step", interrupted_early)
        with pytest.raises(KeyboardInterrupt):
            train(GenerationLearner(GAME, cut, steps=2, settings=settings), out=cut)
    assert not is_finished(cut / "generation-1" / "net" / LEARNT)  # its training goes on
    with monkeypatch.context() as patch:
        patch.setattr(generation.Match, "run", interrupted)
        with pytest.raises(KeyboardInterrupt):
            train(GenerationLearner(GAME, cut, steps=2, settings=settings), out=cut, resume=True)
    assert is_finished(cut / "generation-1" / "net" / LEARNT)
    learnt = (cut / "generation-2" / "net" / LEARNT).stat().st_mtime_ns
    train(GenerationLearner(GAME, cut, steps=2, settings=settings), out=cut, resume=True)
    assert (cut / "generation-2" / "net" / LEARNT).stat().st_mtime_ns == learnt  # it was not trained again
    assert rows_in(cut) == rows_in(tmp_path / "whole")
    assert read_weights(cut / LEARNT).metadata["generation"] == str(1 + int(second["adopted"]))
    Linear("quads", [1] * 8).save(blind, GAME)
    with pytest.raises(DamierError, match="the evaluation it starts from has changed"):
        train(GenerationLearner(GAME, cut, steps=2, settings=settings), out=cut, resume=True)


def test_the_present_evaluation_stays_unless_a_test_says_otherwise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = "--generations 1 --games 40 --nodes 20 --most-games 20 --epochs 1 --hidden 16 --mix 1"
    options += " --threads 1 --device cpu"
    printed = out(capsys, "learn", "generation", GAME, "--out", str(tmp_path / "run"), *options.split())
    assert "No generation was better than the start; the newest one was kept." in printed
    assert "engine:eval=" in printed
    assert read_weights(tmp_path / "run" / LEARNT).metadata["adopted"] == "False"
    assert read_weights(tmp_path / "run" / "generation-1" / "net" / LEARNT).metadata["mix"] == "1.0"


def test_what_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["learn", "generation", GAME, "--out", str(tmp_path / "run")]
    assert "no such file" in refusal(capsys, *asked, "--start", "nowhere/net.safetensors")
    assert "expected the first to be the smaller one" in refusal(capsys, *asked, "--sprt", "10,0")
    assert "No such file or directory" in refusal(capsys, *asked, "--data", str(tmp_path / "nowhere"))
    with pytest.raises(DamierError, match="most_games is 7, expected an even number"):
        GenerationLearner(GAME, tmp_path, settings=replace(QUICK, most_games=7))
    assert not (tmp_path / "run").exists()
