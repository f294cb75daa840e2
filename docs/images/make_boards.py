"""Draw docs/images/boards.svg, the three boards of the README: `python docs/images/make_boards.py`."""

from __future__ import annotations

from pathlib import Path

import damier

SIZE, GAP = 400, 20
LOA = "b8-h8 a7-a1 g8-g6 h7-g7 g1-f2 a2-d2 f2-e3 a3-d3 f1-f3 g7-f7 h8-f6 a4-c2 f3-g2 h6-h1"
# Morphy at the opera, Paris 1858, up to 12.O-O-O.
CHESS = "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O"
DRAUGHTS = "W:W27,31,32,34,37,40,42,43,44,46,47,48,49,50:B1,4,5,6,8,9,10,11,12,13,16,19,21,29"


def boards() -> list[damier.Board]:
    """The positions shown, each after a move worth seeing."""
    loa, chess, draughts = (
        damier.loa.Board(),
        damier.chess.Board(),
        damier.draughts.Board(DRAUGHTS, variant="international"),
    )
    for text in LOA.split():
        loa.play(text)
    for text in CHESS.split():
        chess.play(text)
    draughts.play("34x3")
    return [loa, chess, draughts]


def side_by_side(boards: list[damier.Board]) -> str:
    """One picture of several boards."""
    width = len(boards) * (SIZE + GAP) - GAP
    shown = [
        board.svg(size=SIZE).replace("<svg ", f'<svg x="{i * (SIZE + GAP)}" ', 1) for i, board in enumerate(boards)
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {SIZE}" width="{width}" role="img">',
            "<title>Lines of Action, chess and international draughts</title>",
            *shown,
            "</svg>\n",
        ]
    )


if __name__ == "__main__":
    Path(__file__).with_name("boards.svg").write_text(side_by_side(boards()), encoding="utf-8")
