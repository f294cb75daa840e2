"""UCI as dialogues with a scripted partner."""

from __future__ import annotations

import re

import pytest
from common import EVERY_GAME, ROOT, check_texts, walk
from dialogue import BEST, Partner, dialogues, ready

import damier
from damier.engine.arguments import MOST_LINES
from damier.games import line_of
from damier.protocols.uci.text import format_move, options, parse_move

PROTOCOL = "uci"
INFO = (
    r"info depth \d+ seldepth \d+ multipv \d+ score (cp -?\d+|mate -?\d+)( lowerbound| upperbound)?( wdl \d+ \d+ \d+)?"
    r" nodes \d+ nps \d+ hashfull \d+ time \d+ pv \S+( \S+)*"
)


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


def test_as_many_threads_as_announced_are_accepted(uci: Partner) -> None:
    uci.send("uci")
    most = int(uci.expect(r"option name Threads type spin default 1 min 1 max (\d+)")[1])
    uci.expect("uciok")
    uci.send(f"setoption name Threads value {most}", "isready")
    uci.expect("readyok")
    assert uci.received[-2:] == ["uciok", "readyok"]
    uci.send(f"setoption name Threads value {most + 1}")
    uci.expect(rf"info string option Threads: '{most + 1}', expected 1 to {most}")


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


def test_searchmoves_limit_the_search(uci: Partner) -> None:
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


@pytest.mark.parametrize("name", EVERY_GAME)
def test_every_game_is_played_by_its_name(polyglot: Partner, name: str) -> None:
    uci = polyglot
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
        check_texts(board, format_move, parse_move)
        assert not [move for move in board.legal_moves if " " in format_move(board, move)]


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


def test_as_many_lines_may_be_asked_for_as_elsewhere() -> None:
    most = options()["multipv"].max
    assert most == MOST_LINES
    with pytest.raises(damier.DamierError, match=f"expected 1 to {most}"):
        damier.Engine("loa").analyse(damier.loa.Board(), damier.Limit(depth=1), multipv=most + 1)
