"""Runs of any length that begin at once, and events that are resumed: what is there is checked before it is counted."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from common import nested, out, refusal

import damier
from damier import records
from damier.arena.match import Match
from damier.arena.play.check import what_is_wrong
from damier.arena.play.referee import Adjudication
from damier.arena.report.report import markdown, write_report
from damier.arena.tournament import Tournament
from damier.arena.tuning.spsa import Parameter
from damier.arena.tuning.tune import Tune
from damier.files import read_toml
from damier.jobs.pace import Pace
from damier.lab import ClassicLearner, ClassicSettings, self_play
from damier.lab.blocks import Blocks
from damier.lab.samples import load_samples
from damier.storage import read_games
from damier.storage.database import Database

MANY = 10**9


class EnoughError(Exception):
    pass


@pytest.mark.parametrize(
    "event",
    [
        lambda: Match("rennes", "random", "random", games=MANY),
        lambda: Tournament("rennes", dict.fromkeys("abc", "random"), games=MANY),
        lambda: Tournament("rennes", dict.fromkeys("abc", "random"), "gauntlet", rounds=MANY),
        lambda: Tournament("rennes", dict.fromkeys("abcd", "random"), "swiss", games=MANY),
        lambda: Tournament("rennes", dict.fromkeys("abcd", "random"), "knock-out", games=MANY),
        lambda: Tournament("rennes", dict.fromkeys("abcde", "random"), rounds=MANY),
    ],
    ids=["match", "games", "gauntlet", "swiss", "knock-out", "rounds"],
)
def test_a_billion_games_begin_at_once(event: Callable[[], Any]) -> None:
    seen = []

    def enough(_: Any) -> None:
        seen.append(1)
        if len(seen) == 6:
            raise EnoughError

    tracemalloc.start()
    with pytest.raises(EnoughError):
        event().run(enough)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20e6


def test_the_reports_of_long_tournaments_are_short() -> None:
    cup = Tournament("rennes", dict.fromkeys("abc", "random"), rounds=MANY)
    assert cup.total_games == 6 * MANY
    assert "It is not over" in markdown(cup)


def match(folder: Path, **options: Any) -> Match:
    return Match("rennes", "engine:nodes=20", "random", games=6, seed=3, out=folder, **options)


def three_pairs(folder: Path) -> tuple[dict[str, Any], Path, list[str]]:
    """The report of a whole match, its file of pairs, and the lines of that."""
    whole, file = match(folder).run().report(), folder / "pairs.jsonl"
    return whole, file, file.read_text().splitlines(keepends=True)


def changed(**keys: Any) -> Callable[[dict[str, Any]], None]:
    return lambda game: game.update(keys)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (changed(result="x"), "the result is 'x'"),
        (changed(result="1/2-1/2"), "expected .* by 'no moves'"),
        (changed(ending="time"), "expected .* by 'no moves'"),
        (lambda game: game["codes"].__setitem__(9, 7), r"ply \d+: code 7"),
        (changed(opening_plies=999), r"the opening has 999 plies, the whole game \d+"),
        (changed(seed=5), r"seed 5, expected \d+"),
        (lambda game: game["codes"].pop(), "has scores of"),
        (lambda game: (game["codes"].pop(), game["turns"].pop()), "does not follow from the moves"),
        (
            lambda game: (game["codes"].pop(), game["turns"].pop(), game.update(ending="agreement")),
            "does not follow from the moves",
        ),
        (lambda game: game.update(moves="nonsense " + game["moves"]), "ply 1: move 'nonsense', expected '"),
        (lambda game: game.update(moves=game["moves"] + " x"), r"ply \d+: move 'x', expected None"),
    ],
)
def test_a_pair_that_cannot_have_been_played_is_played_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, change: Any, words: str
) -> None:
    whole, file, lines = three_pairs(tmp_path)
    held = json.loads(lines[1])
    change(held["games"][1])
    file.write_text(lines[0] + json.dumps(held) + "\n" + lines[2])
    with Database("sqlite://") as database:
        assert match(tmp_path, resume=True, database=database).run().report() == whole
        assert len(list(database.games())) == 6
    assert "pairs.jsonl, line 2: game 2: " in caplog.text
    assert re.search(words, caplog.text)
    assert "this pair is not counted, see rejected.jsonl" in caplog.text
    assert sorted(json.loads(line)["pair"] for line in file.read_text().splitlines()) == [0, 1, 2]
    assert (tmp_path / "rejected.jsonl").read_text() == json.dumps(held) + "\n"  # nothing is thrown away
    assert len(list(records.read(tmp_path / "games.pdn"))) == 6
    caplog.clear()
    assert match(tmp_path, resume=True).run().report() == whole
    assert not caplog.text  # reported once


def renumbered(line: str, number: int, *, seedless: bool = False) -> str:
    held = json.loads(line) | {"pair": number}
    for game in held["games"] if seedless else ():  # as in older files
        game.update(seed=None)
    return json.dumps(held) + "\n"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lines: lines.__setitem__(1, renumbered(lines[1], 99)), r"seed \d+, expected \d+ in pair 99"),
        (lambda lines: lines.__setitem__(1, renumbered(lines[1], 0)), r"seed \d+, expected \d+ in pair 0"),
        (
            lambda lines: lines.__setitem__(1, renumbered(lines[1], 99, seedless=True)),
            "its opening is not that of pair 99",
        ),
        (lambda lines: lines.__setitem__(1, lines[0]), "pair 0 is there already"),
    ],
)
def test_a_pair_with_the_number_of_another_is_played_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, change: Any, words: str
) -> None:
    whole, file, lines = three_pairs(tmp_path)
    change(lines)
    file.write_text("".join(lines))
    assert match(tmp_path, resume=True).run().report() == whole
    assert re.search(rf"pairs.jsonl, line 2: .*{words}; this pair is not counted", caplog.text)
    assert sorted(json.loads(line)["pair"] for line in file.read_text().splitlines()) == [0, 1, 2]


KILLED = """
import os, sys
from pathlib import Path
from damier.arena.match import Match
moved = []
def kill(event, args):
    if event == "os.rename":
        moved.append(args)
        if len(moved) == int(sys.argv[2]):
            os.kill(os.getpid(), 9)
sys.addaudithook(kill)
Match("rennes", "engine:nodes=20", "random", games=6, seed=3, out=Path(sys.argv[1]), resume=True).run()
"""


@pytest.mark.parametrize("move", [1, 2, 3])
def test_a_kill_while_a_pair_is_set_aside_loses_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, move: int
) -> None:
    """Killed before rejected.jsonl, pairs.jsonl and games.pdn take their places."""
    whole, file, (first, second, third) = three_pairs(tmp_path)
    wrong = second.replace('"result":"', '"result":"x', 1)
    file.write_text(first + wrong + third)
    killed = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), str(move)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert match(tmp_path, resume=True).run().report() == whole
    assert ("this pair is not counted" in caplog.text) is (move < 3)
    assert (tmp_path / "rejected.jsonl").read_text() == wrong
    assert sorted(json.loads(line)["pair"] for line in file.read_text().splitlines()) == [0, 1, 2]
    assert not list(tmp_path.glob(".*.tmp"))


@pytest.mark.parametrize(
    "damage",
    [
        lambda line: nested(),
        lambda line: line.replace('"pair":0', '"pair":"x"'),
        lambda line: line.replace('"pair":0', '"pair":-1'),
        lambda line: line.replace('"pair":0', '"pair":1.5'),
        lambda line: line.replace('"codes":[', '"codes":[99999,'),
        lambda line: line.replace('"codes":[', '"codes":["a",'),
        lambda line: line.replace('"turns":[', '"turns":[[1,2],'),
        lambda line: line.replace('"turns":[', '"turns":[["a",2,3,4],'),
        lambda line: line.replace('"turns":[', f'"turns":[[{10**30},2,3,4],'),
        lambda line: line.replace('"turns":[', '"turns":[[40000,2,3,4],'),
        lambda line: line.replace('"turns":[', '"turns":[[1,-2,3,4],'),
        lambda line: line.replace('"turns":[', '"turns":[[1,2,3,NaN],'),
        lambda line: line.replace('"seed":', '"seed":"x","y":'),
        lambda line: line.replace('"seed":', f'"seed":{2**64},"y":'),
        lambda line: line.replace('"seed":', '"seed":-1,"y":'),
        lambda line: line.replace('"opening_plies":6', '"opening_plies":null'),
        lambda line: line.replace('"opening_plies":6', '"opening_plies":1e400'),
        lambda line: line.replace('"result":"', '"result":7,"x":"'),
        lambda line: line.replace('"fen":null', '"fen":[1]'),
        lambda line: line.replace('"games":[{', '"games":[{}],"y":[{'),
        lambda line: "\x00" * 50,
        lambda line: line.encode("utf-16").decode("latin-1"),
    ],
)
def test_wrong_values_are_one_line_with_the_place(tmp_path: Path, damage: Callable[[str], str]) -> None:
    Match("rennes", "random", "random", games=2, out=tmp_path).run()
    file = tmp_path / "pairs.jsonl"
    line = file.read_text()
    assert damage(line) != line
    file.write_text(damage(line).rstrip("\n").replace("\n", "") + "\n")
    with pytest.raises(damier.DamierError, match=r"pairs.jsonl, line 1: not a pair of games") as raised:
        Match("rennes", "random", "random", games=4, out=tmp_path, resume=True).run()
    assert str(raised.value).isprintable()
    assert not re.search("Error|object|recursion|sys[.]|unpack|codec|char", str(raised.value))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("null", "expected an object with pair and games"),
        (nested(), "it is nested too deeply"),
        ("1" * 10_000, "it has a number with too many digits"),
        ("\x00" * 50, "it is not JSON"),
        ("{}", "games is missing"),
        ('{"games": [{}]}', "its games are not a list of two"),
        ('{"games": [{}, {}]}', "codes is missing"),
    ],
)
def test_lines_that_are_no_pairs_are_told_in_plain_words(tmp_path: Path, line: str, words: str) -> None:
    Match("rennes", "random", "random", games=2, out=tmp_path).run()
    (tmp_path / "pairs.jsonl").write_text(line + "\n")
    with pytest.raises(damier.DamierError, match=rf"pairs.jsonl, line 1: not a pair of games \({words}\)$"):
        Match("rennes", "random", "random", games=4, out=tmp_path, resume=True).run()


def test_a_folder_of_the_version_before_is_resumed(tmp_path: Path) -> None:
    """Lines without seed and moves, settings without run and started."""
    asked: Any = {"seed": 3, "out": tmp_path}
    Match("rennes", "engine:nodes=20", "random", games=4, **asked).run()
    held = json.loads((tmp_path / "match.json").read_text())
    (tmp_path / "match.json").write_text(json.dumps({k: v for k, v in held.items() if k not in ("run", "started")}))
    lines = [json.loads(line) for line in (tmp_path / "pairs.jsonl").read_text().splitlines()]
    for game in (game for line in lines for game in line["games"]):
        del game["seed"], game["moves"]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    resumed = Match("rennes", "engine:nodes=20", "random", games=6, resume=True, **asked).run()
    assert resumed.report() == Match("rennes", "engine:nodes=20", "random", games=6, seed=3).run().report()
    assert len(list(records.read(tmp_path / "games.pdn"))) == 6


def test_every_core_has_something_to_do() -> None:
    """Few long games: while pieces are as long as they are, there are enough of them for many threads."""
    pace = Pace(2.0, least=0.5, most=250)
    pieces = pace.pieces(iter(range(800)), 800, lambda: 16)
    sizes = []
    for piece in pieces:
        sizes.append(len(piece))
        pace.add(len(piece), 0.9 * len(piece))  # 0.9 s a game
    assert sum(sizes) == 800
    assert max(sizes) <= 3


def test_the_circle_is_closed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Self-play becomes rows, rows become a file, a match a folder; all of them can be learnt from."""
    rows, sheet, match, kept = (tmp_path / name for name in ("games.db", "games.pdn", "match", "selfplay"))
    asked = ("selfplay", "rennes", "--games", "40", "--nodes", "30", "--out", str(kept), "--database", str(rows))
    out(capsys, *asked)
    out(capsys, *asked, "--resume")
    out(capsys, "database", str(rows), "--export", str(sheet))
    out(capsys, "match", "rennes", "engine:nodes=30", "engine:nodes=20", "--games", "24", "--out", str(match))
    with Database(rows) as database:
        (event,) = database.events()
        assert (event.event.kind, event.games) == ("selfplay", 40)
        stored = list(database.games())
    by_shard = list(read_games(kept))
    assert [game.moves for game in stored] == [game.moves for game in by_shard]
    assert [game.scores for game in stored] == [game.scores for game in by_shard]
    lengths = {
        source: sum(map(len, load_samples("rennes", Blocks("rennes", source)))) for source in (rows, sheet, match)
    }
    assert lengths[rows] == lengths[sheet] > 0
    assert lengths[match] > 0
    assert ClassicLearner("rennes", sheet, settings=ClassicSettings(mix=0.5)).samples > 0
    with pytest.raises(damier.DataError, match="no finished games of loa"):
        Blocks("loa", rows)


@pytest.mark.parametrize("command", ["tournament", "tune"])
def test_files_nested_too_deeply(capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str) -> None:
    (tmp_path / "deep.toml").write_text(f"game = {nested()}")
    assert "deep.toml: it is nested too deeply" in refusal(capsys, command, str(tmp_path / "deep.toml"))


@pytest.mark.parametrize("command", ["tournament", "tune"])
@pytest.mark.parametrize("parts", [3000 * ["a"], 100 * ['"a b"'], 100 * ["'a'"]])
@pytest.mark.parametrize("line", ["game.{} = 1", "game = 'loa'\n[game . {}]"])
def test_keys_of_many_parts_are_refused_before_they_are_parsed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, parts: list[str], line: str
) -> None:
    path = tmp_path / "deep.toml"
    said = "deep.toml: has a key of more than 100 parts, expected shorter ones"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tomllib.loads", lambda _: pytest.fail("it was parsed"))
        for dot in (".", " . "):
            path.write_text(line.format(dot.join(parts)))
            assert said in refusal(capsys, command, str(path))
    path.write_text(line.format(".".join(parts[:99])))
    assert "deep.toml: " in (refused := refusal(capsys, command, str(path)))
    assert said not in refused


def test_a_file_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text('game = "loa"', encoding="utf-8-sig")
    assert read_toml(tmp_path / "cup.toml") == {"game": "loa"}


@pytest.mark.parametrize("kind", ["match", "simulation"])
def test_settings_nested_too_deeply(tmp_path: Path, kind: str) -> None:
    (tmp_path / ("match.json" if kind == "match" else "run.json")).write_text(nested())
    match = Match("rennes", "random", "random", games=2, out=tmp_path, resume=True)
    resume = match.run if kind == "match" else lambda: damier.simulate("rennes", games=2, out=tmp_path, resume=True)
    with pytest.raises(damier.DamierError, match=f"these are not the settings of a {kind}"):
        resume()


@pytest.mark.parametrize(
    "damage", ["null\n", "[]\n", "7\n", '{"op_code": 99}\n', '{"op_code": 0}\n', nested(3000) + "\n"]
)
def test_a_damaged_journal_is_one_line(tmp_path: Path, damage: str) -> None:
    pytest.importorskip("optuna")
    space = [Parameter("lmr_base", 70, 0, 200)]
    asked: Any = {"method": "optuna", "steps": 2, "out": tmp_path}
    Tune("loa5", "engine:nodes=5", space, **asked).run()
    with (tmp_path / "optuna.journal").open("a") as file:
        file.write(damage + "\n")
    with pytest.raises(damier.DamierError, match=r"optuna.journal: this is not a journal of Optuna") as raised:
        Tune("loa5", "engine:nodes=5", space, resume=True, **asked).run()
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda held: held.update(kind=5), "kind is 5, expected 'match'"),
        (lambda held: held.update(kind="selfplay"), "holds a self-play run, expected a match"),
        (lambda held: held.update(rum=held.pop("run")), "run is None, expected the id of this match"),
        (lambda held: held.update(run=""), "run is '', expected the id of this match"),
        (lambda held: held.update(started="soon"), "started is 'soon', expected a date and a time"),
        (lambda held: held.pop("started"), "started is None, expected a date and a time"),
    ],
)
def test_a_manifest_that_was_changed_is_refused(tmp_path: Path, change: Any, words: str) -> None:
    Match("rennes", "random", "random", games=2, out=tmp_path).run()
    manifest = tmp_path / "match.json"
    held = json.loads(manifest.read_text())
    change(held)
    manifest.write_text(json.dumps(held))
    with pytest.raises(damier.DamierError, match=words):
        Match("rennes", "random", "random", games=2, out=tmp_path, resume=True).run()


def test_names_cannot_break_a_report(tmp_path: Path) -> None:
    names = ["Anne\nBob | <script>alert(1)</script>", "\x1b[31mred\x00", "![x](http://a.b/c.png)", "plain & simple"]
    cup = Tournament("rennes", dict.fromkeys(names, "random"), out=tmp_path)
    cup.run()
    write_report(cup, tmp_path)
    text = (tmp_path / "report.md").read_text()
    assert "<script" not in text
    assert "\x1b" not in text
    assert "![x]" not in text  # which would load a picture from elsewhere
    assert "Anne Bob \\| &lt;script&gt;" in text
    rows = [line for line in text.splitlines() if "red" in line]
    assert all(line.startswith("| ") and line.endswith(" |") for line in rows)
    ElementTree.fromstring((tmp_path / "ratings.svg").read_text())


def test_what_is_right_is_not_found_wrong() -> None:
    rules = Adjudication(resign=200, resign_moves=2, draw=40, draw_moves=3, draw_from=5)
    reasons = set()

    class Watched(Match):
        def count(self, key: int, pair: Any) -> None:
            super().count(key, pair)
            for game in pair:
                assert what_is_wrong(game, rules) is None
                reasons.add(game.reason)

    for game in ("chess", "loa6", "international"):
        Watched(game, "engine:nodes=60", "engine:nodes=50", games=8, adjudication=rules).run()
    assert {"agreement", "resignation"} <= reasons


def test_each_folder_says_what_it_holds(tmp_path: Path) -> None:
    """A run of another kind is refused, whatever the kinds, with the names of both."""
    cup = {"dice": "random", "luck": "random"}
    space = [Parameter("lmr_base", 70, 0, 200, 30)]
    kinds: dict[str, tuple[str, Callable[[Path], Any]]] = {
        "match": ("match", lambda folder: Match("loa5", "random", "random", games=2, out=folder, resume=True).run()),
        "tournament": ("tournament", lambda folder: Tournament("loa5", cup, out=folder, resume=True).run()),
        "tuning": (
            "tuning run",
            lambda folder: Tune("loa5", "engine:nodes=5", space, steps=1, out=folder, resume=True).run(),
        ),
        "selfplay": ("self-play run", lambda folder: self_play("loa5", games=2, nodes=5, out=folder, resume=True)),
        "simulation": ("simulation", lambda folder: damier.simulate("loa5", games=2, out=folder, resume=True)),
    }
    for kind, (_, play) in kinds.items():
        play(tmp_path / kind)
        (manifest,) = (file for file in (tmp_path / kind).glob("*.json") if "kind" in json.loads(file.read_text()))
        assert json.loads(manifest.read_text())["kind"] == kind
    for kind, (held, _) in kinds.items():
        for other, (asked, play) in kinds.items():
            if other == kind:
                play(tmp_path / kind)
                continue
            with pytest.raises(damier.DamierError) as raised:
                play(tmp_path / kind)
            assert str(raised.value) == f"{tmp_path / kind}: holds a {held}, expected a {asked} or another folder"
