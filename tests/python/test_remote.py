"""Whole games with external engines: our own through UCI and Hub, and other people's."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from common import ROOT, walk

import damier
from damier import DamierError, Limit, Side, chess, draughts
from damier.engine import PlayerError, SearchResult
from damier.games import Board
from damier.protocols import HubEngine, RemoteEngine, UciEngine, XboardEngine
from damier.protocols.hub.text import format_levels
from damier.protocols.lines import LONGEST_LINE, LineBuffer
from damier.protocols.uci.text import format_go, parse_info

UCI, HUB = (f"{sys.executable} -m damier {protocol}" for protocol in ("uci", "hub"))
CLOCK = Limit(white_clock=0.5, black_clock=0.5, white_inc=0.01, black_inc=0.01)
LIMITS = [
    Limit(nodes=300),
    Limit(depth=2),
    Limit(time=0.01),
    CLOCK,
    Limit(white_clock=0.5, black_clock=0.5, moves_to_go=9),
]
PATIENCE = 60.0  # seconds to start, however busy the machine
PLIES = 40
START_960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"


def played(engine: RemoteEngine, board: Board, limits: list[Limit], *, plies: int = PLIES) -> Board:
    """The board after a game of the engine against itself, in which every move is taken."""
    engine.new_game(board)
    for ply in range(plies):
        if board.outcome(claim_draw=True):
            break
        board.push(engine.play(board, limits[ply % len(limits)], margin=2).move)  # type: ignore[arg-type]
    return board


def installed(name: str) -> str:
    path = shutil.which(name) or shutil.which(name, path="/usr/games")
    if path is None:
        pytest.skip(f"{name} is not installed")
    return path


@pytest.mark.parametrize("game", ["chess", "chess960", "loa", "loa6:olympiad", "international", "russian"])
def test_our_engine_through_uci(game: str) -> None:
    with UciEngine(game, UCI, options={"Hash": 4}, patience=PATIENCE) as engine:
        assert engine.name.startswith("damier ")
        played(engine, damier.board(game, START_960 if game == "chess960" else None), LIMITS)
        *_, board = walk(damier.board(game), 3, plies=12)  # another game, already under way
        assert engine.play(board, Limit(depth=2)).move in board.legal_moves


@pytest.mark.parametrize("game", ["international", "frisian", "russian", "english"])
def test_our_engine_through_hub(game: str) -> None:
    with HubEngine(game, HUB, options={"hash": 4, "threads": 1}, patience=PATIENCE) as engine:
        assert engine.name.startswith("damier ")
        played(engine, damier.board(game), LIMITS)
        *_, board = walk(damier.board(game), 3, plies=12)
        thought = engine.play(board, Limit(depth=3))
        assert thought.move in board.legal_moves
        assert thought.score is not None
        assert (thought.depth, thought.nodes > 0) == (3, True)


def test_the_game_on_the_page_word_for_word() -> None:
    """Our side of it; the engine is a script that ends at the first line that is not as printed."""
    page, script = ROOT / "docs" / "protocols.md", Path(__file__).with_name("scripted_engine.py")
    board = damier.board("loa")
    with UciEngine(
        "loa", f"{sys.executable} {script} {page} Connecto", options={"Hash": 64}, patience=PATIENCE
    ) as engine:
        assert engine.name == "Connecto 1.2"
        engine.new_game(board)
        first = engine.play(board, Limit(white_clock=60, black_clock=60, white_inc=0.6, black_inc=0.6))
        assert (board.text(first.move), str(first.score), first.depth, first.nodes) == ("d1-d3", "+0.12", 6, 48211)
        for move in ("d1-d3", "a4-c4"):
            board.push(board.parse(move))
        second = engine.play(board, Limit(white_clock=58, black_clock=60.29, white_inc=0.6, black_inc=0.6))
        assert (board.text(second.move), str(second.score)) == ("b1-b3", "#3")


def test_stockfish() -> None:
    command = installed("stockfish")
    with UciEngine("chess", command, options={"hash": 4, "Threads": 1, "UCI_ShowWDL": True}) as engine:
        played(engine, chess.Board(), LIMITS)
        mate = engine.play(chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"), Limit(depth=6))
        assert (str(mate.move), str(mate.score)) == ("a1a8", "#1")
    with UciEngine("chess960", command) as engine:
        played(engine, chess.Board(START_960, chess960=True), [Limit(nodes=300)])
    with pytest.raises(PlayerError, match=r"refusal: Stockfish .* does not play loa"):
        UciEngine("loa", command)


def test_gnu_chess() -> None:
    with UciEngine("chess", f"{installed('gnuchess')} --uci", options={"OwnBook": False}) as engine:
        try:
            played(engine, chess.Board(), [Limit(time=0.01), Limit(depth=2), Limit(nodes=2000)])
        except PlayerError as error:
            if error.kind != "crash":  # it aborts now and then, which is its own affair
                raise


@pytest.mark.parametrize("limit", [Limit(depth=2), *LIMITS[3:]], ids=["depth", "clock", "moves to go"])
def test_gnu_chess_by_xboard(limit: Limit) -> None:
    for attempt in range(6):
        try:
            with XboardEngine("chess", f"{installed('gnuchess')} --xboard") as engine:
                assert played(engine, chess.Board(), [limit], plies=20).ply == 20
                board = chess.Board("4k3/P7/8/8/8/8/8/4K2R w K - 0 1")
                assert played(engine, board, [Limit(depth=4)]).outcome().reason == "checkmate"  # type: ignore[union-attr]
                return
        except PlayerError as error:  # it loses lines of its input, one start in ten: its two threads race
            if error.kind == "illegal move" or attempt == 5:
                raise


def test_phalanx(tmp_path: Path) -> None:
    command = f"{installed('phalanx')} -b- -l- -t4000 -p-"
    with XboardEngine("chess", command, directory=str(tmp_path)) as engine:
        assert engine.name.startswith("Phalanx")
        for limit in (Limit(time=0.02), Limit(depth=3), Limit(nodes=2000), *LIMITS[3:]):
            played(engine, chess.Board(), [limit], plies=12)
        board = chess.Board("4k3/P7/8/8/8/8/8/4K2R w K - 0 1")
        assert played(engine, board, [Limit(time=0.02)]).ply > 0
    with pytest.raises(PlayerError, match=r"refusal: Phalanx .* does not play chess960"):
        XboardEngine("chess960", command)
    with pytest.raises(PlayerError, match=r"refusal: Phalanx .* has no option 'Nonsense'"):
        XboardEngine("chess", command, options={"memory": 4, "Nonsense": 1})


def test_protocols_know_their_games() -> None:
    for make, game in ((HubEngine, "chess"), (XboardEngine, "loa"), (XboardEngine, "international")):
        with pytest.raises(DamierError, match=r"refusal: .* engines do not play"):
            make(game, "cat")


def test_limits_are_written() -> None:
    assert format_go(Limit(white_clock=-1, black_clock=0.0004, moves_to_go=3)) == "go wtime 1 btime 1 movestogo 3"
    assert format_go(Limit(nodes=5, time=0.25)) == "go movetime 250 nodes 5"
    assert format_go(Limit(infinite=True)) == "go infinite"
    assert format_levels(Limit(black_clock=0.2, black_inc=0.5), Side.BLACK) == ["level time=0.0 inc=0.2"]
    assert format_levels(Limit(white_clock=9, moves_to_go=4), Side.WHITE) == ["level moves=4 time=9.0"]
    assert format_levels(Limit(infinite=True), Side.WHITE) == ["level infinite"]


@pytest.mark.parametrize(
    ("line", "score", "depth", "nodes"),
    [
        ("depth 5 score cp 20 wdl 100 800 100 nodes 7 pv e2e4", "+0.20", 5, 7),
        ("depth 5 score cp 20 upperbound wdl 100 800 100 nodes 7", "+0.20", 5, 7),
        ("depth 5 score mate 0 nodes 7", "#-0", 5, 7),
        ("depth 5 score mate 99999", "#200", 5, 0),
        ("depth 5 score cp 99999999", "+315.99", 5, 0),
        ("depth x score cp y nodes z", "None", 0, 0),
        ("string score cp 20 depth 5 nodes 7", "None", 0, 0),
        ("depth 5 multipv 2 score cp 20 nodes 7", "None", 0, 0),
        ("pv score cp 20", "None", 0, 0),
    ],
)
def test_infos_are_read(line: str, score: str, depth: int, nodes: int) -> None:
    info = parse_info(line, SearchResult(None))
    assert (str(info.score) if info.has_score else "None", info.depth, info.nodes) == (score, depth, nodes)


def test_lines_come_whole_however_they_are_cut() -> None:
    text = b"\n".join([b"uciok", b"", b"\xff\xfe", b"x" * (3 * LONGEST_LINE), b"readyok\r", b"end"])
    for size in (7, 4096, LONGEST_LINE):
        lines = LineBuffer()
        for at in range(0, len(text), size):
            lines.add(text[at : at + size])
        taken = list(iter(lines.take, None))
        assert [line[:8] for line in taken] == ["uciok", "", "\ufffd\ufffd", "xxxxxxxx", "readyok"]
        assert len(taken[3]) == LONGEST_LINE
        assert (lines.rest(), lines.rest(), lines.size) == ("end", None, 0)


def test_draughts_boards_of_the_game_only() -> None:
    with (
        HubEngine("frisian", HUB, patience=PATIENCE) as engine,
        pytest.raises(DamierError, match="was started for frisian"),
    ):
        engine.play(draughts.Board(variant="international"), Limit(depth=1))
