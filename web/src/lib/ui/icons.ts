// Icons drawn by us: strokes on a 24 by 24 grid.
export const icons = {
  analyse: "M4 19V5M4 19h16M8 15l4-5 3 3 5-7",
  back: "M15 5l-7 7 7 7",
  board: "M4 4h16v16H4zM12 4v16M4 12h16",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  dots: "M5 12h.01M12 12h.01M19 12h.01",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  draw: "M5 9h14M5 15h14",
  first: "M18 5l-7 7 7 7M7 5v14",
  flag: "M6 21V4M6 5c4-2.5 7 2.5 12 0v9c-5 2.5-8-2.5-12 0",
  flip: "M7 4v15M7 19l-3-3M7 19l3-3M17 20V5M17 5l-3 3M17 5l3 3",
  forward: "M9 5l7 7-7 7",
  games: "M4 6h16M4 12h16M4 18h10",
  groups:
    "M7 8a2.5 2.5 0 1 0 0-.01M17 8a2.5 2.5 0 1 0 0-.01M12 17a2.5 2.5 0 1 0 0-.01M8.2 10l2.6 5M15.8 10l-2.6 5M9.5 8h5",
  hint: "M9 18h6M10 21h4M8.5 14.5C6.5 13 6 11 6 9.5a6 6 0 0 1 12 0c0 1.500-.5 3.500-2.500 5V16h-7z",
  last: "M6 5l7 7-7 7M17 5v14",
  lines: "M5 5l14 14M12 3v18M3 12h18M19 5L5 19",
  link: "M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.600-5.600l-1 1M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.600 5.600l1-1",
  move: "M12 3v18M3 12h18M9 6l3-3 3 3M9 18l3 3 3-3M6 9l-3 3 3 3M18 9l3 3-3 3",
  play: "M7 4.500v15l12-7.500z",
  plus: "M12 5v14M5 12h14",
  rematch: "M19 12a7 7 0 1 1-2.500-5.400M19 4v4h-4",
  save: "M5 4h11l3 3v13H5zM8 4v5h7V4M8 20v-6h8v6",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5",
  settings:
    "M12 15.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM12 2.800v3M12 18.200v3M2.800 12h3M18.200 12h3M5.500 5.500l2.100 2.100M16.400 16.400l2.100 2.100M5.500 18.500l2.100-2.100M16.400 7.600l2.100-2.100",
  sound: "M4 9.500v5h3.500L12 19V5L7.500 9.500zM15.500 9a4 4 0 0 1 0 6M18 6.500a8 8 0 0 1 0 11",
  takeback: "M9 7L4 12l5 5M4 12h10a5 5 0 0 1 0 10",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.500 11v5.500M13.500 11v5.500",
  up: "M12 19V6M6 11l6-6 6 6",
  upload: "M12 16V5M7 9l5-5 5 5M5 20h14",
  warning: "M12 4L2.500 20h19zM12 10v5M12 17.500h.01",
} as const;

export type IconName = keyof typeof icons;
