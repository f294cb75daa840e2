// Where squares are: any rectangle, with squares nobody plays on where the game has none (draughts).
// A place counts columns from the left and rows from the top, as the board is seen.

export type Square = { name: string; file: number; rank: number };
export type Geometry = { columns: number; rows: number; squares: Square[] };
export type Place = { column: number; row: number };
export type Direction = "up" | "down" | "left" | "right";

/** The place of a square as it is seen. */
export function placeOf(geometry: Geometry, square: Square, flipped: boolean): Place {
  return flipped
    ? { column: geometry.columns - 1 - square.file, row: square.rank }
    : { column: square.file, row: geometry.rows - 1 - square.rank };
}

/** Every square's place, by name. */
export function places(geometry: Geometry, flipped: boolean): Map<string, Place> {
  return new Map(geometry.squares.map((square) => [square.name, placeOf(geometry, square, flipped)]));
}

/** The playing squares row by row as they are seen, top first, left to right. */
export function rows(geometry: Geometry, flipped: boolean): Square[][] {
  const seen: Square[][] = Array.from({ length: geometry.rows }, () => []);
  for (const square of geometry.squares) seen[placeOf(geometry, square, flipped).row]?.push(square);
  const column = (square: Square) => placeOf(geometry, square, flipped).column;
  for (const row of seen) row.sort((a, b) => column(a) - column(b));
  return seen;
}

/** The square under a point, given as fractions of the board's width and height; null outside or where nobody plays. */
export function squareAt(geometry: Geometry, flipped: boolean, x: number, y: number): string | null {
  if (x < 0 || y < 0 || x >= 1 || y >= 1) return null;
  const column = Math.floor(x * geometry.columns);
  const row = Math.floor(y * geometry.rows);
  const file = flipped ? geometry.columns - 1 - column : column;
  const rank = flipped ? row : geometry.rows - 1 - row;
  return geometry.squares.find((square) => square.file === file && square.rank === rank)?.name ?? null;
}

/** Whether every square is played on. */
export function isFull(geometry: Geometry): boolean {
  return geometry.squares.length === geometry.columns * geometry.rows;
}

/** The dark squares as one SVG path, a square being one unit: those played on, or every other one. */
export function darkSquares(geometry: Geometry, flipped: boolean): string {
  const full = isFull(geometry);
  return geometry.squares
    .filter((square) => !full || (square.file + square.rank) % 2 === 0)
    .map((square) => placeOf(geometry, square, flipped))
    .map(({ column, row }) => `M${column},${row}h1v1h-1z`)
    .join("");
}

/**
 * The square an arrow key leads to. Where squares are missing, up and down lean to the other column of a
 * pair, so that four keys reach every square.
 */
export function neighbour(geometry: Geometry, flipped: boolean, from: string, direction: Direction): string {
  const at = places(geometry, flipped);
  const here = at.get(from);
  if (!here) return from;
  const ahead = ({ column, row }: Place): boolean =>
    direction === "up"
      ? row === here.row - 1
      : direction === "down"
        ? row === here.row + 1
        : row === here.row && (direction === "left" ? column < here.column : column > here.column);
  // Columns go in pairs: going up then down comes back.
  const lean = here.column % 2 === 0 ? 0.1 : -0.1;
  const distance = ({ column }: Place) => Math.abs(column - here.column - lean);
  let best: string | null = null;
  for (const [name, place] of at)
    if (ahead(place) && (best === null || distance(place) < distance(at.get(best)!))) best = name;
  return best ?? from;
}

type Label = Place & { text: string };

/** What is written on the board: a number in each square, or ranks on the left and files below. */
export function coordinates(
  geometry: Geometry,
  flipped: boolean,
): { numbers: Label[]; ranks: Label[]; files: Label[] } {
  const numbered = /^\d+$/.test(geometry.squares[0]?.name ?? "");
  const all = geometry.squares.map((square) => ({
    ...placeOf(geometry, square, flipped),
    text: square.name,
  }));
  if (numbered) return { numbers: all, ranks: [], files: [] };
  // A corner may be no square at all (Russian draughts): any square of a row or column knows its name.
  const ranks = new Map(all.map(({ row, text }) => [row, { column: 0, row, text: text.slice(1) }]));
  const files = new Map(
    all.map(({ column, text }) => [column, { column, row: geometry.rows - 1, text: text.slice(0, 1) }]),
  );
  return { numbers: [], ranks: [...ranks.values()], files: [...files.values()] };
}

/** The links between the adjacent squares of a group, as one SVG path through their middles. */
export function links(group: readonly string[], at: ReadonlyMap<string, Place>): string {
  const spots = group.map((square) => at.get(square)).filter((place) => place !== undefined);
  return spots
    .flatMap((a, i) =>
      spots
        .slice(i + 1)
        .filter((b) => Math.max(Math.abs(a.column - b.column), Math.abs(a.row - b.row)) === 1)
        .map((b) => `M${a.column + 0.5},${a.row + 0.5}L${b.column + 0.5},${b.row + 0.5}`),
    )
    .join("");
}

/** A board on which every square is played on, named by file and rank. */
export function fullBoard(size: number): Geometry {
  const squares: Square[] = [];
  for (let rank = 0; rank < size; rank++)
    for (let file = 0; file < size; file++)
      squares.push({ name: `${"abcdefghij"[file]}${rank + 1}`, file, rank });
  return { columns: size, rows: size, squares };
}

/** A draughts board: dark squares only, numbered from the top left. */
export function darkBoard(size: number): Geometry {
  const squares: Square[] = [];
  for (let row = 0; row < size; row++)
    for (let file = 1 - (row % 2); file < size; file += 2)
      squares.push({ name: String(squares.length + 1), file, rank: size - 1 - row });
  return { columns: size, rows: size, squares };
}
