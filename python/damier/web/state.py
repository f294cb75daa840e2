"""What a page shows: positions, games, the catalogue, reviews, settings. The only definition of these shapes.

Scores are White's, whoever is to move. A move has two texts: `move` is the one to send back (`str(move)`), `san` the
one to show, in the notation of the game.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

__all__ = [
    "Algorithm",
    "Bounds",
    "Captured",
    "Catalogue",
    "ClockSetting",
    "ClockState",
    "Ending",
    "EngineChoice",
    "Evaluation",
    "Family",
    "Game",
    "GameHead",
    "GamePage",
    "GameState",
    "GameSummary",
    "Geometry",
    "Groups",
    "Judgement",
    "LastMove",
    "LearntPlayer",
    "LegalMove",
    "Level",
    "Line",
    "Opponent",
    "OwnLimits",
    "PieceKind",
    "Place",
    "Position",
    "Review",
    "ReviewedMove",
    "Score",
    "Seat",
    "Settings",
    "Side",
    "SquarePlace",
    "Term",
    "Text",
    "TreeNode",
    "Variant",
]

Side = Literal["white", "black"]
Name = Annotated[str, StringConstraints(min_length=1, max_length=64)]
Fen = Annotated[str, StringConstraints(min_length=1, max_length=400)]
Text = Annotated[str, StringConstraints(max_length=4000)]
MoveText = Annotated[str, StringConstraints(min_length=1, max_length=100)]
Count = Annotated[int, Field(ge=0)]


class Shape(BaseModel):
    """What all shapes share: nothing is coerced, nothing unknown is accepted."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        validate_by_name=True,
        serialize_by_alias=True,
        json_schema_serialization_defaults_required=True,  # what we send is whole
    )


class Choice(Shape):
    """What a person chooses: it travels both ways, and a page may leave defaults out."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=False)


# The opponents one can choose.


class LevelOpponent(Choice):
    kind: Literal["level"]
    level: int = Field(ge=1, le=10)


class EloOpponent(Choice):
    kind: Literal["elo"]
    elo: int = Field(ge=0, le=5000)


class TextbookOpponent(Choice):
    kind: Literal["textbook"]
    algorithm: Name
    depth: int = Field(default=3, ge=1, le=30)
    simulations: int = Field(default=800, ge=1, le=1_000_000)  # of mcts, which has no depth
    eval: Name | None = None


class LearntOpponent(Choice):
    kind: Literal["learnt"]
    id: Name


class HumanOpponent(Choice):
    """A person on the same screen, or of an imported game."""

    kind: Literal["human"]


Opponent = Annotated[
    LevelOpponent | EloOpponent | TextbookOpponent | LearntOpponent | HumanOpponent, Field(discriminator="kind")
]


# What analyses.


class FullEngine(Choice):
    """The engine, with its own evaluation, another one, or a learnt one."""

    kind: Literal["engine"]
    eval: Name | None = None
    learnt: Name | None = None  # the id of a learnt player, instead of a name


class TextbookEngine(Choice):
    kind: Literal["textbook"]
    algorithm: Name
    depth: int = Field(default=4, ge=1, le=30)
    simulations: int = Field(default=800, ge=1, le=1_000_000)
    eval: Name | None = None


EngineChoice = Annotated[FullEngine | TextbookEngine, Field(discriminator="kind")]


# A position, with all that the rules have to say about it.


class LastMove(Shape):
    """A move: where it starts and ends as it is drawn, and every square it lands on, both included.

    A pass has no squares.
    """

    move: str
    san: str
    from_: str | None = Field(alias="from")
    to: str | None
    path: list[str]
    captures: list[str]


class LegalMove(LastMove):
    """A move that may be played; `castling` is the square of the rook, onto which the king may be dragged as well."""

    promotion: str | None = None
    castling: str | None = None


class Captured(Shape):
    """What each side has lost: how many pieces by letter."""

    white: dict[str, int]
    black: dict[str, int]


class Groups(Shape):
    """The connected pieces of each side, the largest group first."""

    white: list[list[str]]
    black: list[list[str]]


class Ending(Shape):
    """How a game ended; `reason` is a code such as checkmate, connection, resignation, time."""

    result: Literal["1-0", "0-1", "1/2-1/2", "0-0"]
    winner: Side | None
    reason: str


class Position(Shape):
    variant: str
    fen: str
    turn: Side
    ply: int
    move_number: int
    pieces: dict[str, str]  # square to letter
    legal: list[LegalMove]
    last: LastMove | None = None
    check: str | None = None  # the square of the king that is attacked
    must_capture: list[str] = []  # pieces of which one has to capture
    groups: Groups | None = None
    line_counts: dict[str, dict[str, int]] | None = None  # square to how far its piece goes: "e-w", "n-s", ...
    captured: Captured
    outcome: Ending | None = None
    claimable: str | None = None  # the reason of a draw that may be claimed


# A game.


class ClockSetting(Choice):
    seconds: float = Field(gt=0, le=86_400)
    increment: float = Field(default=0.0, ge=0, le=3600)


class ClockState(Shape):
    """The time left on the clocks, in seconds, when this was sent; `running` is the side whose clock runs."""

    seconds: float
    increment: float
    white: float
    black: float
    running: Side | None


class Seat(Shape):
    """Who plays a side: what it is, and a name where it has one."""

    opponent: Opponent
    name: str
    elo: int | None = None


class Score(Shape):
    """White's score: hundredths of a man, or moves to a proven win (negative: Black's), and expected points, 0 to 1."""

    cp: int | None = None
    mate: int | None = None
    expectation: float


class TreeNode(Shape):
    """A move of the tree; the root has id 0, no parent and no move. Children come in order, the main line first."""

    id: int
    parent: int | None
    move: str | None
    san: str | None
    ply: int
    comment: str = ""
    glyph: int | None = None  # 1 to 6: ! ? !! ?? !? ?!
    score: Score | None = None
    seconds: float | None = None
    ending: Ending | None = None  # of a game that was not ended by the board


class GameHead(Shape):
    """Which game it is, and who plays it."""

    id: str
    variant: str
    created: datetime
    updated: datetime
    title: str
    white: Seat
    black: Seat


class GameState(GameHead):
    """A game without its tree; a higher revision is later."""

    revision: int
    clock: ClockState | None
    start: str  # FEN
    current: int
    position: Position
    thinking: Side | None  # the side whose player is looking for a move
    failure: str | None = None  # why that player gave no move
    outcome: Ending | None


class Game(GameState):
    """A game with its tree: each node comes after its parent and its elder siblings."""

    tree: list[TreeNode]


class GameSummary(GameHead):
    plies: int
    result: str
    reason: str
    fen: str


class GamePage(Shape):
    games: list[GameSummary]
    before: str | None  # to ask for the next page with


# The catalogue.


class SquarePlace(Shape):
    """A playing square; file 0 and rank 0 are at the bottom left as White sees it."""

    name: str
    file: int
    rank: int


class Geometry(Shape):
    columns: int
    rows: int
    squares: list[SquarePlace]


class PieceKind(Shape):
    letter: str
    side: Side
    name: str


class Level(Shape):
    level: int
    elo: int


class Bounds(Shape):
    least: int
    most: int


class Variant(Shape):
    name: str
    title: str
    family: str
    geometry: Geometry
    start: str  # FEN
    first: Side
    bottom: Side  # the side whose pieces start on the lower ranks; White where neither does
    pieces: list[PieceKind]
    articles: dict[str, str]  # the disputed ones of its rules
    format: Literal["pgn", "pdn", "sgf"]
    levels: list[Level]
    elo: Bounds
    evaluations: list[str]


class Family(Shape):
    name: str
    variants: list[Variant]


class Algorithm(Shape):
    """A textbook algorithm; `measure` is what it is limited by."""

    name: str
    measure: Literal["depth", "simulations"]
    limit: Bounds


class LearntPlayer(Shape):
    """A learnt player; `analyses` says whether the engine can analyse with it."""

    id: str
    name: str
    variant: str
    analyses: bool


class OwnLimits(Shape):
    """The limits of this server."""

    threads: int
    hash: int  # MiB
    multipv: int


class Catalogue(Shape):
    version: str
    families: list[Family]
    algorithms: list[Algorithm]
    learnt: list[LearntPlayer]
    limits: OwnLimits


# Analysis and review.


class Line(Shape):
    """A line of analysis: `moves` to send, `san` to read, `squares` to draw arrows between."""

    multipv: int
    depth: int
    seldepth: int
    score: Score
    bound: Literal["exact", "lower", "upper", "none"]
    nodes: int
    nps: int
    seconds: float
    hashfull: int
    moves: list[str]
    san: list[str]
    squares: list[tuple[str, str]]


Judgement = Literal["best", "good", "inaccuracy", "mistake", "blunder", "only"]


class ReviewedMove(Shape):
    """A move of a game: the score before and after it, the points it lost, and what was better."""

    ply: int
    node: int | None
    side: Side
    move: str
    san: str
    before: Score
    after: Score
    loss: float  # of expected points, 0 to 1
    accuracy: float  # 0 to 100
    judgement: Judgement
    better: Line | None  # None where the move was the best
    turning_point: bool


class Review(Shape):
    moves: list[ReviewedMove]
    accuracy: dict[Side, float | None]  # None for a side that never moved
    counts: dict[Side, dict[Judgement, int]]
    engine: str
    depth: int


class Place(Shape):
    """Where on the board a term comes from: squares, or a point; (0, 0) is the middle of the lower left square."""

    kind: Literal["squares", "group", "point"]
    what: Literal["centre", "group", "blocked", "mobility", "passed pawn", "piece"]
    side: Side
    squares: list[str] = []
    file: float | None = None
    rank: float | None = None
    count: int | None = None  # where it is a number


class Term(Shape):
    """A term of an evaluation as it counts for White, and for each side unless it is a difference."""

    name: str
    white: float | None
    black: float | None
    value: float
    places: list[Place] = []


class Evaluation(Shape):
    eval: str
    score: Score
    terms: list[Term]
    places: list[Place]  # of the position, whichever term they explain


# Settings, remembered by the server.


class Settings(Shape):
    theme: Literal["system", "light", "dark"] = "system"
    board: Name = "wood"
    pieces: Name = "classic"
    sounds: bool = True
    coordinates: bool = True
    language: Literal["system", "en", "fr"] = "system"
    large_type: bool = False
    animation: bool = True
    destinations: bool = True
    line_counts: bool = False
    groups: bool = True
    variant: Name = "chess"
    side: Literal["white", "black", "random"] = "random"
    opponent: Opponent = LevelOpponent(kind="level", level=3)
    clock: ClockSetting | None = None
    engine: EngineChoice = FullEngine(kind="engine")
    multipv: int = Field(default=3, ge=1, le=10)
    threads: int = Field(default=1, ge=1, le=1024)
    hash: int = Field(default=64, ge=1, le=65_536)
