// Beginning a game: ask the server, then go to its page.
import type { GameMessage, NewGame } from "../protocol";
import { live } from "../stores/live.svelte";
import { router } from "../stores/router.svelte";
import { toasts } from "../stores/toasts.svelte";

/** The variant that stands for a family until a person chooses another. */
export const usual: Record<string, string> = { chess: "chess", draughts: "international", loa: "loa" };

export async function startGame(game: Omit<NewGame, "type" | "request">): Promise<boolean> {
  try {
    const answer = await live.socket.ask<GameMessage>({ type: "new", ...game });
    router.go(`/play/${answer.game.id}`);
    return true;
  } catch (error) {
    toasts.fail(error);
    return false;
  }
}
