"""The parts of a server put together: games, play, analysis, the pool of threads and the catalogue."""

from __future__ import annotations

from collections.abc import Callable

from damier.web.config import Config
from damier.web.games import OpenGames
from damier.web.learnt import Learnt
from damier.web.messages import Analyse, AskReview, AskTerms, Reply
from damier.web.opponents import Opponents
from damier.web.play import Play
from damier.web.pool import Pool

__all__ = ["Server"]

Say = Callable[[Reply], None]


class Server:
    """Everything that lives as long as the server does."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.learnt = Learnt(config.players)
        self.pool = Pool(config.threads, config.slice_s)
        self.games = OpenGames(config, Opponents(self.learnt))
        self.play = Play(self.games, self.pool)
        self.sockets = 0

    def close(self) -> None:
        """Stop whatever searches, and let the database finish."""
        self.pool.close()
        self.games.close()

    async def analyse(self, asked: Analyse, owner: str, say: Say) -> None:
        raise NotImplementedError

    async def review(self, asked: AskReview, owner: str, say: Say) -> None:
        raise NotImplementedError

    async def terms(self, asked: AskTerms, say: Say) -> None:
        raise NotImplementedError
