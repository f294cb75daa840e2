"""A game at the terminal: whose turn it is, what was typed, what it does."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from rich.console import Console
from rich.markup import escape

from damier._core import MoveError, Side
from damier.board import Board, Move
from damier.drawing.pieces import pieces_of
from damier.drawing.readable import readable
from damier.engine import Engine, Limit
from damier.games import line_of
from damier.players import Player
from damier.terminal.board import draw, status_line, verdict
from damier.terminal.explain import about, from_square, why_not
from damier.terminal.prompt import Reader, line_reader

__all__ = ["COMMANDS", "Command", "Session"]

HintSeconds = 0.5


class Session:
    """A game between players; None stands for the person at the keyboard."""

    def __init__(
        self, board: Board, players: Mapping[Side, Player | None], console: Console, read: Reader | None = None
    ) -> None:
        self.board, self.players, self.console = board, players, console
        self.read = read or line_reader(self.completions)
        self.flipped = self.seen_from_above()
        self.ended = ""
        self.adviser: Engine | None = None

    def run(self) -> None:
        """Play until the game ends or the person leaves."""
        self.show()
        while not self.ended:
            player = self.players[self.board.turn]
            if outcome := self.board.outcome(claim_draw=True):
                self.ended = verdict(outcome)
            elif player is None:
                self.ask()
            else:
                with self.console.status(f"{escape(readable(player.name))} is thinking"):
                    move = player.play(self.board).move
                self.play(move, player.name)
        self.say(self.ended)

    def seen_from_above(self) -> bool:
        """Whether the only person plays the upper pieces; in Lines of Action nobody does."""
        people = [side for side, player in self.players.items() if player is None]
        known, pieces = pieces_of(self.board), self.board.pieces()
        ranks = [
            rank for name, _, rank in self.board.squares if name in pieces and [known[pieces[name]].side] == people
        ]
        top = max(rank for _, _, rank in self.board.squares)
        return bool(ranks) and sum(ranks) / len(ranks) > top / 2

    def ask(self) -> None:
        """Read a line and do what it says."""
        try:
            line = readable(self.read(f"{self.board.turn.name.capitalize()}> ")).strip()
        except EOFError:
            self.ended = "Goodbye: the game is not finished."
            return
        word, _, rest = line.partition(" ")
        if command := COMMANDS.get(word.lower()):
            command.run(self, rest.strip())
        elif line:
            try:
                self.play(self.board.parse(line), "you")
            except MoveError as error:
                self.say(why_not(self.board, line, error))

    def play(self, move: Move, who: str) -> None:
        """Play a move and show what it did."""
        text, side = self.board.text(move), self.board.turn.name.capitalize()
        self.board.push(move)
        self.say(f"\n{side} ({who}): {text}")
        self.show()

    def show(self, marks: Collection[str] = ()) -> None:
        self.console.print(draw(self.board, self.console, flip=self.flipped, marks=marks))
        if not self.board.outcome(claim_draw=True):
            self.say(status_line(self.board))

    def say(self, words: str) -> None:
        """Print words, broken between words on a terminal and in whole lines in a pipe."""
        for line in words.split("\n"):
            self.console.print(readable(line), markup=False, soft_wrap=not self.console.is_terminal)

    def completions(self, typed: str) -> Iterable[str]:
        """What may be typed here: a command or a legal move; after `moves`, a square."""
        if typed.lower().startswith("moves "):
            return sorted({self.board.ends(move)[0] for move in self.board.legal_moves})
        if " " in typed:
            return []
        return [*sorted(self.board.text(move) for move in self.board.legal_moves), *COMMANDS]

    def help(self, _: str) -> None:
        """this list"""
        self.say("Type a move, such as " + self.board.text(next(iter(self.board.legal_moves))) + ", or:")
        for name, command in COMMANDS.items():
            self.say(f"  {name + ' ' + command.argument:<15}{command.about}")
        self.say("TAB completes moves and commands. Draws that could be claimed are claimed.")

    def moves(self, square: str) -> None:
        """the legal moves, or where the piece on SQUARE can go"""
        if not square:
            self.say("  ".join(sorted(self.board.text(move) for move in self.board.legal_moves)))
            return
        if from_square(self.board, square.lower()):
            ends = map(self.board.ends, self.board.legal_moves)
            self.show([end for start, end in ends if start == square.lower()])
        self.say(about(self.board, square.lower()))

    def hint(self, _: str) -> None:
        """what the engine would do, and what it expects"""
        self.adviser = self.adviser or Engine(self.board.variant)
        with self.console.status("the engine is thinking"):
            info = self.adviser.analyse(self.board, Limit(time=HintSeconds))
        move, *rest = line_of(self.board, info.pv)
        expected = f", expecting {' '.join(rest[:6])}" if rest else ""
        self.say(f"The engine would play {move} ({info.score} for {self.board.turn.name.capitalize()}){expected}")

    def undo(self, _: str) -> None:
        """take back your last move, and the reply"""
        back = 1 if all(player is None for player in self.players.values()) else 2
        if self.board.ply < back:
            self.say("There is no move of yours to take back.")
            return
        for _ply in range(back):
            self.board.pop()
        assert self.players[self.board.turn] is None
        self.show()

    def resign(self, _: str) -> None:
        """give the game up"""
        winner = Side.BLACK if self.board.turn == Side.WHITE else Side.WHITE
        result = "1-0" if winner == Side.WHITE else "0-1"
        self.ended = f"{winner.name.capitalize()} wins, {result}: {self.board.turn.name.capitalize()} resigns"

    def flip(self, _: str) -> None:
        """turn the board round"""
        self.flipped = not self.flipped
        self.show()

    def fen(self, _: str) -> None:
        """the position as a line of text"""
        self.say(self.board.fen())

    def quit(self, _: str) -> None:
        """leave the game"""
        self.ended = "Goodbye: the game is not finished."


@dataclass(frozen=True)
class Command:
    """Something a person may type instead of a move."""

    run: Callable[[Session, str], None]
    argument: str = ""

    @property
    def about(self) -> str:
        return self.run.__doc__ or ""


COMMANDS = {
    "help": Command(Session.help),
    "moves": Command(Session.moves, "[SQUARE]"),
    "hint": Command(Session.hint),
    "undo": Command(Session.undo),
    "flip": Command(Session.flip),
    "fen": Command(Session.fen),
    "resign": Command(Session.resign),
    "quit": Command(Session.quit),
}
