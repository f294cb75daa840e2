// Who sits where.
import type { Seat, Side, Variant } from "../protocol";

export type Seats = { white: Seat; black: Seat };

/** The sides that are played by people on this screen. */
export function ownSides(game: Seats): Side[] {
  return (["white", "black"] as const).filter((side) => game[side].opponent.kind === "human");
}

/** Whether a board is turned, so that a person who plays alone has their pieces at the bottom. */
export function isFlipped(game: Seats, variant: Pick<Variant, "family" | "bottom">): boolean {
  const own = ownSides(game);
  return own.length === 1 && variant.family !== "loa" && own[0] !== variant.bottom;
}
