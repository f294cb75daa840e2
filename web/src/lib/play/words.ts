// Players, results and whose turn it is, in words.
import { has, t } from "../i18n/index.svelte";
import type { Ending, Game, Seat, Side } from "../protocol";
import { live } from "../stores/live.svelte";

export function seatName(seat: Seat): string {
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
      return seat.name === "" || seat.name === "human" ? t("opponent.you") : seat.name;
  }
}

export function variantTitle(name: string): string {
  return has(`variant.${name}`) ? t(`variant.${name}`) : (live.variant(name)?.title ?? name);
}

export function reasonText(reason: string): string {
  const key = `reason.${reason.replaceAll(" ", "_")}`;
  return has(key) ? t(key) : reason;
}

export function resultText(result: string, reason: string): string {
  if (result === "*") return t("result.running");
  const winner = result === "1-0" ? "white" : result === "0-1" ? "black" : null;
  const text = winner ? t(`result.${winner}`) : t("result.draw");
  return reason === "" ? text : `${text} · ${reasonText(reason)}`;
}

export function endingText(ending: Ending): string {
  return resultText(ending.result, ending.reason);
}

/** Whose turn it is, or how the game ended. */
export function statusText(game: Game, own: readonly Side[]): string {
  if (game.outcome) return endingText(game.outcome);
  const turn = game.position.turn;
  const check = game.position.check ? `${t("status.check")} · ` : "";
  if (game.failure) return t("status.failed");
  if (!own.includes(turn)) return check + t("status.thinking", { name: seatName(game[turn]) });
  const must = game.position.must_capture.length > 0 ? ` · ${t("status.must_capture")}` : "";
  if (own.length === 2) return check + t(`status.${turn}`) + must;
  return check + t("status.yours", { side: t(`side.${turn}`).toLowerCase() }) + must;
}
