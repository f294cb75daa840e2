"""Reproductions: steps are taken once, whatever comes in between, and the report says what was found."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from common import refusal

from damier import DamierError
from damier.drawing.markdown import table
from damier.reproduce import Report, Reproduction, Step, Work, reproduce
from damier.reproduce.frame import Progress, Result
from damier.reproduce.matches import play_match, share_text
from damier.reproduce.report import plot


@dataclass(frozen=True)
class CoinSettings:
    games: int = 4


class Coin(Reproduction):
    """Two steps, which count how often they were taken; the second may fail."""

    name, game = "coin", "rennes"
    usual = quick = CoinSettings()

    def __init__(self, settings: CoinSettings = usual) -> None:
        self.settings = settings
        self.taken: list[str] = []
        self.error: BaseException | None = None

    def steps(self) -> list[Step]:
        return [Step("match", "engine against random", self._match), Step("sum", "adding up", self._sum)]

    def _match(self, work: Work) -> Result:
        self.taken.append("match")
        return play_match(work, self.game, "engine:nodes=20", "random", games=self.settings.games)

    def _sum(self, work: Work) -> Result:
        self.taken.append("sum")
        work.say("adding")
        if self.error:
            raise self.error
        return {"sum": (work.results["match"]["wins"], work.seed), "games": work.folder_of("match").name}

    def report(self, results: Mapping[str, Result]) -> Report:
        row = ["random", "18 of 20", share_text(results["match"]), results["sum"]["sum"][0]]
        parts = [table(("opponent", "theirs", "ours", "wins"), [row]), plot("nothing", "An empty plot")]
        return Report("A coin", parts, {"nothing": "<svg/>"})


def test_the_report_says_how_it_was_made(tmp_path: Path) -> None:
    seen: list[str] = []

    def note(progress: Progress) -> None:
        seen.append(progress.words)

    page = reproduce(Coin(), out=tmp_path / "run", seed=7, threads=2, command="damier coin", on_progress=note)
    text = page.read_text()
    assert page.name == "reproduce-coin.md"
    assert text.startswith("# A coin\n")
    assert re.search(r"\| random \| 18 of 20 \| \d+\.\d % \(.+\) \| \d \|", text)
    assert "![An empty plot](reproduce-coin-nothing.svg)" in text
    assert "```\ndamier coin\n```" in text
    assert "seed 7" in text
    assert "2 used" in text
    assert (page.parent / "reproduce-coin-nothing.svg").read_text() == "<svg/>\n"
    assert "adding" in seen
    assert any("4 of 4 games" in words for words in seen)


def test_steps_are_taken_once(tmp_path: Path) -> None:
    first = Coin()
    first.error = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        reproduce(first, out=tmp_path)
    assert not list(tmp_path.glob("*.md"))
    again = Coin()
    page = reproduce(again, out=tmp_path, resume=True)
    assert again.taken == ["sum"]
    held, idle = page.read_text(), Coin()
    page.unlink()
    assert reproduce(idle, out=tmp_path, resume=True).read_text() == held
    assert idle.taken == []
    assert reproduce(Coin(), out=tmp_path / "whole").read_text().split("## How")[0] == held.split("## How")[0]


@pytest.mark.parametrize("harm", [lambda text: text[:40], lambda text: text.replace('"wins": ', '"wins": 1')])
def test_a_damaged_result_is_refused(tmp_path: Path, harm: object) -> None:
    reproduce(Coin(), out=tmp_path)
    path = tmp_path / "steps" / "match.json"
    path.write_text(harm(path.read_text()))  # type: ignore[operator]
    with pytest.raises(DamierError, match=r"match\.json: is damaged, .* remove it to take the step again"):
        reproduce(Coin(), out=tmp_path, resume=True)
    path.unlink()
    again = Coin()
    reproduce(again, out=tmp_path, resume=True)
    assert again.taken == ["match"]


def test_other_folders_are_left_alone(tmp_path: Path) -> None:
    reproduce(Coin(), out=tmp_path / "coin")
    with pytest.raises(DamierError, match="holds a reproduction already; add --resume"):
        reproduce(Coin(), out=tmp_path / "coin")
    with pytest.raises(DamierError, match="this reproduction has games 4, not 6"):
        reproduce(Coin(CoinSettings(6)), out=tmp_path / "coin", resume=True)
    with pytest.raises(DamierError, match="holds a match, expected a reproduction"):
        reproduce(Coin(), out=tmp_path / "coin" / "match", resume=True)


def test_a_name_that_is_not_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    said = refusal(capsys, "reproduce", "chinook", "--out", str(tmp_path / "run"))
    assert "no reproduction 'chinook', expected one of deep-checker, bing" in said
    assert not (tmp_path / "run").exists()
