"""Reproductions: steps are taken once, whatever comes in between, and the report says what was found."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from common import full_disk, refusal

from damier import DamierError, records
from damier.drawing.markdown import table
from damier.engine.bench import bench
from damier.reproduce import Report, Reproduction, Step, Work, named, reproduce
from damier.reproduce.frame import Progress, Result
from damier.reproduce.loa_levels import LoaLevelsSettings
from damier.reproduce.matches import play_match, share_text
from damier.reproduce.ocap import OcapSettings
from damier.reproduce.paris import ParisSettings
from damier.reproduce.report import plot
from damier.version import __version__


@dataclass(frozen=True)
class CoinSettings:
    games: int = 4


class Coin(Reproduction[CoinSettings]):
    """Two steps, which count how often they were taken; the second may fail."""

    name, game = "coin", "rennes"
    usual = quick = CoinSettings()

    def __init__(self, settings: CoinSettings = usual) -> None:
        super().__init__(settings)
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
    assert f"\ndamier {__version__} (`damier bench rennes`: {next(bench(['rennes'])).nodes} nodes), seed" in text
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
    kept = json.loads((tmp_path / "steps" / "sum.json").read_text())
    assert f"\n{kept['engine']}, seed 0" in held
    assert reproduce(idle, out=tmp_path, resume=True).read_text() == held
    assert idle.taken == []
    assert reproduce(Coin(), out=tmp_path / "whole").read_text().split("## How")[0] == held.split("## How")[0]


@pytest.mark.parametrize("harm", [lambda text: text[:40], lambda text: text.replace('"wins": ', '"wins": 1')])
def test_a_damaged_result_is_refused(tmp_path: Path, harm: object) -> None:
    reproduce(Coin(), out=tmp_path)
    path = tmp_path / "steps" / "match.json"
    path.write_text(harm(path.read_text()))  # type: ignore[operator]
    with pytest.raises(DamierError, match=r"match\.json: is damaged, .* remove it to repeat the step"):
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


def test_a_folder_that_names_of_players_cannot_hold(tmp_path: Path) -> None:
    with pytest.raises(DamierError, match="has a comma"):
        reproduce(Coin(), out=tmp_path / "a,b")


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "steps").write_text("in the way")
    with pytest.raises(DamierError, match=r"steps: File exists"):
        reproduce(Coin(), out=tmp_path)


def test_a_full_disk_is_said_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with full_disk(100):
        said = refusal(capsys, "reproduce", "paris", "--quick", "--out", str(tmp_path))
    again = f"damier reproduce paris --quick --out {tmp_path} --resume"
    assert said == f"damier: {tmp_path}/reproduce.json: File too large; make room there and resume with `{again}`\n"


def test_ctrl_c_says_how_to_resume(tmp_path: Path) -> None:
    """The folder need not be named, and what was played is not played again."""
    asked = [sys.executable, "-m", "damier", "reproduce", "paris", "--quick", "--threads", "1"]
    process = subprocess.Popen(asked, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    started = tmp_path / "runs" / "reproduce-paris-quick" / "learn-1" / "first.safetensors"
    end = time.monotonic() + 120
    while not started.exists() and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    shown, said = process.communicate(timeout=60)
    assert (process.returncode, shown) == (130, "")
    assert said == "interrupted; resume with `damier reproduce paris --quick --threads 1 --resume`\n"
    assert not (started.parent.parent / "steps").exists()


def test_a_kill_loses_no_pair(tmp_path: Path) -> None:
    script = f"""
import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_reproduce import Coin, CoinSettings, reproduce
reproduce(Coin(CoinSettings(4000)), out={str(tmp_path)!r})
"""
    process = subprocess.Popen([sys.executable, "-c", script])
    kept = tmp_path / "match" / "pairs.jsonl"
    end = time.monotonic() + 120
    while not (kept.exists() and kept.read_bytes().count(b"\n") >= 4) and time.monotonic() < end:
        time.sleep(0.01)
    process.kill()
    process.wait()
    before = kept.read_bytes().splitlines()[:4]
    manifest = tmp_path / "reproduce.json"
    manifest.write_text(manifest.read_text().replace("4000", "40"))  # as many as it takes
    again = Coin(CoinSettings(40))
    reproduce(again, out=tmp_path, resume=True)
    assert again.taken == ["match", "sum"]
    assert kept.read_bytes().splitlines()[:4] == before


# The reproductions, each in a size that says nothing but shows that it works.


def made(name: str, settings: object, folder: Path) -> str:
    """The page of a reproduction; its pictures are there, and all that it shows."""
    usual = named(name)
    small = type(usual)(settings)
    page = reproduce(small, out=folder, seed=1, threads=2)
    text = page.read_text()
    for picture in re.findall(r"\]\((reproduce-[^)]+)\)", text):
        assert (folder / picture).exists()
    assert "## What they reported, and ours" in text
    assert "## What is different, and why" in text
    return text


@pytest.mark.parametrize("name", ["loa-levels", "paris", "ocap"])
def test_a_reproduction_has_two_sizes(name: str) -> None:
    usual, quick = named(name), named(name, quick=True)
    assert usual.name == quick.name == name
    assert usual.settings != quick.settings
    assert len({step.name for step in usual.steps()}) == len(usual.steps())


def test_paris(tmp_path: Path) -> None:
    settings = ParisSettings(starts=1, players=4, tournaments=3, nodes=10, match_games=4, match_nodes=10)
    text = made("paris", settings, tmp_path)
    assert "| 1 | 3, not settled | 45 |" in text
    metrics = (tmp_path / "learn-1" / "metrics.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in metrics] == [1, 2, 3]
    path = json.loads((tmp_path / "steps" / "learn-1.json").read_text())["result"]["weights"]
    assert {len(weights) for weights in path.values()} == {3}
    plot = (tmp_path / "reproduce-paris-weights.svg").read_text()
    assert {"own man", "enemy man", "own king", "enemy king"} <= set(re.findall(r">([a-z ]+)</text>", plot))


def test_loa_levels(tmp_path: Path) -> None:
    settings = LoaLevelsSettings(
        positions=2,
        depth=2,
        equal_depth=1,
        games=2,
        time=0.001,
        deep=1,
        deep_games=4,
        pool=4,
        pool_games=12,
        pool_nodes=10,
        steps=12,
        start_games=2,
        sprt_games=4,
        match_games=2,
        match_nodes=10,
    )
    text = made("loa-levels", settings, tmp_path)
    assert "All found the same value everywhere." in text
    nodes = json.loads((tmp_path / "steps" / "nodes.json").read_text())["result"]["nodes"]
    assert nodes["minimax"] == nodes["negamax"]
    assert nodes["alphabeta"][1] < nodes["minimax"][1]
    equal = text.partition("A round-robin at depth 1")[2].partition("##")[0]
    assert equal.count("| 4 of 8 |") == 5  # values agree, so do games
    assert re.search(r"(one is|[234] are) left after \d+ steps, \d+ games", text)
    assert len(list((tmp_path / "survivor-pool").glob("member-*.safetensors"))) == 4


def test_ocap(tmp_path: Path) -> None:
    settings = OcapSettings(depth=2, positions=2, time=0.001, judge_nodes=50, match_games=2, match_time=0.001)
    text = made("ocap", settings, tmp_path)
    [game] = records.read(tmp_path / "reproduce-ocap.pgn")
    played = json.loads((tmp_path / "steps" / "game.json").read_text())["result"]
    judged = json.loads((tmp_path / "steps" / "judged.json").read_text())["result"]
    assert game.result == played["result"]
    assert len(judged["expected"]) == played["plies"] + 1
    assert f"after {played['plies']} plies" in text
    rows = json.loads((tmp_path / "steps" / "trees.json").read_text())["result"]["rows"]
    assert [(row["position"], row["depth"]) for row in rows][:3] == [("start", 1), ("start", 2), ("Italian Game", 1)]
    assert rows[0]["plain"] == 21  # the root and twenty moves
    assert rows[0]["dot_bytes"] > 1000
    plot = (tmp_path / "reproduce-ocap-game.svg").read_text()
    assert 'text-anchor="middle">0</text>' in plot  # before the first ply: what ply 52 lost is between 51 and 52
