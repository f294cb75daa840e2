import { describe, expect, it } from "vitest";
import { idle, reduce, type Gesture, type GestureEvent } from "./gestures";
import type { Step } from "./paths";

function step(move: string, path: string[]): Step {
  return { move, san: move, from: path[0]!, to: path.at(-1)!, path, captures: [] };
}
const legal = [step("e2e4", ["e2", "e4"]), step("e2e3", ["e2", "e3"]), step("d2d4", ["d2", "d4"])];
const chains = [step("a-c-e", ["a", "c", "e"]), step("a-c-g", ["a", "c", "g"])];
const promotions = [step("p-q", ["p", "z"]), step("p-n", ["p", "z"])];

/** The moves that a series of events brings, and the state it ends in. */
function run(events: GestureEvent[], moves: Step[] = legal): { played: string[]; state: Gesture<Step> } {
  let state: Gesture<Step> = idle;
  const played: string[] = [];
  for (const event of events) {
    const outcome = reduce(state, event, moves);
    state = outcome.state;
    if (outcome.play) played.push(outcome.play.move);
  }
  return { played, state };
}
const press = (square: string | null): GestureEvent => ({ type: "press", square });
const release = (square: string | null): GestureEvent => ({ type: "release", square });
const drag: GestureEvent = { type: "drag" };
const activate = (square: string): GestureEvent => ({ type: "activate", square });

describe("a move by pointer", () => {
  it("is a drag", () => {
    expect(run([press("e2"), drag, release("e4")])).toEqual({ played: ["e2e4"], state: idle });
  });
  it("is two clicks", () => {
    expect(run([press("e2"), release("e2"), press("e4"), release("e4")])).toEqual({
      played: ["e2e4"],
      state: idle,
    });
  });
  it("is not made by a drop elsewhere or off the board", () => {
    expect(run([press("e2"), drag, release("h8")])).toEqual({ played: [], state: idle });
    expect(run([press("e2"), drag, release(null)])).toEqual({ played: [], state: idle });
  });
  it("goes from another piece when one is clicked", () => {
    const { played } = run([press("e2"), release("e2"), press("d2"), release("d2"), press("d4")]);
    expect(played).toEqual(["d2d4"]);
  });
});

describe("a piece", () => {
  it("stays up after a drag back home", () => {
    expect(run([press("e2"), drag, release("e2")]).state.from).toBe("e2");
  });
  it("is put down by a second click, or a click elsewhere", () => {
    expect(run([press("e2"), release("e2"), press("e2"), release("e2")]).state).toEqual(idle);
    expect(run([press("e2"), release("e2"), press("h8")]).state).toEqual(idle);
  });
  it("without a legal move is not taken up", () => {
    expect(run([press("a1")]).state).toEqual(idle);
  });
});

describe("a chain of captures", () => {
  it("is chosen landing by landing", () => {
    const clicks = [press("a"), release("a"), press("c"), release("c")];
    expect(run(clicks, chains).state).toMatchObject({ from: "a", chosen: ["c"] });
    expect(run([...clicks, press("g")], chains).played).toEqual(["a-c-g"]);
    expect(run([activate("a"), activate("c"), activate("e")], chains).played).toEqual(["a-c-e"]);
  });
  it("may be dragged on from where it has got to", () => {
    expect(run([press("a"), drag, release("c"), press("c"), drag, release("g")], chains).played).toEqual([
      "a-c-g",
    ]);
  });
});

describe("a promotion", () => {
  it("waits for the choice of a piece", () => {
    const { state } = run([press("p"), drag, release("z")], promotions);
    expect(state.choice).toHaveLength(2);
    expect(reduce(state, { type: "pick", move: "p-n" }, promotions).play?.move).toBe("p-n");
    expect(reduce(state, { type: "cancel" }, promotions)).toEqual({ state: idle });
  });
});

describe("the keyboard", () => {
  it("takes up, plays, puts down", () => {
    expect(run([activate("e2"), activate("e3")]).played).toEqual(["e2e3"]);
    expect(run([activate("e2"), activate("e2")]).state).toEqual(idle);
    expect(run([activate("e2"), activate("d2")]).state.from).toBe("d2");
  });
});
