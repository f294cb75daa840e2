"""A network that says which moves look good and who is winning: made, evaluated, saved and loaded."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from damier import games
from damier._core import DamierError
from damier.batch import BoardBatch
from damier.weights import Array, Weights, read_weights

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

    from damier.puct.layers import PlayingNet

__all__ = ["KIND", "PolicyValue", "Shape", "import_torch"]

KIND = "policy-value"
FEATURES = "planes"  # of BoardBatch, seen by the side to move


@dataclass(frozen=True)
class Shape:
    """The size of a network: what it sees (planes of rows by columns), its actions, and how large it is inside.

    >>> Shape.of("loa5", channels=32, blocks=3)
    Shape(planes=5, rows=5, columns=5, actions=321, channels=32, blocks=3)
    """

    planes: int
    rows: int
    columns: int
    actions: int
    channels: int
    blocks: int

    @classmethod
    def of(cls, game: str, *, channels: int, blocks: int) -> Shape:
        batch = BoardBatch(game, 1)
        _, planes, rows, columns = batch.planes().shape
        return cls(planes, rows, columns, batch.action_count, channels, blocks)


class PolicyValue:
    """A policy and value network for a game; `device` is cpu, cuda, or auto for cuda where there is one.

    >>> net = PolicyValue.new("loa5", channels=8, blocks=1)
    >>> logits, values = net.evaluate(BoardBatch("loa5", 2).planes())
    >>> logits.shape, values.tolist()
    ((2, 321), [0.0, 0.0])
    """

    def __init__(self, game: str, shape: Shape, module: Module, device: str = "cpu") -> None:
        self.game, self.shape, self.module = game, shape, module
        self.device = chosen_device(device)
        self._playing: PlayingNet | None = None  # a copy made for playing, when first asked

    @classmethod
    def new(cls, game: str, *, channels: int, blocks: int, seed: int = 0, device: str = "cpu") -> PolicyValue:
        """An untrained network."""
        torch, shape = import_torch(), Shape.of(game, channels=channels, blocks=blocks)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            module = _module(game, shape)
        module = module.to(chosen_device(device), memory_format=torch.channels_last)
        return cls(games.info(game).name, shape, module, device)

    def evaluate(self, planes: Array) -> tuple[Array, Array]:
        """A logit per action and a value for each position."""
        torch = import_torch()
        if self._playing is None:
            self._playing = self._made_to_play(torch)
        with torch.inference_mode():
            given = torch.from_numpy(planes if planes.flags.writeable else planes.copy())
            if self.device == "cpu":
                logits, values = self._playing(given)
                return logits.numpy(), values.numpy()
            logits, values = self._playing(given.to(self.device, torch.bfloat16))
            said = [_pinned(torch, part) for part in (logits, values)]
            torch.cuda.current_stream().synchronize()
            return said[0].numpy(), said[1].numpy()

    def changed(self) -> None:
        """Tell that the weights have changed."""
        self._playing = None

    def _made_to_play(self, torch: ModuleType) -> PlayingNet:
        from damier.puct.layers import PlayingNet  # noqa: PLC0415

        return PlayingNet(self.module, torch.bfloat16 if self.device == "cuda" else torch.float32)

    def copy(self) -> PolicyValue:
        """Another network with the same weights."""
        other = PolicyValue.new(self.game, channels=self.shape.channels, blocks=self.shape.blocks, device=self.device)
        other.set_tensors(self.tensors())
        return other

    # Weights

    def tensors(self) -> dict[str, Array]:
        """A copy of all weights, by name."""
        held = self.module.state_dict().items()
        return {name: tensor.cpu().numpy().copy() for name, tensor in held if tensor.is_floating_point()}

    def set_tensors(self, tensors: Mapping[str, Array]) -> None:
        """Set all weights; ValueError if they are of another network."""
        torch = import_torch()
        _check_shapes(self.module, tensors)
        new = {name: torch.from_numpy(np.array(array, np.float32)) for name, array in tensors.items()}
        self.module.load_state_dict(new, strict=False)
        self.changed()

    def save(self, path: str | os.PathLike[str], game: str, *, provenance: Mapping[str, str] | None = None) -> None:
        """Write the network as a file (.safetensors); provenance says how it was made."""
        size = {"channels": str(self.shape.channels), "blocks": str(self.shape.blocks)}
        Weights(game, KIND, FEATURES, self.tensors(), {**(provenance or {}), **size}).save(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, device: str = "cpu") -> PolicyValue:
        """Read what `save` wrote.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     PolicyValue.new("loa5", channels=8, blocks=1).save(f"{folder}/net.safetensors", "loa5")
        ...     PolicyValue.load(f"{folder}/net.safetensors").game
        'loa5'
        """
        file = read_weights(path, KIND)
        device = chosen_device(device)  # whatever is wrong with it is no fault of the file
        try:
            channels, blocks = (_size(file.metadata[key]) for key in ("channels", "blocks"))
            with import_torch().device("meta"):  # without numbers: a size that is not true could fill the memory
                _check_shapes(_module(file.game, Shape.of(file.game, channels=channels, blocks=blocks)), file.tensors)
            made = cls.new(file.game, channels=channels, blocks=blocks, device=device)
            made.set_tensors(file.tensors)
        except (KeyError, ValueError) as error:
            raise DamierError(f"{path}: is not a network for {file.game} ({error})") from None
        return made


def _module(game: str, shape: Shape) -> Module:
    from damier.puct.layers import ResidualNet  # noqa: PLC0415  (needs torch)

    return ResidualNet(_squares(game, shape.columns), **asdict(shape))


def _check_shapes(module: Module, tensors: Mapping[str, Array]) -> None:
    held = module.state_dict().items()
    wanted = {name: tuple(tensor.shape) for name, tensor in held if tensor.is_floating_point()}
    if wanted != {name: array.shape for name, array in tensors.items()}:
        raise ValueError("its weights are those of a network of another size")


def import_torch() -> ModuleType:
    """The package, or an error that says how to install it."""
    try:
        return importlib.import_module("torch")  # large, and optional
    except ImportError:
        raise DamierError('torch is not installed; install it with: pip install "damier[train]"') from None


def chosen_device(device: str) -> str:
    """The device that a name stands for.

    >>> chosen_device("cpu")
    'cpu'
    """
    if device not in ("auto", "cpu", "cuda"):
        raise DamierError(f"device is {device!r}, expected auto, cpu or cuda")
    if device == "cpu":
        return device
    has_one = import_torch().cuda.is_available()
    if device == "cuda" and not has_one:
        raise DamierError("device is cuda, but torch finds no such device here; expected cpu or auto")
    return "cuda" if has_one else "cpu"


def _pinned(torch: ModuleType, part: Tensor) -> Tensor:
    """A copy to pinned memory, in progress; that is several times as fast."""
    return torch.empty(part.shape, pin_memory=True).copy_(part.float(), non_blocking=True)


def _squares(game: str, columns: int) -> list[int]:
    """The squares that are played on, counted row by row."""
    return [rank * columns + file for _, file, rank in games.board(game).squares]


def _size(text: str) -> int:
    size = int(text)
    if not 1 <= size <= 1024:
        raise ValueError(f"a size of {size}")
    return size
