"""UCI as dialogues with a scripted partner."""

from __future__ import annotations

import random
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from common import EVERY_GAME, ROOT, walk
from dialogue import Partner, dialogues

import damier
from damier.games import line_of
from damier.protocols.uci.text import format_move, parse_move

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
BEST = r"bestmove (\S+)(?: ponder (\S+))?"
INFO = (
    r"info depth \d+ seldepth \d+ multipv \d+ score (cp -?\d+|mate -?\d+)( lowerbound| upperbound)?( wdl \d+ \d+ \d+)?"
    r" nodes \d+ nps \d+ hashfull \d+ time \d+ pv \S+( \S+)*"
)


@pytest.fixture
def uci() -> Iterator[Partner]:
    with Partner("uci") as partner:
        yield partner


def ready(uci: Partner) -> None:
    uci.send("isready")
    uci.expect("readyok")


def moves_of(board: damier.games.Board) -> str:
    """The end of a `position` line: the moves of a game from its usual start."""
    words = line_of(damier.board(board.variant), board.moves, format_move)
    return f" moves {' '.join(words)}" if words else ""


def test_introduction(uci: Partner) -> None:
    uci.send("uci")
    uci.expect("id name damier .+")
    uci.expect("id author .+")
    uci.expect("uciok")
    options = {found[1] for line in uci.received if (found := re.match(r"option name (.+) type ", line))}
    assert options == {
        *("Hash", "Threads", "MultiPV", "Ponder", "Move Overhead", "Clear Hash", "EvalFile"),
        *("UCI_AnalyseMode", "UCI_Chess960", "UCI_ShowWDL", "UCI_LimitStrength", "UCI_Elo", "UCI_Variant"),
    }
    assert "option name Clear Hash type button" in uci.received
    assert "option name EvalFile type string default <empty>" in uci.received
    variants = next(line for line in uci.received if line.startswith("option name UCI_Variant")).split(" var ")
    assert variants[0].endswith("type combo default chess")
    assert sorted(variants[1:]) == sorted(damier.GAMES)


def test_a_game_is_answered(uci: Partner) -> None:
    board = damier.chess.Board()
    uci.send("ucinewgame")
    for _ in range(6):
        uci.send(f"position startpos{moves_of(board)}", "go depth 3")
        found = uci.expect(BEST)
        move = board.parse_uci(found[1])
        board.push(move)
        if found[2]:
            assert board.is_legal(board.parse_uci(found[2]))
    said = [line for line in uci.received if line.startswith("info")]
    assert said
    assert [line for line in said if not re.fullmatch(INFO, line)] == []


def test_the_dialogue_of_the_page(uci: Partner) -> None:
    """Line by line; of what a search reports only the form."""
    (dialogue,) = (lines for lines in dialogues(ROOT / "docs" / "protocols.md") if "Connecto" not in "".join(lines))
    for line in dialogue:
        text = line[2:]
        if line.startswith("> "):
            uci.send(text)
        else:
            uci.expect(INFO if re.fullmatch(INFO, text) else BEST if re.fullmatch(BEST, text) else re.escape(text))


GOES = [
    "go",
    "go depth 2",
    "go nodes 500",
    "go movetime 30",
    "go wtime 500 btime 500 winc 10 binc 10",
    "go wtime 300 btime 300 movestogo 2",
    "go wtime -30 btime -30",
    "go wtime 1000",
    "go btime 100 movestogo 0",
    "go movetime 0",
    "go depth 0",
    "go depth 99999999999999999999 movetime 20",
    "go nodes 99999999999999999999 movetime 20",
    "go movetime 20 depth",
    "go mate 1 movetime 100",
    "go searchmoves e2e4 d2d4 depth 2",
    "go searchmoves depth 2",
    "go whatever depth 2 else",
]


def test_go_answers(uci: Partner) -> None:
    for go in GOES:
        uci.send("position startpos", go)
        assert damier.chess.Board().parse_uci(uci.expect(BEST)[1])


def test_searchmoves_are_obeyed(uci: Partner) -> None:
    uci.send("position startpos", "go depth 4 searchmoves a2a3 h2h3")
    assert uci.expect(BEST)[1] in ("a2a3", "h2h3")
    uci.send("go depth 2 searchmoves e2e5 h2h3")
    uci.expect("info string searchmoves: 'e2e5' is illegal .*")
    assert uci.expect(BEST)[1] == "h2h3"


def test_mate_is_announced(uci: Partner) -> None:
    uci.send("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "go depth 4")
    uci.expect("info .* score mate 1 .* pv a1a8")
    assert uci.expect(BEST)[1] == "a1a8"


def test_limited_strength(uci: Partner) -> None:
    """It plays, at one line or several, ponders until it may not, and analyses at full strength."""
    uci.send("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 700", "position startpos")
    uci.send("go wtime 60000 btime 60000")
    uci.expect(INFO)
    uci.expect(BEST)
    assert not [line for line in uci.received if "multipv 2" in line]
    uci.send("go ponder wtime 60000 btime 60000")
    uci.silent("bestmove .*", 0.2)
    uci.send("ponderhit")
    uci.expect(BEST)
    uci.send("go infinite")
    uci.expect("info depth 7 .*")
    uci.send("stop")
    uci.expect(BEST)


def test_analyse_mode_is_at_full_strength(uci: Partner) -> None:
    uci.send("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 700", "position startpos")
    uci.send("go depth 7")
    uci.expect(BEST)
    assert not [line for line in uci.received if line.startswith("info depth 7 ")]
    uci.send("setoption name UCI_AnalyseMode value true", "go depth 7")
    uci.expect("info depth 7 .*")
    uci.expect(BEST)
    assert not [line for line in uci.received if "multipv 2" in line]


def test_a_long_search_says_which_root_move_it_is_at(uci: Partner) -> None:
    uci.send("setoption name UCI_Variant value loa", "go infinite")
    found = uci.expect(r"info currmove (\S+) currmovenumber (\d+)")
    board = damier.board("loa")
    assert parse_move(board, found[1]) in board.legal_moves
    assert 1 <= int(found[2]) <= len(board.legal_moves)
    uci.send("stop")
    uci.expect(BEST)


@pytest.mark.parametrize("protocol", ["uci", "hub"])
def test_a_byte_order_mark_is_skipped(protocol: str) -> None:
    with Partner(protocol) as partner:
        partner.send(b"\xef\xbb\xbf" + protocol.encode())
        partner.expect({"uci": "uciok", "hub": "wait"}[protocol])


@pytest.mark.parametrize(
    ("fen", "score"),
    [("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "mate 0"), ("7k/5Q2/8/8/8/8/8/4K3 b - - 0 1", "cp 0")],
)
def test_nothing_to_play(uci: Partner, fen: str, score: str) -> None:
    uci.send(f"position fen {fen}", "go depth 4")
    uci.expect(f"info depth 0 score {score}")
    uci.expect(r"bestmove \(none\)")


def test_infinite_waits_for_stop(uci: Partner) -> None:
    uci.send("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "go infinite")
    uci.expect("info .* score mate 1 .*")
    uci.silent("bestmove .*", 0.3)
    ready(uci)
    uci.silent("bestmove .*", 0.1)
    uci.send("stop")
    uci.expect("bestmove a1a8.*")
    uci.send("stop", "stop")
    ready(uci)


def test_pondering(uci: Partner) -> None:
    uci.send("setoption name Ponder value true", "position startpos moves e2e4 e7e5", "go ponder movetime 50")
    uci.silent("bestmove .*", 0.4)
    uci.send("ponderhit")
    uci.expect(BEST)
    uci.send("go ponder wtime 60000 btime 60000")
    uci.silent("bestmove .*", 0.2)
    uci.send("stop")
    uci.expect(BEST)
    uci.send("ponderhit")
    ready(uci)


def test_commands_during_a_search_end_it(uci: Partner) -> None:
    for command in ("position startpos", "setoption name Hash value 8", "ucinewgame", "go depth 1"):
        uci.send("position startpos", "go infinite", command)
        uci.expect(BEST)
    uci.expect(BEST)
    ready(uci)


def test_multipv_and_wdl(uci: Partner) -> None:
    uci.send(
        "setoption name MultiPV value 3", "setoption name UCI_ShowWDL value true", "position startpos", "go depth 3"
    )
    uci.expect(BEST)
    last = {}
    for line in uci.received:
        if found := re.fullmatch(
            r"info depth \d+ seldepth \d+ multipv (\d) .* wdl (\d+) (\d+) (\d+) .* pv (\S+).*", line
        ):
            assert sum(map(int, found.groups()[1:4])) == 1000
            last[found[1]] = found[5]
    assert sorted(last) == ["1", "2", "3"]
    assert len(set(last.values())) == 3


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
    uci.expect("info string no command in 'hello there'")


def test_bytes_that_are_no_text_and_lines_without_end(uci: Partner) -> None:
    uci.send(b"\xff\xfe\x00 isready", b"position fen \xc3\x28\x80", b"x" * 1_000_000)
    uci.expect("readyok")
    uci.expect("info string bad FEN.*")
    shuffle = "g1f3 g8f6 f3g1 f6g8 " * 10_000
    uci.send(f"position startpos moves {shuffle} e2e4", b"setoption name " + b" " * 1_000_000 + b"Hash value 2\r")
    ready(uci)
    uci.send("d")
    uci.expect("Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 20001")


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


@pytest.mark.parametrize("name", EVERY_GAME)
def test_every_game_is_played_by_its_name(uci: Partner, name: str) -> None:
    uci.send(f"setoption name UCI_Variant value {name}", "position startpos", "d")
    board: damier.games.Board = damier.board(name)
    assert uci.expect("Fen: (.+)")[1] == board.fen()
    for _ in range(4):
        uci.send("go depth 2")
        board.push(parse_move(board, uci.expect(BEST)[1]))
        uci.send(f"position startpos{moves_of(board)}", "d")
        assert uci.expect("Fen: (.+)")[1] == board.fen()
        uci.send(f"position fen {board.fen()}", "d")
        assert uci.expect("Fen: (.+)")[1] == board.fen()


@pytest.mark.parametrize("name", EVERY_GAME)
def test_moves_are_read_as_they_are_written(name: str) -> None:
    for board in walk(damier.board(name), 11, plies=150):
        texts = [format_move(board, move) for move in board.legal_moves]
        assert len(set(texts)) == len(texts)
        assert [parse_move(board, text) for text in texts] == list(board.legal_moves)
        assert not [text for text in texts if " " in text]


def test_castling_in_both_notations(uci: Partner) -> None:
    castle = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves"
    for chess960, word in (("false", "e1g1"), ("true", "e1h1")):
        uci.send(f"setoption name UCI_Chess960 value {chess960}", f"{castle} {word}", "d")
        uci.expect(r"Fen: 4k3/8/8/8/8/8/8/5RK1 b - - 1 1")
        uci.send("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1", f"go depth 1 searchmoves {word}")
        assert uci.expect(BEST)[1] == word


def test_perft_counts_and_can_be_stopped(uci: Partner) -> None:
    uci.send("position startpos", "go perft 3")
    uci.expect("e2e4: 600")
    uci.expect("Nodes searched: 8902")
    uci.send("go perft 30", "isready")
    uci.expect("readyok")
    uci.send("stop")
    uci.expect("info string perft was stopped")


def test_evaluation_is_shown(uci: Partner) -> None:
    uci.send("eval")
    uci.expect(r"\w+: -?\d+\.\d\d for the side to move")


@pytest.mark.parametrize("going", [[], ["go infinite"], ["go ponder wtime 1000 btime 1000"], ["go perft 20"]])
def test_quit_ends_everything(going: list[str]) -> None:
    with Partner("uci") as uci:
        uci.send("position startpos", *going, "quit")
        assert uci.process.wait(5) == 0


def test_end_of_input_ends_the_process() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "damier", "uci"],
        input=b"position startpos\ngo infinite",
        capture_output=True,
        check=True,
        timeout=20,
    )
    assert done.stderr == b""


def test_interrupt_is_quiet() -> None:
    uci = Partner("uci")
    try:
        uci.send("position startpos", "go infinite")
        uci.expect("info .*")
        uci.process.send_signal(signal.SIGINT)
        assert uci.leave() == 130
    finally:
        uci.process.kill()


def test_a_client_that_stops_reading() -> None:
    """What is written to a closed pipe is lost in silence, and the next line ends the process."""
    process = subprocess.Popen(
        [sys.executable, "-m", "damier", "uci"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin
    assert process.stdout
    assert process.stderr
    with process:
        process.stdin.write(b"isready\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"readyok\n"
        process.stdout.close()
        process.stdin.write(b"position startpos\ngo infinite\nisready\nisready\n")
        process.stdin.flush()
        assert process.wait(10) == 0
        assert process.stderr.read() == b""


def test_ready_at_once() -> None:
    """In less than half a second of work, however busy the machine."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "damier", "uci"]
    done = subprocess.run(command, input=b"uci\nisready\nquit\n", capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.stdout.endswith(b"readyok\n")
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.5


def test_nothing_heavy_is_loaded() -> None:
    code = "import sys, damier.cli.uci, damier.cli.hub; print(sorted({'rich', 'typer', 'pyarrow'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
