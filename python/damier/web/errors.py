"""A request that is refused: a code for pages, a line for people, a status for HTTP."""

from __future__ import annotations

from damier._core import DamierError
from damier.web.messages import ErrorCode, Failure

__all__ = ["STATUS", "RefusedError"]

STATUS: dict[ErrorCode, int] = {
    "malformed": 422,
    "too_large": 413,
    "too_fast": 429,
    "busy": 503,
    "forbidden": 403,
    "not_found": 404,
    "unknown_game": 404,
    "unknown_variant": 422,
    "unknown_player": 422,
    "bad_position": 422,
    "bad_record": 422,
    "illegal_move": 422,
    "stale": 409,
    "not_your_turn": 409,
    "game_over": 409,
    "not_now": 409,
    "engine_failed": 500,
    "storage": 507,
    "internal": 500,
}


class RefusedError(DamierError):
    """A refusal, and the reason for it.

    >>> RefusedError("stale", "the game has moved on").status
    409
    """

    def __init__(
        self, code: ErrorCode, message: str, *, detail: str | None = None, about: dict[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.detail = detail
        self.about = about or {}

    @property
    def failure(self) -> Failure:
        """The message for pages."""
        return Failure(code=self.code, message=self.message, detail=self.detail, about=self.about)

    @property
    def status(self) -> int:
        """The HTTP status."""
        return STATUS[self.code]
