import { describe, expect, it } from "vitest";
import { outline, toggle } from "./arrows";

describe("outline", () => {
  it("points at the middle of the last square", () => {
    expect(outline({ column: 0, row: 0 }, { column: 3, row: 0 })).toContain("L3.42,0.5");
    expect(outline({ column: 0, row: 3 }, { column: 0, row: 0 })).toContain("L0.5,0.58");
  });
  it("is nothing when the arrow goes nowhere", () => {
    expect(outline({ column: 2, row: 2 }, { column: 2, row: 2 })).toBe("");
  });
});

describe("toggle", () => {
  it("adds an arrow, then takes it away", () => {
    const drawn = toggle([], "a1", "b2");
    expect(drawn).toEqual([{ from: "a1", to: "b2", tone: "own" }]);
    expect(toggle(drawn, "a1", "b2")).toEqual([]);
    expect(toggle(drawn, "b2", "a1")).toHaveLength(2);
  });
});
