// Numbers of moves, as records write them: 4. before the first side's move, 4… where a line begins with the other's.

/** The number of the move of a ply; `offset` is 1 where the second side moves first. */
export function numberOf(ply: number, offset: number): number {
  return Math.ceil((ply + offset) / 2);
}

export function isFirst(ply: number, offset: number): boolean {
  return (ply + offset) % 2 === 1;
}

/** What stands before a move: nothing for the second side's, unless a line begins with it or was interrupted. */
export function numberText(ply: number, offset: number, begins: boolean): string | null {
  const number = numberOf(ply, offset);
  return isFirst(ply, offset) ? `${number}.` : begins ? `${number}\u2026` : null;
}

/** A line of moves with its numbers, from the move of a ply on. */
export function lineText(sans: readonly string[], ply: number, offset: number): string {
  const words = sans.map((san, i) => {
    const number = numberText(ply + i, offset, i === 0);
    return number === null ? san : `${number} ${san}`;
  });
  return words.join(" ");
}
