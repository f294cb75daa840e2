// What the letters of a game stand for.
import { letters, type Kind } from "./shapes";

export type { Kind };

/** The piece a letter stands for; a disc where nobody has described the game, capitals being White's. */
export function kindOf(family: string, letter: string): Kind {
  return (
    letters[family]?.[letter] ?? { side: letter === letter.toUpperCase() ? "white" : "black", name: "disc" }
  );
}

/** The letter for a kind of piece. */
export function letterOf(family: string, side: Kind["side"], name: string): string | undefined {
  const found = Object.entries(letters[family] ?? {}).find(
    ([, kind]) => kind.side === side && kind.name === name,
  );
  return found?.[0];
}
