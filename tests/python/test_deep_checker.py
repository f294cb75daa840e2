"""The reproduction of Deep Checker in its smallest size, and convolutions as the core plays them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from common import needs, walk

from damier import Side, games
from damier.lab import simulate
from damier.lab.labels import label_games
from damier.puct.network import import_torch
from damier.reproduce import reproduce
from damier.reproduce.convolution import _dense, _net, _places, train_convolution
from damier.reproduce.deep_checker import DeepChecker, DeepCheckerSettings

needs("torch", "sklearn")

TINY = DeepCheckerSettings(
    games=150,
    epochs=1,
    variant_epochs=1,
    knn_steps=1,
    match_games=2,
    strong_games=2,
    fresh_games=30,
    self_play_games=30,
    generations=1,
    generation_epochs=1,
    conv_epochs=1,
    depth=2,
    mcts_nodes=10,
    engine_nodes=20,
    cup_games=2,
)


def test_the_report_sets_ours_beside_theirs(tmp_path: Path) -> None:
    page = reproduce(DeepChecker(TINY), out=tmp_path / "run", seed=1)
    text = page.read_text()
    for words in ("18 of 50 (24 to 50 %)", "50 of 50 (93 to 100 %)", "| 0.46 |", "| 0.68 |", "reinforced, MCTS 10"):
        assert words in text
    assert {path.name for path in page.parent.glob("*.svg")} == {
        f"reproduce-deep-checker-{plot}.svg" for plot in ("elo", "r2", "random")
    }
    table = text.partition("## What they wished for")[2]
    assert re.search(
        r"\n\| classic, engine \d+ \|  \| [+-]\d+ ± \d+ \|  \|\n\nThe step from the row above exceeds", table
    )
    assert " epochs instead of " in text
    taken = (page.parent / "steps" / "cup.json").stat().st_mtime_ns
    reproduce(DeepChecker(TINY), out=tmp_path / "run", seed=1, resume=True)
    assert (page.parent / "steps" / "cup.json").stat().st_mtime_ns == taken


def test_the_core_plays_a_convolution_as_torch_computes_it() -> None:
    torch = import_torch()
    torch.manual_seed(1)
    places, shape = _places("rennes")
    net = _net(torch, len(places), shape, places)
    with torch.no_grad():
        layers = _dense(torch, net, 64)
        for board in walk(games.board("rennes"), 4, plies=30):
            seen = board.features("squares")
            evaluator = board.network_evaluator("net", "squares", [layer.arrays("net") for layer in layers], 1.0)
            ((_, _, _, total),) = board.explain(evaluator)
            found = float(net(torch.from_numpy(seen)[None, :])[0, 0])
            assert (total if board.turn == Side.WHITE else -total) == pytest.approx(found, abs=1e-5)


def test_a_convolution_learns(tmp_path: Path) -> None:
    simulate("rennes", games=400, seed=3, out=tmp_path / "games")
    parts = label_games("rennes", [tmp_path / "games"], "results").split(0.2)
    seen: list[float] = []
    (net, r2), (again, _) = (
        train_convolution("rennes", *parts, epochs=3, seed=2, on_epoch=lambda _, r2: seen.append(r2)) for _ in range(2)
    )
    assert r2 == seen[-1] > seen[0]
    for one, other in zip(net.layers, again.layers, strict=True):
        np.testing.assert_array_equal(one.weights, other.weights)
