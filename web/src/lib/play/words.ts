// Players, results and whose turn it is, in words.
import { has, isOne, t } from "../i18n/index.svelte";
import type { Ending, Game, Side } from "../protocol";
import { live } from "../stores/live.svelte";
import type { Seats } from "./seats";

/** Who plays a side. A person without a name is you, or the side itself where both are at this screen. */
export function playerName(game: Seats, side: Side): string {
  const seat = game[side];
  const { opponent } = seat;
  switch (opponent.kind) {
    case "level":
      return t("opponent.level_n", { level: opponent.level });
    case "elo":
      return t("opponent.elo_n", { elo: opponent.elo });
    case "textbook":
      return t("opponent.textbook_n", {
        algorithm: t(`algorithm.${opponent.algorithm}`),
        limit: opponent.algorithm === "mcts" ? (opponent.simulations ?? 800) : (opponent.depth ?? 3),
      });
    case "learnt":
      return seat.name;
    case "human":
      if (seat.name !== "") return seat.name;
      return game[side === "white" ? "black" : "white"].opponent.kind === "human"
        ? t(`side.${side}`)
        : t("opponent.you");
  }
}

/** Both players, White first; two people at one screen have no names. */
export function players(game: Seats): string {
  const nobody = (side: Side) => game[side].opponent.kind === "human" && game[side].name === "";
  if (nobody("white") && nobody("black")) return t("opponent.two");
  return `${playerName(game, "white")} – ${playerName(game, "black")}`;
}

export function variantTitle(name: string): string {
  return has(`variant.${name}`) ? t(`variant.${name}`) : (live.variant(name)?.title ?? name);
}

/** How long a game is, in moves of both sides. */
export function moveCount(plies: number): string {
  const count = Math.ceil(plies / 2);
  return t(isOne(count) ? "games.one_move" : "games.moves", { count });
}

export function reasonText(reason: string): string {
  const key = `reason.${reason.replaceAll(" ", "_")}`;
  return has(key) ? t(key) : reason;
}

/** A result in words: as whoever plays alone sees it, else by the name of the side. */
export function resultText(result: string, reason: string, own: readonly Side[] = []): string {
  if (result === "*") return t("result.running");
  const winner = result === "1-0" ? "white" : result === "0-1" ? "black" : null;
  const mine = own.length === 1 && winner ? (winner === own[0] ? "won" : "lost") : null;
  const text = winner ? t(`result.${mine ?? winner}`) : t("result.draw");
  return reason === "" || reason === "unknown" ? text : `${text} · ${reasonText(reason)}`;
}

export function endingText(ending: Ending, own: readonly Side[] = []): string {
  return resultText(ending.result, ending.reason, own);
}

/** Whose turn it is, or how the game ended. */
export function statusText(game: Game, own: readonly Side[]): string {
  if (game.outcome) return endingText(game.outcome, own);
  const turn = game.position.turn;
  if (game.failure) return t("status.failed");
  const mine = own.includes(turn);
  const said = !mine
    ? t("status.thinking", { name: playerName(game, turn) })
    : own.length === 2
      ? t(`status.${turn}`)
      : t("status.yours", { side: t(`side.${turn}`).toLowerCase() });
  const check = game.position.check ? `${t("status.check")} · ` : "";
  const capture = mine && game.position.must_capture.length > 0 ? ` · ${t("status.must_capture")}` : "";
  return check + said + capture;
}
