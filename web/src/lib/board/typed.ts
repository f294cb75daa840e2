// Moves typed by hand: forgiving about case, spaces and the marks that notation adds.
import type { Step } from "./paths";

export type Completion<T extends Step> = { exact: T | null; matches: T[] };

/** The moves that a text may mean; `exact` when it can only be that one. */
export function complete<T extends Step>(legal: readonly T[], typed: string): Completion<T> {
  const text = plain(typed);
  if (text === "") return { exact: null, matches: [] };
  const names = (step: T) => [step.san, step.move].map(plain);
  const matches = legal.filter((step) => names(step).some((name) => name.startsWith(text)));
  // Case matters only between b and B in chess: bxc3 is a pawn's, Bxc3 a bishop's.
  const same = (step: T) => [step.san, step.move].some((name) => bare(name) === bare(typed));
  const strict = legal.filter(same);
  const loose = legal.filter((step) => names(step).includes(text));
  const exact = strict.length === 1 ? strict[0]! : loose.length === 1 ? loose[0]! : null;
  return { exact: exact ?? (matches.length === 1 ? matches[0]! : null), matches };
}

function bare(text: string): string {
  return text
    .replace(/[\s+#!?]/g, "")
    .replace(/0/g, "O")
    .replace(/=/g, "");
}

function plain(text: string): string {
  return bare(text).toLowerCase();
}
