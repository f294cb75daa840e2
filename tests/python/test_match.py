"""Matches: the referee, the tally, what is kept on disk, and what an interruption leaves."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from common import full_disk, interrupted, out, refusal

import damier
from damier._core import StopFlag
from damier.arena import openings
from damier.arena.match import Match
from damier.arena.play.control import Control
from damier.arena.play.referee import Adjudication, play_game
from damier.arena.stats.sprt import Sprt
from damier.arena.stats.tally import points_of
from damier.arena.tournament import Tournament
from damier.arena.tuning.spsa import Parameter
from damier.arena.tuning.tune import Tune
from damier.engine import Limit, PlayerError, SearchResult
from damier.players import Player, player
from damier.records import GameRecord
from damier.storage.pairs import Pair, PairsFile

DAMIER = [sys.executable, "-m", "damier"]


class Scripted(Player):
    """Plays any move, after doing what it was asked to do at its second move."""

    def __init__(self, misdeed: Any) -> None:
        self.misdeed = misdeed
        self.moves = 0

    def new_game(self, board: damier.Board, seed: int | None = None, *, stop: StopFlag | None = None) -> None:
        self.moves = 0

    def play(self, board: damier.Board, limit: Limit | None = None, *, stop: StopFlag | None = None) -> SearchResult:
        self.moves += 1
        if self.moves == 2 and (answer := self.misdeed(board)) is not None:
            return SearchResult(answer)
        return SearchResult(next(iter(board.legal_moves)))


class Stopped(Player):
    """Another player, stopped in the middle of its search."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.answer: Any = None

    def play(self, board: damier.Board, limit: Limit | None = None, *, stop: StopFlag | None = None) -> SearchResult:
        assert stop is not None
        threading.Timer(0.05, stop.set).start()
        result = self.player.play(board, limit, stop=stop)
        self.answer = result.move
        return result


def crash(_: damier.Board) -> None:
    raise PlayerError("crash", "exit code 3")


@pytest.mark.parametrize(
    ("misdeed", "ending", "clock"),
    [
        (crash, "crash", "60"),
        (lambda board: damier.chess.Board("8/8/8/8/8/k7/8/K6R w - - 0 1").parse("Rh8"), "illegal move", "60"),
        (lambda board: "e2e4", "illegal move", "60"),
        (lambda board: time.sleep(1.1), "time", "1"),  # long enough for the other, however busy the machine
    ],
)
@pytest.mark.parametrize("first_is_white", [True, False])
def test_who_fails_loses_for_a_stated_reason(misdeed: Any, ending: str, clock: str, first_is_white: bool) -> None:
    players = Scripted(misdeed), player("random")
    opening = openings("random:2", "chess")[0]
    game = play_game("chess", opening, players, first_is_white=first_is_white, control=Control.read(clock))
    assert game is not None
    assert (game.result, game.reason) == ("0-1" if first_is_white else "1-0", ending)
    assert game.note.startswith("player: ")
    assert game.moves[: len(opening.codes)] == opening.codes


@pytest.mark.parametrize("game", ["loa", "chess960", "english", "frisian"])
def test_games_replay_to_their_results(game: str) -> None:
    pairs: dict[int, Pair] = {}

    class Watched(Match):
        def count(self, key: int, pair: Pair) -> None:
            pairs[key] = pair
            super().count(key, pair)

    Watched(game, "engine:nodes=300", "oneply", games=4, seed=5, openings="random:4").run()
    book = openings("random:4", game, 5)
    assert sorted(pairs) == [0, 1]
    for number, pair in pairs.items():
        assert [played.half for played in pair] == [1, 2]
        for played in pair:
            opening = book[number]
            assert (played.opening, played.fen, played.opening_plies) == (opening.name, opening.fen, 4 + number % 2)
            board: Any = opening.board(game)
            assert played.moves[: len(opening.codes)] == opening.codes
            for code in played.moves[board.ply :]:
                board.push(next(move for move in board.legal_moves if code_after(board, move) == code))
            outcome = board.outcome(claim_draw=True)
            assert outcome is not None
            assert (outcome.result, outcome.reason) == (played.result, played.reason)
            for column in (played.scores, played.depths, played.nodes, played.seconds):
                assert len(column) == played.plies - played.opening_plies == board.ply - opening.board(game).ply


def code_after(board: Any, move: Any) -> int:
    board.push(move)
    code = int(board.codes()[-1])
    board.pop()
    return code


def test_the_same_match_gives_the_same_games_whatever_the_threads() -> None:
    tallies = [
        Match("loa", "engine:nodes=200", "engine:level=3", games=20, seed=3, concurrency=threads).run()
        for threads in (1, 2, 4)
    ]
    assert tallies[0].report() == tallies[1].report() == tallies[2].report()
    other = Match("loa", "engine:nodes=200", "engine:level=3", games=20, seed=4).run()
    assert other.plies != tallies[0].plies


def test_pairs_that_repeat_prove_nothing(tmp_path: Path) -> None:
    book = tmp_path / "two.pgn"
    book.write_text("1. e4 e5 *\n\n1. d4 d5 *\n")
    exact = Match("chess", "engine:nodes=60", "engine:nodes=50", games=20, openings=str(book)).run()
    assert (exact.games, len(exact.pairs), exact.repeats) == (20, 2, 8)
    endless = Match("chess", "engine:nodes=60", "engine:nodes=50", sprt=Sprt(0, 5), openings=str(book)).run()
    assert (endless.pairs, endless.repeats_in_a_row) == (exact.pairs, 2)


def test_a_test_ends_the_match() -> None:
    tally = Match("rennes", "engine:depth=4", "random", sprt=Sprt(0, 200)).run()
    assert Sprt(0, 200).verdict(tally.pairs) == "elo1"
    assert tally.games < 200


def test_a_match_is_kept_and_goes_on(tmp_path: Path) -> None:
    def match(games: int, **more: Any) -> Match:
        return Match("loa5", "engine:nodes=50", "engine:nodes=100", games=games, seed=1, out=tmp_path, **more)

    whole = Match("loa5", "engine:nodes=50", "engine:nodes=100", games=20, seed=1).run()
    match(8).run()
    with pytest.raises(damier.DamierError, match="--resume"):
        match(20).run()
    with (tmp_path / "pairs.jsonl").open("a") as file:
        file.write('{"pair": 4, "games": [{"first_is')  # cut off by a crash
    assert match(20, resume=True).run().report() == whole.report()
    numbers = [number for number, _ in PairsFile(tmp_path, "loa5", int).read()]
    assert sorted(numbers) == list(range(10))
    assert match(20, resume=True).run().report() == whole.report()  # nothing is left to play


@pytest.mark.parametrize("old", [False, True])
@pytest.mark.parametrize(
    ("kind", "manifest"), [("match", "match"), ("tournament", "tournament"), ("tuning run", "tune")]
)
def test_a_folder_is_played_in_by_one_run_at_a_time(tmp_path: Path, kind: str, manifest: str, old: bool) -> None:
    def event(**more: Any) -> Any:
        if kind == "match":
            return Match("loa5", "random", "random", games=4, out=tmp_path, **more)
        if kind == "tournament":
            return Tournament("loa5", {"dice": "random", "luck": "random"}, games=4, out=tmp_path, **more)
        space = [Parameter("lmr_base", 70, 0, 200, 30)]
        return Tune("loa5", "engine:nodes=5", space, steps=2, out=tmp_path, **more)

    if old:  # of before runs had a name
        (tmp_path / f"{manifest}.json").write_text(json.dumps(event().settings()))
    refusals = []

    def on_pair(_: Any) -> None:
        for resume in (True, False):
            with pytest.raises(damier.DamierError, match=f"this {kind} is being played by another process") as refused:
                event(resume=resume).run()
            refusals.append(refused)

    event(resume=old).run(on_pair)
    assert len(refusals) >= 4
    event(resume=True).run()


def test_another_match_is_not_mixed_in(tmp_path: Path) -> None:
    Match("loa5", "random", "random", games=2, out=tmp_path).run()
    with pytest.raises(damier.DamierError, match="has seed 0, not 7"):
        Match("loa5", "random", "random", games=4, seed=7, out=tmp_path, resume=True).run()


@pytest.mark.parametrize("text", ["nonsense", '{"pair": 1}', '{"pair": 1, "games": [1, 2]}', "[]"])
def test_a_damaged_file_is_reported_with_its_line(tmp_path: Path, text: str) -> None:
    Match("loa5", "random", "random", games=2, out=tmp_path).run()
    with (tmp_path / "pairs.jsonl").open("a") as file:
        file.write(text + "\n")
    with pytest.raises(damier.DamierError, match=r"pairs.jsonl, line 2: not a pair"):
        Match("loa5", "random", "random", games=4, out=tmp_path, resume=True).run()


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_a_disk_that_is_full_is_reported_and_nothing_is_lost(
    tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    cup = tmp_path / "cup.toml"
    cup.write_text('game = "loa5"\ngames = 40\nplayers = ["oneply", "random"]')
    asked = [str(cup)] if command == "tournament" else ["loa5", "oneply", "random", "--games", "40"]
    args = [command, *asked, "--out", str(folder), "--json"]
    with full_disk(9000):
        said = refusal(capsys, *args)
    assert said.startswith(tuple(f"damier: {folder / name}: File too large; " for name in ("pairs.jsonl", "games.sgf")))
    assert said.endswith("--resume`\n")
    *lines, cut_off = (folder / "pairs.jsonl").read_text().split("\n")
    assert lines
    assert cut_off
    assert json.loads(out(capsys, *args, "--resume"))["games"] == 40
    assert (folder / "pairs.jsonl").read_text().startswith("\n".join(lines))


@pytest.mark.parametrize("text", ["nonsense", "[]", "7", "null", '{"game": "loa5"'])
def test_settings_that_are_none_are_reported(tmp_path: Path, text: str) -> None:
    (tmp_path / "match.json").write_text(text)
    for resume in (True, False):
        with pytest.raises(damier.DamierError, match=r"match.json: these are not the settings of a match"):
            Match("loa5", "random", "random", games=2, out=tmp_path, resume=resume).run()


def test_an_interruption_keeps_what_is_finished(tmp_path: Path) -> None:
    shown = interrupted(["match", "loa", "engine:nodes=2000", "engine:nodes=2000", "--games", "2000"], tmp_path)
    finished = (tmp_path / "pairs.jsonl").read_text().count("\n")
    assert f"{2 * finished} of 2000" in shown


def test_a_long_thought_is_interrupted(tmp_path: Path) -> None:
    asked = ["match", "chess", "engine:time=600", "engine:time=600", "--games", "2", "--out", str(tmp_path)]
    process = subprocess.Popen([*DAMIER, *asked], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not (tmp_path / "match.json").exists() and process.poll() is None:
        time.sleep(0.02)
    time.sleep(1)  # by then it thinks, or is about to
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in said


@pytest.mark.parametrize("spec", ["minimax:depth=40", "mcts:nodes=10000000", "oneply:games=10000"])
def test_a_thought_without_end_ends_when_all_is_over(spec: str) -> None:
    thinker, opening = Stopped(player(spec)), openings("random:2", "chess")[0]
    assert play_game("chess", opening, (thinker, player("random")), stop=StopFlag()) is None
    assert thinker.answer in opening.board("chess").legal_moves


@pytest.mark.parametrize(
    ("scores", "ply", "result"),
    [
        ((400, -400, 400, -400), 4, "1-0"),
        ((-400, 400, -400, 400), 4, "0-1"),
        ((400, -400, 400), 3, None),
        ((400, -400, 400, -200), 4, None),
        ((400, -400, None, -400), 4, None),
        ((5, -5, 0, 9), 4, "1/2-1/2"),
        ((5, -5, 0, 9), 1, None),
    ],
)
def test_both_must_agree_to_end_a_game(scores: tuple[int | None, ...], ply: int, result: str | None) -> None:
    adjudicator = Adjudication(resign=300, resign_moves=2, draw=10, draw_moves=2, draw_from=1).adjudicator()
    results = [
        adjudicator.after(damier.Side.WHITE if turn % 2 == 0 else damier.Side.BLACK, score, ply)
        for turn, score in enumerate(scores)
    ]
    assert results == [None] * (len(scores) - 1) + [result]


@pytest.mark.parametrize("name", ["resign", "resign_moves", "draw", "draw_moves", "draw_from"])
def test_what_no_game_is_ended_by_is_refused(name: str) -> None:
    least = 0 if name in ("draw", "draw_from") else 1
    for value in (least - 1, 10**6 + 1, 2**31 - 1, 10**11):
        with pytest.raises(damier.DamierError, match=f"{name} is {value}, expected {least} to 1000000"):
            Adjudication(**{name: value})
    for value in (least, 10**6):
        assert Adjudication(**{name: value}).adjudicator().after(damier.Side.WHITE, 0, 0) is None


def test_adjudicated_matches_end_sooner() -> None:
    long = Match("chess", "engine:nodes=400", "engine:nodes=2000", games=6, seed=2).run()
    short = Match(
        "chess", "engine:nodes=400", "engine:nodes=2000", games=6, seed=2, adjudication=Adjudication(resign=600)
    ).run()
    assert short.plies < long.plies
    assert short.endings["resignation"] > 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected SECONDS"),
        ("x", "expected SECONDS"),
        ("5+", "expected SECONDS"),
        ("0+1", "no time"),
        ("0/5", "moves"),
    ],
)
def test_bad_clocks_are_refused(text: str, words: str) -> None:
    with pytest.raises(damier.DamierError, match=words):
        Control.read(text)


def test_points_belong_to_the_first_player() -> None:
    won, drawn = GameRecord("loa", result="0-1"), GameRecord("loa", result="1/2-1/2")
    assert points_of((won, won)) == (0, 1)
    assert points_of((drawn, won)) == (0.5, 1)


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("match", "rennes", "engine:depth=3", "random", "--games", "6", "--concurrency", "2")
    text = out(capsys, *asked)
    for word in ("6 of 6", "pairs", "Elo", "LOS", "endings"):
        assert word in text
    report = json.loads(out(capsys, *asked, "--json"))
    assert report["games"] == 6
    assert sum(report["pairs"]) == 3
    assert report["finished"] is True
    assert sum(report["endings"].values()) == 6


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ("nogame random random", "nogame"),
        ("loa nobody random", "nobody"),
        ("loa random engine:eval=nothing", "nothing"),
        ("loa random random --games 3", "even"),
        ("loa random random --sprt 5", "two numbers"),
        ("loa random random --sprt 5,5", "smaller"),
        ("loa random random --tc now", "SECONDS"),
        ("loa random random --resign 99999999999", "resign is 99999999999, expected 1 to 1000000"),
        ("loa random random --openings /no/such/file.sgf", "/no/such/file.sgf"),
    ],
)
def test_command_refuses(capsys: pytest.CaptureFixture[str], args: str, words: str) -> None:
    assert words in refusal(capsys, "match", *args.split())


@pytest.mark.parametrize(("game", "name"), [("chess", "games.pgn"), ("english", "games.pdn"), ("loa", "games.sgf")])
def test_games_are_written_for_people(tmp_path: Path, game: str, name: str) -> None:
    tally = Match(game, "engine:nodes=100", "random", games=4, seed=2, out=tmp_path).run()
    kept = dict(PairsFile(tmp_path, game, int).read())
    read = list(damier.records.read(tmp_path / name))
    assert len(read) == tally.games == 4
    for sheet, played in zip(read, (played for number in sorted(kept) for played in kept[number]), strict=True):
        assert sheet.result == played.result
        assert len(list(sheet.mainline())) == played.plies
        assert sheet.headers["White"] == ("engine:nodes=100" if played.half == 1 else "random")
        comments = [node.comment for node in sheet.mainline()][played.opening_plies :]
        assert all(text.endswith("s") for text in comments)
        assert any("/" in text for text in comments)


def test_games_keep_their_date_when_a_match_is_resumed(tmp_path: Path) -> None:
    for more, day in (({"games": 2}, None), ({"games": 4, "resume": True}, "1999.12.31")):
        Match("loa5", "random", "random", out=tmp_path, **more).run()
        about = json.loads((tmp_path / "match.json").read_text())
        dates = {sheet.headers["Date"] for sheet in damier.records.read(tmp_path / "games.sgf")}
        assert dates == {day or about["started"][:10].replace("-", ".")}
        (tmp_path / "match.json").write_text(json.dumps(about | {"started": "1999-12-31T23:59:59+00:00"}))


BAD_ENGINE = Path(__file__).with_name("bad_engine.py")


@pytest.mark.parametrize(
    ("mode", "ending", "seconds"),
    [("crash in search", "crash", 10), ("illegal move", "illegal move", 10), ("hang in search", "stall", 0.05)],
)
def test_a_partner_that_fails_loses_and_the_match_goes_on(mode: str, ending: str, seconds: float) -> None:
    spec = f"uci:{sys.executable} {BAD_ENGINE} uci '{mode}',name=bad"
    tally = Match("chess", "engine:nodes=50", spec, games=4, control=Control(time=seconds)).run()
    assert tally.games == 4
    assert tally.endings[ending] == tally.wins == 4


def test_a_partner_that_cannot_start_is_reported_before_any_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert "engine command not found: /no/such" in refusal(capsys, "match", "chess", "engine", "uci:/no/such engine")
    spec = f"uci:{sys.executable} {BAD_ENGINE} uci 'crash at start'"
    assert "cannot find my book" in refusal(capsys, "match", "chess", "engine", spec)
    assert "command is missing" in refusal(capsys, "match", "chess", "engine", "uci:time=1")


def test_a_name_is_no_markup(capsys: pytest.CaptureFixture[str]) -> None:
    spec = f"uci:{sys.executable} {BAD_ENGINE} uci 'illegal move',name=x[/y]"
    assert "chess: x[/y] against random" in out(capsys, "match", "chess", spec, "random", "--games", "2")


@pytest.mark.parametrize(("game", "protocol"), [("chess960", "uci"), ("loa", "uci"), ("frisian", "hub")])
def test_partners_play_the_same_as_in_process(game: str, protocol: str) -> None:
    """The engine behind a protocol, given the same nodes, plays the very same moves."""
    spec = (
        f"{protocol}:{sys.executable} -m damier {protocol},nodes=400,option.{'Hash' if protocol == 'uci' else 'hash'}=1"
    )
    with_protocol = Match(game, spec, "engine:nodes=200", games=2, seed=8).run()
    without = Match(game, "engine:nodes=400", "engine:nodes=200", games=2, seed=8).run()
    assert with_protocol.report() == without.report()
    assert with_protocol.plies == without.plies
