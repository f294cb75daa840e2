"""Efficiently updated networks: the engine computes what the trainer computes, and training makes them better."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from common import refusal
from data_runs import self_played
from learners import check_cut_off, check_refusals, share_against_start
from parity import check_parity, random_positions

import damier
from damier import DamierError, games
from damier.eval import resolve
from damier.lab import simulate
from damier.lab.blocks import Blocks
from damier.lab.nnue import NnueLearner, NnueSettings
from damier.lab.nnue.net import NetShape
from damier.lab.nnue.samples import NnueSamples, collect
from damier.lab.nnue.settings import MOST_BUCKETS, MOST_WIDTH, MULTIPLE
from damier.lab.nnue.trainer import CpuTrainer, Examples
from damier.lab.training import CHECKPOINT, LEARNT, Training, train
from damier.nnue import FEATURES, FEATURES_BY_KING, WEIGHT_BOUND, Nnue, bucket_of
from damier.weights import Weights, read_weights

GAME = "english"
QUICK = NnueSettings(hidden=32, buckets=2, epochs=8, batch_size=512, rate=5e-3, skip=0)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return self_played(GAME, tmp_path_factory, games=200, nodes=60, threads=2)


@pytest.fixture(scope="module")
def trained(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Training:
    """A training that nothing disturbed."""
    return train(NnueLearner(GAME, base, settings=QUICK), out=tmp_path_factory.mktemp("trained") / "run")


def random_net(
    game: str, *, buckets: int = 8, largest: float = WEIGHT_BOUND, features: str = FEATURES, width: int = 32
) -> Nnue:
    """A network whose weights take all the room they have."""
    rng = np.random.default_rng(buckets)
    inputs = len(damier.board(game).nnue_inputs(features))
    shapes: Sequence[tuple[int, ...]] = ((inputs, width), (width,), (buckets, 2 * width), (buckets,))
    arrays = [rng.uniform(-largest, largest, shape) for shape in shapes]
    return Nnue.quantised(*arrays, scale=150, features=features)


# The same numbers


@pytest.mark.parametrize(
    ("game", "features"),
    [(game, FEATURES) for game in ("loa", "chess", "english", "international")] + [("chess", FEATURES_BY_KING)],
)
def test_the_engine_computes_what_the_trainer_computes(game: str, features: str) -> None:
    boards, inputs = random_positions(game, 25, features)
    assert len(boards) == len(inputs) > 1000
    for net in (random_net(game, features=features), random_net(game, buckets=1, largest=0.3, features=features)):
        check_parity(net, game, boards, inputs, distinct=100)


def test_a_trained_network_is_the_same_in_the_engine(base: Path, trained: Training) -> None:
    """The file, NumPy and the engine agree exactly, and the trainer within what rounding to whole numbers costs."""
    assert trained.path
    net, board = Nnue.load(trained.path), damier.board(GAME)
    check_parity(net, GAME, *random_positions(GAME, 40, FEATURES), distinct=100)
    learner = NnueLearner(GAME, base, settings=QUICK)
    learner.restore(read_weights(trained.path.with_name(CHECKPOINT)).tensors)
    test = collect(GAME, Blocks(GAME, base), QUICK, held_out=True)
    aimed = test.targets(QUICK.mix, net.scale)
    expected = 1 / (1 + np.exp(-net.scores(board, test.inputs) / net.scale))
    assert float(((expected - aimed) ** 2).mean()) == pytest.approx(trained.last["loss"], rel=0.01)


def test_a_network_is_saved_and_read(tmp_path: Path) -> None:
    net, board = random_net("loa"), damier.board("loa")
    path = tmp_path / "net.safetensors"
    net.save(path, "loa", provenance={"method": "by lot"})
    again = Nnue.load(path)
    assert (again.scale, again.calibration, again.name) == (150, (0.0, 150.0), "nnue")
    assert board.evaluate(resolve(board, again)) == board.evaluate(resolve(board, net))
    assert board.evaluate(resolve(board, path)) == board.evaluate(resolve(board, net))
    assert read_weights(path).metadata["method"] == "by lot"


def test_pieces_choose_the_output() -> None:
    assert bucket_of(np.arange(1, 25), 8, 24).tolist() == np.repeat(np.arange(8), 3).tolist()
    assert bucket_of(np.arange(1, 33), 1, 32).tolist() == [0] * 32


def test_the_sizes_that_are_trained_are_those_that_the_engine_takes() -> None:
    board = games.board("loa")

    def accepted(width: int, buckets: int) -> bool:
        shapes = ((len(board.nnue_inputs()), width), (width,), (buckets, 2 * width), (buckets,))
        try:
            Nnue.quantised(*(np.zeros(shape) for shape in shapes)).evaluator(board)
        except DamierError:
            return False
        return True

    assert accepted(MOST_WIDTH, MOST_BUCKETS)
    assert accepted(MULTIPLE, 1)
    assert not accepted(MOST_WIDTH + MULTIPLE, 1)
    assert not accepted(MULTIPLE // 2, 1)
    assert not accepted(MULTIPLE, MOST_BUCKETS + 1)


@pytest.mark.parametrize(("nets", "king_buckets", "power"), [(1, 1, 2.0), (2, 4, 2.5)])
def test_gradients_are_those_of_pytorch(nets: int, king_buckets: int, power: float) -> None:
    torch = pytest.importorskip("torch")
    from damier.lab.nnue.gpu import GpuTrainer  # noqa: PLC0415  (loads torch)

    shape, rng, count = NetShape(96 * king_buckets, 32, 4, nets, king_buckets), np.random.default_rng(1), 3000
    examples = Examples(
        rng.random((count, 2, shape.inputs + 1)).argsort(axis=2)[..., :10].astype(np.int16),
        rng.integers(0, 4, count).astype(np.uint8),
        rng.random(count).astype(np.float32),
        rng.random(count).astype(np.float32),
    )
    vector = shape.random([[seed] for seed in range(nets)])
    vector += rng.normal(0, 0.1, len(vector)).astype(np.float32)
    ours = CpuTrainer(shape, vector, examples, examples, power=power, threads=2)
    theirs = GpuTrainer(
        shape, vector, examples, examples, batch=500, most_updates=4, power=power, device="cpu", record=False
    )
    assert ours.measure() == (pytest.approx(theirs.measure()[0]), pytest.approx(theirs.measure()[1]))
    batches = rng.permutation(count)[:2000].reshape(4, 500)
    losses = ours.train(list(batches), 0, 100, 1e-3)
    assert losses == pytest.approx(theirs.train([torch.from_numpy(rows) for rows in batches], 0, 100, 1e-3), rel=1e-4)
    for name, vector in ours.state().items():
        other = theirs.state()[name]
        assert np.abs(vector - other).max() < 1e-3 * np.abs(other).max(), name


def test_training_needs_no_pytorch_on_a_cpu(base: Path, tmp_path: Path) -> None:
    program = f"""
import sys
sys.modules["torch"] = None
from damier import DamierError
from damier.lab.nnue import NnueLearner, NnueSettings
NnueLearner("{GAME}", {str(base)!r}, settings=NnueSettings(hidden=16, epochs=1), device="auto").step(0)
try:
    NnueLearner("{GAME}", {str(base)!r}, device="cuda")
except DamierError as error:
    print(error)
"""
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert said.stdout == 'torch is not installed; install it with: pip install "damier[train]"\n'


# Going on from a network


def test_training_goes_on_from_a_network(base: Path, trained: Training, tmp_path: Path) -> None:
    """With a rate of next to nothing the network stays as it is, bit for bit; and the file names its parent."""
    assert trained.path
    start = shutil.copy(trained.path, tmp_path / "start.safetensors")
    settings = NnueSettings(start=str(start), epochs=1, rate=1e-9, batch_size=512, skip=0)
    again = train(NnueLearner(GAME, base, settings=settings), out=tmp_path / "again")
    assert again.path
    before, after = read_weights(start), read_weights(again.path)
    assert all((before.tensors[name] == after.tensors[name]).all() for name in before.tensors)
    assert after.metadata["parent_sha256"] == before.metadata["sha256"]
    assert after.metadata["scale"] == before.metadata["scale"]
    assert again.last["loss"] == pytest.approx(trained.last["loss"], rel=0.01)
    shutil.copy(again.path, start)
    with pytest.raises(DamierError, match="the evaluation it starts from has changed"):
        train(NnueLearner(GAME, base, settings=settings), out=tmp_path / "again", resume=True)


def test_a_start_that_does_not_fit_is_refused(base: Path, trained: Training, tmp_path: Path) -> None:
    foreign = tmp_path / "loa.safetensors"
    random_net("loa").save(foreign, "loa")
    for settings, reason in (
        ({"start": str(foreign)}, "loa"),
        ({"start": str(trained.path), "hidden": 64}, "hidden is 64, expected 32 as in"),
        ({"start": str(trained.path), "seeds": 2}, "seeds is 2, expected 1"),
        ({"start": str(tmp_path / "none.safetensors")}, "none.safetensors"),
    ):
        with pytest.raises(DamierError, match=reason):
            NnueLearner(GAME, base, settings=NnueSettings(**settings))


# King buckets


@pytest.fixture(scope="module")
def chess_base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return self_played("chess", tmp_path_factory, games=60, nodes=30, threads=2)


def test_a_network_gets_king_buckets(chess_base: Path, tmp_path: Path) -> None:
    """All buckets begin with the weights it has, so that it judges as before; then they differ."""
    start = tmp_path / "plain.safetensors"
    random_net("chess", largest=0.3).save(start, "chess")
    quick = NnueSettings(start=str(start), king_buckets=True, epochs=1, batch_size=512, skip=0)
    same = train(NnueLearner("chess", chess_base, settings=replace(quick, rate=1e-9)), out=tmp_path / "same")
    learnt = train(NnueLearner("chess", chess_base, settings=quick), out=tmp_path / "learnt")
    assert same.path
    assert learnt.path
    board, plain = damier.board("chess"), Nnue.load(start)
    assert (Nnue.load(same.path).input_weights == np.tile(plain.input_weights, (board.king_buckets, 1))).all()
    by_king = Nnue.load(learnt.path)
    assert by_king.features == FEATURES_BY_KING
    buckets = by_king.input_weights.reshape(board.king_buckets, *plain.input_weights.shape)
    assert all((buckets[0] != bucket).any() for bucket in buckets[1:])
    check_parity(by_king, "chess", *random_positions("chess", 10, FEATURES_BY_KING), distinct=100)
    again = NnueLearner("chess", chess_base, settings=NnueSettings(start=str(learnt.path), epochs=1, skip=0))
    assert again.settings["king_buckets"] is True


def test_king_buckets_where_there_are_none(base: Path) -> None:
    with pytest.raises(DamierError, match="english has no king buckets"):
        NnueLearner(GAME, base, settings=NnueSettings(king_buckets=True))
    with pytest.raises(DamierError, match="'nnue:kings' is not a set of inputs of this game, expected nnue"):
        damier.board(GAME).nnue_inputs(FEATURES_BY_KING)
    assert damier.board(GAME).king_buckets == 1


# Samples


def test_what_is_aimed_at() -> None:
    inputs, nan = np.zeros((3, 2, 1), np.int16), np.nan
    some = NnueSamples(inputs, np.array([150, 0, nan], np.float32), np.array([1, 0, 0], np.float32))
    assert some.targets(0.0, 150).tolist() == [1, 0, 0]
    assert some.targets(1.0, 150).tolist() == pytest.approx([1 / (1 + np.exp(-1)), 0.5, 0])


def test_the_spread_of_scores_is_found() -> None:
    rng = np.random.default_rng(1)
    scores = rng.normal(0, 200, 20_000).astype(np.float32)
    results = (rng.random(20_000) < 1 / (1 + np.exp(-scores / 120))).astype(np.float32)
    assert 110 < NnueSamples(np.zeros((20_000, 2, 1), np.int16), scores, results).spread < 130
    unscored = NnueSamples(np.zeros((5, 2, 1), np.int16), np.full(5, np.nan, np.float32), np.ones(5, np.float32))
    assert unscored.spread == 150


def test_random_moves_are_left_out(base: Path, tmp_path: Path) -> None:
    """The first plies have no scores; of games without any, the first ten are left out."""
    assert not np.isnan(collect(GAME, Blocks(GAME, base), NnueSettings(), held_out=True).scores).any()
    plies = simulate("loa5", games=40, seed=1, out=tmp_path).plies
    found = [
        len(collect("loa5", Blocks("loa5", tmp_path), NnueSettings(skip=skip, tactical=True), held_out=False))
        for skip in (0, 10)
    ]
    assert plies * 0.8 < found[0] < plies
    assert found[1] < found[0] - 36 * 8


# Training


def test_training_makes_it_better(base: Path, trained: Training) -> None:
    first, last = trained.metrics[0], trained.last
    assert last["loss"] < 0.65 * first["loss"]
    assert last["r2"] > max(first["r2"], 0.1)
    assert share_against_start(trained, GAME, 60) > 0.6


def test_a_training_that_was_cut_off_ends_in_the_same_file(base: Path, trained: Training, tmp_path: Path) -> None:
    check_cut_off(trained, lambda: NnueLearner(GAME, base, settings=QUICK), tmp_path / "run", 3)


def test_of_several_networks_the_best_is_kept(base: Path, tmp_path: Path) -> None:
    settings = NnueSettings(hidden=16, epochs=3, batch_size=1024, seeds=3, skip=0)
    training = train(NnueLearner(GAME, base, settings=settings), out=tmp_path)
    losses = [training.last[f"losses/{number}"] for number in range(3)]
    assert len(set(losses)) == 3
    assert training.last["loss"] == min(losses)
    others = [number for number in range(3) if number != int(np.argmin(losses))]
    assert sorted(path.name for path in tmp_path.glob("seed-*")) == [f"seed-{number}.safetensors" for number in others]
    assert Nnue.load(tmp_path / LEARNT).input_weights.shape[1] == 16


def test_the_size_suits_the_data() -> None:
    usual = NnueSettings()
    assert usual.for_positions(5_000, 150).hidden == 32
    assert usual.for_positions(100_000_000, 150).hidden == 256
    assert usual.for_positions(5_000_000, 150).batch_size == 16_384
    assert usual.for_positions(500_000, 150).batch_size == 4_096
    assert usual.for_positions(300, 150).batch_size == 300


# What is refused


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (NnueSettings(hidden=40), "hidden is 40, expected a multiple of 16 from 16 to 1024"),
        (NnueSettings(buckets=17), "buckets is 17, expected 1 to 16"),
        (NnueSettings(mix=1.5), "mix is 1.5, expected 0 to 1"),
    ],
)
def test_settings_that_make_no_sense(settings: NnueSettings, said: str, base: Path) -> None:
    with pytest.raises(DamierError, match=said):
        NnueLearner(GAME, base, settings=settings)


def test_networks_that_do_not_fit(tmp_path: Path) -> None:
    board = damier.board("loa")
    with pytest.raises(DamierError, match="is not a finite number"):
        Nnue.quantised(np.full((128, 16), np.nan), np.zeros(16), np.zeros((1, 32)), np.zeros(1))
    flat = Nnue(*(np.zeros(16, np.int16) for _ in range(4)))
    with pytest.raises(DamierError, match=r"its layers have the shapes \[16\], \[16\], \[16\], \[16\], expected"):
        flat.evaluator(board)
    net = random_net("loa")
    with pytest.raises(DamierError, match="inputs"):
        net.evaluator(damier.board("chess"))
    Weights("loa", "linear", "pairs", {"weights": np.zeros(2)}).save(tmp_path / "linear.safetensors")
    with pytest.raises(DamierError, match="holds weights of kind linear, expected nnue"):
        Nnue.load(tmp_path / "linear.safetensors")


def test_a_damaged_file_or_one_of_another_game(trained: Training, tmp_path: Path) -> None:
    check_refusals(GAME, trained, Nnue.load, tmp_path)


def test_a_gpu_that_is_not_there(base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["learn", "nnue", GAME, "--games", str(base), "--out", str(tmp_path / "run")]
    assert "device is 'tpu', expected auto, cpu or cuda" in refusal(capsys, *asked, "--device", "tpu")
    if pytest.importorskip("torch").cuda.is_available():
        pytest.skip("there is a GPU")
    assert "torch finds no such device here" in refusal(capsys, *asked, "--device", "cuda")
