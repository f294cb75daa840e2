import { describe, expect, it } from "vitest";
import type { Line } from "../protocol";
import { barScore, compactCount, scoreText } from "./score";

describe("scoreText", () => {
  it("shows hundredths with a sign, and wins by their length", () => {
    expect(scoreText({ cp: 125, mate: null, expectation: 0.6 })).toBe("+1.25");
    expect(scoreText({ cp: -40, mate: null, expectation: 0.4 })).toBe("\u22120.40");
    expect(scoreText({ cp: 0, mate: null, expectation: 0.5 })).toBe("0.00");
    expect(scoreText({ cp: 1532, mate: null, expectation: 1 })).toBe("+15.3");
    expect(scoreText({ cp: null, mate: -3, expectation: 0 })).toBe("#-3");
    expect(scoreText({ cp: null, mate: 0, expectation: 1 })).toBe("#");
    expect(scoreText({ cp: null, mate: null, expectation: 0.42 })).toBe("42 %");
  });
});

describe("barScore", () => {
  const lines = [{ score: { cp: 30, mate: null, expectation: 0.55 } }] as Line[];
  it("is of the one engine, and nothing while it is off", () => {
    expect(barScore(null, true, lines)?.cp).toBe(30);
    expect(barScore(null, true, [])).toBeNull();
    expect(barScore(null, false, lines)).toBeNull();
  });
  it("is the result once the game is over", () => {
    const lost = { result: "0-1", winner: "black", reason: "checkmate" } as const;
    expect(barScore(lost, false, lines)?.expectation).toBe(0);
    expect(barScore({ result: "1/2-1/2", winner: null, reason: "stalemate" }, true, [])?.expectation).toBe(
      0.5,
    );
  });
});

describe("compactCount", () => {
  it("keeps three figures or so", () => {
    expect(compactCount(950)).toBe("950");
    expect(compactCount(12_345)).toBe("12.3k");
    expect(compactCount(999_999)).toBe("1M");
    expect(compactCount(4_123_456)).toBe("4.1M");
  });
});
