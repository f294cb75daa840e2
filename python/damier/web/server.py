"""The parts of a server put together: games, play, analysis, the pool of threads and the catalogue."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from damier.web.analysis import Analyses
from damier.web.config import Config
from damier.web.errors import RefusedError
from damier.web.games import OpenGames
from damier.web.learnt import Learnt
from damier.web.messages import Analyse, AskReview, AskTerms, Reply, TermsMessage
from damier.web.opponents import Opponents
from damier.web.play import Play
from damier.web.pool import Pool
from damier.web.position import read_board
from damier.web.review import review
from damier.web.terms import evaluation_of
from damier.web.tree import START

__all__ = ["Server"]

Say = Callable[[Reply], None]


class Server:
    """Everything that lives as long as the server does."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.learnt = Learnt(config.players, config.named)
        self.pool = Pool(config.threads, config.slice_s)
        self.games = OpenGames(config, Opponents(self.learnt))
        self.play = Play(self.games, self.pool)
        self.analyses = Analyses(config, self.pool, self.learnt)
        self.sockets = 0

    def close(self) -> None:
        """Stop all searches, and let the database finish."""
        self.pool.close()
        self.games.close()

    async def analyse(self, message: Analyse, owner: str, say: Say) -> None:
        """Stream the lines of a position."""
        await self.analyses.run(message, owner, say)

    async def review(self, message: AskReview, owner: str, say: Say) -> None:
        """Review every move of a stored game, or of a line that a page has sent."""
        if message.game is None:
            board = await read_board(message.variant, message.fen, message.moves)
            nodes: list[int | None] = [None] * board.ply
        else:
            live = await self.games.get(message.game)
            end = message.node if message.node is not None else [START, *live.tree.main_line()][-1]
            if end not in live.tree:
                raise RefusedError("stale", f"there is no node {end} in the game")
            board = live.board_at(end)
            nodes = [move.id for move in live.tree.path(end)]
        await review(self.analyses, message, (board, nodes), owner=owner, say=say)

    async def terms(self, message: AskTerms, say: Say) -> None:
        """The terms of an evaluation."""
        board = await read_board(message.variant, message.fen, message.moves)
        found = await asyncio.to_thread(evaluation_of, board, message.eval)
        say(TermsMessage(request=message.request, fen=board.fen(), evaluation=found))
