// Arrows in units of a square, from the middle of one to near the middle of another.
import type { Place } from "./geometry";

export type ArrowTone = "best" | "other" | "own" | "threat";
export type Arrow = { from: string; to: string; tone: ArrowTone };

/** The outline of an arrow as an SVG path; empty when it goes nowhere. */
export function outline(from: Place, to: Place, width = 0.18): string {
  const dx = to.column - from.column;
  const dy = to.row - from.row;
  const length = Math.hypot(dx, dy);
  if (length === 0) return "";
  const [ux, uy] = [dx / length, dy / length];
  const [x, y] = [from.column + 0.5, from.row + 0.5];
  const start = Math.min(0.28, length / 4);
  const tip = length - 0.08;
  const neck = Math.max(start, tip - width * 2.1);
  const half = width / 2;
  const wing = width * 1.15;
  const at = (along: number, aside: number) =>
    `${round(x + ux * along - uy * aside)},${round(y + uy * along + ux * aside)}`;
  return [
    `M${at(start, half)}`,
    `L${at(neck, half)}`,
    `L${at(neck, wing)}`,
    `L${at(tip, 0)}`,
    `L${at(neck, -wing)}`,
    `L${at(neck, -half)}`,
    `L${at(start, -half)}`,
    `A${half},${half} 0 0 1 ${at(start, half)}Z`,
  ].join("");
}

/** The arrows with one added, or taken away when it was there. */
export function toggle(arrows: readonly Arrow[], from: string, to: string): Arrow[] {
  const others = arrows.filter((arrow) => arrow.from !== from || arrow.to !== to);
  return others.length < arrows.length ? others : [...arrows, { from, to, tone: "own" }];
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
