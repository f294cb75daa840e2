import { describe, expect, it } from "vitest";
import { notches } from "./wheel";

describe("notches", () => {
  it("are one for each turn of a mouse's wheel, in pixels or lines", () => {
    expect(notches(0, 100, 0)).toEqual({ steps: 1, rest: 0 });
    expect(notches(0, -3, 1)).toEqual({ steps: -1, rest: 0 });
    expect(notches(0, 400, 0).steps).toBe(1);
  });
  it("add up the small parts of a trackpad", () => {
    expect(notches(0, 25, 0)).toEqual({ steps: 0, rest: 25 });
    expect(notches(25, 25, 0)).toEqual({ steps: 0, rest: 50 });
    expect(notches(50, 25, 0)).toEqual({ steps: 1, rest: 0 });
  });
  it("forget what was left over when the wheel turns back", () => {
    expect(notches(50, -20, 0)).toEqual({ steps: 0, rest: -20 });
  });
});
