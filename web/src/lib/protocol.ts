// Written by `python -m damier.web.schema`: change python/damier/web/{state,messages}.py instead.

/** Add a variation to the tree without playing it; its node is in `added` of the answer. */
export interface AddMove {
  request: number;
  game: string;
  type: "add";
  node: number;
  move: string;
}

/** A textbook algorithm; `measure` is what it is limited by. */
export interface Algorithm {
  name: string;
  measure: "depth" | "simulations";
  limit: Bounds;
}

/** Search until `stop`; lines are sent as they are found. */
export interface Analyse {
  request: number;
  variant: string;
  fen?: string | null;
  moves?: string[];
  type: "analyse";
  engine: EngineChoice;
  multipv?: number;
  threads?: number;
  hash?: number;
}

/** The lines so far, the best first; `done` when nothing more will come, `waiting` while others have their turn. */
export interface AnalysisMessage {
  request: number;
  type: "analysis";
  fen: string;
  engine: string;
  lines: Line[];
  done: boolean;
  waiting: boolean;
}

export interface AskClock {
  request: number;
  game: string;
  type: "clock";
}

export interface AskPosition {
  request: number;
  variant: string;
  fen?: string | null;
  moves?: string[];
  type: "position";
}

/** Review every move of a line, given as moves, or as `game` and the end of the line for a stored game. */
export interface AskReview {
  request: number;
  variant?: string;
  fen?: string | null;
  moves?: string[];
  type: "review";
  game?: string | null;
  node?: number | null;
  engine: EngineChoice;
  nodes?: number;
}

export interface AskTerms {
  request: number;
  variant: string;
  fen?: string | null;
  moves?: string[];
  type: "terms";
  eval?: string | null;
}

export interface Bounds {
  least: number;
  most: number;
}

/** Go to a node and play on from there. */
export interface Branch {
  request: number;
  game: string;
  type: "branch";
  node: number;
}

/** What each side has lost: how many pieces by letter. */
export interface Captured {
  white: Record<string, number>;
  black: Record<string, number>;
}

export interface Catalogue {
  version: string;
  families: Family[];
  algorithms: Algorithm[];
  learnt: LearntPlayer[];
  limits: OwnLimits;
}

/** A change of a game, to everyone who has it open; `event` is what happened, for sounds and spoken words. */
export interface ChangeMessage {
  request: number;
  type: "change";
  game: GameState;
  tree: TreeChange;
  event: "state" | "move" | "takeback" | "end" | "draw_declined" | "branch" | "edit" | "thinking" | "sides";
  added: number | null;
}

export interface ClaimDraw {
  request: number;
  game: string;
  type: "claim_draw";
}

export type ClientMessage = OpenGame | CloseGame | NewGame | PlayMove | Takeback | Resign | OfferDraw | ClaimDraw | Rematch | FlipSides | Branch | AddMove | Edit | AskClock | Hint | AskPosition | Analyse | AskTerms | AskReview | Ping | Stop;

export interface ClockMessage {
  request: number;
  type: "clock";
  game: string;
  clock: ClockState | null;
}

export interface ClockSetting {
  seconds: number;
  increment?: number;
}

/** The time left on the clocks, in seconds, when this was sent; `running` is the side whose clock runs. */
export interface ClockState {
  seconds: number;
  increment: number;
  white: number;
  black: number;
  running: Side | null;
}

export interface CloseGame {
  request: number;
  game: string;
  type: "close";
}

export interface DeletedMessage {
  request: number;
  type: "deleted";
  game: string;
}

/** Change a node: its comment, its glyph (0 for none), its place before its siblings, or take it out. */
export interface Edit {
  request: number;
  game: string;
  type: "edit";
  node: number;
  comment?: string | null;
  glyph?: number | null;
  promote?: boolean;
  delete?: boolean;
}

export interface EloOpponent {
  kind: "elo";
  elo: number;
}

/** How a game ended; `reason` is a code such as checkmate, connection, resignation, time. */
export interface Ending {
  result: "1-0" | "0-1" | "1/2-1/2" | "0-0";
  winner: Side | null;
  reason: string;
}

export type EngineChoice = FullEngine | TextbookEngine;

export type ErrorCode = "malformed" | "too_large" | "too_fast" | "busy" | "forbidden" | "not_found" | "unknown_game" | "unknown_variant" | "unknown_player" | "bad_position" | "bad_record" | "illegal_move" | "stale" | "not_your_turn" | "game_over" | "not_now" | "engine_failed" | "storage" | "internal";

/** A request that was refused, and the state of its game if a page may have lost track of it. */
export interface ErrorMessage {
  request: number;
  type: "error";
  code: ErrorCode;
  message: string;
  detail: string | null;
  about: Record<string, string>;
  game: Game | null;
}

export interface Evaluation {
  eval: string;
  score: Score;
  terms: Term[];
  places: Place[];
}

/** What went wrong, in English; pages in other languages use the code, and the name of a detail. */
export interface Failure {
  code: ErrorCode;
  message: string;
  detail: string | null;
  about: Record<string, string>;
}

export interface Family {
  name: string;
  variants: Variant[];
}

/** Exchange who plays which side, from here on. */
export interface FlipSides {
  request: number;
  game: string;
  type: "flip_sides";
}

/** The engine, with its own evaluation, another one, or a learnt one. */
export interface FullEngine {
  kind: "engine";
  eval?: string | null;
  learnt?: string | null;
}

/** A game with its tree: each node comes after its parent and its elder siblings. */
export interface Game {
  id: string;
  variant: string;
  created: string;
  updated: string;
  title: string;
  white: Seat;
  black: Seat;
  revision: number;
  clock: ClockState | null;
  start: string;
  current: number;
  position: Position;
  thinking: Side | null;
  failure: string | null;
  outcome: Ending | null;
  tree: TreeNode[];
}

/** The state of a game, for whoever opens or begins it. */
export interface GameMessage {
  request: number;
  type: "game";
  game: Game;
}

export interface GamePage {
  games: GameSummary[];
  before: string | null;
}

/** A game without its tree; a higher revision is later. */
export interface GameState {
  id: string;
  variant: string;
  created: string;
  updated: string;
  title: string;
  white: Seat;
  black: Seat;
  revision: number;
  clock: ClockState | null;
  start: string;
  current: number;
  position: Position;
  thinking: Side | null;
  failure: string | null;
  outcome: Ending | null;
}

export interface GameSummary {
  id: string;
  variant: string;
  created: string;
  updated: string;
  title: string;
  white: Seat;
  black: Seat;
  plies: number;
  result: string;
  reason: string;
  fen: string;
}

export interface Geometry {
  columns: number;
  rows: number;
  squares: SquarePlace[];
}

/** The connected pieces of each side, the largest group first. */
export interface Groups {
  white: string[][];
  black: string[][];
}

export interface Health {
  status: "ok";
  version: string;
  sockets: number;
  searches: number;
  waiting: number;
}

/** The first message of every connection. */
export interface HelloMessage {
  request: number;
  type: "hello";
  version: string;
  limits: OwnLimits;
}

export interface Hint {
  request: number;
  game: string;
  type: "hint";
}

export interface HintMessage {
  request: number;
  type: "hint";
  game: string;
  node: number;
  line: Line;
}

/** A person on the same screen, or of an imported game. */
export interface HumanOpponent {
  kind: "human";
}

/** Games as text; the format is detected unless given. */
export interface ImportBody {
  text: string;
  format?: "pgn" | "pdn" | "sgf" | null;
  variant?: string | null;
}

/** The games that were read, and what was wrong with the others. */
export interface Imported {
  games: GameSummary[];
  errors: Failure[];
  more: boolean;
}

export type Judgement = "best" | "good" | "inaccuracy" | "mistake" | "blunder" | "only";

/** A move: where it starts and ends as it is drawn, and every square it lands on, both included. A pass has no squares. */
export interface LastMove {
  move: string;
  san: string;
  from: string | null;
  to: string | null;
  path: string[];
  captures: string[];
}

export interface LearntOpponent {
  kind: "learnt";
  id: string;
}

/** A learnt player; `analyses` says whether the engine can analyse with it. */
export interface LearntPlayer {
  id: string;
  name: string;
  variant: string;
  analyses: boolean;
}

/** A move that may be played; `castling` is the square of the rook, onto which the king may be dragged as well. */
export interface LegalMove {
  move: string;
  san: string;
  from: string | null;
  to: string | null;
  path: string[];
  captures: string[];
  promotion: string | null;
  castling: string | null;
}

export interface Level {
  level: number;
  elo: number;
}

export interface LevelOpponent {
  kind: "level";
  level: number;
}

/** A line of analysis: `moves` to send, `san` to read, `squares` to draw arrows between. */
export interface Line {
  multipv: number;
  depth: number;
  seldepth: number;
  score: Score;
  bound: "exact" | "lower" | "upper" | "none";
  nodes: number;
  nps: number;
  seconds: number;
  hashfull: number;
  moves: string[];
  san: string[];
  squares: [string, string][];
}

/** Begin a game, from the standard start position or from a FEN and moves; `side` is the one that the person plays. With a tree instead of moves it keeps the analysis, and begins at the end of its main line. */
export interface NewGame {
  request: number;
  type: "new";
  variant: string;
  side: "white" | "black" | "random";
  opponent: Opponent;
  clock?: ClockSetting | null;
  fen?: string | null;
  moves?: string[];
  tree?: NewNode[];
}

/** A move of a tree that comes with a new game; `parent` is the number of an earlier one, or 0: the start. */
export interface NewNode {
  parent: number;
  move: string;
  comment?: string;
  glyph?: number | null;
}

export interface OfferDraw {
  request: number;
  game: string;
  type: "offer_draw";
}

/** The request is done, and there is nothing else to say. */
export interface OkMessage {
  request: number;
  type: "ok";
}

/** Show a game, and every change of it from now on. */
export interface OpenGame {
  request: number;
  game: string;
  type: "open";
}

export type Opponent = LevelOpponent | EloOpponent | TextbookOpponent | LearntOpponent | HumanOpponent;

/** The limits of this server. */
export interface OwnLimits {
  threads: number;
  hash: number;
  multipv: number;
}

export interface PieceKind {
  letter: string;
  side: Side;
  name: string;
}

/** Is the server still there? A dead connection gives no sign by itself. */
export interface Ping {
  request: number;
  type: "ping";
}

/** Where on the board a term comes from: squares, or a point; (0, 0) is the middle of the lower left square. */
export interface Place {
  kind: "squares" | "group" | "point";
  what: "centre" | "group" | "blocked" | "mobility" | "passed pawn" | "piece";
  side: Side;
  squares: string[];
  file: number | null;
  rank: number | null;
  count: number | null;
}

/** Play a move after `node`, which must be the current one; otherwise the error is `stale`. */
export interface PlayMove {
  request: number;
  game: string;
  type: "move";
  node: number;
  move: string;
}

export interface Position {
  variant: string;
  fen: string;
  turn: Side;
  ply: number;
  move_number: number;
  pieces: Record<string, string>;
  legal: LegalMove[];
  last: LastMove | null;
  check: string | null;
  must_capture: string[];
  groups: Groups | null;
  line_counts: Record<string, Record<string, number>> | null;
  captured: Captured;
  outcome: Ending | null;
  claimable: string | null;
}

export interface PositionBody {
  variant: string;
  fen?: string | null;
  moves?: string[];
}

export interface PositionMessage {
  request: number;
  type: "position";
  position: Position;
}

/** A new game with the sides exchanged; the answer is that game. */
export interface Rematch {
  request: number;
  game: string;
  type: "rematch";
}

/** Give up; `side` where both are played on the same screen, by default the side to move. */
export interface Resign {
  request: number;
  game: string;
  type: "resign";
  side?: Side | null;
}

export interface Review {
  moves: ReviewedMove[];
  accuracy: Partial<Record<"white" | "black", number | null>>;
  counts: Partial<Record<"white" | "black", Partial<Record<"best" | "good" | "inaccuracy" | "mistake" | "blunder" | "only", number>>>>;
  engine: string;
  depth: number;
}

export interface ReviewMessage {
  request: number;
  type: "review";
  review: Review;
}

export interface ReviewProgress {
  request: number;
  type: "review_progress";
  done: number;
  total: number;
}

/** A move of a game: the score before and after it, the points it lost, and what was better. */
export interface ReviewedMove {
  ply: number;
  node: number | null;
  side: Side;
  move: string;
  san: string;
  before: Score;
  after: Score;
  loss: number;
  accuracy: number;
  judgement: Judgement;
  better: Line | null;
  turning_point: boolean;
}

/** White's score: hundredths of a man, or moves to a proven win (negative: Black's), and expected points, 0 to 1. */
export interface Score {
  cp: number | null;
  mate: number | null;
  expectation: number;
}

/** Who plays a side: what it is, and a name where it has one. */
export interface Seat {
  opponent: Opponent;
  name: string;
  elo: number | null;
}

export type ServerMessage = HelloMessage | OkMessage | GameMessage | ChangeMessage | ClockMessage | DeletedMessage | PositionMessage | HintMessage | AnalysisMessage | ReviewProgress | ReviewMessage | TermsMessage | ErrorMessage;

export interface Settings {
  theme: "system" | "light" | "dark";
  board: string;
  pieces: string;
  sounds: boolean;
  coordinates: boolean;
  language: "system" | "en" | "fr";
  large_type: boolean;
  animation: boolean;
  destinations: boolean;
  line_counts: boolean;
  groups: boolean;
  variant: string;
  side: "white" | "black" | "random";
  opponent: Opponent;
  clock: ClockSetting | null;
  engine: EngineChoice;
  multipv: number;
  threads: number;
  hash: number;
}

export type Side = "white" | "black";

/** A playing square; file 0 and rank 0 are at the bottom left as White sees it. */
export interface SquarePlace {
  name: string;
  file: number;
  rank: number;
}

/** End the analysis or review that was asked for by the request `search`. */
export interface Stop {
  request: number;
  type: "stop";
  search: number;
}

/** Take the last move of the person back, and the reply to it; `node` is the current one. */
export interface Takeback {
  request: number;
  game: string;
  type: "takeback";
  node: number;
}

/** A term of an evaluation as it counts for White, and for each side unless it is a difference. */
export interface Term {
  name: string;
  white: number | null;
  black: number | null;
  value: number;
  places: Place[];
}

export interface TermsMessage {
  request: number;
  type: "terms";
  fen: string;
  evaluation: Evaluation;
}

export interface TextbookEngine {
  kind: "textbook";
  algorithm: string;
  depth?: number;
  simulations?: number;
  eval?: string | null;
}

export interface TextbookOpponent {
  kind: "textbook";
  algorithm: string;
  depth?: number;
  simulations?: number;
  eval?: string | null;
}

/** What has changed in a tree since a revision: new or changed nodes, and children, in order. A node that is no longer among the children of its parent is gone, with all that follows it. */
export interface TreeChange {
  since: number;
  nodes: TreeNode[];
  children: Record<string, number[]>;
}

/** A move of the tree; the root has id 0, no parent and no move. Children come in order, the main line first. */
export interface TreeNode {
  id: number;
  parent: number | null;
  move: string | null;
  san: string | null;
  ply: number;
  comment: string;
  glyph: number | null;
  score: Score | null;
  seconds: number | null;
  ending: Ending | null;
}

export interface Variant {
  name: string;
  title: string;
  family: string;
  geometry: Geometry;
  start: string;
  first: Side;
  bottom: Side;
  pieces: PieceKind[];
  articles: Record<string, string>;
  format: "pgn" | "pdn" | "sgf";
  levels: Level[];
  elo: Bounds;
  evaluations: string[];
}
