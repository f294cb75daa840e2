// Which piece went where between two positions, so that the eye can follow it.

export type Piece = { id: number; letter: string; square: string };
export type Moved = { from: string | null; to: string | null } | null | undefined;

/** The pieces of the next position, with the ids of those they were. A piece that changed its letter (promotion) is the same. */
export function follow(
  before: readonly Piece[],
  after: Readonly<Record<string, string>>,
  last: Moved,
  distance: (a: string, b: string) => number,
  fresh: () => number,
): Piece[] {
  const free = new Map(before.map((piece) => [piece.square, piece]));
  const left = new Map(Object.entries(after));
  const found: Piece[] = [];
  const take = (piece: Piece, square: string) => {
    found.push({ id: piece.id, letter: left.get(square)!, square });
    free.delete(piece.square);
    left.delete(square);
  };
  const mover = (from: string, to: string) => {
    const piece = free.get(from);
    if (piece && left.has(to) && after[from] === undefined && sameSide(piece.letter, left.get(to)!))
      take(piece, to);
  };
  if (last?.from && last.to && last.from !== last.to) {
    mover(last.from, last.to);
    mover(last.to, last.from); // the same move taken back
  }
  for (const [square, letter] of [...left]) {
    const piece = free.get(square);
    if (piece?.letter === letter) take(piece, square);
  }
  for (const [square, letter] of [...left]) {
    const same = [...free.values()].filter((piece) => piece.letter === letter);
    same.sort((a, b) => distance(a.square, square) - distance(b.square, square));
    if (same[0]) take(same[0], square);
  }
  for (const [square, letter] of left) found.push({ id: fresh(), letter, square });
  return found.sort((a, b) => a.id - b.id);
}

/** Letters of one side: capitals or not in chess, w/W and b/B in draughts, o and x in Lines of Action. */
function sameSide(a: string, b: string): boolean {
  if (a.toLowerCase() === b.toLowerCase() && /[wbox]/i.test(a)) return true;
  return (a === a.toUpperCase()) === (b === b.toUpperCase());
}
