import { describe, expect, it } from "vitest";
import type { Opponent, Seat } from "../protocol";
import { isFlipped, ownSides } from "./seats";

const seat = (opponent: Opponent): Seat => ({ opponent, name: "", elo: null });
const person = seat({ kind: "human" });
const engine = seat({ kind: "level", level: 3 });
const chess = { family: "chess", bottom: "white" } as const;

describe("seats", () => {
  it("know which sides are played here", () => {
    expect(ownSides({ white: engine, black: person })).toEqual(["black"]);
    expect(ownSides({ white: person, black: person })).toEqual(["white", "black"]);
  });
  it("turn the board for whoever plays alone from the top", () => {
    expect(isFlipped({ white: engine, black: person }, chess)).toBe(true);
    expect(isFlipped({ white: person, black: engine }, chess)).toBe(false);
    expect(isFlipped({ white: person, black: person }, chess)).toBe(false);
    expect(isFlipped({ white: engine, black: person }, { family: "draughts", bottom: "black" })).toBe(false);
    expect(isFlipped({ white: engine, black: person }, { family: "loa", bottom: "white" })).toBe(false);
  });
});
