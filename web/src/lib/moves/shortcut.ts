// The keys that pages with a board share: through the moves, and round the board.
import type { WalkStep } from "../format/tree";

const steps: Record<string, WalkStep> = {
  ArrowLeft: "back",
  ArrowRight: "forward",
  Home: "first",
  End: "last",
};
/** Where keys have a meaning of their own. */
const Fields = "input:not([type=checkbox]), textarea, select, dialog, [role=tablist]";

export type Shortcut = WalkStep | "flip";

/** Goes through the moves or turns the board, if that is what a key stands for. */
export function followShortcut(event: KeyboardEvent, go: (step: WalkStep) => void, flip: () => void): void {
  const shortcut = shortcutOf(event);
  if (shortcut === null) return;
  if (shortcut === "flip") flip();
  else go(shortcut);
  event.preventDefault();
}

/** What a key stands for, unless it is typed into a field or belongs to the browser. */
export function shortcutOf(event: KeyboardEvent): Shortcut | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if ((event.target as Element).closest(Fields)) return null;
  return event.key === "f" ? "flip" : (steps[event.key] ?? null);
}
