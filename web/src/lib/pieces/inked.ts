// A piece in the colours of a theme that is not the page's: for pictures of themes.
import type { PieceTheme } from "../themes";
import { gradients, shapes } from "./shapes";

/** The drawing of a piece with its colours written in; `prefix` keeps its gradients apart from others'. */
export function inked(theme: PieceTheme, piece: string, prefix: string): string {
  return `<defs>${gradients}</defs>${shapes[piece] ?? ""}`
    .replaceAll("var(--piece-shadow)", String(theme.shadow))
    .replace(
      /var\(--(white|black)-(light|shade|edge|detail)\)/g,
      (_, side: "white" | "black", part: "light" | "shade" | "edge" | "detail") => theme[side][part],
    )
    .replaceAll("damier-", `${prefix}-`);
}
