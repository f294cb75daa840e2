"""Games in the terminal, played by a person on a real terminal and by a script in a pipe."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Protocol

import pexpect
import pytest
from rich.console import Console

import damier
from damier import Side
from damier.cli.app import run
from damier.terminal import Session

PLAY = ["-m", "damier", "play"]
ENV = os.environ | {"PROMPT_TOOLKIT_NO_CPR": "1", "TERM": "xterm-256color", "COLORTERM": "truecolor"}
ENV.pop("NO_COLOR", None)


class Scripted(Protocol):
    """What a game prints when its player is a script."""

    def __call__(self, lines: str, *args: str) -> str: ...


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Scripted:
    def play(lines: str, *args: str) -> str:
        monkeypatch.setattr(sys, "stdin", StringIO(lines))
        assert run(["play", *args]) == 0
        printed = capsys.readouterr()
        assert printed.err == ""
        return printed.out

    return play


@contextmanager
def terminal(*args: str) -> Iterator[pexpect.spawn[str]]:
    """A game on a terminal of its own."""
    child = pexpect.spawn(
        sys.executable,
        [*PLAY, *args],
        env=ENV,
        dimensions=(60, 100),
        encoding="utf-8",
        timeout=15,
    )
    try:
        yield child
    finally:
        child.close(force=True)


@pytest.mark.parametrize(
    ("game", "side", "typed", "move", "square", "listed", "moves"),
    [
        ("loa", "Black", "b1-b", "b1-b3", "c1", "c1 can play c1-c3, c1-e3, c1xa3", 36),
        ("chess", "White", "nf", "Nf3", "e2", "e2 can play e3, e4", 20),
        ("international", "White", "35-", "35-30", "31", "31 can play 31-26, 31-27", 9),
    ],
)
def test_a_game_on_a_terminal(
    *, game: str, side: str, typed: str, move: str, square: str, listed: str, moves: int
) -> None:
    other = "White" if side == "Black" else "Black"
    with terminal(game, f"--{other.lower()}", "random:seed=1") as child:

        def say(text: str, *answers: str) -> None:
            child.expect_exact(f"{side}> ")
            child.send(f"{text}\r")
            for answer in answers:
                child.expect_exact(answer)

        say("hint", "The engine would play ", f" for {side}), expecting ")
        say(f"moves {square}", "48;2;74;127;181", listed)  # the blue of marked squares
        say(f"{typed}\t", f"{side} (you): {move}", f"{other} (random): ")
        say("undo", f"{side} to move, {moves} legal moves")
        say("resign", f"{other} wins, {'1-0' if other == 'White' else '0-1'}: {side} resigns")
        child.expect(pexpect.EOF)
        child.wait()
        assert child.exitstatus == 0


@pytest.mark.parametrize(("key", "code", "words"), [("c", 130, ""), ("d", 0, "Goodbye: the game is not finished.")])
def test_leaving_by_keyboard(key: str, code: int, words: str) -> None:
    with terminal() as child:
        child.expect_exact("Black> ")
        child.sendcontrol(key)
        child.expect_exact(words)
        child.expect(pexpect.EOF)
        child.wait()
        assert child.exitstatus == code
        assert "Traceback" not in str(child.before)


def test_default_game_is_loa_against_the_engine_and_takes_a_pipe() -> None:
    done = subprocess.run([sys.executable, *PLAY], input="b1-b3\nquit\n", capture_output=True, text=True, check=True)
    text = done.stdout
    assert done.stderr == ""
    assert "Black (you): b1-b3" in text
    assert "White (engine level 5): " in text
    assert text.endswith("Goodbye: the game is not finished.\n")
    assert "\x1b" not in text


def test_leaving_while_the_engine_thinks() -> None:
    with terminal("chess", "--black", "engine:time=600") as child:
        child.expect_exact("White> ")
        child.send("e4\r")
        child.expect_exact("engine is thinking")
        child.sendcontrol("c")
        child.expect(pexpect.EOF)
        child.wait()
        assert child.exitstatus == 130
        assert "Traceback" not in str(child.before)


@pytest.mark.parametrize(
    ("game", "args", "name"),
    [
        ("chess", ["--level", "1"], "engine level 1"),
        ("english", ["--elo", "1234"], "engine elo 1234"),
        ("loa", ["--white", "human", "--level", "3"], "engine level 3"),
    ],
)
def test_the_strength_of_the_opponent(game: str, args: list[str], name: str, scripted: Scripted) -> None:
    move = {"chess": "e4", "english": "9-14", "loa": ""}[game]
    assert f"({name}): " in scripted(f"{move}\n", game, *args)


def test_a_name_is_no_markup(scripted: Scripted) -> None:
    spec = f"uci:{sys.executable} {Path(__file__).with_name('bad_engine.py')} uci good,name=x[/y],time=10"
    assert "(x[/y]): " in scripted("", "chess", "--white", spec, "--black", "human")


def test_a_hint_is_a_move_that_can_be_played(scripted: Scripted) -> None:
    mate = ("chess", "--fen", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "--black", "random")
    assert "The engine would play Ra8# (#1 for White)\n" in scripted("hint\n", *mate)


def test_every_command_answers(scripted: Scripted) -> None:
    text = scripted("help\nmoves\nmoves c1\nflip\nfen\nundo\n\nresign\n", "loa", "--white", "random")
    assert "moves [SQUARE]" in text
    assert "b1-b3  b1-d3  b1-h1" in text
    assert "3 *o  . *.  . *.  .  .  o" in text
    assert "   h  g  f  e  d  c  b  a" in text
    assert "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 x" in text
    assert "There is no move of yours to take back." in text
    assert text.endswith("White wins, 1-0: Black resigns\n")


@pytest.mark.parametrize(
    ("game", "line", "words"),
    [
        ("loa", "b1-b4", "b1-b4 is not legal: the piece on b1 can play b1-b3, b1-d3, b1-h1"),
        ("loa", "a2-b2", "the piece on a2 is White, and Black is to move"),
        ("loa", "d4-d5", "there is no piece on d4"),
        ("chess", "Ke4", "Ke4 is not legal: the king on e1 cannot move; type moves to see what can"),
        ("chess", "Qh5", "Qh5 is not legal: the queen on d1 cannot move"),
        ("chess", "Nb5", "Nb5 is not legal: no knight can go to b5; the knights can play Na3, Nc3, Nf3, Nh3"),
        ("chess", "e5", "e5 is not legal: no pawn can go to e5"),
        ("chess", "exd5", "exd5 is not legal: no pawn can go to d5"),
        ("chess", "O-O", "O-O is not legal: White cannot castle that way now"),
        ("chess", "a8", "a8 is not legal: no pawn can go to a8"),
        ("chess", "a1a2", "the piece on a1 cannot move"),
        ("international", "32-29", "the piece on 32 can play 32-27, 32-28"),
        ("international", "moves 99", "there is no square '99', expected one from 1 to 50"),
        ("chess", "\udcffe4", "'?e4' is not a move"),
        ("chess", "dance", "'dance' is not a move"),
    ],
)
def test_a_wrong_move_gets_a_reason_and_another_try(game: str, line: str, words: str, scripted: Scripted) -> None:
    text = scripted(f"{line}\nfen\n", game, "--white", "human", "--black", "human")
    assert words in text
    assert text.count("> ") == 2


@pytest.mark.parametrize(
    ("game", "fen", "line", "words"),
    [
        ("chess", "7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8", "'a8' lacks a promotion piece, as in e8=Q or e7e8q"),
        ("chess", "7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8", "'a7a8' lacks a promotion piece, as in e8=Q or e7e8q"),
        ("chess", "7k/P7/8/8/8/8/8/K7 w - - 0 1", "Qa2", "Qa2 is not legal: White has no queen"),
        ("chess", "4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "Ra3", "'Ra3' fits R1a3 and R5a3"),
        ("chess", "4k3/8/8/8/4r3/8/8/R3K3 w Q - 0 1", "Rb1", "Rb1 is not legal: White is in check"),
        ("chess", "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1", "Nc3", "Nc3 is not legal: the knight on e2 cannot move"),
        ("russian", "W:WKf8:Bd6,d4,f4,Kc3,f2", "f8:h6", "'f8:h6' is ambiguous: f8:c5:e3:h6 f8:b4:d2:h6"),
        ("russian", "W:WKf8:Bd6,d4,f4,Kc3,f2", "f8-e7", "f8-e7 is not legal: the piece on f8 can play "),
    ],
)
def test_a_refusal_gives_the_reason_of_the_rules(
    game: str, fen: str, line: str, words: str, scripted: Scripted
) -> None:
    assert words in scripted(f"{line}\n", game, "--fen", fen, "--white", "human", "--black", "human")


def test_lines_break_between_words() -> None:
    board, printed = damier.loa.Board(), StringIO()
    screen = Console(file=printed, force_terminal=True, color_system=None, width=80, highlight=False)
    lines = iter(["moves", "help", "d1-d5", "quit"])
    Session(board, {Side.WHITE: None, Side.BLACK: None}, screen, lambda _: next(lines)).run()
    shown = printed.getvalue().splitlines()
    assert max(map(len, shown)) <= 80
    assert {word for line in shown for word in line.split()} >= {board.text(move) for move in board.legal_moves}


def test_a_name_with_control_characters_is_shown_without_them(scripted: Scripted) -> None:
    spec = f"uci:{sys.executable} {Path(__file__).with_name('bad_engine.py')} uci good,name=a\x1b[31mb\x07,time=10"
    text = scripted("", "chess", "--white", spec, "--black", "human")
    assert "[31mb" in text
    assert all(line.isprintable() for line in text.split("\n"))


def test_two_people_undo_one_move_each(scripted: Scripted) -> None:
    text = scripted("e4\ne5\nundo\nc5\nfen\n", "chess", "--white", "human", "--black", "human")
    assert "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2" in text


def test_a_game_ends_in_words(scripted: Scripted) -> None:
    text = scripted("f3\ne5\ng4\nQh4\n", "chess", "--white", "human", "--black", "human")
    assert text.endswith("Black wins, 0-1: checkmate\n")
    text = scripted("28x19\n", "international", "--fen", "W:W28:B23")
    assert text.endswith("White wins, 1-0: no moves\n")


def test_the_person_sits_at_the_bottom(scripted: Scripted) -> None:
    assert scripted("", "chess", "--white", "random:seed=1").startswith("1  R  N  B  K")
    assert scripted("", "loa").startswith("8  .  x")


def test_programs_play_each_other_the_same_way_twice(scripted: Scripted) -> None:
    args = ("english", "--white", "random:seed=1", "--black", "oneply:seed=2,games=1")
    text = scripted("", *args)
    assert text == scripted("", *args)
    assert "wins" in text.splitlines()[-1] or "Draw" in text.splitlines()[-1]
