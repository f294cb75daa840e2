"""An engine that misbehaves: bad_engine.py PROTOCOL MODE [TOKEN].

It plays the first moves of a game, if it plays at all. The token, a folder, lets a test find the processes it started;
the file `starts` has a line per start, the file `searching` is there once a search has begun.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import NoReturn

# How each protocol greets, what it answers at once, the word to search and the words around a move.
GREETINGS = {
    "uci": ("uci", ["id name bad engine", "option name Hash type spin default 16 min 1 max 64", "uciok"]),
    "hub": ("hub", ["id name=bad version=1", "param name=level value=1 type=int min=1 max=9", "wait"]),
    "xboard": ("protover", ['feature myname="bad engine" ping=1 setboard=1 usermove=1 done=1']),
}
READY = {"isready": "readyok", "init": "ready", "ping": "pong"}
ANSWER = {"uci": "bestmove ", "hub": "done move=", "xboard": "move "}
MOVES = {"uci": ["e2e4", "g1f3"], "hub": ["32-28", "37-32"], "xboard": ["e2e4", "g1f3"]}

EVIL = "\x1b[2J\u202e\x00bad"  # clears a terminal, and turns around what follows
NAME = re.compile("bad( engine)?")
NAMES = {"evil name": EVIL, "long name": 500 * "bad", "no name": ""}
OUTPUT_LOCK = threading.Lock()  # keeps the lines of different threads whole


def say(text: str | bytes, end: bytes = b"\n") -> None:
    data = (text.encode() if isinstance(text, str) else text) + end
    with OUTPUT_LOCK:
        while data:
            data = data[os.write(1, data) :]


def hang() -> NoReturn:
    while True:
        time.sleep(60)


def flood(line: bytes) -> None:
    while True:
        say(500 * (line + b"\n"))


class BadEngine:
    """One method an occasion; each does what the mode wants, or what is right."""

    def __init__(self, protocol: str, mode: str) -> None:
        self.protocol, self.mode = protocol, mode
        self.answer = ANSWER[protocol]
        self.searches = self.ready = 0

    def start(self) -> None:
        if sys.argv[3:]:
            with Path(sys.argv[3], "starts").open("a") as starts:
                print(self.mode, file=starts)
        match self.mode:
            case "crash at start":
                print("cannot find my book \x1b[2J", file=sys.stderr)
                sys.exit(3)
            case "closed stdout":
                os.close(1)
                hang()
            case "closed stdin":
                os.close(0)
                hang()
            case "immortal":
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", *sys.argv])
            case "flood":
                threading.Thread(target=flood, args=(b"info depth 1 string " + 50 * b"x",), daemon=True).start()
            case "flood of errors":
                threading.Thread(target=self.complain, daemon=True).start()
            case "only flood":
                flood(b"info string " + 50 * b"x")
            case "sleeps at start":  # as GNU Chess 6 does, until its input goes on
                received = [sys.stdin.readline().strip() for _ in range(4)]
                assert received == ["xboard", "protover 2", "force", "force"], received
                say(GREETINGS[self.protocol][1][0])
            case "unread":
                say("uciok")
                say("readyok")
                hang()

    def complain(self) -> None:
        while True:
            os.write(2, 100 * b"something is wrong, or is it?\n")

    def run(self) -> None:
        end = b"\r\n" if self.mode == "crlf" else b"\n"
        greeting, lines = GREETINGS[self.protocol]
        lines = [re.sub(NAME, NAMES.get(self.mode, r"\g<0>"), line) for line in lines]
        while line := sys.stdin.readline():
            word, _, rest = line.strip().partition(" ")
            if word == greeting:
                if self.mode == "no greeting":
                    hang()
                if self.mode == "garbage":
                    say(bytes(range(1, 256)) * 100 + b"\n\x00\xff")
                for answer in lines:
                    say(answer, end)
            elif word in READY:
                self.ready += 1
                if self.mode == "never ready" or (self.mode == "ready once" and self.ready > 1):
                    hang()
                if self.mode == "twice" and self.searches:
                    say(self.answer + MOVES[self.protocol][self.searches - 1])
                while self.mode == "wrong pong":
                    say("pong 999")
                    time.sleep(0.01)
                say(f"{READY[word]} {rest}".strip(), end)
            elif word == "go":
                self.search(end)
            elif word == "quit" and self.mode != "immortal":
                return
        if self.mode == "immortal":
            hang()

    def search(self, end: bytes) -> None:
        if sys.argv[3:]:
            Path(sys.argv[3], "searching").touch()
        answer = self.answer
        match self.mode:
            case "crash in search":
                os.kill(os.getpid(), signal.SIGSEGV)
            case "hang in search" | "immortal":
                hang()
            case "illegal move":
                say(answer + {"hub": "1-2"}.get(self.protocol, "e2e5"))
            case "no move":
                say({"uci": "bestmove", "hub": "done", "xboard": "resign"}[self.protocol])
                return
            case "white resigns":
                say("0-1 {White resigns}")
                return
            case "talks":
                for line in ("1/2-1/2 {Draw by repetition}", "1-0 {White mates}", "offer draw", "telluser hello"):
                    say(line)
                say("tellusererror no book found")
            case "only talks":
                say("1/2-1/2 {Draw by repetition}")
                hang()
            case "nonsense":
                say(answer + "\x07$$!")
            case "long line":
                say(b"info string " + (10 << 20) * b"y")
        moves = ["b1b3"] if self.mode == "loa" else MOVES[self.protocol]
        say(answer + moves[self.searches], end)
        self.searches += 1


if __name__ == "__main__":
    engine = BadEngine(*sys.argv[1:3])
    engine.start()
    engine.run()
