"""UCI lines that no GUI should send: refused in words or passed over, and the next search is answered all the same."""

from __future__ import annotations

import random

import pytest
from dialogue import BEST, Partner, ready

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

BAD_SETTINGS = [
    "setoption",
    "setoption name",
    "setoption value 3",
    "setoption name Hash",
    "setoption name Hash value",
    "setoption name Hash value 0",
    "setoption name Hash value many",
    "setoption name Hash value 33554432",
    "setoption name Hash value 4194304",
    "setoption name Threads value 1000000000",
    "setoption name Threads value -1",
    "setoption name MultiPV value 1e3",
    "setoption name Ponder value perhaps",
    "setoption name UCI_Elo value 9999999",
    "setoption name UCI_Variant value ludo",
    "setoption name UCI_Variant",
    "setoption name EvalFile value /nowhere/good.net",
    "setoption name Colour value mauve",
]


def test_settings_refused_in_words(uci: Partner) -> None:
    for setting in BAD_SETTINGS:
        uci.send(setting)
        why = uci.expect("info string (.+)", within=5)[1]
        assert "/nowhere/good.net" in why or "EvalFile" not in setting
        uci.send("position startpos", "go depth 1")
        uci.expect(BEST)


def test_settings_taken_in_silence(uci: Partner) -> None:
    for setting in (
        *(
            "name Hash value 4",
            "name hash value 1",
            "name Threads value 2",
            "name Clear Hash",
            "name EvalFile value <empty>",
        ),
        *("name MOVE overhead value 50", "name UCI_Elo value 1500", "name UCI_LimitStrength value true"),
        *("name UCI_LimitStrength value false", "name EvalFile value", "name Ponder value True"),
    ):
        uci.send(f"setoption {setting}")
    uci.send("position startpos", "go depth 2")
    uci.expect(BEST)
    assert not [line for line in uci.received if "string" in line]


IMPOSSIBLE = [
    "position",
    "position fen",
    "position somewhere",
    "position startpos moves e2e5",
    "position startpos moves e2e4 e2e4",
    "position startpos moves 0000",
    "position startpos moves xyzzy",
    "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq",
    "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
    "position fen rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "position fen kkkkkkkk/8/8/8/8/8/8/KKKKKKKK w - - 0 1",
    "position fen 4k3/8/8/8/8/8/8/4KK2 w - - 0 1",
    "position fen 4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1",
    "position fen P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "position fen QQQQkQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQKQQQ w - - 0 1",
    "position fen 4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
    "position fen 4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
]


def test_impossible_positions_are_refused_in_words(uci: Partner) -> None:
    """The position before is kept, and played on."""
    for position in IMPOSSIBLE:
        uci.send("position startpos moves e2e4", position)
        uci.expect("info string .+")
        uci.send("d")
        assert uci.expect("Fen: (.+)")[1] == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
        uci.send("go depth 1")
        uci.expect(BEST)


def test_unknown_words_are_ignored(uci: Partner) -> None:
    uci.send("hello", "", "   ", "\t", "xboard", "joho isready")
    uci.expect("readyok")
    assert uci.received == ["readyok"]
    uci.send("debug on", "hello there")
    uci.expect("info string unknown command: 'hello there'")


def test_bytes_that_are_no_text_and_lines_without_end(uci: Partner) -> None:
    uci.send(b"\xff\xfe\x00 isready", b"position fen \xc3\x28\x80", b"x" * 1_000_000)
    uci.expect("readyok")
    uci.expect("info string bad FEN.*")
    shuffle = "g1f3 g8f6 f3g1 f6g8 " * 10_000
    uci.send(f"position startpos moves {shuffle} e2e4", b"setoption name " + b" " * 1_000_000 + b"Hash value 2\r")
    ready(uci)
    uci.send("d")
    uci.expect("Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 20001")


@pytest.mark.parametrize("protocol", ["uci", "hub"])
def test_a_byte_order_mark_is_skipped(protocol: str) -> None:
    with Partner(protocol) as partner:
        partner.send(b"\xef\xbb\xbf" + protocol.encode())
        partner.expect({"uci": "uciok", "hub": "wait"}[protocol])


WORDS = (
    *(
        "uci",
        "debug",
        "on",
        "off",
        "isready",
        "setoption",
        "name",
        "value",
        "ucinewgame",
        "position",
        "startpos",
        "fen",
    ),
    *("moves", "go", "searchmoves", "ponder", "wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate"),
    *(
        "movetime",
        "infinite",
        "stop",
        "ponderhit",
        "d",
        "eval",
        "Hash",
        "MultiPV",
        "UCI_Variant",
        "UCI_Chess960",
        "true",
    ),
    *("loa", "chess", "russian", "international", "e2e4", "e7e5", "b1b3", "32-28", "c3b4", "0000", "0", "1", "-1", "2"),
    *(
        "3",
        "16",
        "99999999999999999999",
        "1e3",
        "nan",
        "=",
        '"',
        "\x00",
        "é",
        "\u2028",
        "%s",
        "W:W31:B20",
        START,
        START[:9],
    ),
)


@pytest.mark.parametrize("seed", range(4))
def test_noise(uci: Partner, seed: int) -> None:
    dice = random.Random(f"uci {seed}")
    for _ in range(150):
        words = dice.choices(WORDS, k=dice.randint(1, 8))
        if words[0] == "go" or dice.random() < 0.2:
            words.insert(0, dice.choice(["go", "position", "setoption name"]))
        uci.send(" ".join(words))
    ready(uci)
    uci.send("setoption name UCI_Chess960 value false", "setoption name UCI_Variant value chess", "position startpos")
    uci.send("go depth 1")
    uci.expect(BEST)
