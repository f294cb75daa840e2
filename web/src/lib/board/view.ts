// What a board needs to know of a position: less than the server tells, so that a set-up can be shown as well.
import type { Step } from "./paths";

export type LastMove = { from: string | null; to: string | null; path: string[]; captures: string[] };
export type Groups = { white: string[][]; black: string[][] };

export type BoardPosition<T extends Step = Step> = {
  pieces: Readonly<Record<string, string>>;
  legal: readonly T[];
  last?: LastMove | null;
  check?: string | null;
  must_capture?: readonly string[];
  groups?: Groups | null;
  line_counts?: Readonly<Record<string, Readonly<Record<string, number>>>> | null;
};

/** A place to point at: squares, a group of them, or a point in files and ranks. */
export type Mark = {
  kind: "squares" | "group" | "point";
  side: "white" | "black";
  squares: string[];
  file: number | null;
  rank: number | null;
  /** A number to write beside the square. */
  count?: number | null;
};

/** The pieces as they will stand once a move is played: nothing but what the move itself says. */
export function afterMove(pieces: Readonly<Record<string, string>>, move: Step): Record<string, string> {
  const after = { ...pieces };
  for (const square of move.captures) delete after[square];
  if (move.from === null || move.to === null) return after;
  const letter = pieces[move.from];
  delete after[move.from];
  if (letter !== undefined) after[move.to] = letter;
  return after;
}

/** How far a piece goes along each line, as the two squares it points at; those off the board are left out. */
export function reaches(
  counts: Readonly<Record<string, number>>,
  file: number,
  rank: number,
): { axis: string; count: number; ends: { file: number; rank: number }[] }[] {
  const steps: Record<string, [number, number]> = {
    "e-w": [1, 0],
    "n-s": [0, 1],
    "ne-sw": [1, 1],
    "nw-se": [1, -1],
  };
  return Object.entries(counts).map(([axis, count]) => {
    const [dx, dy] = steps[axis] ?? [0, 0];
    const ends = [1, -1].map((way) => ({ file: file + way * dx * count, rank: rank + way * dy * count }));
    return { axis, count, ends };
  });
}
