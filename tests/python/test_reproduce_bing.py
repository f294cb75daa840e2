"""BING again, as small as it can be: every net is learnt, plays and is reported, whatever comes in between."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from damier.lab.training import LEARNT
from damier.reproduce import named, reproduce
from damier.reproduce.bing import KINDS, Bing, BingSettings
from damier.reproduce.bing_report import COMPARED, _brief, _compared, _last_parts, _mark, _pooled
from damier.reproduce.frame import Progress

TINY = BingSettings(games=4, nodes=20, replays=2, searched_steps=1, searched_games=2, seeds=1, match_games=2)


def test_every_net_is_reported(tmp_path: Path) -> None:
    def stop(progress: Progress) -> None:
        if progress.words.startswith("3 of 12 nets"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reproduce(Bing(TINY), out=tmp_path, on_progress=stop)
    kept = {path.parent.name: path.stat().st_mtime_ns for path in tmp_path.glob(f"nets/*/{LEARNT}")}
    assert len(kept) >= 3
    page = reproduce(Bing(TINY), out=tmp_path, resume=True)
    text = page.read_text()
    assert all(f"\n| {kind.name} |" in text for kind in KINDS.values())
    assert "as damier ships it" in text
    assert all(f"\n| {words} |" in text for words, *_ in COMPARED)
    assert "16 games, 4 each by bing-linear, classic, quads and an earlier network" in text
    for name in ("elo", "loss"):
        assert f"](reproduce-bing-{name}.svg)" in text
        ET.fromstring((tmp_path / f"reproduce-bing-{name}.svg").read_text())
    nets = {path.parent.name for path in tmp_path.glob(f"nets/*/{LEARNT}")}
    assert nets == {f"{name}-0" for name in KINDS}


def test_matches_of_several_seeds_are_one() -> None:
    one = {"pairs": [0, 0, 1, 0, 2], "wins": 5, "draws": 0, "losses": 1, "games": 6}
    all_won = {"pairs": [0, 0, 0, 0, 30], "wins": 60, "draws": 0, "losses": 0, "games": 60}
    both = _pooled({"usual-0": one, "usual-1": all_won}, "usual", 2)
    assert both == {"pairs": [0, 0, 1, 0, 32], "wins": 65, "draws": 0, "losses": 1, "games": 66}
    assert (_brief(one), _brief(all_won)[:2]) == ("+280", ">=")
    mark = _mark("net", all_won)
    assert mark.low == mark.value == mark.high > 0


def test_differences_have_two_intervals() -> None:
    """By the games, all pairs being independent; and by the seeds, of which there are only three."""
    drawn = {"pairs": [0, 0, 100, 0, 0], "wins": 100, "draws": 0, "losses": 100, "games": 200}
    better = {"pairs": [0, 20, 60, 20, 0], "wins": 100, "draws": 0, "losses": 100, "games": 200}
    lucky = {"pairs": [0, 0, 40, 0, 60], "wins": 160, "draws": 0, "losses": 40, "games": 200}
    matches = {f"{name}-{seed}": drawn for _, *names in COMPARED for name in names for seed in range(3)}
    matches |= {"usual-0": better, "usual-1": better, "usual-2": lucky}
    words, games, seeds, each = _compared(matches, 3)[0]
    assert (words, each) == ("2 hidden neurons over 1", "+0, +0, +241")
    assert games.startswith("+70 ± ")
    assert float(games.split()[-1]) < 70
    assert seeds.startswith("+80 ± ")
    assert float(seeds.split()[-1]) > 300
    assert _compared(matches, 1)[0][2] == "unknown"


def test_curves_begin_where_their_ends_can_be_told_apart() -> None:
    """From 1.5 down to 0.77 and 0.75, the first steps would take nearly all of the scale."""
    lines = {
        "late": [[1, 1.5], [2, 0.78], [3, 0.8], [4, 0.77]],
        "early": [[1, 1.4], [2, 0.79], [3, 0.76], [4, 0.75]],
        "alone": [[4, 0.76]],
    }
    parts = _last_parts(lines)
    assert parts == {"late": [[4, 0.77]], "early": lines["early"][1:], "alone": lines["alone"]}
    assert _last_parts({"same": lines["late"], "again": lines["late"]})["same"] == [[4, 0.77]]


def test_sizes() -> None:
    assert named("bing").settings == BingSettings()
    assert 4 * BingSettings().games == 2000
    assert named("bing", quick=True).settings.match_games < BingSettings().match_games
