import { describe, expect, it } from "vitest";
import { darkBoard, places } from "./geometry";
import { choose, jumped, landings, targets, type Step } from "./paths";

function step(move: string, path: string[], extra: Partial<Step> = {}): Step {
  return { move, san: move, from: path[0]!, to: path.at(-1)!, path, captures: [], ...extra };
}

const quiet = [step("e2e3", ["e2", "e3"]), step("e2e4", ["e2", "e4"])];
const promotions = ["q", "r", "b", "n"].map((p) => step(`e7e8${p}`, ["e7", "e8"], { promotion: p }));
// Two ways round to the same square, and one that stops elsewhere after the same first landing.
const captures = [
  step("26x37x28", ["26", "37", "28"]),
  step("26x17x28", ["26", "17", "28"]),
  step("26x37x48", ["26", "37", "48"]),
];

describe("landings", () => {
  it("leaves the first square out, whichever way the path is given", () => {
    expect(landings(step("e2e4", ["e2", "e4"]))).toEqual(["e4"]);
    expect(landings(step("e2e4", [], { from: "e2", to: "e4" }))).toEqual(["e4"]);
    expect(landings({ ...step("x", ["b"]), from: "a" })).toEqual(["b"]);
  });
  it("keeps a capture that comes back where it began", () => {
    expect(landings(step("loop", ["a", "b", "c", "a"]))).toEqual(["b", "c", "a"]);
  });
});

describe("targets", () => {
  it("are the next landings and the ends of longer moves", () => {
    expect(targets(quiet, "e2", [])).toEqual({ next: ["e3", "e4"], last: [] });
    expect(targets(captures, "26", [])).toEqual({ next: ["37", "17"], last: ["28", "48"] });
    expect(targets(captures, "26", ["37"])).toEqual({ next: ["28", "48"], last: [] });
  });
});

describe("choose", () => {
  it("plays a move as soon as it is the only one", () => {
    expect(choose(quiet, "e2", [], "e4")).toEqual({ kind: "move", move: quiet[1] });
    expect(choose(captures, "26", [], "17")).toEqual({ kind: "move", move: captures[1] });
    expect(choose(captures, "26", [], "48")).toEqual({ kind: "move", move: captures[2] });
  });
  it("asks for the next landing while several paths remain", () => {
    expect(choose(captures, "26", [], "37")).toEqual({ kind: "more", chosen: ["37"] });
    expect(choose(captures, "26", ["37"], "28")).toEqual({ kind: "move", move: captures[0] });
  });
  it("does not guess between two paths to the same end", () => {
    expect(choose(captures, "26", [], "28")).toEqual({ kind: "more", chosen: [] });
  });
  it("asks which piece to promote to", () => {
    expect(choose(promotions, "e7", [], "e8")).toEqual({ kind: "several", moves: promotions });
  });
  it("lets the king be put on its rook", () => {
    const castling = step("e1g1", ["e1", "g1"], { castling: "h1" });
    expect(choose([castling], "e1", [], "h1")).toEqual({ kind: "move", move: castling });
  });
  it("answers none elsewhere", () => {
    expect(choose(quiet, "e2", [], "e5")).toEqual({ kind: "none" });
    expect(choose(quiet, "d2", [], "e4")).toEqual({ kind: "none" });
  });
});

describe("jumped", () => {
  it("is what lies between the landings so far", () => {
    const at = places(darkBoard(10), false);
    const king = [step("45x31x48", ["45", "34", "18", "31", "48"], { captures: ["40", "23", "22", "42"] })];
    expect(jumped(king, "45", [], at)).toEqual([]);
    expect(jumped(king, "45", ["34"], at)).toEqual(["40"]);
    expect(jumped(king, "45", ["34", "18"], at)).toEqual(["40", "23"]);
  });
});
