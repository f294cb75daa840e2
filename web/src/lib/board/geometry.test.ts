import { describe, expect, it } from "vitest";
import {
  coordinates,
  darkBoard as draughts,
  darkSquares,
  fullBoard as full,
  isFull,
  links,
  neighbour,
  placeOf,
  places,
  rows,
  squareAt,
} from "./geometry";

describe("places", () => {
  it("puts a1 bottom left, and top right when flipped", () => {
    const a1 = full(8).squares.find(({ name }) => name === "a1")!;
    expect(placeOf(full(8), a1, false)).toEqual({ column: 0, row: 7 });
    expect(placeOf(full(8), a1, true)).toEqual({ column: 7, row: 0 });
  });
  it("finds the square under a point", () => {
    expect(squareAt(full(8), false, 0.01, 0.99)).toBe("a1");
    expect(squareAt(full(8), true, 0.01, 0.99)).toBe("h8");
    expect(squareAt(full(5), false, 0.99, 0.01)).toBe("e5");
    expect(squareAt(full(8), false, 1, 0.5)).toBeNull();
    expect(squareAt(draughts(10), false, 0.01, 0.01)).toBeNull();
    expect(squareAt(draughts(10), false, 0.15, 0.01)).toBe("1");
  });
  it("agrees with itself on every square, both ways round", () => {
    for (const geometry of [full(5), full(8), draughts(8), draughts(10)])
      for (const flipped of [false, true])
        for (const square of geometry.squares) {
          const { column, row } = placeOf(geometry, square, flipped);
          expect(
            squareAt(geometry, flipped, (column + 0.5) / geometry.columns, (row + 0.5) / geometry.rows),
          ).toBe(square.name);
        }
  });
});

describe("rows", () => {
  it("reads from the top left as the board is seen", () => {
    expect(rows(full(8), false)[0]!.map(({ name }) => name)).toEqual([
      "a8",
      "b8",
      "c8",
      "d8",
      "e8",
      "f8",
      "g8",
      "h8",
    ]);
    expect(rows(draughts(10), false)[1]!.map(({ name }) => name)).toEqual(["6", "7", "8", "9", "10"]);
    expect(rows(draughts(10), true)[0]!.map(({ name }) => name)).toEqual(["50", "49", "48", "47", "46"]);
  });
});

describe("dark squares", () => {
  it("are half of a full board and all of a draughts board", () => {
    expect(darkSquares(full(8), false).split("z").length - 1).toBe(32);
    expect(darkSquares(draughts(10), false).split("z").length - 1).toBe(50);
    expect(isFull(full(8))).toBe(true);
    expect(isFull(draughts(8))).toBe(false);
  });
  it("have a1 among them", () => {
    expect(darkSquares(full(8), false)).toContain("M0,7h1");
  });
});

describe("arrow keys", () => {
  it("step over a full board and stop at its edge", () => {
    expect(neighbour(full(8), false, "e2", "up")).toBe("e3");
    expect(neighbour(full(8), true, "e2", "up")).toBe("e1");
    expect(neighbour(full(8), false, "a1", "left")).toBe("a1");
    expect(neighbour(full(8), false, "a1", "down")).toBe("a1");
  });
  it("come back where they started on dark squares", () => {
    for (const flipped of [false, true])
      for (const { name, rank } of draughts(10).squares) {
        if (rank === (flipped ? 0 : 9)) continue;
        const up = neighbour(draughts(10), flipped, name, "up");
        expect(up).not.toBe(name);
        expect(neighbour(draughts(10), flipped, up, "down")).toBe(name);
      }
  });
  it("reach every dark square", () => {
    const geometry = draughts(10);
    const reached = new Set(["1"]);
    const queue = ["1"];
    while (queue.length > 0) {
      const from = queue.pop()!;
      for (const direction of ["up", "down", "left", "right"] as const) {
        const to = neighbour(geometry, false, from, direction);
        if (!reached.has(to)) {
          reached.add(to);
          queue.push(to);
        }
      }
    }
    expect(reached.size).toBe(50);
  });
});

describe("coordinates", () => {
  it("are letters and ranks, or numbers in the squares", () => {
    expect(
      coordinates(full(8), false)
        .files.map(({ text }) => text)
        .join(""),
    ).toBe("abcdefgh");
    expect(
      coordinates(full(8), true)
        .files.map(({ text }) => text)
        .sort()
        .join(""),
    ).toBe("abcdefgh");
    expect(coordinates(full(8), false).ranks).toHaveLength(8);
    expect(coordinates(draughts(8), false).numbers).toHaveLength(32);
  });
  it("are whole where the corner is not played on", () => {
    const russian = {
      ...full(8),
      squares: full(8).squares.filter(({ file, rank }) => (file + rank) % 2 === 0),
    };
    expect(coordinates(russian, false).files).toHaveLength(8);
    expect(
      coordinates(russian, true)
        .ranks.map(({ text }) => text)
        .sort(),
    ).toEqual([..."12345678"]);
  });
});

describe("links", () => {
  it("join the squares that touch, corners included", () => {
    const at = places(full(8), false);
    expect(links(["a1", "b2", "d4"], at)).toBe("M0.5,7.5L1.5,6.5");
    expect(links(["a1"], at)).toBe("");
  });
});
