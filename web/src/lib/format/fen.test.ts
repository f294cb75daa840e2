import { describe, expect, it } from "vitest";
import { darkBoard, fullBoard } from "../board/geometry";
import { fenOf, piecesOf, turnOf } from "./fen";

const chess = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1";

describe("piecesOf", () => {
  it("reads ranks of letters", () => {
    const pieces = piecesOf("chess", fullBoard(8), chess);
    expect(pieces.e4).toBe("P");
    expect(pieces.c6).toBe("n");
    expect(Object.keys(pieces)).toHaveLength(32);
  });
  it("reads lists of squares", () => {
    expect(piecesOf("draughts", darkBoard(8), "B:W18,K32:B14,K27")).toEqual({
      18: "w",
      32: "W",
      14: "b",
      27: "B",
    });
    expect(piecesOf("draughts", darkBoard(10), "W:W31:B1:H0:F1")).toEqual({ 31: "w", 1: "b" });
    expect(piecesOf("draughts", darkBoard(8), "W:W:B1")).toEqual({ 1: "b" });
    expect(piecesOf("draughts", darkBoard(10), "W:W49-52,K7:B1-3")).toEqual({
      49: "w",
      50: "w",
      7: "W",
      1: "b",
      2: "b",
      3: "b",
    });
  });
  it("leaves out what is no piece", () => {
    expect(piecesOf("chess", fullBoard(8), "nonsense")).toEqual({ a8: "n", c8: "n", f8: "n" });
  });
});

describe("fenOf", () => {
  it("writes back what was read", () => {
    expect(fenOf("chess", fullBoard(8), piecesOf("chess", fullBoard(8), chess), "white", "KQkq")).toBe(chess);
    const loa = "1xxx1/o3o/o3o/o3o/1xxx1 x";
    expect(fenOf("loa", fullBoard(5), piecesOf("loa", fullBoard(5), loa), "black")).toBe(loa);
    const draughts = "B:W18,K32:B14,K27";
    expect(fenOf("draughts", darkBoard(8), piecesOf("draughts", darkBoard(8), draughts), "black")).toBe(
      draughts,
    );
  });
});

describe("turnOf", () => {
  it("knows who is to move", () => {
    expect(turnOf("chess", chess)).toBe("white");
    expect(turnOf("loa", "1xxx1/o3o/o3o/o3o/1xxx1 x")).toBe("black");
    expect(turnOf("draughts", "B:W18:B14")).toBe("black");
  });
});
