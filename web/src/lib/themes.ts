// Boards and pieces as colours. A theme is applied through variables, so that nothing is drawn again.

export type BoardTheme = {
  light: string;
  dark: string;
  label: [string, string];
  last: string;
};
export type PieceInk = { light: string; shade: string; edge: string; detail: string };
export type PieceTheme = { white: PieceInk; black: PieceInk; shadow: number };

export const boards: Record<string, BoardTheme> = {
  wood: {
    light: "#f0dcb8",
    dark: "#b88a5a",
    label: ["#7a5226", "#33200c"],
    last: "#f2c230",
  },
  slate: {
    light: "#dfe4ea",
    dark: "#8296a9",
    label: ["#4a5d70", "#0f1a26"],
    last: "#ffcf5c",
  },
  green: {
    light: "#eeeed8",
    dark: "#769656",
    label: ["#4c6334", "#16240a"],
    last: "#f4e04d",
  },
  paper: {
    light: "#ffffff",
    dark: "#c9c9c9",
    label: ["#555555", "#222222"],
    last: "#ffd54d",
  },
  plum: {
    light: "#ece4f0",
    dark: "#9a82ac",
    label: ["#66507a", "#221530"],
    last: "#f5cf57",
  },
  night: {
    light: "#a3acb8",
    dark: "#647080", // not darker, or black pieces are lost on it
    label: ["#1b212a", "#ffffff"],
    last: "#d9b13b",
  },
};

const ivory: PieceInk = { light: "#fffdf6", shade: "#e4d3b0", edge: "#33271c", detail: "#6a5234" };
const ebony: PieceInk = { light: "#5d514a", shade: "#1e1917", edge: "#0d0a09", detail: "#d9cbb6" };

export const pieces: Record<string, PieceTheme> = {
  classic: { white: ivory, black: ebony, shadow: 0.25 },
  flat: {
    white: { light: "#ffffff", shade: "#ffffff", edge: "#1a1a1a", detail: "#4a4a4a" },
    black: { light: "#3a3a3a", shade: "#3a3a3a", edge: "#000000", detail: "#f0f0f0" },
    shadow: 0,
  },
  ruby: {
    white: ivory,
    black: { light: "#c8453c", shade: "#7d1712", edge: "#3d0806", detail: "#ffd9d2" },
    shadow: 0.25,
  },
  ocean: {
    white: { light: "#f4fbff", shade: "#bcd7e6", edge: "#173445", detail: "#3b6b84" },
    black: { light: "#2f6f92", shade: "#0e2e44", edge: "#061722", detail: "#cfe8f5" },
    shadow: 0.22,
  },
};

/** The variables of a board and its pieces, by name. */
export function variables(board: string, piece: string): Record<string, string> {
  const b = boards[board] ?? boards.wood!;
  const p = pieces[piece] ?? pieces.classic!;
  const inks = (["white", "black"] as const).flatMap((side) =>
    Object.entries(p[side]).map(([part, colour]): [string, string] => [`--${side}-${part}`, colour]),
  );
  return {
    "--board-light": b.light,
    "--board-dark": b.dark,
    "--board-label-light": b.label[0],
    "--board-label-dark": b.label[1],
    "--board-last": b.last,
    "--piece-shadow": String(p.shadow),
    ...Object.fromEntries(inks),
  };
}
