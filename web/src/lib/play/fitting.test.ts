import { describe, expect, it } from "vitest";
import { fitting, reviewerOf, usualEvaluation } from "./fitting";

const known = {
  algorithms: [
    { name: "alphabeta", measure: "depth" as const, limit: { least: 1, most: 8 } },
    { name: "mcts", measure: "simulations" as const, limit: { least: 10, most: 5000 } },
  ],
  learnt: [
    { id: "a", name: "net", variant: "loa", analyses: true },
    { id: "b", name: "player", variant: "loa", analyses: false },
  ],
};
const loa = { name: "loa", evaluations: ["quads", "bing-linear"], elo: { least: 800, most: 2000 } };
const chess = { name: "chess", evaluations: ["classical"], elo: { least: 600, most: 2600 } };

describe("a choice", () => {
  it("stays as it is in the game it was made for", () => {
    for (const choice of [
      { kind: "level", level: 7 },
      { kind: "elo", elo: 1500 },
      { kind: "learnt", id: "b" },
      { kind: "human" },
      { kind: "textbook", algorithm: "alphabeta", depth: 5, eval: "quads" },
      { kind: "engine", eval: "quads" },
      { kind: "engine", learnt: "a" },
      { kind: "engine" },
    ] as const)
      expect(fitting(choice, loa, known)).toEqual(choice);
  });
  it("gives up what another game does not have", () => {
    expect(fitting({ kind: "engine", eval: "quads" }, chess, known)).toEqual({ kind: "engine" });
    expect(fitting({ kind: "engine", learnt: "a" }, chess, known)).toEqual({ kind: "engine" });
    expect(fitting({ kind: "engine", learnt: "b" }, loa, known)).toEqual({ kind: "engine" });
    expect(fitting({ kind: "learnt", id: "a" }, chess, known)).toEqual({ kind: "level", level: 3 });
    expect(
      fitting({ kind: "textbook", algorithm: "alphabeta", depth: 5, eval: "quads" }, chess, known),
    ).toEqual({ kind: "textbook", algorithm: "alphabeta", depth: 5, eval: null });
  });
  it("keeps within the bounds", () => {
    expect(fitting({ kind: "elo", elo: 2600 }, loa, known)).toEqual({ kind: "elo", elo: 2000 });
    expect(fitting({ kind: "textbook", algorithm: "alphabeta", depth: 30 }, loa, known)).toMatchObject({
      depth: 8,
    });
    expect(fitting({ kind: "textbook", algorithm: "mcts", simulations: 1 }, loa, known)).toMatchObject({
      simulations: 10,
    });
    expect(fitting({ kind: "textbook", algorithm: "forgotten", depth: 4 }, loa, known)).toEqual({
      kind: "textbook",
      algorithm: "alphabeta",
      depth: 3,
    });
  });
});

describe("a review", () => {
  it("is made by the engine, with the evaluation that was chosen for it", () => {
    expect(reviewerOf({ kind: "engine", eval: "classic" })).toEqual({ kind: "engine", eval: "classic" });
    expect(reviewerOf({ kind: "textbook", algorithm: "alphabeta", depth: 4 })).toEqual({ kind: "engine" });
  });
});

describe("the evaluation where none is chosen", () => {
  it("is the game's first, and classic for textbook algorithms", () => {
    expect(usualEvaluation({ evaluations: ["nnue", "classic"] }, false)).toBe("nnue");
    expect(usualEvaluation({ evaluations: ["nnue", "classic"] }, true)).toBe("classic");
    expect(usualEvaluation({ evaluations: ["material"] }, true)).toBe("material");
  });
});
