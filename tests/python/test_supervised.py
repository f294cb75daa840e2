"""Neighbours and perceptrons on labelled games: labels, models, files and players against slow ones."""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from common import out, refusal, walk

import damier
from damier import Side, games
from damier._core import DamierError, nearest
from damier.arena.match import Match
from damier.eval import Layer, Network
from damier.lab import simulate
from damier.lab.knn import KnnLearner, KnnSettings
from damier.lab.labels import label_games
from damier.lab.mlp import MlpLearner, MlpSettings
from damier.lab.td import TdLearner
from damier.lab.training import LEARNT, Learner, train
from damier.players import player
from damier.scorers import Neighbours, ScoringNetwork, load_scorer, score_moves, unpacked
from damier.storage.shards import read_games
from damier.weights import read_weights

GAMES, MANY = 200, 3000
SMALL = MlpSettings(hidden=(16, 8), rate=5e-3)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    simulate("rennes", games=GAMES, seed=1, out=folder)
    return folder


@pytest.fixture(scope="module")
def large_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("large")
    simulate("rennes", games=MANY, seed=2, out=folder)
    return folder


@pytest.fixture(scope="module")
def boards_net(large_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mlp") / "run"
    return train(MlpLearner("rennes", [large_run], steps=4, settings=SMALL), out=folder).path or folder


@pytest.mark.parametrize("variant", ["rennes", "english", "international", "loa", "loa5", "chess", "turkish"])
def test_squares_are_the_pieces_as_the_side_to_move_sees_them(variant: str) -> None:
    board = games.board(variant)
    names = board.feature_names("squares")
    places = {name: (file, rank) for name, file, rank in board.squares}
    size = 1 + max(max(place) for place in places.values())
    turns = [
        lambda file, rank: (file, size - 1 - rank),
        lambda file, rank: (size - 1 - file, size - 1 - rank),
        lambda file, rank: (rank, file),
    ]
    for board in walk(games.board(variant), 3, plies=60):
        pieces = {places[name]: piece for name, piece in board.pieces().items()}
        sides = {place: _side(board, piece) for place, piece in pieces.items()}
        seen = defaultdict(set)
        for name, value in zip(names, board.features("squares").tolist(), strict=True):
            if value:
                seen[name.split()[0]].add(places[name.split()[-1]])
        own = {place for place, side in sides.items() if side == board.turn}
        if board.turn == Side.WHITE:
            assert (seen["own"], seen["enemy"]) == (own, set(pieces) - own)
        else:
            turns = [
                turn
                for turn in turns
                if (seen["own"], seen["enemy"])
                == ({turn(*place) for place in own}, {turn(*place) for place in set(pieces) - own})
            ]
            assert turns


def _side(board: damier.Board, piece: str) -> Side:
    whites = {"loa": "o", "chess": "PNBRQK", "draughts": "wW"}[games.info(board.variant).family]
    return Side.WHITE if piece in whites else Side.BLACK


def test_a_variant_without_kings_has_no_squares_for_them() -> None:
    assert len(games.board("rennes").feature_names("squares")) == 64
    assert len(games.board("english").feature_names("squares")) == 128
    assert games.board("rennes").feature_names("squares")[0] == "own man 1"


def slow_labels(run: Path, label: str, sides: tuple[int, ...]) -> dict[tuple[bytes, ...], float]:
    """The definitions, move by move."""
    scores: dict[tuple[bytes, ...], list[float]] = defaultdict(list)
    for record in read_games(run):
        whole, board, line = games.board("rennes"), games.board("rennes"), []
        whole.replay(np.array(record.moves, np.uint16))
        for move in whole.moves:
            before, us = board.features("squares").tobytes(), board.turn
            enemies = len(board.pieces())
            board.push(move)
            line.append((us, before, board.features("squares").tobytes(), enemies - len(board.pieces())))
        for ply, (us, before, after, _) in enumerate(line):
            if ply % 2 not in sides:
                continue
            won = record.result == ("1-0" if us == Side.WHITE else "0-1")
            if label == "moves":
                scores[before, after].append((1 if won else -1) / (len(line) - ply) ** 0.5)
            else:
                taken = sum(captures for side, *_, captures in line[ply + 1 :] if side == us)
                scores[after,].append(taken if won else 0)
    return {key: sum(values) / len(values) for key, values in scores.items()}


@pytest.mark.parametrize("label", ["moves", "boards"])
@pytest.mark.parametrize("both_sides", [False, True])
def test_labels_are_what_the_definitions_say(run: Path, label: str, both_sides: bool) -> None:
    expected = slow_labels(run, label, (0, 1) if both_sides else (0,))
    found = label_games("rennes", [run], label, both_sides=both_sides).averaged()
    assert len(found) == len(expected)
    bits = unpacked(found.rows, 64)
    for row, value in zip(bits, found.values, strict=True):
        key = tuple(board.tobytes() for board in np.split(row, 2 if label == "moves" else 1))
        assert value == pytest.approx(expected[key], abs=1e-5)


def test_games_are_held_out_whole(run: Path) -> None:
    labelled = label_games("rennes", [run], "boards")
    learnt, held_out = labelled.split(0.25, seed=2)
    by_rows = labelled.split(0.25, by="rows", seed=2)
    assert 0.15 < len(held_out) / (len(learnt) + len(held_out)) < 0.35
    assert sum(map(len, by_rows)) == len(labelled.averaged())
    # One row per pair of games, which says which pair it is: none may be on both sides.
    pairs = labelled.games // 2
    named = replace(labelled, rows=pairs.astype(np.uint64)[:, None])
    parts = [set(part.rows[:, 0].tolist()) for part in named.split(0.25, seed=2)]
    assert not parts[0] & parts[1]
    assert parts[0] | parts[1] == set(pairs.tolist())
    with pytest.raises(DamierError, match="'plies' is not a way to split, expected one of games, rows"):
        labelled.split(0.25, by="plies")


def test_the_nearest_are_those_of_scikit_learn(run: Path) -> None:
    neighbors = pytest.importorskip("sklearn.neighbors")
    learnt, held_out = label_games("rennes", [run], "moves").split(0.2)
    rows, queries = unpacked(learnt.rows, 64), unpacked(held_out.rows[:200], 64)
    theirs = neighbors.KNeighborsRegressor(4, metric="hamming", algorithm="brute").fit(rows, learnt.values)
    distances = theirs.kneighbors(queries, 5, return_distance=True)[0] * 128
    clear = distances[:, 3] + 0.5 < distances[:, 4]  # where it is not a matter of order which is the fourth
    assert clear.sum() > 20
    ours = Neighbours("moves", learnt.rows, learnt.values).scores(held_out.rows[:200], threads=2)
    np.testing.assert_allclose(ours[clear], theirs.predict(queries)[clear], atol=1e-6)
    np.testing.assert_allclose(nearest(learnt.rows, held_out.rows[:200], 5)[1], distances)


def test_rows_as_near_as_others_come_in_order() -> None:
    rows = np.array([[7], [1], [2], [4], [1]], np.uint64)
    found, distances = nearest(rows, np.array([[0]], np.uint64), 3)
    assert (found.tolist(), distances.tolist()) == ([[1, 2, 3]], [[1, 1, 1]])
    with pytest.raises(DamierError, match="k is 6, expected 1 to 5"):
        nearest(rows, rows, 6)
    with pytest.raises(DamierError, match="rows have 1 words and queries 2"):
        nearest(rows, np.zeros((1, 2), np.uint64), 1)


@pytest.mark.parametrize("label", ["boards", "results"])
def test_the_engine_evaluates_as_scikit_learn_predicts(run: Path, tmp_path: Path, label: str) -> None:
    learner = MlpLearner("rennes", [run], steps=2, settings=MlpSettings(label=label, batch_size=1000, seed=3))
    path = train(learner, out=tmp_path / "run").path
    assert path
    held, net = Network.load(path), learner._net
    offset = float(np.asarray(held.layers[-1].bias)[0]) - float(net.intercepts_[-1][0])
    for board in walk(games.board("rennes"), 5, plies=40):
        seen = board.features("squares")
        turned = np.concatenate([seen[63:31:-1], seen[31::-1]])  # by hand: square 1 is square 32 to the other side
        predicted = float(net.predict(seen[None, :])[0]) + offset
        if label == "boards":
            predicted -= float(net.predict(turned[None, :])[0])
        evaluator = board.evaluator(str(path))
        ((_, _, _, total),) = board.explain(evaluator)
        for_mover = total if board.turn == Side.WHITE else -total
        assert for_mover / held.scale == pytest.approx(predicted, abs=1e-5)
        assert abs(board.evaluate(evaluator) - for_mover) <= 0.5


def test_one_ply_deep_boards_are_scored_as_scikit_learn_predicts(run: Path, tmp_path: Path) -> None:
    for label in ("boards", "moves"):
        learner = MlpLearner("rennes", [run], steps=1, settings=replace(SMALL, label=label))
        path = train(learner, out=tmp_path / label).path
        assert path
        scorer = load_scorer(path, "rennes")
        for board in walk(games.board("rennes"), 5, plies=40):
            before = board.features("squares")
            for move, score in zip(*score_moves(scorer, board), strict=True):
                after = board.copy()
                after.push(move)
                row = [after.features("squares")] if label == "boards" else [before, after.features("squares")]
                assert score == pytest.approx(float(learner._net.predict(np.concatenate(row)[None, :])[0]), abs=1e-5)


@pytest.mark.parametrize("variant", ["rennes", "english", "loa", "loa5", "chess", "turkish"])
def test_turned_features_are_those_of_the_other_side(variant: str) -> None:
    places = games.board(variant).turned_features("squares")
    assert sorted(places) == list(range(len(places)))
    assert [places[place] for place in places] == list(range(len(places)))
    first, second = (board.features("squares") for board in walk(games.board(variant), 1, plies=1))
    seen = np.empty_like(second)
    seen[places] = second  # as whoever moved sees it: but for the move, the board is what it was
    assert 1 <= (seen != first).sum() <= 4
    assert games.board("loa").turned_features("bing") == []


def test_what_was_learnt_plays(boards_net: Path) -> None:
    held = read_weights(boards_net)
    assert float(held.metadata["scale"]) < 0  # what is good for who moved last is bad for the side to move
    assert (held.kind, held.features, held.metadata["method"]) == ("network", "squares", "mlp")
    assert held.metadata["label"] == "boards"
    assert len(held.metadata["data_sha256"]) == 64
    assert float(held.metadata["final_r2"]) > 0.1
    for spec in (
        f"learnt:{boards_net}",
        f"engine:eval={boards_net},depth=4",
        f"alphabeta:eval={boards_net},depth=3",
        f"mcts:eval={boards_net},leaves=evaluated,nodes=100",
    ):
        assert Match("rennes", spec, "random", games=40, seed=1).run().wins >= 26, spec


@pytest.mark.parametrize("method", ["knn", "mlp"])
@pytest.mark.parametrize("label", ["moves", "boards"])
def test_a_training_that_was_cut_off_goes_on(run: Path, tmp_path: Path, method: str, label: str) -> None:
    def learner() -> Learner:
        if method == "knn":
            return KnnLearner("rennes", [run], steps=4, settings=KnnSettings(label=label))
        return MlpLearner("rennes", [run], steps=4, settings=replace(SMALL, label=label))

    def cut_off(training: Any) -> None:
        if training.steps == 2:
            raise KeyboardInterrupt

    whole = train(learner(), out=tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        train(learner(), out=tmp_path / "cut", on_step=cut_off)
    resumed = train(learner(), out=tmp_path / "cut", resume=True)
    assert resumed.metrics == whole.metrics
    assert (tmp_path / "cut" / LEARNT).read_bytes() == (tmp_path / "whole" / LEARNT).read_bytes()
    if method == "knn":
        again = load_scorer(tmp_path / "cut" / LEARNT, "rennes")
        found = score_moves(again, games.board("rennes"))[1]
        assert found.tolist() == score_moves(learner_model(learner, tmp_path), games.board("rennes"))[1].tolist()


def learner_model(learner: Any, folder: Path) -> Any:
    """What a learner holds after all its steps, without a file in between."""
    made = learner()
    for number in range(4):
        made.step(number)
    return made.learnt()


def test_the_move_with_the_best_score_is_played(run: Path, tmp_path: Path) -> None:
    rows = label_games("rennes", [run], "boards").averaged()
    ranked = Neighbours("boards", rows.rows, np.arange(len(rows), dtype=np.float32), k=1)
    ranked.save(tmp_path / "ranked.safetensors", "rennes")
    bot = player(f"learnt:{tmp_path}/ranked.safetensors")
    for board in walk(games.board("rennes"), 6):
        if not board.outcome():
            moves, scores = score_moves(ranked, board)
            assert list(board.legal_moves) == moves
            assert scores[moves.index(bot.play(board).move)] == scores.max()
    alike = replace(ranked, values=np.zeros(len(rows), np.float32))
    alike.save(tmp_path / "alike.safetensors", "rennes")
    first, again = (Match("rennes", f"learnt:{tmp_path}/alike.safetensors", "random", games=4) for _ in range(2))
    assert first.run().plies == again.run().plies
    board = games.board("rennes")
    seeded = [player(f"learnt:{tmp_path}/alike.safetensors,seed={seed}").play(board).move for seed in range(20)]
    assert len(set(map(str, seeded))) > 3


@pytest.mark.parametrize("variant", ["loa5", "chess", "international"])
@pytest.mark.parametrize("label", ["moves", "results"])
def test_every_game_has_squares_to_learn_from(tmp_path: Path, variant: str, label: str) -> None:
    simulate(variant, games=12, seed=4, out=tmp_path / "games")
    sources, board = [tmp_path / "games"], games.board(variant)
    knn = train(KnnLearner(variant, sources, steps=1, settings=KnnSettings(label=label)), out=tmp_path / "knn").path
    mlp = train(MlpLearner(variant, sources, steps=1, settings=replace(SMALL, label=label)), out=tmp_path / "mlp").path
    for path in (knn, mlp):
        limit = ",depth=2" if path == mlp and label == "results" else ""
        assert player(f"learnt:{path}{limit}").play(board).move in board.legal_moves


def test_it_goes_on_from_a_file(run: Path, tmp_path: Path, boards_net: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("net").write_bytes(boards_net.read_bytes())  # a name without a dot or a slash
    fresh, later = (MlpLearner("rennes", [run], settings=replace(SMALL, start=at)) for at in (None, "net"))
    assert later.step(0)["loss"] < fresh.step(0)["loss"]
    with pytest.raises(DamierError, match="expected a network with the layers 5"):
        MlpLearner("rennes", [run], settings=MlpSettings(hidden=(5,), start=str(boards_net)))
    neighbours = train(KnnLearner("rennes", [run], steps=1, settings=KnnSettings(label="moves")), out="knn").path
    with pytest.raises(DamierError, match=r"learnt\.safetensors: holds neighbours, expected a network$"):
        MlpLearner("rennes", [run], settings=replace(SMALL, label="moves", start=str(neighbours)))
    again = train(MlpLearner("rennes", [run], steps=1, settings=replace(SMALL, start="net")), out="again")
    assert again.path
    Path("net").write_bytes(again.path.read_bytes())
    with pytest.raises(DamierError, match="the evaluation it starts from has changed"):
        train(MlpLearner("rennes", [run], steps=1, settings=replace(SMALL, start="net")), out="again", resume=True)


def edited(path: Path, changed: dict[str, Any]) -> Path:
    """The file with other metadata or tensors, and a hash that fits."""
    file, other = read_weights(path), path.with_name("edited.safetensors")
    texts = {key: text for key, text in changed.items() if isinstance(text, str)}
    tensors = {**file.tensors, **{key: array for key, array in changed.items() if key not in texts}}
    replace(file, tensors=tensors, metadata={**file.metadata, **texts}).save(other)
    return other


def test_files_that_do_not_fit_are_refused(run: Path, tmp_path: Path, boards_net: Path) -> None:
    path = train(KnnLearner("rennes", [run], steps=1), out=tmp_path / "knn").path
    assert path
    for spec, words in {
        f"learnt:{path}": "was learnt for rennes, expected english",
        f"engine:eval={path}": f"it chooses moves one ply deep, expected an evaluation; play it as learnt:{path}",
        f"alphabeta:eval={boards_net}": "holds weights for 'rennes', made for other features by the name of 'squares'",
    }.items():
        with pytest.raises(DamierError, match=words):
            player(spec).new_game(games.board("english"))
    with pytest.raises(DamierError, match="does not take depth, expected none, as it looks one ply ahead"):
        player(f"learnt:{path},depth=3")
    cut = tmp_path / "cut.safetensors"
    cut.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(DamierError, match=r"cut\.safetensors: tensor 'values' ends beyond the end of the file"):
        player(f"learnt:{cut}")
    for changed, words in (
        ({"label": "plies"}, "label is 'plies', expected moves or boards or results"),
        ({"values": np.full_like(read_weights(path).tensors["values"], np.nan)}, "a value is not a finite number"),
    ):
        with pytest.raises(DamierError, match=rf"edited\.safetensors: does not hold .* \({words}\)"):
            player(f"learnt:{edited(path, changed)}").play(games.board("rennes"))
    for weight in (np.nan, 3e38):
        ScoringNetwork("moves", [Layer(np.full((1, 128), weight))]).save(tmp_path / "net.safetensors", "rennes")
        with pytest.raises(DamierError, match="layer 1 has weights that are not finite numbers, or whose sums"):
            player(f"learnt:{tmp_path / 'net.safetensors'}").play(games.board("rennes"))
    Network("squares", [Layer(np.ones((1, 64)))]).save(tmp_path / "plain.safetensors", "rennes")
    with pytest.raises(DamierError, match="holds an evaluation of kind network, expected scores of moves or boards"):
        load_scorer(tmp_path / "plain.safetensors", "rennes")
    with pytest.raises(DamierError, match="network network looks from both sides, which features paris cannot"):
        Network("paris", [Layer(np.ones((1, 4)))], both_sides=True).save(tmp_path / "no.safetensors", "rennes")


def test_one_source_needs_no_list(run: Path) -> None:
    for kind in (KnnLearner, MlpLearner, TdLearner):
        for source in (run, str(run), [run], iter([run])):
            assert kind("rennes", source, steps=1).settings["sources"] == [str(run)]


def test_what_makes_no_sense_is_refused(run: Path, tmp_path: Path) -> None:
    for settings, words in (
        (KnnSettings(label="plies"), "'plies' is not a label, expected one of moves, boards, results"),
        (KnnSettings(k=10**6), r"k is 1000000, expected 1 to \d+, the number of boards"),
        (KnnSettings(test_share=1), "test share is 1, expected 0.01 to 0.9"),
    ):
        with pytest.raises(DamierError, match=words):
            KnnLearner("rennes", [run], settings=settings)
    with pytest.raises(DamierError, match="holds games of rennes, expected english"):
        MlpLearner("english", [run])
    simulate("rennes", games=1, out=tmp_path / "one")
    with pytest.raises(DamierError, match="there are too few games, expected at least 3"):
        KnnLearner("rennes", [tmp_path / "one"])


def test_without_scikit_learn_it_says_what_to_install(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.neural_network", None)
    with pytest.raises(DamierError, match=r'scikit-learn is not installed; install it with: pip install "damier'):
        MlpLearner("rennes", [run])


def test_the_commands(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    knn = out(capsys, "learn", "knn", "rennes", "--games", str(run), "--steps", "1", "--out", str(tmp_path / "knn"))
    assert "r2 train" in knn
    assert f"damier match rennes learnt:{tmp_path}/knn/learnt.safetensors random" in knn.replace("\n", " ")
    args = ("learn", "mlp", "rennes", "--games", str(run), "--epochs", "1", "--hidden", "8", "--label", "moves")
    found = json.loads(out(capsys, *args, "--out", str(tmp_path / "mlp"), "--json"))
    assert (found["method"], found["steps"]) == ("mlp", 1)
    assert "r2" in found
    assert "hidden is '8,x', expected whole numbers" in refusal(capsys, *args[:-4], "--hidden", "8,x", "--out", "no")
