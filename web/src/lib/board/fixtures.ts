// Boards for tests: a full one with letters and ranks, and draughts numbered from the top left.
import type { Geometry, Square } from "./geometry";

export function full(size: number): Geometry {
  const squares: Square[] = [];
  for (let rank = 0; rank < size; rank++)
    for (let file = 0; file < size; file++)
      squares.push({ name: `${"abcdefghij"[file]}${rank + 1}`, file, rank });
  return { columns: size, rows: size, squares };
}

export function draughts(size: number): Geometry {
  const squares: Square[] = [];
  for (let row = 0; row < size; row++)
    for (let file = 1 - (row % 2); file < size; file += 2)
      squares.push({ name: String(squares.length + 1), file, rank: size - 1 - row });
  return { columns: size, rows: size, squares };
}
