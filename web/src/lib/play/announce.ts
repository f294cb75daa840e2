// What a change of a game sounds like, in sounds and in words.
import { spoken } from "../format/spoken";
import { t } from "../i18n/index.svelte";
import type { Game, Side } from "../protocol";
import { play, type Sound } from "../sounds";
import { announcer } from "../stores/announcer.svelte";
import type { GameEvent } from "../stores/game.svelte";
import { settings } from "../stores/settings.svelte";
import { toasts } from "../stores/toasts.svelte";
import { ownSides } from "./seats";
import { endingText } from "./words";

export function announce(game: Game, before: Game | null, event: GameEvent, family: string): void {
  if (before === null) return;
  const said: string[] = [];
  if (game.position.last && game.current !== before.current && game.position.ply > before.position.ply) {
    const mover: Side = game.position.turn === "white" ? "black" : "white";
    said.push(t("speak.move", { side: t(`side.${mover}`), move: spoken(family, game.position.last.san, t) }));
    sound(game.position.check ? "check" : game.position.last.captures.length > 0 ? "capture" : "move");
  } else if (event === "takeback") {
    said.push(t("speak.takeback"));
    sound("move");
  }
  if (event === "draw_declined") toasts.show(t("play.draw_declined"));
  if (game.outcome && !before.outcome) {
    said.push(endingText(game.outcome, ownSides(game)));
    sound("end");
  }
  if (said.length > 0) announcer.say(said.join(". "));
}

function sound(name: Sound): void {
  play(name, settings.current);
}
