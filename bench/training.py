"""Speed of training networks on one core against PyTorch, measured in the same run: training.py [--write FILE].

Positions per second of CPU time: gradients and updates of AdamW in batches of 16,384, on random games. Runs alternate
and the best of each counts. PyTorch adds the rows of active inputs (EmbeddingBag), or multiplies by a matrix of zeros
and ones, whichever is faster, in parts that stay in the caches.
"""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from damier.games import board
from damier.lab import simulate
from damier.lab.blocks import Blocks
from damier.lab.nnue import NnueSettings
from damier.lab.nnue.gpu import Net
from damier.lab.nnue.net import NetShape
from damier.lab.nnue.samples import collect
from damier.lab.nnue.trainer import CpuTrainer, Examples
from page import print_page

ROUNDS, BATCH, BATCHES, PART = 3, 16_384, 6, 2048
NETS = [("loa", 64), ("loa", 128), ("international", 128), ("chess", 128), ("chess", 256)]


class RowsNet(Net):
    """The same network, which adds rows."""

    def __call__(self, vector: Any, inputs: Any, buckets: Any) -> Any:
        shape, n = self.shape, len(inputs)
        arrays = shape.cut(vector)
        weights = torch.nn.functional.pad(arrays["input_weights"].reshape(shape.inputs, -1), (0, 0, 0, 1))
        sums = torch.nn.functional.embedding_bag(inputs.reshape(2 * n, -1).int(), weights, mode="sum")
        active = (sums + arrays["input_bias"].reshape(-1)).clamp(0, 1).square().reshape(n, 2 * shape.hidden)
        outputs = torch.addmm(arrays["output_bias"][0], active, arrays["output_weights"][0].T)
        return outputs.gather(1, buckets.long()[:, None])[:, 0]


def examples_of(game: str, settings: NnueSettings) -> Examples:
    with tempfile.TemporaryDirectory() as folder:
        simulate(game, games=3000, seed=1, out=folder)
        samples = collect(game, Blocks(game, folder), settings, held_out=False)
    return Examples(samples.inputs, samples.buckets(game, 8), samples.targets(0.0, 150), samples.results)


def ours(shape: NetShape, examples: Examples, rows: np.ndarray[Any, Any]) -> None:
    trainer = CpuTrainer(shape, shape.random([[1]]), examples, examples, power=2, threads=1)
    trainer.train(list(rows), 0, 1000, 1e-3)


def theirs(kind: type[Net], shape: NetShape, examples: Examples, rows: np.ndarray[Any, Any]) -> None:
    net = kind(shape)
    weights = torch.nn.Parameter(torch.from_numpy(shape.random([[1]])))
    optimiser = torch.optim.AdamW([weights], lr=1e-3)
    inputs, buckets, targets = map(torch.from_numpy, (examples.inputs, examples.buckets, examples.targets))
    for batch in map(torch.from_numpy, rows):
        optimiser.zero_grad()
        for part in batch.split(PART):
            expected = torch.sigmoid(net(weights, inputs[part], buckets[part]))
            ((expected - targets[part]).square().sum() / len(batch)).backward()
        optimiser.step()


def seconds(work: Callable[[], None]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def page() -> Iterator[str]:
    yield "# Speed of training networks on a CPU"
    yield ""
    machine = f"{platform.machine()}, {os.cpu_count()} cores"
    yield f"Measured by `python bench/training.py` on {machine}, PyTorch {torch.__version__}."
    yield "Positions per second of CPU time on one core, gradients and updates, in batches of 16,384."
    yield ""
    yield "| game | network | damier | PyTorch | ratio |"
    yield "|---|---|---|---|---|"
    for game, hidden in NETS:
        examples = examples_of(game, NnueSettings(tactical=True, skip=0))
        shape = NetShape(len(board(game).nnue_inputs()), hidden, 8)
        rows = np.random.default_rng(1).integers(0, len(examples), (BATCHES, BATCH))
        given = shape, examples, rows
        works = (partial(ours, *given), partial(theirs, Net, *given), partial(theirs, RowsNet, *given))
        times = [min(each) for each in zip(*([seconds(work) for work in works] for _ in range(ROUNDS)), strict=True)]
        ours_speed, peer_speed = (rows.size / each for each in (times[0], min(times[1:])))
        net = f"({shape.inputs} -> {hidden}) x 2 -> 1"
        yield f"| {game} | {net} | {ours_speed:,.0f} | {peer_speed:,.0f} | {ours_speed / peer_speed:.1f}x |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path, help="also write the page to this Markdown file")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    print_page(page(), arguments.write)


if __name__ == "__main__":
    main()
