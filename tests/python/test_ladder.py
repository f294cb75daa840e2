"""The ladder: levels and anchors on one scale."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from common import interrupted, out, refusal

import damier
from damier.arena.ladder import ladder, ladder_table, read_anchors
from damier.arena.schedule.ladder import LadderSchedule
from damier.arena.schedule.schedule import Meeting
from damier.engine import LEVELS

SMALL: dict[str, Any] = {"games": 2, "levels": [1, 2, 4], "nodes": 300, "seed": 2}


def rated(game: str, anchors: Any, on_pair: Any = None, **settings: Any) -> Any:
    return ladder_table(ladder(game, anchors=anchors, **settings), anchors, on_pair)


def test_each_level_meets_its_neighbours() -> None:
    met = Counter(pairing[:2] for pairing in ladder("loa", anchors={"random": None}).due())
    assert len(met) == 9 + 8 + 1
    assert met["level 3", "level 4"] == 12
    assert met["level 3", "level 5"] == met["level 7", "level 8"] == 4
    assert met["level 9", "level 10"] == met["random", "level 6"] == 1
    assert ("level 3", "level 6") not in met


@pytest.mark.parametrize(
    ("strength", "met"), [(0, [3, 2, 1, 0]), (2, [3, 2, 1]), (3, [3, 2]), (4, [3, 4]), (9, [3, 4, 5, 6])]
)
def test_an_anchor_climbs_until_it_meets_its_match(strength: int, met: list[int]) -> None:
    schedule = LadderSchedule([str(level) for level in range(7)], ["anchor"])
    meetings: list[Meeting] = []
    while due := schedule.due(meetings):
        meetings += [
            Meeting(first, second, 2 if first == "anchor" and int(second) < strength else 0)
            for first, second, *_ in due
        ]
    assert [int(meeting.second) for meeting in meetings if meeting.first == "anchor"] == met


def test_level_1_fixes_the_scale() -> None:
    table = rated("rennes", anchors={"random": None}, **SMALL)
    elo = {rung.name: rung for rung in table}
    assert list(elo) == [rung.name for rung in sorted(table, key=lambda rung: -rung.elo)]
    assert elo["level 1"].elo == 600
    assert elo["level 1"].error == 0
    assert elo["level 4"].elo > elo["level 1"].elo
    assert elo["level 4"].error > 0
    assert [elo[name].level for name in ("level 2", "random")] == [2, None]
    assert elo["random"].games == 4  # it met levels 2 and 1


def test_an_anchor_with_an_elo_fixes_the_scale_instead() -> None:
    free = {rung.name: rung.elo for rung in rated("rennes", anchors={"random": None}, **SMALL)}
    fixed = {rung.name: rung.elo for rung in rated("rennes", anchors={"random": 1000.0}, **SMALL)}
    assert fixed["random"] == 1000
    for name, elo in free.items():
        assert fixed[name] - fixed["random"] == pytest.approx(elo - free["random"], abs=0.3)


def test_going_on_equals_playing_through(tmp_path: Path) -> None:
    def interrupt(asked: Any) -> None:
        if asked.scores.games >= 10:
            raise KeyboardInterrupt

    anchors = {"random": None, "oneply:games=1": None}
    with pytest.raises(KeyboardInterrupt):
        rated("loa5", anchors=anchors, out=tmp_path, on_pair=interrupt, concurrency=2, **SMALL)
    table = rated("loa5", anchors=anchors, out=tmp_path, resume=True, **SMALL)
    assert table == rated("loa5", anchors=anchors, **SMALL)
    read = json.loads((tmp_path / "ladder.json").read_text())
    assert [list(row) for row in read] == [["name", "level", "elo", "error", "games"]] * 5
    assert [row["name"] for row in read] == [rung.name for rung in table]
    assert (tmp_path / "ladder.svg").read_text().count("<circle") == 5


@pytest.mark.parametrize(
    ("text", "anchors"),
    [
        ("", {}),
        ("random", {"random": None}),
        ("random=-50.5", {"random": -50.5}),
        ("mtdf:depth=3", {"mtdf:depth=3": None}),
        ("mtdf:depth=3=900, random=0", {"mtdf:depth=3": 900.0, "random": 0.0}),
        ("uci:cat=3000,random", {"uci:cat": 3000.0, "random": None}),
        ("engine:nodes=50,eval=quads=1200", {"engine:nodes=50,eval=quads": 1200.0}),
    ],
)
def test_anchors_are_read(text: str, anchors: dict[str, float | None]) -> None:
    assert read_anchors(text) == anchors


@pytest.mark.parametrize("text", ["nobody", "nobody=3", "mtdf:depth=x=3", "random,random=5", "random=x"])
def test_bad_anchors_are_refused(text: str) -> None:
    with pytest.raises(damier.DamierError):
        read_anchors(text)


def test_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    asked = ("ladder", "rennes", "--games", "2", "--nodes", "100", "--anchors", "random", "--out", str(tmp_path))
    known = json.loads(out(capsys, *asked, "--json", "--concurrency", "2"))
    assert known["finished"] is True
    assert {row["level"] for row in known["ladder"]} == {None, *LEVELS}
    assert known["ladder"] == json.loads((tmp_path / "ladder.json").read_text())
    text = out(capsys, *asked, "--resume")
    for word in ("level 10", "random", "600", "95 %"):
        assert word in text
    assert "--resume" in refusal(capsys, *asked)
    assert "even" in refusal(capsys, "ladder", "rennes", "--games", "3")
    assert "nogame" in refusal(capsys, "ladder", "nogame")


def test_an_interruption_shows_what_is_known(tmp_path: Path) -> None:
    shown = interrupted(["ladder", "loa", "--games", "400", "--json"], tmp_path)
    known = json.loads(shown)
    assert known["finished"] is False
    assert known["ladder"] == json.loads((tmp_path / "ladder.json").read_text())
    assert {row["name"] for row in known["ladder"]} == {"level 1", "level 2"}
