"""OCAP, a chess engine of plain alpha-beta: how large its trees are, and its game against itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from damier import games, records, textbook
from damier.engine import Engine, Limit
from damier.files import JsonObject, write_atomically
from damier.records import GameRecord
from damier.reproduce import ocap_report
from damier.reproduce.frame import Reproduction, Result, Step, Work
from damier.reproduce.matches import play_match
from damier.reproduce.report import Report
from damier.textbook.export import as_dot

__all__ = ["Ocap", "OcapSettings"]

EVAL = "ocap"
PLAYER = f"alphabeta:eval={EVAL},ordering=none"
POSITIONS = {
    "start": None,
    "Italian Game": "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R b KQkq - 0 5",
    "Kiwipete": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "middlegame": "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "rook endgame": "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
}
MOST_DRAWN = 2_000  # nodes of a tree that is written as Graphviz text; larger ones are estimated
ERRORS = {"inaccuracies": 0.1, "mistakes": 0.2, "blunders": 0.3}  # of the expected points, lost by one move


@dataclass(frozen=True)
class OcapSettings:
    """Sizes: positions are searched to `depth`; the game has `time` seconds per move, judged at `judge_nodes`."""

    depth: int = 6
    positions: int = len(POSITIONS)
    time: float = 1.0
    judge_nodes: int = 100_000
    match_games: int = 20  # of our engine against it
    match_time: float = 0.05


class Ocap(Reproduction[OcapSettings]):
    """Plain alpha-beta with a tenth of a pawn per rank, at 1 s per move."""

    name, game = "ocap", "chess"
    usual = OcapSettings()
    quick = OcapSettings(depth=3, positions=3, time=0.05, judge_nodes=5_000, match_games=2, match_time=0.02)

    def steps(self) -> list[Step]:
        held = self.settings
        return [
            Step("trees", "nodes and tree sizes by depth", self._trees),
            Step("game", f"against itself at {held.time:g} s per move", self._game),
            Step("judged", "what our engine finds in that game", self._judged),
            Step("engine", f"against our engine at {held.match_time:g} s per move", self._match),
        ]

    def report(self, results: Mapping[str, Result]) -> Report:
        return ocap_report.report(results, self.settings)

    def _trees(self, work: Work) -> Result:
        """For each position and depth: nodes of plain alpha-beta and of the engine, and bytes of the tree's picture."""
        rows = []
        for name in [*POSITIONS][: self.settings.positions]:
            board = games.board(self.game, POSITIONS[name])
            for depth in range(1, self.settings.depth + 1):
                work.say(f"{name}, depth {depth}")
                plain = textbook.search(board, "alphabeta", depth=depth, eval=EVAL, ordering="none")
                rows.append(
                    {
                        "position": name,
                        "depth": depth,
                        "plain": plain.nodes,
                        "plain_seconds": plain.seconds,
                        "dot_bytes": _dot_bytes(board, depth) if plain.nodes <= MOST_DRAWN else None,
                        **_engine_nodes(board, depth),
                    }
                )
        return {"rows": rows}

    def _game(self, work: Work) -> Result:
        """Two games, since a match has pairs; only timing makes them differ. The report is about the first."""
        spec = f"{PLAYER},time={self.settings.time}"
        result = play_match(work, self.game, spec, spec, games=2, openings="random:0")
        played = work.folder / "games.pgn"
        first = next(iter(records.read(played)))
        write_atomically(work.folder.parent / "reproduce-ocap.pgn", records.text(first))
        game = GameRecord.from_game(first)
        depths = [depth for depth in game.depths if depth]
        return {
            "result": game.result,
            "reason": game.reason,
            "plies": game.plies,
            "moves": game.texts(),
            "depths": depths,
            "endings": result["endings"],
        }

    def _judged(self, work: Work) -> Result:
        """The expected points of White before each move and after the last, as our engine sees them."""
        board = games.board(self.game)
        expected: list[float] = []
        with Engine(self.game, hash=64) as engine:
            for ply, text in enumerate([*work.results["game"]["moves"], None]):
                work.say(f"ply {ply + 1} of {len(work.results['game']['moves']) + 1}")
                expected.append(_for_white(engine, board, self.settings.judge_nodes))
                if text is not None:
                    board.push(board.parse(text))
        lost = [
            (before - after) * (1 if ply % 2 == 0 else -1) for ply, (before, after) in enumerate(pairwise(expected))
        ]
        sides = {"White": lost[::2], "Black": lost[1::2]}
        return {
            "expected": expected,
            "errors": {
                side: {name: sum(least <= loss < _next(least) for loss in losses) for name, least in ERRORS.items()}
                for side, losses in sides.items()
            },
            "mean_loss": {
                side: sum(max(0.0, loss) for loss in losses) / max(len(losses), 1) for side, losses in sides.items()
            },
            "worst": max(range(len(lost)), key=lambda ply: lost[ply], default=0),
            "worst_loss": max(lost, default=0.0),
        }

    def _match(self, work: Work) -> Result:
        held = self.settings
        first, second = f"engine:time={held.match_time}", f"{PLAYER},time={held.match_time}"
        return play_match(work, self.game, first, second, games=held.match_games)


def _engine_nodes(board: games.Board, depth: int) -> JsonObject:
    """What the engine visits to the same depth, with the same evaluation and with its own."""
    found: JsonObject = {}
    for key, eval in (("engine_same", EVAL), ("engine", "classic")):
        with Engine(board.variant, eval=eval) as engine:
            result = engine.analyse(board, Limit(depth=depth))
        found |= {key: result.nodes, f"{key}_seconds": result.seconds}
    return found


def _dot_bytes(board: games.Board, depth: int) -> int:
    tree = textbook.trace(board, "alphabeta", depth=depth, cap=MOST_DRAWN, eval=EVAL, ordering="none")
    return len(as_dot(tree, MOST_DRAWN).encode())


def _for_white(engine: Engine, board: games.Board, nodes: int) -> float:
    """White's expected points, by the rules if the game is over."""
    if outcome := board.outcome(claim_draw=True):
        return {"1-0": 1.0, "0-1": 0.0}.get(outcome.result, 0.5)
    expected = engine.analyse(board, Limit(nodes=nodes)).score.expectation()
    return expected if board.turn.name == "WHITE" else 1 - expected


def _next(least: float) -> float:
    """Where the next worse kind of error begins."""
    return min((other for other in ERRORS.values() if other > least), default=2.0)
