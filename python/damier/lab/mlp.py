"""The multilayer perceptron of scikit-learn on labelled moves or boards, an epoch at a time, and its export."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from damier import games
from damier._core import DamierError
from damier.engine.arguments import check_range
from damier.eval import Layer, Network
from damier.lab.blocks import Blocks, Where
from damier.lab.fit import minimise, r2
from damier.lab.labels import Labelled, Occurrences, label_games
from damier.lab.training import Learner, Metrics, parent_of
from damier.scorers import FEATURES, ScoringNetwork, load_scorer, unpacked
from damier.weights import Array, evaluation_path

if TYPE_CHECKING:
    from sklearn.neural_network import MLPRegressor

__all__ = ["HIDDEN", "MlpLearner", "MlpSettings", "need_regressor"]

HIDDEN = (64, 64, 32, 16)
MEASURED = 50_000  # rows that R2 is measured on
SPREAD = 150.0  # hundredths of a man by which the odds of a win grow e-fold
SETTLED, PATIENCE = 5e-3, 10  # the loss gets better by less than this share in as many epochs

Rows32 = npt.NDArray[np.float32]


@dataclass(frozen=True)
class MlpSettings:
    """The settings of a training; `start` is a file of the same kind whose network it starts from."""

    label: str = "boards"
    hidden: tuple[int, ...] = HIDDEN
    rate: float = 1e-3
    batch_size: int = 200
    both_sides: bool = False
    split: str = "games"
    test_share: float = 0.2
    start: str | None = None
    seed: int = 0


class MlpLearner(Learner):
    """A step is an epoch of Adam; it ends once the loss has settled. `labelled` are labels of your own for the games.

    A network over moves looks one ply ahead. One over boards is an evaluation, too: its output says how good the board
    is for whoever moved last, and the score for the side to move is minus that, in units such that the share of wins is
    what the calibration says. Captures to come (`boards`) are those of one side, and there are few of them both where
    it is lost and where nothing is left to take: the score is then the difference between the sides.

    >>> import tempfile
    >>> from damier.lab import simulate
    >>> with tempfile.TemporaryDirectory() as run:
    ...     _ = simulate("rennes", games=200, seed=1, out=run)
    ...     learner = MlpLearner("rennes", [run])
    >>> sorted(learner.step(0))
    ['loss', 'r2', 'r2_train', 'rows']
    """

    method: ClassVar[str] = "mlp"
    extendable: ClassVar[bool] = True

    def __init__(
        self,
        game: str,
        sources: Where | Iterable[Where],
        *,
        steps: int = 500,
        settings: MlpSettings | None = None,
        labelled: Occurrences | None = None,
    ) -> None:
        settings = settings or MlpSettings()
        _check(settings)
        self.game, self.steps, self._settings = games.info(game).name, steps, settings
        blocks = Blocks(self.game, sources)
        self.settings = {**asdict(settings), "hidden": list(settings.hidden), "sources": blocks.names}
        self._bits = len(games.board(game).feature_names(FEATURES))
        inputs = self._bits * (2 if settings.label == "moves" else 1)
        self._net = _regressor(settings, inputs)
        self._parent = parent_of(settings.start)
        if settings.start:
            self._begin_with(settings.start)
        if labelled is None:
            labelled = label_games(self.game, blocks, settings.label, both_sides=settings.both_sides)
        else:
            self.settings = {**self.settings, "labels_sha256": labelled.digest()}
        self._digest = blocks.digest()
        train, test = labelled.split(settings.test_share, by=settings.split, seed=settings.seed)
        self._rows = len(train)
        self._inputs, self._labels = unpacked(train.rows, self._bits), train.values
        rng = np.random.default_rng([settings.seed, 2**32])
        self._seen, self._test = (part.some(rng.permutation(len(part))[:MEASURED]) for part in (train, test))
        self._best, self._stale = np.inf, 0

    def step(self, number: int) -> Metrics:
        self._net.set_params(random_state=np.random.RandomState([self._settings.seed % 2**32, number]))
        _fit(self._net, self._inputs, self._labels)
        loss = float(self._net.loss_)
        if loss < self._best * (1 - SETTLED):
            self._best, self._stale = loss, 0
        else:
            self._stale += 1
        measured = {"r2_train": self._r2(self._seen), "r2": self._r2(self._test)}
        return {"loss": loss, **measured, "rows": float(self._rows)}

    def is_done(self) -> bool:
        return self._stale >= PATIENCE

    def state(self) -> dict[str, Array]:
        found: dict[str, Array] = {"settling": np.array([self._best, self._stale, self._net._optimizer.t])}
        for name, arrays in self._tensors().items():
            found |= {f"{name}.{number}": array.astype(np.float64) for number, array in enumerate(arrays)}
        return found

    def restore(self, state: Mapping[str, Array]) -> None:
        for name, arrays in self._tensors().items():
            for number, array in enumerate(arrays):
                if state[f"{name}.{number}"].shape != array.shape:
                    raise ValueError(f"{name}.{number} has another shape, expected {list(array.shape)}")
                array[...] = state[f"{name}.{number}"]
        best, stale, updates = state["settling"].tolist()
        self._best, self._stale, self._net._optimizer.t = best, int(stale), int(updates)

    def learnt(self) -> Network | ScoringNetwork:
        layers = [
            Layer(weights.T, bias, "relu" if number < len(self._settings.hidden) else "linear")
            for number, (weights, bias) in enumerate(zip(self._net.coefs_, self._net.intercepts_, strict=True))
        ]
        if self._settings.label == "moves":
            return ScoringNetwork("moves", layers)
        outputs, is_counted = self._outputs(self._test), self._settings.label == "boards"
        if is_counted:
            outputs = outputs - self._predict(self._turned(self._test))
        slope, offset = _odds(outputs, self._test.shares)
        if not is_counted:
            layers[-1] = Layer(layers[-1].weights, np.asarray(layers[-1].bias) + offset, "linear")
        return Network(FEATURES, layers, "mlp", -SPREAD * slope, (0.0, SPREAD), both_sides=is_counted)

    def spec(self, path: str, nodes: int) -> str:
        return super().spec(path, nodes) if self._settings.label == "results" else f"learnt:{path}"

    def provenance(self) -> dict[str, str]:
        return {"data_sha256": self._digest, **self._parent}

    def _tensors(self) -> dict[str, list[Array]]:
        """Weights, biases and the state of Adam, to be read and written."""
        net = self._net
        return {
            "weights": net.coefs_,
            "biases": net.intercepts_,
            "means": net._optimizer.ms,
            "squares": net._optimizer.vs,
        }

    def _begin_with(self, path: str) -> None:
        """Take the weights of a learnt file, including the calibration in its last bias."""
        if self._settings.label == "moves":
            given = load_scorer(path, self.game)
            if not isinstance(given, ScoringNetwork):
                raise DamierError(f"{path}: holds neighbours, expected a network")
            start: Network | ScoringNetwork = given
        else:
            start = Network.load(path)
            games.board(self.game).evaluator(evaluation_path(path))  # refuses that of another game
        for weights, bias, layer in zip(self._net.coefs_, self._net.intercepts_, start.layers, strict=False):
            if np.shape(layer.weights) != weights.T.shape:
                raise DamierError(
                    f"{path}: expected a network with the layers {', '.join(map(str, self._settings.hidden))}"
                )
            weights[...], bias[...] = np.asarray(layer.weights).T, layer.bias

    def _turned(self, part: Labelled) -> Rows32:
        """The boards as the other side sees them."""
        seen = unpacked(part.rows, self._bits)
        turned = np.empty_like(seen)
        turned[:, games.board(self.game).turned_features(FEATURES)] = seen
        return turned

    def _outputs(self, part: Labelled) -> Rows32:
        return self._predict(unpacked(part.rows, self._bits))

    def _predict(self, inputs: Rows32) -> Rows32:
        return np.asarray(self._net.predict(inputs), np.float32)

    def _r2(self, part: Labelled) -> float:
        labels = part.values.astype(np.float64)
        return r2(float(((labels - self._outputs(part)) ** 2).mean()), float(labels.var()))


def need_regressor() -> type[MLPRegressor]:
    """scikit-learn's regressor, or an error that says what to install."""
    try:
        from sklearn.neural_network import MLPRegressor  # noqa: PLC0415  (slow to load, and not everybody has it)
    except ImportError:
        raise DamierError('scikit-learn is not installed; install it with: pip install "damier[learn]"') from None
    found: type[MLPRegressor] = MLPRegressor
    return found


def _regressor(settings: MlpSettings, inputs: int) -> MLPRegressor:
    """A regressor ready for partial fits: with random weights, and a fresh optimiser."""
    net = need_regressor()(
        hidden_layer_sizes=settings.hidden,
        learning_rate_init=settings.rate,
        batch_size=settings.batch_size,
        random_state=0,
    )
    warnings.filterwarnings("ignore", "Got `batch_size` less than 1", UserWarning)  # fewer rows than a batch has
    net.partial_fit(np.zeros((1, inputs), np.float32), np.zeros(1, np.float32))
    rng = np.random.default_rng([settings.seed, 2**34])
    for weights, bias in zip(net.coefs_, net.intercepts_, strict=True):
        bound = np.sqrt(6 / sum(weights.shape))  # Glorot's, as scikit-learn draws them
        weights[...] = rng.uniform(-bound, bound, weights.shape)
        bias[...] = rng.uniform(-bound, bound, bias.shape)
    for array in (*net._optimizer.ms, *net._optimizer.vs):
        array[...] = 0
    net._optimizer.t = 0
    return net


def _fit(net: MLPRegressor, inputs: Rows32, labels: Rows32) -> None:
    """An epoch; scikit-learn ends it early at Ctrl-C, and makes a warning of that."""
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "Training interrupted by user", UserWarning)
        try:
            net.partial_fit(inputs, labels)
        except UserWarning:
            raise KeyboardInterrupt from None


def _odds(outputs: Rows32, shares: Rows32) -> tuple[float, float]:
    """Slope s and offset o for which 1 / (1 + exp(-s * (output + o))) explains the share of wins best."""
    values, wanted = outputs.astype(np.float64), shares.astype(np.float64)
    centre, spread = float(values.mean()), float(values.std()) or 1.0
    values = (values - centre) / spread

    def loss(place: Array) -> tuple[float, Array]:
        logits = place[0] * values + place[1]
        errors = 1 / (1 + np.exp(-logits)) - wanted
        value = float((np.logaddexp(0.0, logits) - wanted * logits).mean())
        return value, np.array([(errors * values).mean(), errors.mean()])

    (slope, offset), _, _ = minimise(loss, np.array([1.0, 0.0]))
    slope = max(float(slope), 1e-3)  # before it has learnt anything: more is better
    return slope / spread, float(offset) * spread / slope - centre


def _check(settings: MlpSettings) -> None:
    if not settings.hidden:
        raise DamierError("there are no hidden layers, expected at least one")
    for size in settings.hidden:
        check_range("hidden", size, 1, 4096)
    check_range("rate", settings.rate, 1e-9, 10)
    check_range("batch size", settings.batch_size, 1, 10**6)
    check_range("test share", settings.test_share, 0.01, 0.9)
