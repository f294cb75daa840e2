// What pointers and keys mean on a board, as a pure state machine: drag, click-click, tap, keyboard.
// The component draws the state and sends the events; a move comes out when one is chosen.
import { choose, matching, type Step } from "./paths";

export type Gesture<T extends Step> = {
  /** The square of the piece taken up, and the landings chosen since. */
  from: string | null;
  chosen: string[];
  /** A pointer holds the piece; `fresh` when the same press took it up. */
  held: { fresh: boolean; moved: boolean } | null;
  /** Moves that look the same on the board: a promotion to choose. */
  choice: T[] | null;
};

export type GestureEvent =
  | { type: "press"; square: string | null }
  | { type: "drag" }
  | { type: "release"; square: string | null }
  | { type: "activate"; square: string }
  | { type: "pick"; move: string }
  | { type: "cancel" };

export type Outcome<T extends Step> = { state: Gesture<T>; play?: T };

export const idle: Gesture<never> = { from: null, chosen: [], held: null, choice: null };

export function reduce<T extends Step>(
  state: Gesture<T>,
  event: GestureEvent,
  legal: readonly T[],
): Outcome<T> {
  switch (event.type) {
    case "cancel":
      return { state: idle };
    case "pick": {
      const play = state.choice?.find((step) => step.move === event.move);
      return play ? { state: idle, play } : { state: idle };
    }
    case "press":
      return press(state, event.square, legal);
    case "drag":
      return state.held ? { state: { ...state, held: { ...state.held, moved: true } } } : { state };
    case "release":
      return release(state, event.square, legal);
    case "activate":
      return activate(state, event.square, legal);
  }
}

function press<T extends Step>(state: Gesture<T>, square: string | null, legal: readonly T[]): Outcome<T> {
  if (square === null) return { state: idle };
  if (state.from !== null) {
    const reached = land(state, square, legal);
    if (reached) return reached;
    // The piece already up, or where it has got to: a drag may begin there, and a click puts it down.
    const stands = state.chosen.at(-1) ?? state.from;
    if (square === stands) return { state: { ...state, held: { fresh: false, moved: false } } };
  }
  return canMove(square, legal)
    ? { state: { from: square, chosen: [], held: { fresh: true, moved: false }, choice: null } }
    : { state: idle };
}

function release<T extends Step>(state: Gesture<T>, square: string | null, legal: readonly T[]): Outcome<T> {
  if (!state.held || state.from === null) return { state };
  const { fresh, moved } = state.held;
  const down: Gesture<T> = { ...state, held: null };
  const stands = state.chosen.at(-1) ?? state.from;
  if (square === stands) return { state: fresh || moved ? down : idle };
  const reached = square === null ? null : land(down, square, legal);
  return reached ?? { state: moved ? idle : down };
}

function activate<T extends Step>(state: Gesture<T>, square: string, legal: readonly T[]): Outcome<T> {
  if (state.from !== null) {
    const reached = land(state, square, legal);
    if (reached) return reached;
    if (square === state.from) return { state: idle };
  }
  return { state: canMove(square, legal) ? { ...idle, from: square } : idle };
}

/** The piece taken up goes to a square, when it may. */
function land<T extends Step>(state: Gesture<T>, square: string, legal: readonly T[]): Outcome<T> | null {
  const choice = choose(legal, state.from!, state.chosen, square);
  switch (choice.kind) {
    case "none":
      return null;
    case "move":
      return { state: idle, play: choice.move };
    case "more":
      return { state: { from: state.from, chosen: choice.chosen, held: null, choice: null } };
    case "several":
      return { state: { from: state.from, chosen: state.chosen, held: null, choice: choice.moves } };
  }
}

function canMove(square: string, legal: readonly Step[]): boolean {
  return matching(legal, square, []).length > 0;
}
