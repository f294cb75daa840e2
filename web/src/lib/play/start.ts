// Beginning a game.
import type { GameMessage, NewGame } from "../protocol";
import { live } from "../stores/live.svelte";
import { toasts } from "../stores/toasts.svelte";

/** The variant that stands for a family until a person chooses another. */
export const usual: Record<string, string> = { chess: "chess", draughts: "international", loa: "loa" };

/** Ask the server for a new game; the address of its page, or null where that failed. */
export async function startGame(game: Omit<NewGame, "type" | "request">): Promise<string | null> {
  try {
    const answer = await live.socket.ask<GameMessage>({ type: "new", ...game });
    return `/play/${answer.game.id}`;
  } catch (error) {
    toasts.fail(error);
    return null;
  }
}
