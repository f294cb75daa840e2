"""Analyses: endless searches whose lines stream to a page, and that take turns when there are many."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import cast

from damier import games, textbook
from damier._core import StopFlag
from damier.board import Board
from damier.engine import Engine, Limit, SearchResult
from damier.web.algorithms import check_choice, check_evaluation
from damier.web.config import Config
from damier.web.errors import RefusedError
from damier.web.learnt import Learnt
from damier.web.lines import line_of
from damier.web.messages import Analyse, AnalysisMessage, Reply
from damier.web.pool import Pool, Turn
from damier.web.position import read_board
from damier.web.state import EngineChoice, TextbookEngine

__all__ = ["Analyses", "Searcher"]

PAUSE_S = 0.2  # between two messages of an analysis
TEXTBOOK_S = 120.0  # after which a textbook search ends
MOST_SLICES = 8  # that it may keep its thread for while others wait


Post = Callable[[list[SearchResult]], None]


class Searcher:
    """What a page has chosen to search with, ready to search."""

    def __init__(self, choice: EngineChoice, variant: str, learnt: Learnt, *, threads: int = 1, hash: int = 16) -> None:
        self.choice = choice
        self.seconds = 0.0  # that it has searched, where it deepens
        self._engine: Engine | None = None
        self._deepened = 0  # steps that are done
        board = games.board(variant)
        if isinstance(choice, TextbookEngine):
            check_choice(choice, variant)
            self.name = f"{choice.algorithm} {choice.eval or games.classic_or_own(board)}"
        else:
            check_evaluation(choice.eval, variant)
            path = None if choice.learnt is None else str(learnt.path(choice.learnt, variant, analyses=True))
            self.name = choice.learnt or choice.eval or board.evaluations()[0]
            self._engine = Engine(variant, eval=path or choice.eval, threads=threads, hash=hash)

    def best(self, board: Board, nodes: int, turn: Turn) -> SearchResult:
        """The best line within a number of nodes, at a depth, or until the turn ends (its move may then be None)."""
        halt = StopFlag()
        with turn.interruptible(halt.set):
            if self._engine:
                return self._engine.play(board, Limit(nodes=nodes), stop=halt)
            choice = cast(TextbookEngine, self.choice)
            return self._textbook(board, choice.depth, choice.simulations, halt, iterative=True)

    def stream(self, board: Board, multipv: int, turn: Turn, post: Post) -> bool:
        """Search until the turn ends; return whether there is nothing more to find."""
        if self._engine is None:
            return self._deepen(board, turn, post)
        interrupted = False
        with self._engine.analysis(board, multipv=multipv) as analysis:

            def interrupt() -> None:
                nonlocal interrupted
                interrupted = True
                analysis.stop()

            with turn.interruptible(interrupt):
                for _ in analysis:
                    post(analysis.lines)
        return not interrupted

    def _deepen(self, board: Board, turn: Turn, post: Post) -> bool:
        """Deepen, or add simulations, from where the last turn ended; return whether that is all."""
        choice = cast(TextbookEngine, self.choice)
        if choice.algorithm == "mcts":
            steps = [(1, choice.simulations // 4**step) for step in range(8, -1, -1) if choice.simulations >= 4**step]
        else:
            steps = [(depth, 1) for depth in range(1, choice.depth + 1)]
        halt, start = StopFlag(), perf_counter()
        with turn.interruptible(halt.set):
            for depth, simulations in steps[self._deepened :]:
                found = self._textbook(board, depth, simulations, halt)
                if halt.is_set():
                    self.seconds += perf_counter() - start
                    return False
                self._deepened += 1
                post([found])
        return True

    def _textbook(
        self, board: Board, depth: int, simulations: int, stop: StopFlag, *, iterative: bool = False
    ) -> SearchResult:
        choice = cast(TextbookEngine, self.choice)
        if choice.algorithm == "mcts":
            return textbook.search(board, "mcts", simulations=simulations, eval=choice.eval, stop=stop)
        options: textbook.Options = {"eval": choice.eval, "iterative": iterative, "stop": stop}
        return textbook.search(board, choice.algorithm, depth=depth, **options)


class Analyses:
    """The running analyses; how many there may be, and how much memory they may use together."""

    def __init__(self, config: Config, pool: Pool, learnt: Learnt) -> None:
        self.config, self.pool, self.learnt = config, pool, learnt
        self._hashes: list[int] = []

    async def run(self, message: Analyse, owner: str, say: Callable[[Reply], None]) -> None:
        """Analyse a position until it is cancelled, or there is nothing more to find."""
        board = await read_board(message.variant, message.fen, message.moves)
        threads = min(message.threads, self.pool.for_analysis)
        with self.memory(message.hash) as hash:
            searcher = await asyncio.to_thread(
                Searcher, message.engine, board.variant, self.learnt, threads=threads, hash=hash
            )
            stream = _Stream(board, searcher.name, message.request, say)
            if board.outcome():
                stream.finish()
                return
            try:
                done, deepens, slices = False, isinstance(message.engine, TextbookEngine), 1
                while not done and searcher.seconds < TEXTBOOK_S:
                    done = await self.pool.run(
                        owner,
                        lambda turn: searcher.stream(board, message.multipv, turn, stream.post),
                        threads=threads,
                        urgent=False,
                        timeout=TEXTBOOK_S - searcher.seconds if deepens else None,
                        on_wait=stream.wait,
                        slices=slices,
                    )
                    slices = min(MOST_SLICES, 2 * slices) if deepens else 1  # a depth is restarted, and may be long
            finally:
                stream.finish()

    @contextmanager
    def memory(self, wanted: int) -> Iterator[int]:
        """A share of the memory for tables: as much as requested, or what is left."""
        if len(self._hashes) >= self.config.analyses:
            raise RefusedError("busy", f"{self.config.analyses} analyses are running, try again later")
        left = self.config.memory - sum(self._hashes)
        hash = max(1, min(wanted, self.config.hash, left))
        self._hashes.append(hash)
        try:
            yield hash
        finally:
            self._hashes.remove(hash)


class _Stream:
    """The lines of an analysis on their way from the search thread to a page, only the newest."""

    def __init__(self, board: Board, engine: str, request: int, say: Callable[[Reply], None]) -> None:
        self._board, self._engine, self._request, self._say = board, engine, request, say
        self._loop = asyncio.get_running_loop()
        self._lines: list[SearchResult] = []
        self._scheduled = False
        self._done = False
        self._last = -PAUSE_S

    def post(self, lines: list[SearchResult]) -> None:
        """Take the lines found so far; called by the search thread."""
        self._lines = lines
        if not self._scheduled:
            self._scheduled = True
            self._loop.call_soon_threadsafe(self._schedule)

    def wait(self) -> None:
        """Tell the page that others have their turn."""
        self._flush(waiting=True)

    def finish(self) -> None:
        """Send the last message."""
        if not self._done:
            self._flush(done=True)
            self._done = True

    def _schedule(self) -> None:
        self._loop.call_later(max(0.0, self._last + PAUSE_S - self._loop.time()), self._send)

    def _send(self) -> None:
        self._scheduled = False
        if not self._done:
            self._flush()

    def _flush(self, **state: bool) -> None:
        self._last = self._loop.time()
        lines = [line_of(self._board, found) for found in self._lines]
        about = {"request": self._request, "fen": self._board.fen(), "engine": self._engine}
        self._say(AnalysisMessage.model_validate({**about, "lines": lines, **state}))
