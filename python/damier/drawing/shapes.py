"""The pieces as SVG shapes, each in a box of 100 by 100, standing on the line y = 91.

Chess pieces but the knight are turned on a lathe: half a profile, from the bottom left to the top of the axis
x = 50, is mirrored. A profile is a path of M, L and C commands with absolute coordinates.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from damier._core import Side

__all__ = ["Ink", "gradients", "piece"]

# Fill from light to shade, outline, and the ink of the details inside.
Ink = Mapping[Side, tuple[str, str, str, str]]
INK: Ink = {
    Side.WHITE: ("#fffdf6", "#e4d3b0", "#33271c", "#6a5234"),
    Side.BLACK: ("#5d514a", "#1e1917", "#0d0a09", "#d9cbb6"),
}

FOOT = "M22,91 L22,87 C22,83.5 25,82 28.5,81"
PROFILES = {
    "pawn": "M26,91 L26,87 C26,83 29,82 32,80 C38.5,76 43.5,66 44.5,54 L39,53 C36,52 36,48 39,47 L43,45.5 "
    "C38.5,43 35,38.5 35,33 C35,25 41.5,18.5 50,18.5",
    "rook": FOOT + " C32.5,79 34.5,76 35,72 L37.5,46 C35.5,44 30.5,43 29.5,39.5 L29.5,20 L38.5,20 L38.5,26.5 L45,26.5 "
    "L45,20 L50,20",
    "bishop": FOOT + " C37,78 43,67 44,55.5 L37.5,54.5 C34.5,53.5 34.5,49.5 37.5,48.5 L41,47 C33,42.5 31,35.5 35,28.5 "
    "C38.5,22.5 44,19.5 47.5,16.5 C43.5,13.5 44.5,6.5 50,6.5",
    "queen": FOOT + " C36.5,78 42.5,66 43.5,50 L37,49 C34,48 34,44 37,43 L39.5,42 L28.5,21.5 L38,30 L40.5,17 L46.5,28 "
    "L50,14",
    "king": FOOT + " C36.5,78 42.5,66 43.5,50.5 L36.5,49.5 C33.5,48.5 33.5,44.5 36.5,43.5 L39.5,42.5 L32,26.5 "
    "C36,22 42,20.5 47.5,20 L47.5,15 L42.5,15 L42.5,9.5 L47.5,9.5 L47.5,4.5 L50,4.5",
}
KNIGHT = (
    "M25,91 L25,87 C25,83.5 28,82 31,81 C31,71 38,65 43,58 C45,55 46,52 46.5,49 C43,53 37,53 33,56.5 "
    "C29.5,60 27,62.5 23.5,60.5 C20,58.5 19,53.5 21.5,49.5 C25,44 29,37.5 30.5,32 C32,26.5 35.5,22.5 39.5,19.5 "
    "L40.5,10.5 C44,12.5 47,15.5 48.5,19 C61,21 70,32 72.5,48 C74.5,60 73,72 69,81 C72,82 75,83.5 75,87 L75,91 Z"
)
LINES = {
    "pawn": "M33,80.5 H67 M43.5,46 H56.5 M44.5,53.5 H55.5",
    "rook": "M29.5,81 H70.5 M35.5,72 H64.5 M38,46 H62 M31,36.5 H69",
    "bishop": "M29.5,81 H70.5 M41.5,48 H58.5 M44,55 H56 M55.5,24.5 L50,34.5",
    "queen": "M29.5,81 H70.5 M43.5,49.5 H56.5 M39.5,42.5 H60.5",
    "king": "M29.5,81 H70.5 M43.5,50 H56.5 M39.5,43 H60.5 M35,28.5 C42,25.5 58,25.5 65,28.5",
    "knight": "M31.5,81 H68.5 M46.5,49 C49.5,45 49.5,40.5 47.5,37 M22.5,57 L28,55 M52,24.5 C61,31 66,45 64.5,74",
}
DOTS = {
    "queen": ((28.5, 20.5, 3.3), (40.5, 15.5, 3.3), (50, 12.5, 3.6), (59.5, 15.5, 3.3), (71.5, 20.5, 3.3)),
}
EYES = {"knight": ((37, 33, 2.3), (24.3, 52, 1.4))}


def _turned(profile: str) -> str:
    """The whole outline of a lathed piece: its profile, then the same backwards with x mirrored."""
    steps = [
        (command, re.findall(r"[\d.]+,[\d.]+", points)) for command, points in re.findall("([MLC])([^MLC]*)", profile)
    ]
    ends = [points[-1] for _, points in steps]
    back = [
        command + " ".join(_mirrored(point) for point in [*reversed(points[:-1]), end])
        for (command, points), end in zip(reversed(steps[1:]), reversed(ends[:-1]), strict=True)
    ]
    return f"{profile} {' '.join(back)} Z"


def _mirrored(point: str) -> str:
    x, y = point.split(",")
    return f"{100 - float(x):g},{y}"


def gradients(side: Side, ink: Ink = INK) -> str:
    """The light on the pieces of a side: `turned` falls from the left, `flat` from above on discs."""
    light, shade, _, _ = ink[side]
    stops = f'<stop offset=".25" stop-color="{light}"/><stop offset="1" stop-color="{shade}"/>'
    name = side.name.lower()
    return (
        f'<linearGradient id="damier-{name}-turned" gradientUnits="userSpaceOnUse" x1="25" y1="20" x2="75" y2="34">'
        f"{stops}</linearGradient>"
        f'<radialGradient id="damier-{name}-flat" cx=".36" cy=".3" r=".85">{stops}</radialGradient>'
    )


def piece(side: Side, name: str, ink: Ink = INK) -> str:
    """The drawing of a piece: a chess piece, a `disc`, a draughts `man` or a `crowned` one."""
    if name in ("disc", "man", "crowned"):
        return _disc(side, name, ink)
    _, _, edge, detail = ink[side]
    outline = KNIGHT if name == "knight" else _turned(PROFILES[name])
    fill = f"url(#damier-{side.name.lower()}-turned)"
    dots = "".join(f'<circle cx="{x}" cy="{y}" r="{r}"/>' for x, y, r in DOTS.get(name, ()))
    eyes = "".join(f'<circle cx="{x}" cy="{y}" r="{r}" fill="{detail}"/>' for x, y, r in EYES.get(name, ()))
    return (
        f'<ellipse cx="51" cy="91" rx="{26 if name in ("pawn", "knight") else 30}" ry="4" opacity=".25"/>'
        f'<g fill="{fill}" stroke="{edge}" stroke-width="2.6" stroke-linejoin="round"><path d="{outline}"/>{dots}</g>'
        f'<path d="{LINES[name]}" fill="none" stroke="{detail}" stroke-width="2" stroke-linecap="round"/>{eyes}'
    )


def _disc(side: Side, name: str, ink: Ink) -> str:
    _, shade, edge, detail = ink[side]
    fill = f"url(#damier-{side.name.lower()}-flat)"
    rim = f'stroke="{edge}" stroke-width="2"'

    def draught(y: float) -> str:
        return (
            f'<path d="M13.5,{y} v6 a36.5,35 0 0 0 73,0 v-6" fill="{shade}" {rim}/>'
            f'<ellipse cx="50" cy="{y}" rx="36.5" ry="35" fill="{fill}" {rim}/>'
        )

    def ring(y: float, r: float) -> str:
        return (
            f'<ellipse cx="50" cy="{y}" rx="{r}" ry="{r * 0.95:g}" fill="none" stroke="{detail}" '
            'stroke-width="1.6" opacity=".55"/>'
        )

    shadow = '<ellipse cx="53" cy="57" rx="37.5" ry="36" opacity=".25"/>'
    if name == "disc":
        return shadow + draught(48) + ring(48, 28)
    if name == "man":
        return shadow + draught(48) + ring(48, 31) + ring(48, 24) + ring(48, 10)
    crown = "M32,54 L28.5,30 L40,40 L50,24 L60,40 L71.5,30 L68,54 Z"
    return (
        shadow
        + draught(52)
        + draught(43)
        + (
            ring(43, 31)
            + f'<path d="{crown}" fill="#f2b632" stroke="#4a3308" stroke-width="2" stroke-linejoin="round"/>'
        )
    )
