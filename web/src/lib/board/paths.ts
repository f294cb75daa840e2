// Choosing a move square by square. The server lists the legal moves; a move is known by its first square and the
// squares it lands on, of which the person may click as few as tell it from the others.

import type { Place } from "./geometry";
import type { LastMove } from "./view";

export type Step = LastMove & {
  move: string;
  san: string;
  promotion?: string | null;
  /** The rook's square, onto which a castling king may be put as well. */
  castling?: string | null;
};

export type Choice<T extends Step> =
  | { kind: "none" }
  | { kind: "more"; chosen: string[] }
  | { kind: "several"; moves: T[] }
  | { kind: "move"; move: T };

/** The squares a move lands on, its first square left out. */
export function landings(step: Step): string[] {
  const squares = step.path[0] === step.from ? step.path.slice(1) : step.path;
  return squares.length > 0 ? squares : step.to === null ? [] : [step.to];
}

/** Moves from a square that begin with the landings chosen so far. */
export function matching<T extends Step>(legal: readonly T[], from: string, chosen: readonly string[]): T[] {
  return legal.filter((step) => step.from === from && startsWith(landings(step), chosen));
}

/** Where the piece may land next; the last squares of whole moves too, as one may click them at once. */
export function targets(
  legal: readonly Step[],
  from: string,
  chosen: readonly string[],
): { next: string[]; last: string[] } {
  const moves = matching(legal, from, chosen);
  const next = unique(moves.map((step) => landings(step)[chosen.length]));
  const last = unique(moves.map((step) => landings(step).at(-1))).filter((square) => !next.includes(square));
  return { next, last };
}

/** What clicking a square means for the piece taken up. A next landing wins over the end of a longer move. */
export function choose<T extends Step>(
  legal: readonly T[],
  from: string,
  chosen: readonly string[],
  square: string,
): Choice<T> {
  const moves = matching(legal, from, chosen);
  const nearer = moves.filter((step) => landings(step)[chosen.length] === square);
  if (nearer.length > 0) return settle(nearer, [...chosen, square]);
  const ending = moves.filter((step) => landings(step).at(-1) === square);
  if (ending.length === 0) {
    const castling = moves.find((step) => step.castling === square);
    return castling ? { kind: "move", move: castling } : { kind: "none" };
  }
  return settle(ending, [...chosen, ...common(ending.map((step) => landings(step).slice(chosen.length)))]);
}

/** The pieces that a capture has jumped over on its way so far, which stay on the board until it ends. */
export function jumped(
  legal: readonly Step[],
  from: string,
  chosen: readonly string[],
  at: ReadonlyMap<string, Place>,
): string[] {
  const taken = unique(matching(legal, from, chosen).flatMap((step) => step.captures));
  return taken.filter((square) =>
    chosen.some((end, i) => isBetween(at.get(square), at.get(i === 0 ? from : chosen[i - 1]!), at.get(end))),
  );
}

function isBetween(place: Place | undefined, start: Place | undefined, end: Place | undefined): boolean {
  if (!place || !start || !end) return false;
  const [x, y] = [end.column - start.column, end.row - start.row];
  const [dx, dy] = [place.column - start.column, place.row - start.row];
  const along = dx * x + dy * y;
  return dx * y === dy * x && along > 0 && along < x * x + y * y;
}

function settle<T extends Step>(moves: T[], chosen: string[]): Choice<T> {
  if (moves.length === 1) return { kind: "move", move: moves[0]! };
  const longer = moves.some((step) => landings(step).length > chosen.length);
  // Same landings and nothing left to click: a promotion, or captures that differ by what they take.
  return longer ? { kind: "more", chosen } : { kind: "several", moves };
}

function startsWith(squares: readonly string[], start: readonly string[]): boolean {
  return start.length <= squares.length && start.every((square, i) => squares[i] === square);
}

function common(lists: string[][]): string[] {
  const first = lists[0] ?? [];
  let length = 0;
  while (length < first.length && lists.every((list) => list[length] === first[length])) length++;
  return first.slice(0, length);
}

function unique(squares: (string | undefined)[]): string[] {
  return [...new Set(squares.filter((square) => square !== undefined))];
}
