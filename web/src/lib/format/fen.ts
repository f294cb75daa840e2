// Where a FEN puts the pieces, for pictures and for setting up; whether it makes sense is for the server to say.
import type { Geometry } from "../board/geometry";
import { letters } from "../pieces/shapes";
import type { Side } from "../protocol";

type Pieces = Record<string, string>;

/** The pieces of a FEN by square; squares that the board has not, and letters that are no piece, are left out. */
export function piecesOf(family: string, geometry: Geometry, fen: string): Pieces {
  const found = family === "draughts" ? draughtsPieces(fen) : rankedPieces(geometry, fen);
  const [squares, known] = [new Set(geometry.squares.map(({ name }) => name)), letters[family]];
  const fits = ([square, letter]: [string, string]) =>
    squares.has(square) && (known === undefined || letter in known);
  return Object.fromEntries(Object.entries(found).filter(fits));
}

/** The FEN of a set-up. Castling is written as it is given, for the server to judge. */
export function fenOf(
  family: string,
  geometry: Geometry,
  pieces: Pieces,
  turn: Side,
  castling = "-",
): string {
  if (family === "draughts") return draughtsFen(geometry, pieces, turn);
  const placed = rankedFen(geometry, pieces);
  if (family === "loa") return `${placed} ${turn === "black" ? "x" : "o"}`;
  return `${placed} ${turn === "white" ? "w" : "b"} ${castling === "" ? "-" : castling} - 0 1`;
}

/** Who is to move in a FEN. */
export function turnOf(family: string, fen: string): Side {
  const mark = family === "draughts" ? fen.trim()[0] : fen.trim().split(/\s+/)[1];
  return mark === "B" || mark === "b" || mark === "x" ? "black" : "white";
}

function rankedPieces(geometry: Geometry, fen: string): Pieces {
  const names = new Map(geometry.squares.map(({ name, file, rank }) => [`${file},${rank}`, name]));
  const pieces: Pieces = {};
  const rows = (fen.trim().split(/\s+/)[0] ?? "").split("/");
  rows.forEach((row, r) => {
    let file = 0;
    for (const mark of row.match(/\d+|\D/g) ?? [])
      if (/\d/.test(mark)) file += Number(mark);
      else {
        const name = names.get(`${file++},${geometry.rows - 1 - r}`);
        if (name !== undefined) pieces[name] = mark;
      }
  });
  return pieces;
}

function rankedFen(geometry: Geometry, pieces: Pieces): string {
  const at = new Map(geometry.squares.map(({ name, file, rank }) => [`${file},${rank}`, pieces[name]]));
  const row = (rank: number) =>
    Array.from({ length: geometry.columns }, (_, file) => at.get(`${file},${rank}`) ?? ".")
      .join("")
      .replace(/\.+/g, (gap) => String(gap.length));
  return Array.from({ length: geometry.rows }, (_, r) => row(geometry.rows - 1 - r)).join("/");
}

function draughtsPieces(fen: string): Pieces {
  const pieces: Pieces = {};
  for (const part of fen.trim().replace(/\.$/, "").split(":").slice(1)) {
    const side = part[0];
    if (side !== "W" && side !== "B") continue;
    for (const each of part.slice(1).split(",")) {
      const king = each.startsWith("K");
      const square = king ? each.slice(1) : each;
      for (const name of range(square)) pieces[name] = king ? side : side.toLowerCase();
    }
  }
  return pieces;
}

/** The squares of a range such as 31-50, or the one square that is named. */
function range(text: string): string[] {
  const [, first, last] = /^(\d{1,3})-(\d{1,3})$/.exec(text) ?? [];
  if (first === undefined || last === undefined) return [text];
  return Array.from({ length: Math.max(0, Number(last) - Number(first) + 1) }, (_, i) =>
    String(Number(first) + i),
  );
}

function draughtsFen(geometry: Geometry, pieces: Pieces, turn: Side): string {
  const list = (side: string) =>
    geometry.squares
      .filter(({ name }) => pieces[name]?.toUpperCase() === side)
      .map(({ name }) => (pieces[name] === side ? `K${name}` : name))
      .join(",");
  return `${turn === "white" ? "W" : "B"}:W${list("W")}:B${list("B")}`;
}
