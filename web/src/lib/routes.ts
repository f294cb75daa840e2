// Which page an address shows. Later rooms (microscope, lessons, arena, laboratory) add their line here.

export type Route =
  | { page: "home" }
  | { page: "play"; game: string }
  | {
      page: "analyse";
      game: string | null;
      variant: string | null;
      fen: string | null;
      moves: string[];
      node: number | null;
    }
  | { page: "games" }
  | { page: "settings" }
  | { page: "missing" };

export function parse(path: string, query: URLSearchParams): Route {
  const [room, ...rest] = path.split("/").filter((part) => part !== "");
  switch (room) {
    case undefined:
      return { page: "home" };
    case "play":
      return rest[0] && rest.length === 1 ? { page: "play", game: rest[0] } : { page: "missing" };
    case "analyse":
      if (rest.length > 2) return { page: "missing" };
      return {
        page: "analyse",
        game: rest[0] === "game" ? (rest[1] ?? null) : null,
        variant: rest[0] !== undefined && rest[0] !== "game" ? decodeURIComponent(rest[0]) : null,
        fen: query.get("fen"),
        moves: (query.get("moves") ?? "").split(" ").filter((move) => move !== ""),
        node: query.has("node") ? Number(query.get("node")) : null,
      };
    case "games":
    case "settings":
      return rest.length === 0 ? { page: room } : { page: "missing" };
    default:
      return { page: "missing" };
  }
}

/** The address of a position, to keep or to share. */
export function analysisUrl(variant: string, fen: string | null, moves: readonly string[]): string {
  const query = new URLSearchParams();
  if (fen !== null) query.set("fen", fen);
  if (moves.length > 0) query.set("moves", moves.join(" "));
  const text = query.toString();
  return `/analyse/${encodeURIComponent(variant)}${text && `?${text}`}`;
}
