"""AlphaZero: samples are what was seen, a little training already plays better, and a run can be cut off anywhere."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from common import flip_bit, needs, out, refusal

import damier
from damier import BoardBatch
from damier._core import DamierError
from damier.lab.alphazero import AlphaZeroLearner, AlphaZeroSettings
from damier.lab.alphazero.replay import ReplayBuffer, Symmetries
from damier.lab.alphazero.selfplay import duel, play_training_games
from damier.lab.training import CHECKPOINT, LEARNT, Matches, train
from damier.players import player
from damier.puct import PolicyValue
from damier.puct.network import import_torch
from damier.weights import Weights, read_weights

needs("torch")

SMALL = AlphaZeroSettings(
    channels=8,
    blocks=1,
    games=8,
    parallel=6,
    simulations=8,
    fast_simulations=4,
    full_share=0.7,
    plies=40,
    batch=16,
    reuse=2,
    gate_games=2,
    gate_simulations=2,
    window=60,
)


def untrained(planes: Any) -> tuple[Any, Any]:
    """A network for loa5 that knows nothing."""
    return np.zeros((len(planes), 321), np.float32), np.zeros(len(planes), np.float32)


def some_samples(game: str = "loa5") -> ReplayBuffer:
    net = PolicyValue.new(game, channels=8, blocks=1)
    return play_training_games(game, net.evaluate, SMALL, seed=[1]).samples


def same(a: ReplayBuffer, b: ReplayBuffer) -> bool:
    return all(np.array_equal(getattr(a, f.name), getattr(b, f.name)) for f in fields(ReplayBuffer))


def test_self_play_is_the_same_in_threads() -> None:
    one, two = (play_training_games("loa5", untrained, SMALL, seed=[3], threads=threads) for threads in (1, 2))
    assert one.games == 8
    assert len(one.samples) > 20
    assert same(one.samples, two.samples)
    assert not same(one.samples, play_training_games("loa5", untrained, SMALL, seed=[4]).samples)


def test_results_are_for_the_side_to_move() -> None:
    """White and Black are told apart by a plane; both have won some of the games."""
    samples = some_samples()
    white = np.where(samples.levels[:, 0] == 0, samples.results, -samples.results)
    assert set(white) <= {-1, 0, 1}
    assert {-1, 1} <= set(white)
    proved = np.abs(samples.values) == 1  # what the search has proved does happen, but for moves at a temperature
    assert (samples.results[proved] == samples.values[proved]).mean() > 0.8


@pytest.mark.parametrize("game", ["loa5", "rennes"])
def test_samples_are_unpacked_as_they_were(game: str) -> None:
    boards = BoardBatch(game, 6)
    boards.reset(seed=5, opening_plies=5)
    planes, (actions, ends) = boards.planes(dtype="uint8"), boards.legal_actions()
    lengths = np.diff(ends, prepend=0)
    shares = np.concatenate([np.full(n, 1 / n) for n in lengths])
    results, values = np.array([1, -1, 0, 1, -1, 0]), np.linspace(-1, 1, 6)
    samples = ReplayBuffer.packed(
        planes, actions=actions, shares=shares, lengths=lengths, results=results, values=values
    )
    held = ReplayBuffer.of_arrays({name: array.copy() for name, array in samples.arrays().items()})
    assert same(samples, held)
    both = ReplayBuffer.joined([samples, held]).newest(9)
    rows = np.array([8, 3, 0])  # of the last nine: the samples 5, 0 and 3
    batch = both.batch(rows, boards.planes().shape[1:], None, np.random.default_rng(0))
    np.testing.assert_allclose(batch["planes"], boards.planes()[[5, 0, 3]], atol=1e-6)
    np.testing.assert_allclose(batch["shares"].sum(axis=1), 1, atol=1e-3)
    assert batch["results"].tolist() == [0, 1, 1]
    for row, i in enumerate((5, 0, 3)):
        found = set(batch["actions"][row][batch["is_move"][row]])
        assert found == set(np.flatnonzero(boards.legal_mask()[i]))


def test_augmented_samples_are_positions_of_the_game() -> None:
    """Turned with their moves: an image of the board has exactly these legal moves."""
    board = damier.board("loa5")
    board.play_at_random(5, seed=2)
    boards = BoardBatch("loa5", 8)
    for i, image in enumerate(board.images()):
        boards.put(i, image)
    known = {boards.planes()[i, :2].tobytes(): set(np.flatnonzero(boards.legal_mask()[i])) for i in range(8)}
    actions, ends = boards.legal_actions()
    samples = ReplayBuffer.packed(
        boards.planes(dtype="uint8")[:1],
        actions=actions[: ends[0]],
        shares=np.ones(int(ends[0])) / ends[0],
        lengths=ends[:1],
        results=np.ones(1),
        values=np.ones(1),
    )
    symmetries = Symmetries.of(*boards.symmetries())
    batch = samples.batch(np.zeros(100, np.int64), (5, 5, 5), symmetries, np.random.default_rng(1))
    seen = set()
    for planes, moves in zip(batch["planes"], batch["actions"], strict=True):
        seen.add(planes[:2].tobytes())
        assert known[planes[:2].tobytes()] == set(moves)
    assert len(seen) == len(known)


def test_a_little_training_plays_better(tmp_path: Path) -> None:
    settings = AlphaZeroSettings(
        channels=16, blocks=1, games=40, parallel=40, simulations=16, full_share=0.5, batch=64, gate_games=0, rate=5e-3
    )
    learner = AlphaZeroLearner("loa5", steps=3, settings=settings)
    training = train(learner, out=tmp_path)
    assert training.metrics[-1]["policy_loss"] < training.metrics[0]["policy_loss"]
    net = PolicyValue.load(tmp_path / LEARNT)
    match = AlphaZeroSettings(gate_games=40, gate_simulations=4)
    wins, draws, _ = duel("loa5", net.evaluate, untrained, match, seed=[5])
    assert wins + draws / 2 > 24


def test_the_same_seed_gives_the_same_file_even_if_interrupted(tmp_path: Path) -> None:
    whole = train(AlphaZeroLearner("loa5", steps=3, settings=SMALL), out=tmp_path / "whole")
    learner = AlphaZeroLearner("loa5", steps=3, settings=SMALL)

    def interrupt(training: Any) -> None:
        if training.steps == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(learner, out=tmp_path / "parts", on_step=interrupt)
    rest = train(AlphaZeroLearner("loa5", steps=3, settings=SMALL), out=tmp_path / "parts", resume=True)
    assert (tmp_path / "whole" / LEARNT).read_bytes() == (tmp_path / "parts" / LEARNT).read_bytes()
    untimed = [{k: v for k, v in row.items() if "seconds" not in k} for t in (whole, rest) for row in t.metrics]
    assert untimed[:3] == untimed[3:]
    file = read_weights(tmp_path / "whole" / LEARNT)
    assert (file.game, file.kind, file.metadata["method"], file.metadata["seed"]) == (
        "loa5",
        "policy-value",
        "alphazero",
        "0",
    )
    assert "final_policy_loss" in file.metadata


class CutOff(AlphaZeroLearner):
    """Is interrupted in the middle of its second step, when it has trained already."""

    def _gate(self, seed: list[int]) -> dict[str, float]:
        if seed[1] == 1:
            raise KeyboardInterrupt
        return super()._gate(seed)


def test_a_step_that_is_cut_off_is_taken_again(tmp_path: Path) -> None:
    train(AlphaZeroLearner("loa5", steps=2, settings=SMALL), out=tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        train(CutOff("loa5", steps=2, settings=SMALL), out=tmp_path / "parts")
    train(AlphaZeroLearner("loa5", steps=2, settings=SMALL), out=tmp_path / "parts", resume=True)
    assert (tmp_path / "whole" / LEARNT).read_bytes() == (tmp_path / "parts" / LEARNT).read_bytes()


class CutOffAtFirst(AlphaZeroLearner):
    """Is interrupted in its first step, when it has trained already; from then on it goes on."""

    is_cut_off = False

    def _gate(self, seed: list[int]) -> dict[str, float]:
        if not self.is_cut_off:
            self.is_cut_off = True
            raise KeyboardInterrupt
        return super()._gate(seed)


def test_a_step_that_is_taken_again_starts_without_what_it_had_learnt() -> None:
    whole, parts = (made("loa5", steps=2, settings=SMALL) for made in (AlphaZeroLearner, CutOffAtFirst))
    with pytest.raises(KeyboardInterrupt):
        parts.step(0)
    for learner in (whole, parts):
        learner.step(0)
    assert all(np.array_equal(parts.state()[name], array) for name, array in whole.state().items())


def test_games_without_a_full_search_teach_nothing() -> None:
    never = replace(SMALL, games=2, full_share=1e-9)
    with pytest.raises(DamierError, match="no position of 2 games was fully searched: try more games"):
        AlphaZeroLearner("loa5", steps=1, settings=never).step(0)
    seldom = replace(SMALL, games=12, groups=4, full_share=0.02)  # in some of the groups never
    assert len(play_training_games("loa5", untrained, seldom, seed=[0]).samples) > 0


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "run")
    small = ["--channels", "8", "--blocks", "1", "--games", "4", "--simulations", "4", "--gate-games", "2"]
    asked = ["learn", "alphazero", "loa5", *small, "--steps", "2", "--device", "cpu", "--out", folder]
    printed = out(capsys, *asked)
    assert f"damier play loa5 --black learnt:{folder}/learnt.safetensors,simulations=100" in printed
    assert f"damier match loa5 learnt:{folder}/learnt.safetensors,simulations=100 mcts:nodes=100" in printed
    assert "policy loss" in printed
    report = json.loads(out(capsys, *asked, "--resume", "--json"))
    assert (report["method"], report["steps"]) == ("alphazero", 2)
    spec = f"learnt:{report['out']},simulations=8"
    assert "4 of 4" in out(capsys, "match", "loa5", spec, "random", "--games", "4")
    said = refusal(capsys, "match", "loa", spec, "random", "--games", "2")
    assert "learnt.safetensors: was learnt for loa5, expected loa" in said
    assert "does not take nodes, expected simulations" in refusal(
        capsys, "match", "loa5", f"learnt:{report['out']},nodes=8", "random", "--games", "2"
    )
    assert "it is a policy and value network" in refusal(
        capsys, "match", "loa5", f"engine:eval={report['out']}", "random", "--games", "2"
    )
    done = json.loads(out(capsys, *asked[:-1], f"{folder}2", "--minutes", "0", "--json"))
    assert done["steps"] == 0  # the time was over


def test_matches_against_the_start(tmp_path: Path) -> None:
    matches = Matches(every=1, games=2, nodes=4)
    training = train(AlphaZeroLearner("loa5", steps=1, settings=SMALL), out=tmp_path, matches=matches)
    assert {"elo", "elo_low", "elo_high"} & training.last.keys()  # of the match; one end if all games were won
    assert training.last["gate_elo"] == 0 or training.last["adopted"]  # of gating


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (["--gate-games", "3"], "gate_games is 3, expected an even number: each opening is played twice"),
        (["--device", "abacus"], "device is 'abacus', expected auto, cpu or cuda"),
        (["--rate", "0"], "rate is 0.0, expected more than 0"),
        (["--rate", "1e30"], "try a smaller --rate"),
    ],
)
def test_what_cannot_be_learnt_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changed: list[str], said: str
) -> None:
    small = ["--channels", "8", "--blocks", "1", "--games", "4", "--simulations", "4", "--device", "cpu"]
    assert said in refusal(capsys, "learn", "alphazero", "loa5", "--out", str(tmp_path / "run"), *small, *changed)


def test_no_gpu_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if import_torch().cuda.is_available():
        pytest.skip("there is a GPU")
    said = refusal(capsys, "learn", "alphazero", "loa5", "--device", "cuda", "--out", str(tmp_path / "run"))
    assert "device is cuda, but torch finds no such device here" in said


def test_torch_is_needed_only_where_it_is_used() -> None:
    program = """
import sys
sys.modules["torch"] = None
import damier, damier.players, damier.lab.alphazero
from damier.lab.loader import Batch
from damier.puct import PolicyValue
from damier.reproduce.convolution import train_convolution
for ask in (
    lambda: PolicyValue.new("loa5", channels=8, blocks=1),
    lambda: Batch(*[None] * 5).to_torch(),
    lambda: train_convolution("rennes", None, None, epochs=1, seed=0, on_epoch=None),
):
    try:
        ask()
    except damier.DamierError as error:
        print(error)
"""
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert said.stdout == 3 * 'torch is not installed; install it with: pip install "damier[train]"\n'


def test_a_file_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    net = PolicyValue.new("loa5", channels=8, blocks=1)
    net.save(path, "loa6")
    with pytest.raises(DamierError, match=r"net\.safetensors: is not a network for loa6 \(its weights are those"):
        player(f"learnt:{path}")
    net.save(path, "loa5", provenance={"channels": "9"})  # what it says of its size is its own
    assert PolicyValue.load(path).shape == net.shape
    held = read_weights(path)
    Weights(held.game, held.kind, held.features, held.tensors, {"channels": "1024", "blocks": "1024"}).save(path)
    with pytest.raises(DamierError, match=r"\(its weights are those of a network of another size\)"):
        player(f"learnt:{path}")  # at once, instead of making a network of 80 GB
    damier.eval.Linear("quads", [1] * 8).save(path, "loa5")
    with pytest.raises(DamierError, match="does not take simulations, expected nodes, depth or time"):
        player(f"learnt:{path},simulations=4")


def test_squares_of_one_colour_are_left_out_and_no_others() -> None:
    from damier.puct.layers import Squares  # noqa: PLC0415  (needs torch)

    planes = import_torch().arange(16.0).reshape(1, 1, 4, 4)
    played, begins = Squares(4, 4, [0, 2, 5, 7, 8, 10, 13, 15])(planes)[0].tolist()
    assert played == [[0, 2], [5, 7], [8, 10], [13, 15]]
    assert begins == [[0, 0], [1, 1], [0, 0], [1, 1]]
    assert Squares(4, 4, range(8))(planes) is planes  # half of the squares, but not those of a colour


def test_it_plays_by_the_rules_of_the_board(tmp_path: Path) -> None:
    PolicyValue.new("loa5", channels=8, blocks=1).save(tmp_path / "net.safetensors", "loa5")
    board = damier.loa.Board(variant="loa5", repetition=2, no_move="passes")
    assert player(f"learnt:{tmp_path / 'net.safetensors'},simulations=8").play(board).move in board.legal_moves


def test_another_run_is_not_resumed(tmp_path: Path) -> None:
    train(AlphaZeroLearner("loa5", steps=1, settings=SMALL), out=tmp_path)
    flip_bit(tmp_path / CHECKPOINT)
    with pytest.raises(DamierError, match=r"checkpoint\.safetensors"):
        train(AlphaZeroLearner("loa5", steps=1, settings=SMALL), out=tmp_path, resume=True)
