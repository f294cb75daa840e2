"""The messages of the websocket, one JSON object per frame, and the bodies of HTTP.

A client numbers its requests; answers carry the number of their request. Messages that answer none have the number 0.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, TypeAdapter

from damier.web.state import (
    Choice,
    ClockSetting,
    ClockState,
    Count,
    EngineChoice,
    Evaluation,
    Fen,
    Game,
    GameState,
    GameSummary,
    Line,
    MoveText,
    Name,
    Opponent,
    OwnLimits,
    Position,
    Review,
    Shape,
    Text,
    TreeNode,
)

__all__ = [
    "CLIENT",
    "SERVER",
    "AnalysisMessage",
    "ChangeMessage",
    "ClientMessage",
    "ClockMessage",
    "DeletedMessage",
    "ErrorCode",
    "ErrorMessage",
    "Failure",
    "GameMessage",
    "Health",
    "HelloMessage",
    "HintMessage",
    "ImportBody",
    "Imported",
    "OkMessage",
    "PositionBody",
    "PositionMessage",
    "ReviewMessage",
    "ReviewProgress",
    "ServerMessage",
    "TermsMessage",
    "TreeChange",
]

LONGEST_GAME = 2000  # plies that a position or a review may be given
LARGEST_TREE = 5000  # moves that may come with a new game
LARGEST_IMPORT = 4_000_000  # characters

GameId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9]{1,32}$")]
Moves = Annotated[list[MoveText], Field(max_length=LONGEST_GAME)]


# From the client.


class Request(Shape):
    request: int = Field(ge=0, le=2**53)


class OfGame(Request):
    game: GameId


class OpenGame(OfGame):
    """Show a game, and every change of it from now on."""

    type: Literal["open"]


class CloseGame(OfGame):
    type: Literal["close"]


class NewNode(Choice):
    """A move of a tree that comes with a new game; `parent` is the number of an earlier one, or 0: the start."""

    parent: Count
    move: MoveText
    comment: Text = ""
    glyph: int | None = Field(default=None, ge=1, le=6)


class NewGame(Request):
    """Begin a game, from the standard start position or from a FEN and moves; `side` is the one that the person plays.

    With a tree instead of moves it keeps the analysis, and begins at the end of its main line.
    """

    type: Literal["new"]
    variant: Name
    side: Literal["white", "black", "random"]
    opponent: Opponent
    clock: ClockSetting | None = None
    fen: Fen | None = None
    moves: Moves = Field(default=[])
    tree: list[NewNode] = Field(default=[], max_length=LARGEST_TREE)


class PlayMove(OfGame):
    """Play a move after `node`, which must be the current one; otherwise the error is `stale`."""

    type: Literal["move"]
    node: int
    move: MoveText


class Takeback(OfGame):
    """Take the last move of the person back, and the reply to it; `node` is the current one."""

    type: Literal["takeback"]
    node: int


class Resign(OfGame):
    """Give up; `side` where both are played on the same screen, by default the side to move."""

    type: Literal["resign"]
    side: Literal["white", "black"] | None = None


class OfferDraw(OfGame):
    type: Literal["offer_draw"]


class ClaimDraw(OfGame):
    type: Literal["claim_draw"]


class Rematch(OfGame):
    """A new game with the sides exchanged; the answer is that game."""

    type: Literal["rematch"]


class FlipSides(OfGame):
    """Exchange who plays which side, from here on."""

    type: Literal["flip_sides"]


class Branch(OfGame):
    """Go to a node and play on from there."""

    type: Literal["branch"]
    node: int


class AddMove(OfGame):
    """Add a variation to the tree without playing it; its node is in `added` of the answer."""

    type: Literal["add"]
    node: int
    move: MoveText


class Edit(OfGame):
    """Change a node: its comment, its glyph (0 for none), its place before its siblings, or take it out."""

    type: Literal["edit"]
    node: int
    comment: Text | None = None
    glyph: int | None = Field(default=None, ge=0, le=6)
    promote: bool = False
    delete: bool = False


class AskClock(OfGame):
    type: Literal["clock"]


class Hint(OfGame):
    type: Literal["hint"]


class OfPosition(Request):
    variant: Name
    fen: Fen | None = None
    moves: Moves = Field(default=[])


class AskPosition(OfPosition):
    type: Literal["position"]


class Analyse(OfPosition):
    """Search until `stop`; lines are sent as they are found."""

    type: Literal["analyse"]
    engine: EngineChoice
    multipv: int = Field(default=1, ge=1, le=10)
    threads: int = Field(default=1, ge=1, le=1024)
    hash: int = Field(default=16, ge=1, le=65_536)


class AskTerms(OfPosition):
    type: Literal["terms"]
    eval: Name | None = None


class AskReview(OfPosition):
    """Review every move of a line, given as moves, or as `game` and the end of the line for a stored game."""

    type: Literal["review"]
    variant: Name = "chess"
    game: GameId | None = None
    node: int | None = None  # the end of the line, by default that of the main line
    engine: EngineChoice
    nodes: int = Field(default=100_000, ge=100, le=10_000_000)  # per position


class Ping(Request):
    """Is the server still there? A dead connection gives no sign by itself."""

    type: Literal["ping"]


class Stop(Request):
    """End the analysis or review that was asked for by the request `search`."""

    type: Literal["stop"]
    search: int


ClientMessage = Annotated[
    OpenGame
    | CloseGame
    | NewGame
    | PlayMove
    | Takeback
    | Resign
    | OfferDraw
    | ClaimDraw
    | Rematch
    | FlipSides
    | Branch
    | AddMove
    | Edit
    | AskClock
    | Hint
    | AskPosition
    | Analyse
    | AskTerms
    | AskReview
    | Ping
    | Stop,
    Field(discriminator="type"),
]


# From the server.


class Reply(Shape):
    request: int = 0


class HelloMessage(Reply):
    """The first message of every connection."""

    type: Literal["hello"] = "hello"
    version: str
    limits: OwnLimits


class OkMessage(Reply):
    """The request is done, and there is nothing else to say."""

    type: Literal["ok"] = "ok"


class GameMessage(Reply):
    """The state of a game, for whoever opens or begins it."""

    type: Literal["game"] = "game"
    game: Game


class TreeChange(Shape):
    """What has changed in a tree since a revision: new or changed nodes, and children, in order.

    A node that is no longer among the children of its parent is gone, with all that follows it.
    """

    since: int
    nodes: list[TreeNode]
    children: dict[int, list[int]]


class ChangeMessage(Reply):
    """A change of a game, to everyone who has it open; `event` is what happened, for sounds and spoken words."""

    type: Literal["change"] = "change"
    game: GameState
    tree: TreeChange
    event: Literal["state", "move", "takeback", "end", "draw_declined", "branch", "edit", "thinking", "sides"] = "state"
    added: int | None = None


class ClockMessage(Reply):
    type: Literal["clock"] = "clock"
    game: str
    clock: ClockState | None


class DeletedMessage(Reply):
    type: Literal["deleted"] = "deleted"
    game: str


class PositionMessage(Reply):
    type: Literal["position"] = "position"
    position: Position


class HintMessage(Reply):
    type: Literal["hint"] = "hint"
    game: str
    node: int
    line: Line


class AnalysisMessage(Reply):
    """The lines so far, the best first; `done` when nothing more will come, `waiting` while others have their turn."""

    type: Literal["analysis"] = "analysis"
    fen: str
    engine: str
    lines: list[Line]
    done: bool = False
    waiting: bool = False


class ReviewProgress(Reply):
    type: Literal["review_progress"] = "review_progress"
    done: int
    total: int


class ReviewMessage(Reply):
    type: Literal["review"] = "review"
    review: Review


class TermsMessage(Reply):
    type: Literal["terms"] = "terms"
    fen: str
    evaluation: Evaluation


ErrorCode = Literal[
    "malformed",  # not a message, or one with a wrong field
    "too_large",
    "too_fast",
    "busy",  # the server has as much to do as it takes
    "forbidden",
    "not_found",
    "unknown_game",
    "unknown_variant",
    "unknown_player",
    "bad_position",
    "bad_record",
    "illegal_move",
    "stale",
    "not_your_turn",
    "game_over",
    "not_now",
    "engine_failed",
    "storage",
    "internal",
]


class Failure(Shape):
    """What went wrong, in English; pages in other languages use the code, and the name of a detail."""

    code: ErrorCode
    message: str
    detail: str | None = None
    about: dict[str, str] = Field(default={})


class ErrorMessage(Reply):
    """A request that was refused, and the state of its game if a page may have lost track of it."""

    type: Literal["error"] = "error"
    code: ErrorCode
    message: str
    detail: str | None = None
    about: dict[str, str] = Field(default={})
    game: Game | None = None


ServerMessage = Annotated[
    HelloMessage
    | OkMessage
    | GameMessage
    | ChangeMessage
    | ClockMessage
    | DeletedMessage
    | PositionMessage
    | HintMessage
    | AnalysisMessage
    | ReviewProgress
    | ReviewMessage
    | TermsMessage
    | ErrorMessage,
    Field(discriminator="type"),
]

CLIENT: TypeAdapter[ClientMessage] = TypeAdapter(ClientMessage)
SERVER: TypeAdapter[ServerMessage] = TypeAdapter(ServerMessage)


# Bodies of HTTP.


class PositionBody(Shape):
    variant: Name
    fen: Fen | None = None
    moves: Moves = Field(default=[])


class ImportBody(Shape):
    """Games as text; the format is detected unless given."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=LARGEST_IMPORT)]
    format: Literal["pgn", "pdn", "sgf"] | None = None
    variant: Name | None = None


class Imported(Shape):
    """The games that were read, and what was wrong with the others."""

    games: list[GameSummary]
    errors: list[Failure]
    more: bool  # whether there are more games than are taken at once


class Health(Shape):
    status: Literal["ok"]
    version: str
    sockets: int
    searches: int
    waiting: int
