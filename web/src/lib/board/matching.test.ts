import { describe, expect, it } from "vitest";
import { follow, type Piece } from "./matching";

const distance = (a: string, b: string) =>
  Math.abs(a.charCodeAt(0) - b.charCodeAt(0)) + Math.abs(Number(a[1]) - Number(b[1]));
let next = 100;
const fresh = () => next++;
const pieces = (...given: [string, string][]): Piece[] =>
  given.map(([square, letter], id) => ({ id, letter, square }));
const where = (list: Piece[]) => Object.fromEntries(list.map(({ id, square }) => [id, square]));

describe("follow", () => {
  it("moves the piece that moved, not its twin", () => {
    const before = pieces(["a1", "R"], ["h1", "R"]);
    expect(where(follow(before, { d1: "R", a1: "R" }, { from: "h1", to: "d1" }, distance, fresh))).toEqual({
      0: "a1",
      1: "d1",
    });
  });
  it("drops a captured piece", () => {
    const before = pieces(["e4", "P"], ["d5", "p"]);
    expect(where(follow(before, { d5: "P" }, { from: "e4", to: "d5" }, distance, fresh))).toEqual({
      0: "d5",
    });
  });
  it("keeps a promoted pawn and a crowned man", () => {
    expect(
      where(follow(pieces(["e7", "P"]), { e8: "Q" }, { from: "e7", to: "e8" }, distance, fresh)),
    ).toEqual({ 0: "e8" });
    expect(
      where(follow(pieces(["c7", "w"]), { d8: "W" }, { from: "c7", to: "d8" }, distance, fresh)),
    ).toEqual({ 0: "d8" });
  });
  it("moves the rook of a castling too", () => {
    const before = pieces(["e1", "K"], ["h1", "R"]);
    expect(where(follow(before, { g1: "K", f1: "R" }, { from: "e1", to: "g1" }, distance, fresh))).toEqual({
      0: "g1",
      1: "f1",
    });
  });
  it("takes a move back", () => {
    const before = pieces(["e4", "P"]);
    expect(where(follow(before, { e2: "P" }, null, distance, fresh))).toEqual({ 0: "e2" });
  });
  it("stays when a capture comes back where it began", () => {
    const before = pieces(["a1", "W"], ["b2", "b"]);
    expect(where(follow(before, { a1: "W" }, { from: "a1", to: "a1" }, distance, fresh))).toEqual({
      0: "a1",
    });
  });
});
