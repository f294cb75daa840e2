// Scores, always White's.
import type { Ending, Line, Score } from "../protocol";

/** A score as +1.25, -0.40, or #3 and #-3 for a proven win; # once the mate is on the board. */
export function scoreText(score: Score): string {
  if (score.mate === 0) return "#";
  if (score.mate !== null && score.mate !== undefined) return `#${score.mate}`;
  if (score.cp === null || score.cp === undefined) return `${Math.round(score.expectation * 100)} %`;
  const value = score.cp / 100;
  return `${value > 0 ? "+" : value < 0 ? "\u2212" : ""}${Math.abs(value).toFixed(Math.abs(value) >= 10 ? 1 : 2)}`;
}

/** What the bar shows: the result once there is one, else what the engine says. Off, it says nothing. */
export function barScore(ending: Ending | null, on: boolean, lines: readonly Line[]): Score | null {
  if (!ending) return on ? (lines[0]?.score ?? null) : null;
  const expectation = ending.winner === "white" ? 1 : ending.winner === "black" ? 0 : 0.5;
  return { cp: null, mate: null, expectation };
}

/** A count with three figures or so, without a needless zero. */
function short(value: number, unit: string, figures = 1): string {
  return `${value.toFixed(figures).replace(/\.0$/, "")}${unit}`;
}

/** Nodes per second and the like: 950, 12.3k, 4.1M. */
export function compactCount(value: number): string {
  if (value < 1000) return String(Math.round(value));
  if (value < 999_950) return short(value / 1000, "k", value < 99_950 ? 1 : 0);
  if (value < 999_950_000) return short(value / 1e6, "M");
  return short(value / 1e9, "G");
}

export const glyphs = ["", "!", "?", "!!", "??", "!?", "?!"];
