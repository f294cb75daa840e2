"""Tournaments: every format, what an interruption leaves, the reports, and files that are wrong."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from common import interrupted, out, refusal

import damier
from damier.arena.match import Match
from damier.arena.play import runner
from damier.arena.report.report import markdown, report, write_report
from damier.arena.stats.scores import Slot
from damier.arena.tournament import FORMATS, Tournament
from damier.arena.tournament_file import read_tournament
from damier.players import Player, player
from damier.storage.pairs import PairsFile

PLAYERS = {
    "fifty": "engine:nodes=50",
    "ten": "engine:nodes=10",
    "one": "oneply:games=1",
    "dice": "random",
    "b": "random",
}
MEETINGS = {"round-robin": 10, "gauntlet": 4, "knock-out": 4, "swiss": 6}


def cup(format: str = "round-robin", **more: Any) -> Tournament:
    return Tournament("loa5", PLAYERS, format, **({"games": 4, "seed": 5} | more))


@pytest.mark.parametrize("format", FORMATS)
def test_every_format(format: str) -> None:
    some = cup(format)
    seen = []
    some.run(lambda asked: seen.append(asked.scores.games))
    assert seen == list(range(0, 4 * MEETINGS[format] + 1, 2))
    assert some.total_games == seen[-1]
    assert not some.due()
    assert len(some.scores.meetings(4)) == MEETINGS[format]
    standing = some.standing()
    assert sorted(row.name for row in standing) == sorted(PLAYERS)
    assert sum(row.points for row in standing) == seen[-1] + sum(row.byes for row in standing)
    assert sum(row.byes for row in standing) == (12 if format == "swiss" else 0)
    assert sum(some.scores.endings().values()) == seen[-1]


def test_who_wins_a_knock_out_is_first() -> None:
    some = Tournament("rennes", {"dice": "random", "b": "random", "deep": "engine:depth=4"}, "knock-out", games=4)
    some.run()
    assert [row.rank for row in some.standing()] == [1, 2, 3]
    assert some.standing()[0].name == report(some)["winner"] == "deep"


def test_a_drawn_meeting_is_replayed_from_other_openings(tmp_path: Path) -> None:
    two = {"a": "engine:nodes=40", "b": "engine:nodes=40"}  # equal players and a pair of games: mostly one all
    some = Tournament("loa5", two, "knock-out", replays=3, out=tmp_path)
    some.run()
    kept = dict(PairsFile(tmp_path, "loa5", Slot.read).read())
    assert 1 <= len(kept) <= 4
    assert sorted(slot.replay for slot in kept) == list(range(len(kept)))
    rounds = [sheet.headers["Round"] for sheet in damier.records.read(tmp_path / "games.sgf")]
    assert len(set(rounds)) == len(rounds) == 2 * len(kept)
    assert len({pair[0].opening for pair in kept.values()}) == len(kept)


def test_the_challengers_of_a_gauntlet_meet_all_others() -> None:
    some = cup("gauntlet", challengers=["one", "dice"], rounds=2, games=2)
    some.run()
    met = {(meeting.first, meeting.second, meeting.round) for meeting in some.scores.meetings()}
    assert met == {(a, b, r) for a in ("one", "dice") for b in ("fifty", "ten", "b") for r in (1, 2)}


@pytest.mark.parametrize("format", FORMATS)
def test_going_on_equals_playing_through(tmp_path: Path, format: str) -> None:
    whole = cup(format, concurrency=2)
    whole.run()
    stops = [1, 3, 6]  # pairs: in the first meeting, in a round, and near the end

    for stop in stops:

        def interrupt(asked: Tournament, stop: int = stop) -> None:
            if asked.scores.pairs >= stop:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            cup(format, out=tmp_path, resume=stop > stops[0], concurrency=2).run(interrupt)
        with (tmp_path / "pairs.jsonl").open("a") as file:
            file.write('{"pair": ["fifty", "te')  # cut off by a crash
    last = cup(format, out=tmp_path, resume=True)
    last.run()
    assert report(last) == report(whole)
    lines = (tmp_path / "pairs.jsonl").read_text().splitlines()
    assert len(lines) == whole.scores.pairs == len({str(json.loads(line)["pair"]) for line in lines})
    again = cup(format, out=tmp_path, resume=True)
    again.run(lambda asked: None)  # nothing is left to play
    assert report(again) == report(whole)


def test_more_rounds_may_be_asked_for(tmp_path: Path) -> None:
    cup("swiss", rounds=1, games=2, out=tmp_path).run()
    more = cup("swiss", rounds=3, games=2, out=tmp_path, resume=True)
    more.run()
    through = cup("swiss", rounds=3, games=2)
    through.run()
    assert report(more) == report(through)


@pytest.mark.parametrize(("format", "before"), [("round-robin", 2), ("gauntlet", 2), ("swiss", 3)])
def test_fewer_rounds_than_were_played_are_refused(tmp_path: Path, format: str, before: int) -> None:
    cup(format, rounds=before, games=2, out=tmp_path).run()
    for rounds in range(1, before):
        with pytest.raises(damier.DamierError) as raised:
            cup(format, rounds=rounds, games=2, out=tmp_path, resume=True).run()
        assert str(raised.value).startswith(f"{tmp_path}: ")
        assert "was played but never due, expected at least as many rounds, and the same players" in str(raised.value)


def test_a_round_that_was_cut_off_was_played(tmp_path: Path) -> None:
    first_round = cup("gauntlet", games=4).total_games

    def interrupt(asked: Tournament) -> None:
        if asked.scores.games == first_round + 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cup("gauntlet", rounds=2, games=4, out=tmp_path).run(interrupt)
    with pytest.raises(damier.DamierError, match="in round 2 was played but never due"):
        cup("gauntlet", rounds=1, games=4, out=tmp_path, resume=True).run()


def test_fewer_games_than_were_played_are_refused(tmp_path: Path) -> None:
    cup(games=4, out=tmp_path).run()
    with pytest.raises(damier.DamierError, match=r"tournament.json: this tournament has games 4, not 2"):
        cup(games=2, out=tmp_path, resume=True).run()


def test_another_tournament_is_not_mixed_in(tmp_path: Path) -> None:
    cup(games=2, out=tmp_path / "cup").run()
    with pytest.raises(damier.DamierError, match="holds a tournament already; add --resume to continue"):
        cup(games=2, out=tmp_path / "cup").run()
    with pytest.raises(damier.DamierError, match="this tournament has seed 5, not 6"):
        cup(games=2, out=tmp_path / "cup", seed=6, resume=True).run()
    Match("loa5", "random", "random", games=2, out=tmp_path / "match").run()
    with pytest.raises(damier.DamierError, match="holds a match, expected a tournament or another folder"):
        cup(out=tmp_path / "match", resume=True).run()


def test_players_are_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each thread holds the two players of one meeting at most, and none in the end."""
    here, most = set[int](), [0]

    def counted(spec: str) -> Player:
        made = player(spec)
        here.add(id(made))
        most[0] = max(most[0], len(here))
        leave = made.close
        monkeypatch.setattr(made, "close", lambda: (here.discard(id(made)), leave()), raising=False)
        return made

    monkeypatch.setattr(runner, "player", counted)
    cup(games=4, concurrency=2).run()
    assert not here
    assert 2 <= most[0] <= 4


def test_a_partner_that_fails_loses_and_the_tournament_goes_on() -> None:
    bad = f"uci:{sys.executable} {Path(__file__).with_name('bad_engine.py')} uci 'illegal move'"
    some = Tournament("chess", {"bad": bad, "dice": "random", "good": "engine:nodes=30"}, "gauntlet")
    some.run()
    assert some.scores.endings() == {"illegal move": 4}
    assert some.standing()[-1].name == "bad"


def bad_engine(protocol: str) -> str:
    """One that names itself, and plays two moves at most."""
    return f"{protocol}:{sys.executable} {Path(__file__).with_name('bad_engine.py')} {protocol} good"


@pytest.mark.parametrize(
    ("game", "protocol", "name"),
    [("chess", "uci", "bad engine"), ("chess", "xboard", "bad engine"), ("international", "hub", "bad 1")],
)
def test_engines_without_a_name_go_by_their_own(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, game: str, protocol: str, name: str
) -> None:
    names = [bad_engine(protocol), "random"]
    lines = f'game = "{game}"', 'format = "gauntlet"', f"players = {names}", f"challengers = {names[:1]}"
    asked = ("tournament", str(written(tmp_path, "\n".join(lines))), "--out", str(tmp_path / "run"))
    text = out(capsys, *asked)
    assert name in text
    assert "bad_engine.py" not in text
    known = json.loads((tmp_path / "run" / "report.json").read_text())
    assert known["players"] == {name: names[0], "random": "random"}
    assert {row["name"] for row in known["ratings"]} == {row["name"] for row in known["standing"]} == {name, "random"}
    (sheets,) = (tmp_path / "run").glob("games.p?n")
    assert [f'[White "{name}"]' in sheets.read_text(), f'[Black "{name}"]' in sheets.read_text()] == [True, True]
    assert out(capsys, *asked, "--resume") == text


def test_engines_of_the_same_name_are_told_apart(tmp_path: Path) -> None:
    specs = [bad_engine("uci"), bad_engine("xboard"), f"{bad_engine('uci')},option.Hash=8,name=third"]
    cup = read_tournament(written(tmp_path, f'game = "chess"\nplayers = {specs}'))
    cup.run()
    assert {row.name for row in cup.standing()} == {*specs[:2], "third"}
    named = Tournament("chess", {"bad engine": "random", specs[0]: specs[0]})
    named.run()
    assert {row.name for row in named.standing()} == {"bad engine", specs[0]}
    match = Match("chess", specs[0], specs[1], games=2, out=tmp_path / "match")
    match.run()
    assert match.names == (specs[0], specs[1])
    match = Match("chess", specs[0], specs[2], games=2, out=tmp_path / "other")
    match.run()
    assert match.names == ("bad engine", "third")
    assert '[White "third"]' in (tmp_path / "other" / "games.pgn").read_text()


FILE = """
game = "{game}"
format = "swiss"
rounds = 2
games = 2
seed = 3
openings = "random:4"
[players]
"[anne | B]" = "engine:nodes=50"
Carl = "oneply:games=1"
"<Dora>" = "random"
[limit]
nodes = 80
[adjudication]
resign = 800
resign_moves = 3
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "cup.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(("game", "games"), [("loa5", "games.sgf"), ("rennes", "games.pdn"), ("chess", "games.pgn")])
def test_reports_can_be_read(tmp_path: Path, game: str, games: str) -> None:
    some = read_tournament(written(tmp_path, FILE.format(game=game)), out=tmp_path)
    some.run()
    write_report(some, tmp_path)
    read = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert read == report(some)
    assert read["finished"] is True
    assert {row["name"] for row in read["ratings"]} == set(some.players)
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert text == markdown(some)
    for words in ("## Standing", "## Cross-table", "## Ratings", "## How games", "[anne \\| B]", "points by byes"):
        assert words in text
    picture = ElementTree.fromstring((tmp_path / "ratings.svg").read_text(encoding="utf-8"))
    assert len(picture.findall(".//{*}circle")) == 3
    sheets = list(damier.records.read(tmp_path / games))
    assert len(sheets) == some.scores.games == 4
    assert {sheet.headers["White"] for sheet in sheets} <= set(some.players)


def test_without_a_path_of_games_there_are_no_ratings(tmp_path: Path) -> None:
    four = dict.fromkeys("abcd", "random")
    some = Tournament("rennes", four, "swiss", rounds=1)
    some.run()
    assert report(some)["ratings"] == []
    write_report(some, tmp_path)
    assert "no path of games" in (tmp_path / "report.md").read_text()
    assert not (tmp_path / "ratings.svg").exists()


GOOD = 'game = "loa5"\nplayers = ["random", "oneply"]\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("game = ", "(at"),
        ("game = 1", "game is 1, expected a text"),
        ('players = ["random", "oneply"]', "game is missing"),
        ('game = "loa5"', "players is missing"),
        ('game = "nogame"\nplayers = ["random", "oneply"]', "game: "),
        (GOOD + "elo = 3", "no key elo, expected one of game, format"),
        (GOOD + 'format = "cup"', "format is 'cup', expected one of round-robin"),
        (GOOD + "format = 1", "format is 1, expected a text"),
        (GOOD + "games = 3", "games is 3, expected an even"),
        (GOOD + "games = true", "games is True, expected a whole number"),
        (GOOD + "games = 0", "games is 0"),
        (GOOD + "rounds = 0", "rounds is 0"),
        (GOOD + 'rounds = "2"', "rounds is '2', expected a whole"),
        (GOOD + "seed = -1", "seed is -1"),
        (GOOD + "replays = 1", "replays is 1"),
        (GOOD + 'format = "knock-out"\nrounds = 1', "rounds is 1"),
        (GOOD + 'format = "knock-out"\nreplays = -1', "replays is -1"),
        (GOOD + 'challengers = ["random"]', "challengers"),
        (GOOD + 'format = "gauntlet"\nchallengers = ["me"]', "challengers has 'me'"),
        (GOOD + 'format = "gauntlet"\nchallengers = ["random", "oneply"]', "a gauntlet of 2 against 0"),
        (GOOD + "limit = 5", "limit is 5, expected a table"),
        (GOOD + 'limit.tc = "now"', "limit: tc is 'now'"),
        (GOOD + "limit.time = 3", "no key limit.time"),
        (GOOD + "limit.nodes = 0", "limit: "),
        (GOOD + 'limit = { tc = "1", movetime = 1 }', "limit: tc and movetime are both given"),
        (GOOD + "adjudication.resign = 0", "adjudication: resign is 0"),
        (GOOD + "adjudication.draw_from = 99999999999", "adjudication: draw_from is 99999999999"),
        (GOOD + 'adjudication.draw = "x"', "adjudication.draw is 'x'"),
        (GOOD + 'openings = "/no/such.pgn"', "openings: "),
        (GOOD + 'openings = "random:x"', "openings: "),
        ('game = "loa5"\nplayers = ["random"]', "players: expected at least 2 players, not 1"),
        ('game = "loa5"\nplayers = ["random", "random"]', "players: 'random' plays twice"),
        ('game = "loa5"\nplayers = {a = "random", a = "oneply"}', "(at line 2"),
        ('game = "loa5"\nplayers = ["random", 1]', "players is ['random', 1], expected a table"),
        ('game = "loa5"\nplayers = {a = "random", b = "nobody"}', "players.b: player 'nobody'"),
        ('game = "loa5"\nplayers = {a = "random", b = "engine:eval=none"}', "players.b: "),
        ('game = "loa5"\nplayers = {a = "random", b = "uci:/no/such"}', "players.b: "),
        (
            'game = "loa5"\nplayers = {a = "random", b = "mtdf:depth=1,eval=none"}',
            "players.b: 'none' is not an evaluation of this game",
        ),
        ('game = "loa5"\nplayers = {a = "random", b = "mcts:nodes=-1"}', "players.b: nodes is -1"),
    ],
)
def test_a_wrong_file_is_refused_in_a_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, words: str
) -> None:
    said = refusal(capsys, "tournament", str(written(tmp_path, text)))
    assert words in said
    assert "cup.toml: " in said


def test_a_file_that_is_not_there_or_no_text(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "no.toml: No such file" in refusal(capsys, "tournament", str(tmp_path / "no.toml"))
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    assert "bytes.toml: " in refusal(capsys, "tournament", str(tmp_path / "bytes.toml"))


@pytest.mark.parametrize(
    ("name", "words"), [("", "a player is empty"), (" ", "a player is empty"), ("n" * 1001, "expected at most 1000")]
)
def test_names_that_nobody_could_read(name: str, words: str) -> None:
    with pytest.raises(damier.DamierError, match=words):
        Tournament("loa5", {name: "random", "other": "random"})
    with pytest.raises(damier.DamierError, match=words):
        damier.players.player(f"uci:cat,name={name}")


def test_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    asked = ("tournament", str(written(tmp_path, FILE.format(game="rennes"))))
    text = out(capsys, *asked)
    for word in ("swiss", "4 of 4 games", "Carl", "[anne | B]", "points", "Elo"):
        assert word in text
    kept = ("--out", str(tmp_path / "run"), "--concurrency", "2")
    known = json.loads(out(capsys, *asked, "--json", *kept))
    assert known["games"] == 4
    assert known["finished"] is True
    assert known == json.loads((tmp_path / "run" / "report.json").read_text(encoding="utf-8"))
    assert "--resume" in refusal(capsys, *asked, *kept)
    assert json.loads(out(capsys, *asked, "--json", *kept, "--resume")) == known


def test_an_interruption_keeps_what_is_finished(tmp_path: Path) -> None:
    path = written(
        tmp_path, 'game = "loa"\ngames = 400\nplayers = ["engine:nodes=2000", "engine:nodes=1000", "random"]'
    )
    interrupted(["tournament", str(path)], tmp_path / "run")
    kept = tmp_path / "run" / "pairs.jsonl"
    known = json.loads((tmp_path / "run" / "report.json").read_text())
    assert known["finished"] is False
    assert known["games"] == 2 * kept.read_text().count("\n") >= 4
