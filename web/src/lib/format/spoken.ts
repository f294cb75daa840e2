// Moves as they are said aloud.
import type { Key } from "../i18n/index.svelte";

type Say = (key: Key, parameters?: Record<string, string | number>) => string;
const pieces: Record<string, string> = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight" };

/** The notation of a move in words: "Nxf3+" becomes "knight takes f3, check". */
export function spoken(family: string, san: string, say: Say): string {
  if (family !== "chess") return san.replace(/x/g, ` ${say("speak.takes")} `).replace(/-/g, " ");
  const mark = san.endsWith("#")
    ? `, ${say("speak.mate")}`
    : san.endsWith("+")
      ? `, ${say("speak.check")}`
      : "";
  const bare = san.replace(/[+#!?]/g, "");
  if (/^O-O-O/.test(bare)) return say("speak.long_castling") + mark;
  if (/^O-O/.test(bare)) return say("speak.short_castling") + mark;
  const words = bare
    .replace(/^[KQRBN]/, (letter) => `${say(`piece.${pieces[letter]}`)} `)
    .replace(
      /=([QRBN])/,
      (_, letter: string) => `, ${say("speak.promotes", { piece: say(`piece.${pieces[letter]}`) })}`,
    )
    .replace("x", ` ${say("speak.takes")} `);
  return words.replace(/\s+/g, " ").trim() + mark;
}
