"""Weights as C++ text, as `classic` is compiled with them, and read back."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import numpy.typing as npt

from damier import games
from damier._core import DataError

__all__ = ["read_weights", "weights_header"]

PAIR = re.compile(r"\{\s*(-?\d+)\s*,\s*(-?\d+)\s*\}")


def weights_header(board: games.Board, weights: npt.NDArray[np.float64], *, origin: str = "Tuned on self-play") -> str:
    """The header that holds the weights of `classic`, group by group.

    >>> from damier import loa
    >>> board = loa.Board()
    >>> print(weights_header(board, board.weights(board.evaluator("classic"))).splitlines()[0])
    // The weights of `classic`: what each feature is worth at the start and at the end of a game, in hundredths
    """
    game = board.variant.partition(":")[0]
    family = games.info(board.variant).family
    lines = [
        "// The weights of `classic`: what each feature is worth at the start and at the end of a game, in hundredths",
        f"// of a man. {origin}: `damier learn classic {game}` writes this file.",
        "",
        "#pragma once",
        "",
        "#include <array>",
        "",
        '#include "damier/game/tapered.h"',
        "",
        f"namespace damier::{family} {{",
        "",
        "// clang-format off",
        f"inline constexpr std::array<Worth, {len(weights)}> Classic{game.capitalize()}{{{{",
    ]
    first = 0
    for name, size, row, _ in board.weight_groups(board.evaluator("classic")):
        lines.append(f"    // {name}")
        for at in range(first, first + size, row):
            pairs = weights[at : min(at + row, first + size)]
            lines.append("    " + " ".join(f"{{{round(start)}, {round(end)}}}," for start, end in pairs))
        first += size
    lines += ["}};", "// clang-format on", "", f"}}  // namespace damier::{family}", ""]
    return "\n".join(lines)


def read_weights(path: Path) -> npt.NDArray[np.float64]:
    """The weights that a header holds, a row a feature.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "w.h").write_text("{{ {1, 2}, {-3, 4}, }};")
    ...     read_weights(Path(folder) / "w.h").tolist()
    [[1.0, 2.0], [-3.0, 4.0]]
    """
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or 'no text'})") from None
    pairs = PAIR.findall(text)
    if not pairs:
        raise DataError(f"{path}: holds no pairs of weights such as {{12, 34}}")
    return np.array(pairs, np.float64)
