"""Records: the tree, the files people exchange, and what is asked of reading and writing them.

Golden files come in pairs: `x.pgn` as people write, `x.written.pgn` as we write it. After a wanted change,
`python tests/python/test_records.py` writes the second ones anew.
"""

from __future__ import annotations

import copy
import gzip
import io
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import damier
from damier import records
from damier.records import Game, Node, RecordError

GOLDEN = Path(__file__).parents[1] / "golden" / "records"
PAIRS = ["everything.pgn", "international.pdn", "russian.pdn", "english.pdn", "lines.sgf"]


def written_name(name: str) -> Path:
    path = GOLDEN / name
    return path.with_name(f"{path.stem}.written{path.suffix}")


def written(name: str) -> str:
    stream = io.StringIO()
    records.write(records.read(GOLDEN / name), stream)
    return stream.getvalue()


@pytest.mark.parametrize("name", PAIRS)
def test_golden(name: str) -> None:
    expected = written_name(name)
    assert written(name) == expected.read_text(encoding="utf-8")
    assert list(records.read(expected)) == list(records.read(GOLDEN / name))
    assert all(len(line) < 80 for line in expected.read_text(encoding="utf-8").splitlines() if line[:1] != "[")


def test_pgn_tree() -> None:
    game, fischer, study = records.read(GOLDEN / "everything.pgn")
    assert game.headers["Event"] == 'Club "B" championship'
    assert game.root.comment == "A short game."
    bishop = list(game.mainline())[4]
    assert (str(bishop.move), bishop.nags) == ("f1c4", (1,))
    assert bishop.comment == "The Italian game, which is so old that nobody knows who played it first."
    assert [str(node.move) for node in bishop.variations] == ["d7d6", "f8c5", "f8e7"]
    assert bishop.variations[2].before == "Or, to be solid,"
    evans = bishop.variations[1].variations[1]
    assert (str(evans.move), evans.nags, evans.comment) == ("b2b4", (5,), "the gambit of Captain Evans")
    assert (fischer.variant, fischer.result) == ("chess960", "1/2-1/2")
    assert (study.fen, study.result) == ("8/8/8/4k3/8/8/4P3/4K3 b - - 3 17", "*")


def test_pdn_tells_ambiguous_captures_apart() -> None:
    game = next(records.read(GOLDEN / "international.pdn"))
    before = list(game.mainline())[-2]
    taken = [node.move.captured for node in before.variations]  # type: ignore[union-attr]
    assert len(taken) == 2
    assert sorted(taken[0]) != sorted(taken[1])
    assert game.result == "0-1"


def test_pdn_results_part_games_without_tags() -> None:
    games = list(records.read(GOLDEN / "english.pdn"))
    assert [(game.variant, game.result) for game in games] == [
        ("english", "1/2-1/2"),
        ("english", "1-0"),
        ("english", "*"),
    ]


@pytest.mark.parametrize(
    ("text", "variant"),
    [
        ("1. 9-14 *", "english"),
        ("1. 32-28 *", "international"),
        ("1. c3-d4 *", "russian"),
        ('[GameType "26"] 1. c3-d4 *', "brazilian"),
        ('[GameType "22,W,8,8,N2,1"] 1. 23-20 *', "italian"),
        ('[Variant "rennes"] 1. 22-17 *', "rennes"),
        ('[FEN "W:W50:B1"] 1. 50-44 *', "international"),
    ],
)
def test_pdn_variant(text: str, variant: str) -> None:
    assert next(records.parse(text, "pdn")).variant == variant


def test_pdn_game_types() -> None:
    """As https://pdn.fmjd.org/gametype.html lists them; ours are made from the boards."""
    written = {variant: records.text(Game(variant)).split('"')[3] for variant in damier.draughts.GAME_TYPES}
    assert written == {
        "international": "20,W,10,10,N2,0",
        "english": "21,B,8,8,N1,0",
        "italian": "22,W,8,8,N2,1",
        "pool": "23,B,8,8,N1,0",
        "spanish": "24,W,8,8,N1,1",
        "russian": "25,W,8,8,A0,0",
        "brazilian": "26,W,8,8,A0,0",
        "czech": "29,W,8,8,A0,0",
        "turkish": "30,W,8,8,A0,0",
        "frisian": "40,W,10,10,N2,0",
    }


@pytest.mark.parametrize(
    ("result", "meaning"),
    [("2-0", "1-0"), ("1-1", "1/2-1/2"), ("0-2", "0-1"), ("0-0", "0-0"), ("1-0", "1-0"), ("1/2-1/2", "1/2-1/2")],
)
def test_pdn_results(result: str, meaning: str) -> None:
    assert next(records.parse(f"1. 32-28 {result}", "pdn")).result == meaning


def test_pdn_move_that_looks_like_a_result() -> None:
    game = next(records.parse('[FEN "B:W50:BK1"] [GameType "20"] 1... 1-18 2. 50-45 18-1 1-1', "pdn"))
    assert len(list(game.mainline())) == 3
    assert next(records.parse('[FEN "B:W50:BK1,K5"] [GameType "20"] 1... 1-12 0-2', "pdn")).end().move is not None


def test_sgf_tree() -> None:
    first, second = records.read(GOLDEN / "lines.sgf")
    assert (first.variant, first.result, first.headers["RE"]) == ("loa:olympiad", "0-1", "B+R")
    assert first.headers["White"] == "Bob [2nd]"
    assert first.root.properties == {"KM": ["unknown here"]}
    reply = list(first.mainline())[1]
    assert (reply.nags, reply.comment) == ((1,), "Solid: it looks\nat the centre.")
    assert [node.nags for node in reply.variations] == [(4,), ()]
    assert reply.variations[1].comment == "A capture \\ with x."
    assert reply.variations[1].variations[1].properties == {"LB": ["f1:here"]}
    assert (second.variant, second.fen) == ("loa5", "3o1/o2o1/5/1x3/x2x1 o")


@pytest.mark.parametrize("move", ["b1-b3", "b1b3", "b1:b3", "b1xb3", "B1-B3", "b1 - b3", "b1-b3!", "b1-b3++"])
def test_sgf_moves(move: str) -> None:
    assert str(next(records.parse(f"(;GM[9];B[{move}])", "sgf")).end().move) == "b1-b3"


@pytest.mark.parametrize(
    ("setup", "fen"),
    [
        ("PL[W]", "1xxx1/o3o/o3o/o3o/1xxx1 o"),
        ("AE[b1]", "1xxx1/o3o/o3o/o3o/2xx1 x"),
        ("AE[B1][a2:a3]", "1xxx1/o3o/4o/4o/2xx1 x"),
        ("AE[b1]AB[c3]PL[W]", "1xxx1/o3o/o1x1o/o3o/2xx1 o"),
        ("AE[a1:e5]AB[a1]AW[e5]", "4o/5/5/5/x4 x"),
        ("AB[a1]AW[e5]", "4o/5/5/5/x4 x"),
        ("SU[Custom]AE[c3]AB[a1]AW[e5]", "4o/5/5/5/x4 x"),
    ],
)
def test_sgf_setups(setup: str, fen: str) -> None:
    game = next(records.parse(f"(;GM[9]SZ[5]{setup})", "sgf"))
    assert game.board().fen() == fen
    assert next(records.parse(records.text(game), "sgf")) == game


@pytest.mark.parametrize(
    ("player", "letter"), [(p, "x") for p in ("B", "b", "Black", "1")] + [(p, "o") for p in ("W", " w ", "white", "2")]
)
def test_sgf_player_to_move(player: str, letter: str) -> None:
    assert next(records.parse(f"(;GM[9]PL[{player}])", "sgf")).board().fen().split()[1] == letter


def test_sgf_first_node_alone_sets_up() -> None:
    game = next(records.parse("(;GM[9]PB[Anne];SU[Parachute]SZ[5]PB[Bob]XY[z]C[so];B[b1-b3])", "sgf"))
    assert (game.variant, game.headers, game.root.properties) == ("loa", {"Black": "Anne"}, {"XY": ["z"]})
    assert next(records.parse(records.text(game), "sgf")) == game


def test_sgf_resignation_and_rules() -> None:
    game = next(records.parse("(;GM[9]SZ[6]RU[own];B[b1-b3];W[resign])", "sgf", variant="loa:openspiel"))
    assert (game.variant, game.result, game.headers["RU"]) == ("loa6:openspiel", "0-1", "own")


@pytest.mark.parametrize(
    ("result", "ending", "written"),
    [
        ("0-1", "White resigns", "RE[B+R]"),
        ("1-0", "engine: 0.120 s too late", "RE[W+T]"),
        ("1-0", "stall: no answer within 3 s", "RE[W+F]"),
        ("0-1", "connection", "RE[B+]"),
        ("1/2-1/2", "repetition]", "RE[Draw]"),
    ],
)
def test_sgf_records_how_a_game_ended(result: str, ending: str, written: str) -> None:
    game = records.Game("loa", headers={"Black": "Anne", "Termination": ending, "Opening": "a b"}, result=result)
    text = records.text(game)
    assert written in text
    assert "GC[Termination: " + ending.replace("]", r"\]") in " ".join(text.split())
    assert "HD[" not in text
    assert next(records.parse(text, "sgf")) == game


def test_sgf_with_headers_in_hd_is_still_read() -> None:
    (game,) = records.parse("(;GM[9]RE[B+]HD[Termination White resigns][Opening x y];B[b1-b3])", "sgf")
    assert game.headers == {"Termination": "White resigns", "Opening": "x y"}
    (handicap,) = records.parse("(;GM[9]HD[2]GC[A fine game];B[b1-b3])", "sgf")
    assert handicap.headers == {}
    assert handicap.root.properties == {"HD": ["2"], "GC": ["A fine game"]}
    assert next(records.parse(records.text(handicap), "sgf")) == handicap


def test_sgf_keeps_rules_without_a_name() -> None:
    board = damier.loa.Board(repetition=2, no_move="passes")
    board.play("b1-b3")
    game = Game.from_board(board)
    again = next(records.parse(records.text(game), "sgf"))
    assert again == game
    assert again.board().rules == board.rules  # type: ignore[union-attr]


@pytest.mark.parametrize("variant", [*damier.GAMES, "loa6:bing"])
def test_board_and_back(variant: str) -> None:
    board = damier.board(variant)
    for _ in range(6):
        board.push(next(iter(board.legal_moves)))  # type: ignore[arg-type]
    game = Game.from_board(board, {"White": "Anne"})
    again = game.board(game.end())
    assert again.fen() == board.fen()
    assert again.moves == board.moves
    assert [move for _, move in game.replay()] == board.moves
    assert next(records.parse(records.text(game), suffix_of(variant))) == game


def suffix_of(variant: str) -> str:
    return damier.games.info(variant).record_format


def test_from_board_knows_the_result() -> None:
    board = damier.chess.Board()
    for move in ("f3", "e5", "g4", "Qh4#"):
        board.play(move)
    assert Game.from_board(board).result == "0-1"


def test_add_and_path() -> None:
    game = Game()
    last = game.add("e4 e5 Nf3")
    side = game.add(["c5", "Nf3"], after=game.root.variations[0])
    assert [str(node.move) for node in game.path(side)] == ["e2e4", "c7c5", "g1f3"]
    assert game.end() is last
    with pytest.raises(damier.MoveError):
        game.add("d5 Kd4")
    assert game.end() is last
    with pytest.raises(RecordError, match="is not a node of"):
        game.board(Node())


def test_repr() -> None:
    game = Game("loa", headers={"White": "Bob"}, result="1-0")
    assert repr(game) == "<Game loa, Bob - ?, 0 plies, 1-0>"
    assert repr(game.root) == "<Node start, no reply>"


@pytest.mark.parametrize("name", ["games.pgn", "games.PGN", "games.pgn.gz"])
def test_files(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    game = Game(headers={"White": "Zoé"})
    assert records.write([game, game], path) == 2
    assert records.write(game, str(path), append=True) == 1
    assert list(records.read(path)) == [game] * 3
    with gzip.open(path, "rt", encoding="utf-8") if name.endswith("gz") else path.open(encoding="utf-8") as stream:
        assert list(records.read(stream, "pgn")) == [game] * 3


def test_encodings(tmp_path: Path) -> None:
    text = '[White "Zoé"]\n\n1. e4 {déjà} *\n'
    path = tmp_path / "game.pgn"
    for data in (text.encode(), text.encode("latin-1"), text.encode("utf-8-sig"), text.replace("\n", "\r\n").encode(),
                 text.replace("\n", "\r").encode()):  # fmt: skip
        path.write_bytes(data)
        game = next(records.read(path))
        assert (game.headers, game.end().comment) == ({"White": "Zoé"}, "déjà")


def test_large_files_are_read_game_by_game() -> None:
    def endless() -> object:
        while True:
            yield from ['[White "Anne"]\n', "\n", "1. e4 e5 *\n", "\n"]

    games = records.read(endless(), "pgn")  # type: ignore[arg-type]
    assert [next(games).headers["White"] for _ in range(100)] == ["Anne"] * 100


def test_long_lines_do_not_recurse() -> None:
    game = Game("chess")
    game.add(["Nf3", "Nf6", "Ng1", "Ng8"] * 1000)
    assert next(records.parse(records.text(game), "pgn")) == game
    lines = Game("loa")
    node, board = lines.root, damier.loa.Board()
    for _ in range(300):
        first, second, *_ = board.legal_moves
        node.add(second)
        node.variations.insert(0, Node(first))
        node = node.variations[0]
        board.push(first)
        if board.outcome():
            break
    assert next(records.parse(records.text(lines), "sgf")) == lines


def long_game(variant: str, plies: int) -> Game:
    """A game with a variation at every move, and everything that a node can hold."""
    game = Game(variant, headers={"White": "Anne"}, result="1-0")
    node, board = game.root, damier.board(variant)
    node.comment = "A long game."
    for ply in range(plies):
        *others, main = board.legal_moves
        node.variations = [Node(main, comment=f"ply {ply}", nags=(1, ply % 256))]
        if others:
            node.add(others[0], before="or").add(others[0])  # nobody asks whether it is legal
        node = node.variations[0]
        node.properties = {"LB": [f"a1:{ply}"]}
        board.push(main)  # type: ignore[arg-type]
        if not board.legal_moves:
            break
    return game


def pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("copied", [copy.deepcopy, pickled])
@pytest.mark.parametrize("variant", ["loa", "chess", "international"])
def test_long_games_are_copied(variant: str, copied: Callable[[Any], Any]) -> None:
    game = long_game(variant, 227)
    again = copied(game)
    assert again == game
    again.end().properties = {"LB": ["b1:x"]}
    again.end().remark("changed")
    assert again != game
    again = copied(game)
    again.root.variations[0].properties["LB"].append("more")
    assert again != game
    part = game.root.variations[0].variations[-1]
    assert copied(part) == part


def test_a_copied_node_brings_its_tree() -> None:
    game = Game()
    game.add(["Nf3", "Nf6", "Ng1", "Ng8"] * 1000)
    node = copy.copy(game.root)
    assert node == game.root
    node.variations.clear()
    assert len(list(game.mainline())) == 4000


def test_what_cannot_be_written() -> None:
    with pytest.raises(RecordError, match="a game of loa cannot be written as PGN"):
        records.text(Game("loa"), "pgn")
    with pytest.raises(RecordError, match="'2-1' is not a result"):
        records.text(Game(result="2-1"))
    with pytest.raises(RecordError, match="is not a tag name"):
        records.text(Game(headers={"no good": "x"}))
    game = Game()
    game.root.add(damier.chess.Board().parse("e4")).add(damier.chess.Board().parse("d4"))
    with pytest.raises(RecordError, match="d2d4 is not a legal chess move in"):
        records.text(game)
    game.root.variations = [Node(damier.loa.Board().parse("b1-b3"))]
    with pytest.raises(RecordError, match="b1-b3 is not a legal chess move in"):
        records.text(game)


def test_comments_that_would_break_the_text() -> None:
    game = Game()
    game.add("e4").comment = "a } brace\n\n% and " + "x" * 75 + ' %percent\n[Event "x"]'
    assert not any(line.startswith("%") for line in records.text(game).splitlines())
    again = next(records.parse(records.text(game), "pgn"))
    assert again.end().comment == " ".join(game.end().comment.replace("}", ")").split())


if __name__ == "__main__":
    for pair in PAIRS:
        written_name(pair).write_text(written(pair), encoding="utf-8")
        sys.stdout.write(f"{written_name(pair)}\n")
