import { describe, expect, it } from "vitest";
import type { Step } from "./paths";
import { complete } from "./typed";

const step = (move: string, san: string): Step => ({
  move,
  san,
  from: null,
  to: null,
  path: [],
  captures: [],
});
const legal = [
  step("b2c3", "bxc3"),
  step("d2c3", "Bxc3+"),
  step("e1g1", "O-O"),
  step("e1c1", "O-O-O"),
  step("e7e8q", "e8=Q#"),
  step("32-28", "32-28"),
  step("32-27", "32-27"),
];
const exact = (text: string) => complete(legal, text).exact?.move;

describe("complete", () => {
  it("understands notation, and the text that is sent", () => {
    expect(exact("e8=Q#")).toBe("e7e8q");
    expect(exact("e8q")).toBe("e7e8q");
    expect(exact("b2c3")).toBe("b2c3");
    expect(exact("32-28")).toBe("32-28");
  });
  it("tells a pawn from a bishop by case", () => {
    expect(exact("bxc3")).toBe("b2c3");
    expect(exact("Bxc3")).toBe("d2c3");
  });
  it("castles with zeros, and short when short is typed", () => {
    expect(exact("0-0")).toBe("e1g1");
    expect(exact("0-0-0")).toBe("e1c1");
  });
  it("lists what a beginning may become", () => {
    expect(complete(legal, "32").matches).toHaveLength(2);
    expect(exact("32")).toBeUndefined();
    expect(exact("e8")).toBe("e7e8q");
    expect(complete(legal, "  ").matches).toEqual([]);
    expect(complete(legal, "zz")).toEqual({ exact: null, matches: [] });
  });
});
