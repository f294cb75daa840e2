"""The pieces as SVG shapes, each in a box of 100 by 100, standing on the line y = 91.

Chess pieces but the knight are turned on a lathe: half a profile, from the bottom left to the top of the axis
x = 50, is mirrored. A profile is a path of M, L and C commands with absolute coordinates.
"""

from __future__ import annotations

import re

from damier._core import Side

__all__ = ["gradients", "piece"]

# Fill from light to shade, outline, and the ink of the details inside.
INK = {
    Side.WHITE: ("#fffdf6", "#e4d3b0", "#33271c", "#6a5234"),
    Side.BLACK: ("#5d514a", "#1e1917", "#0d0a09", "#d9cbb6"),
}

FOOT = "M24,91 L24,87 C24,83.5 27,82 30,81"
PROFILES = {
    "pawn": "M27,91 L27,87 C27,83 30,82 33,80 C39,76 44,66 45,53 L39.5,52 C37,51 37,47.5 39.5,46.5 L43.5,45 "
    "C39.5,42.5 36.5,38.5 36.5,33.5 C36.5,26 42.5,20 50,20",
    "rook": FOOT + " C33.5,79 35,76 35.5,72 L38,45 C36,43.5 32,42.5 31,39.5 L31,22 L39.5,22 L39.5,28 L45.5,28 "
    "L45.5,22 L50,22",
    "bishop": FOOT + " C38,78 43.5,67 44.5,54 L38.5,53 C36,52 36,48.5 38.5,47.5 L42,46 C35,42 33,35.5 36.5,29 "
    "C39.5,23.5 44.5,20.5 48,17.5 C44.5,15 45,8.5 50,8.5",
    "queen": FOOT + " C37,78 43,66 44,48 L38,47 C35.5,46 35.5,42.5 38,41.5 L40.5,40.5 L31,21 L39.5,28.5 L42.5,16.5 "
    "L47.5,27 L50,14",
    "king": FOOT + " C37,78 43,66 44,49 L37.5,48 C35,47 35,43.5 37.5,42.5 L40.5,41.5 L35,26.5 C38,22.5 43,21 48,20.5 "
    "L48,15.5 L43.5,15.5 L43.5,10.5 L48,10.5 L48,6 L50,6",
}
KNIGHT = (
    "M25,91 L25,87 C25,83.5 28,82 31,81 C31,71 38,65 43,58 C45,55 46,52 46.5,49 C43,53 37,53 33,56.5 "
    "C29.5,60 27,62.5 23.5,60.5 C20,58.5 19,53.5 21.5,49.5 C25,44 29,37.5 30.5,32 C32,26.5 35.5,22.5 39.5,19.5 "
    "L40.5,10.5 C44,12.5 47,15.5 48.5,19 C61,21 70,32 72.5,48 C74.5,60 73,72 69,81 C72,82 75,83.5 75,87 L75,91 Z"
)
LINES = {
    "pawn": "M34,80 H66 M43.5,46 H56.5",
    "rook": "M31,81 H69 M36,72 H64 M38,45.5 H62 M32,37 H68",
    "bishop": "M31,81 H69 M42,47 H58 M44,53.5 H56 M54.5,25 L50,33.5",
    "queen": "M31,81 H69 M44,47.5 H56 M40.5,41 H59.5",
    "king": "M31,81 H69 M44,48.5 H56 M40.5,42 H59.5",
    "knight": "M31.5,81 H68.5 M46.5,49 C49.5,45 49.5,40.5 47.5,37 M22.5,57 L28,55 M52,24.5 C61,31 66,45 64.5,74",
}
DOTS = {
    "queen": ((31, 20, 3.4), (42.5, 15.5, 3.4), (50, 12.5, 3.6), (57.5, 15.5, 3.4), (69, 20, 3.4)),
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


def gradients(side: Side) -> str:
    """The light on the pieces of a side: `turned` falls from the left, `flat` from above on discs."""
    light, shade, _, _ = INK[side]
    stops = f'<stop offset=".25" stop-color="{light}"/><stop offset="1" stop-color="{shade}"/>'
    name = side.name.lower()
    return (
        f'<linearGradient id="damier-{name}-turned" gradientUnits="userSpaceOnUse" x1="25" y1="20" x2="75" y2="34">'
        f"{stops}</linearGradient>"
        f'<radialGradient id="damier-{name}-flat" cx=".36" cy=".3" r=".85">{stops}</radialGradient>'
    )


def piece(side: Side, name: str) -> str:
    """The drawing of a piece: a chess piece, a `disc`, a draughts `man` or a `crowned` one."""
    if name in ("disc", "man", "crowned"):
        return _disc(side, name)
    _, _, edge, detail = INK[side]
    outline = KNIGHT if name == "knight" else _turned(PROFILES[name])
    fill = f"url(#damier-{side.name.lower()}-turned)"
    dots = "".join(f'<circle cx="{x}" cy="{y}" r="{r}"/>' for x, y, r in DOTS.get(name, ()))
    eyes = "".join(f'<circle cx="{x}" cy="{y}" r="{r}" fill="{detail}"/>' for x, y, r in EYES.get(name, ()))
    return (
        '<ellipse cx="52" cy="91" rx="29" ry="4" opacity=".25"/>'
        f'<g fill="{fill}" stroke="{edge}" stroke-width="2.6" stroke-linejoin="round"><path d="{outline}"/>{dots}</g>'
        f'<path d="{LINES[name]}" fill="none" stroke="{detail}" stroke-width="2" stroke-linecap="round"/>{eyes}'
    )


def _disc(side: Side, name: str) -> str:
    _, shade, edge, detail = INK[side]
    fill = f"url(#damier-{side.name.lower()}-flat)"
    rim = f'stroke="{edge}" stroke-width="2"'

    def draught(y: float) -> str:
        return (
            f'<path d="M12,{y} v6 a38,36 0 0 0 76,0 v-6" fill="{shade}" {rim}/>'
            f'<ellipse cx="50" cy="{y}" rx="38" ry="36" fill="{fill}" {rim}/>'
        )

    def ring(y: float, r: float) -> str:
        return (
            f'<ellipse cx="50" cy="{y}" rx="{r}" ry="{r * 0.95:g}" fill="none" stroke="{detail}" '
            'stroke-width="1.6" opacity=".55"/>'
        )

    shadow = '<ellipse cx="53" cy="57" rx="39" ry="37" opacity=".25"/>'
    if name == "disc":
        return shadow + draught(47) + ring(47, 28)
    if name == "man":
        return shadow + draught(47) + ring(47, 31) + ring(47, 24) + ring(47, 10)
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
