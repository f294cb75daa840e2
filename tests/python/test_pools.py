"""Learning by who beats whom: knock-out tournaments and the genetic pool."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from common import out, refusal

from damier import Engine, Limit, games
from damier._core import DamierError
from damier.arena.match import Match
from damier.eval import Linear
from damier.lab.constraints import read_constraints
from damier.lab.duels import Duels, Meeting, Spread
from damier.lab.genetic import GeneticLearner, GeneticSettings, _Pool
from damier.lab.knockout import WINDOW, KnockoutLearner, KnockoutSettings
from damier.lab.training import FIRST, LEARNT, METRICS, Learner, Training, train
from damier.weights import read_weights

PIECES = ["own pieces", "enemy pieces", "own kings", "enemy kings"]
QUICK = KnockoutSettings(players=6, games=3, nodes=10)
SMALL = GeneticSettings(pool=6, games_per_step=16, nodes=10, trial=4)


def points_against_the_start(game: str, folder: Path) -> float:
    """The share of points of what was learnt."""
    players = [f"engine:eval={folder / name},nodes=30" for name in (LEARNT, FIRST)]
    return Match(game, *players, games=40, seed=9).run().pairs.share


def weights_in(path: Path) -> list[float]:
    return list(map(float, np.asarray(Linear.load(path).weights)))


# Games


def test_points_are_those_of_the_first_player() -> None:
    men, nothing = np.array([100.0, -100, 300, -300]), np.zeros(4)
    duels = Duels("paris", "paris", nodes=20)
    mine = duels.play([Meeting(men, nothing, 4, seed) for seed in range(8)])
    assert sum(mine) > 0.7 * 32
    others = duels.play([Meeting(nothing, men, 4, seed) for seed in range(8)])
    assert others == [4 - points for points in mine]  # the same games: each opening is played with both colours


def test_a_meeting_has_one_result_on_any_number_of_threads() -> None:
    rng = np.random.default_rng(3)
    meetings = [Meeting(*rng.normal(0, 100, (2, 8)), 3, seed) for seed in range(12)]
    alone = Duels("loa5", "quads", nodes=20).play(meetings)
    assert Duels("loa5", "quads", nodes=20, threads=3).play(meetings) == alone
    assert Duels("loa5", "quads", nodes=20).play(meetings[::-1]) == alone[::-1]
    assert len(set(alone)) > 1


@pytest.mark.parametrize(("game", "features"), [("paris", "paris"), ("loa5", "bing"), ("chess", "ocap")])
def test_scores_spread_as_those_of_the_game(game: str, features: str) -> None:
    spread, rng = Spread(game, features), np.random.default_rng(1)
    weights = rng.normal(size=len(games.board(game).feature_names(features)))
    scaled = spread.scaled(weights)
    np.testing.assert_allclose(scaled, spread.scaled(7 * weights))
    np.testing.assert_allclose(scaled / weights, (scaled / weights)[0])
    assert spread.scaled(np.zeros_like(weights)).tolist() == [0.0] * len(weights)
    assert np.isfinite(spread.alone()).all()


# Knock-out


def test_winners_beat_the_start(tmp_path: Path) -> None:
    settings = KnockoutSettings(features="paris", players=8, games=5, nodes=15, settle=0)
    training = train(KnockoutLearner("rennes", steps=6, settings=settings), out=tmp_path)
    assert (training.steps, training.last["games"]) == (6, 35)
    assert points_against_the_start("rennes", tmp_path) > 0.7
    held = read_weights(tmp_path / LEARNT).metadata
    assert (held["method"], held["players"], held["seed"]) == ("knockout", "8", "0")


def test_winners_of_a_game_with_many_features_beat_the_start_on_average(tmp_path: Path) -> None:
    """Eight weights and few games: over seeds 0 to 4 the shares were 0.56 to 0.78, 0.66 on average."""
    shares = []
    for seed in range(3):
        settings = KnockoutSettings(features="quads", players=8, games=5, nodes=40, settle=0, seed=seed)
        train(KnockoutLearner("loa5", steps=12, settings=settings), out=tmp_path / str(seed))
        shares.append(points_against_the_start("loa5", tmp_path / str(seed)))
    assert np.mean(shares) > 0.55


def test_the_path_of_the_weights_is_kept(tmp_path: Path) -> None:
    train(KnockoutLearner("paris", steps=3, settings=QUICK), out=tmp_path)
    rows = [json.loads(line) for line in (tmp_path / METRICS).read_text().splitlines()]
    path = [[row[f"weights/{name}"] for name in PIECES] for row in rows]
    assert len(path) == 3
    assert path[-1] == weights_in(tmp_path / LEARNT)
    assert all((row["distance"] == 0) == (row["change"] == 0) for row in rows)


def test_it_stops_when_winners_settle(tmp_path: Path) -> None:
    settings = KnockoutSettings(players=2, games=1, nodes=5, settle=2)  # no change is larger
    training = train(KnockoutLearner("rennes", steps=50, settings=settings), out=tmp_path)
    assert training.steps == WINDOW


@pytest.mark.parametrize("players", [2, 3, 5, 8])
def test_all_but_one_are_beaten(players: int) -> None:
    """One player knows what the others do not; whatever the draw, with byes or without, it wins."""
    learner = KnockoutLearner("paris", steps=1, settings=KnockoutSettings(players=players, nodes=20))
    good = np.array([1.0, -1, 3, -3])
    entrants = np.concatenate([-good[None, :].repeat(players - 1, axis=0), good[None, :]])
    for seed in range(3):
        assert learner._play(entrants, np.random.default_rng(seed)) == (players - 1, 1.0)


# The pool


def survivor_share(game: str, features: str, seed: int, folder: Path) -> float:
    """The share of points of the survivor against all that were in the pool at first."""
    settings = GeneticSettings(features=features, pool=10, games_per_step=30, nodes=15, seed=seed)
    learner = GeneticLearner(game, steps=400, settings=settings)
    start = learner.state()["weights"].copy()
    training = train(learner, out=folder)
    assert learner.left == training.last["pool"] == 1
    assert training.steps < 400
    assert sum(row["born"] for row in training.metrics) > 0
    assert 10 + sum(row["born"] - row["removed"] for row in training.metrics) == 1
    best = np.array(weights_in(folder / LEARNT))
    points = Duels(game, features, nodes=30).play([Meeting(best, row, 6, number) for number, row in enumerate(start)])
    return sum(points) / 60


def test_one_is_left_and_beats_the_pool_it_came_from(tmp_path: Path) -> None:
    assert survivor_share("rennes", "paris", 0, tmp_path) > 0.75


def test_a_survivor_of_a_game_with_many_features_is_better(tmp_path: Path) -> None:
    """Eight weights and few games: over seeds 0 to 5 the shares were 0.57 to 0.72, 0.65 on average."""
    assert survivor_share("loa5", "quads", 0, tmp_path) > 0.55


def test_points_move_as_the_pool_says() -> None:
    pool = _Pool.of(np.zeros((3, 2)))
    pool.score(0, 1, 2.0)  # neither has played
    assert pool.points.tolist() == [2, -2, 0]
    pool.games[:2] = 1
    pool.score(1, 0, 2.0)  # the loser had 2 per game, the winner -2
    assert pool.points.tolist() == [2 - 10, -2 + 10, 0]
    pool.score(1, 0, 2.0)  # the better one wins
    assert pool.points.tolist() == [-10, 10, 0]
    pool.score(2, 1, 2.0)  # the third has never played
    assert pool.points.tolist() == [-10, 8, 2]


def judged(points: list[float], played: list[int], met: list[tuple[int, int]]) -> tuple[GeneticLearner, _Pool]:
    learner = GeneticLearner("paris", settings=GeneticSettings(pool=6, trial=5, low=-4, high=8))
    pool = _Pool.of(np.arange(4.0 * len(points)).reshape(-1, 4))
    pool.points[:], pool.games[:] = points, played
    for one, other in met:
        pool.met[one, other] = pool.met[other, one] = 1
    return learner, pool


def test_bad_members_are_removed_after_their_trial() -> None:
    learner, pool = judged([-5, -5, -4, 3], [5, 4, 5, 5], [(2, 3)])
    left, removed = learner._without_bad(pool)
    assert (left.points.tolist(), removed) == ([-5, -4, 3], 1)
    assert left.met.tolist() == [[0, 0, 0], [0, 0, 1], [0, 1, 0]]
    learner, pool = judged([-9, -6, -7], [5, 5, 5], [])
    left, removed = learner._without_bad(pool)
    assert (left.points.tolist(), removed) == ([-6], 2)


def test_good_members_that_met_are_crossed() -> None:
    learner, pool = judged([9, 0, 10], [5, 5, 5], [(0, 2)])
    born = learner._offspring(pool, np.random.default_rng(1))
    assert len(born) == 1
    assert all(weight in column for weight, column in zip(born[0], pool.weights[[0, 2]].T, strict=True))
    assert pool.judged_points.tolist() == [9, 0, 10]
    assert len(learner._offspring(pool, np.random.default_rng(1))) == 0  # they must be good again


def test_other_good_members_are_duplicated_with_mutations() -> None:
    learner, pool = judged([9, 0, 10], [5, 5, 5], [(0, 1), (1, 2)])
    pool.weights[:] = 0
    born = learner._offspring(pool, np.random.default_rng(1))
    assert len(born) == 2
    assert np.count_nonzero(born, axis=1).min() >= 1
    assert np.count_nonzero(born) < born.size


def test_a_full_pool_stays_as_large() -> None:
    learner, pool = judged([9, 9, 9, 9, 9, -2], [5] * 6, [])
    assert len(learner._offspring(pool, np.random.default_rng(1))) == 0


def test_there_is_less_and_less_room_for_new_members() -> None:
    learner, pool = judged([9, 0, 10], [5, 5, 5], [(0, 1), (1, 2)])
    assert len(learner._offspring(pool.copy(), np.random.default_rng(1), learner.steps // 4)) == 1
    assert len(learner._offspring(pool, np.random.default_rng(1), learner.steps // 2)) == 0


def test_weights_stay_in_their_ranges(tmp_path: Path) -> None:
    path = tmp_path / "ranges.toml"
    path.write_text(
        '"own pieces" = [100, 100]\n"enemy pieces" = [-120, -80.5]\n"own kings" = [0, 400]\n"enemy kings" = [-400, 0]\n'
    )
    learner = GeneticLearner("paris", steps=5, constraints=path, settings=SMALL)
    train(learner, out=tmp_path / "run")
    low, high = read_constraints(path, PIECES)
    assert low.tolist() == [100, -120, 0, -400]
    for weights in learner.state()["weights"]:
        assert weights[0] == 100
        assert ((low <= weights) & (weights <= high)).all()
    path.write_text(path.read_text().replace("400]", "500]"))
    changed = GeneticLearner("paris", steps=5, constraints=path, settings=SMALL)
    with pytest.raises(DamierError, match="constraints"):
        train(changed, out=tmp_path / "run", resume=True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('"own pieces" = [0, 1]', "'enemy pieces' is missing, expected \"enemy pieces\" = [low, high]"),
        ("wings = [0, 1]", "there is no feature 'wings', expected one of 'own pieces', 'enemy pieces'"),
        ("A = [2, 1]", "'own pieces' is [2, 1], expected [low, high], the lower first"),
        ("A = [0, true]", "'own pieces' is [0, True], expected [low, high], two numbers"),
        ("A = [0, nan]", "'own pieces' is [0, nan], expected [low, high], two numbers"),
        ("A = 3", "'own pieces' is 3, expected [low, high], two numbers"),
        ("A = [0, 1e9]", "at most 1000000 either way"),
        ("A = [0", "ranges.toml: "),
        ("\udcff", "ranges.toml: "),
    ],
)
def test_bad_constraints_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str) -> None:
    path, others = tmp_path / "ranges.toml", "\n".join(f'"{name}" = [-1, 1]' for name in PIECES[1:])
    path.write_bytes(text.replace("A =", f'{others}\n"own pieces" =').encode(errors="surrogateescape"))
    asked = ["learn", "genetic", "paris", "--constraints", str(path), "--out", str(tmp_path / "run")]
    error = refusal(capsys, *asked)
    assert said in error
    assert "ranges.toml" in error
    assert not (tmp_path / "run").exists()


# Both


def knockout(seed: int = 0) -> Learner:
    return KnockoutLearner("rennes", steps=6, settings=KnockoutSettings(players=4, games=2, nodes=10, seed=seed))


def genetic(seed: int = 0) -> Learner:
    return GeneticLearner(
        "rennes", steps=5, settings=GeneticSettings(pool=6, games_per_step=15, nodes=10, trial=3, seed=seed)
    )


@pytest.mark.parametrize("made", [knockout, genetic])
def test_one_seed_gives_one_file(made: Callable[[int], Learner], tmp_path: Path) -> None:
    files = []
    for folder, seed in (("a", 1), ("b", 1), ("c", 2)):
        train(made(seed), out=tmp_path / folder)
        files.append((tmp_path / folder / LEARNT).read_bytes())
    assert files[0] == files[1] != files[2]


@pytest.mark.parametrize("made", [knockout, genetic])
def test_it_resumes_as_if_nothing_had_happened(made: Callable[[], Learner], tmp_path: Path) -> None:
    def stop(training: Training) -> None:
        if training.steps in (2, 4):
            raise KeyboardInterrupt

    whole = train(made(), out=tmp_path / "whole")
    for resume in (False, True):
        with pytest.raises(KeyboardInterrupt):
            train(made(), out=tmp_path / "cut", resume=resume, on_step=stop)
    again = train(made(), out=tmp_path / "cut", resume=True)
    assert again.metrics == whole.metrics
    assert (tmp_path / "cut" / LEARNT).read_bytes() == (tmp_path / "whole" / LEARNT).read_bytes()


@pytest.mark.parametrize("made", [knockout, genetic])
def test_an_interrupted_step_leaves_no_trace(
    made: Callable[[], Learner], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    whole = train(made(), out=tmp_path / "whole")
    learner = made()
    play, asked = Duels._points, [0]

    def interrupted(duels: Duels, meeting: Meeting) -> float:
        asked[0] += 1
        if asked[0] == 11:
            raise KeyboardInterrupt
        return play(duels, meeting)

    with monkeypatch.context() as patch:
        patch.setattr(Duels, "_points", interrupted)
        with pytest.raises(KeyboardInterrupt):
            train(learner, out=tmp_path / "cut")
    assert train(made(), out=tmp_path / "cut", resume=True).metrics == whole.metrics


@pytest.mark.parametrize(
    ("method", "asked"),
    [
        ("knockout", ["--players", "4", "--games", "3", "--steps", "2"]),
        ("genetic", ["--pool", "6", "--games-per-step", "20", "--steps", "2"]),
    ],
)
def test_commands(method: str, asked: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "run")
    asked = ["learn", method, "rennes", *asked, "--depth", "1", "--threads", "2", "--out", folder]
    printed = out(capsys, *asked, "--match-every", "2", "--match-games", "4")
    assert f"damier play rennes --black engine:eval={folder}/learnt.safetensors" in printed
    assert "weights/" not in printed
    assert ("the best one was kept" in printed) == (method == "genetic")
    report: dict[str, Any] = json.loads(out(capsys, *asked, "--resume", "--json"))
    assert (report["method"], report["steps"]) == (method, 2)
    assert any(name.startswith("elo") for name in report)
    board = games.board("rennes")
    assert Engine("rennes", eval=report["out"]).play(board, Limit(depth=2)).move in board.legal_moves
    other = "learn", "genetic" if method == "knockout" else "knockout", "rennes", "--out", folder, "--resume"
    assert "method" in refusal(capsys, *other)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["knockout", "paris", "--features", "wings"], "wings"),
        (["genetic", "paris", "--features", "wings"], "wings"),
        (["genetic", "paris", "--constraints", "nowhere.toml"], "nowhere.toml: No such file or directory"),
        (["genetic", "paris", "--low", "0"], "the marks are 0.0 and 6.0, expected one below 0 and one above"),
        (["knockout", "rennes", "--random-plies", "200"], "random games of rennes end before 200 plies"),
        (["knockout", "none"], "none"),
    ],
)
def test_what_cannot_be_learnt_is_said(
    asked: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in refusal(capsys, "learn", *asked, "--out", str(tmp_path / "run"))


def test_settings_are_checked() -> None:
    with pytest.raises(DamierError, match="players is 1, expected 2 to 1024"):
        KnockoutLearner("paris", settings=KnockoutSettings(players=1))
    with pytest.raises(DamierError, match="pool is 1, expected 2 to 10000"):
        GeneticLearner("paris", settings=GeneticSettings(pool=1))
