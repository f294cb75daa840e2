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
      return analyse(rest, query);
    case "games":
    case "settings":
      return rest.length === 0 ? { page: room } : { page: "missing" };
    default:
      return { page: "missing" };
  }
}

function analyse(rest: string[], query: URLSearchParams): Route {
  const [first, second, ...more] = rest.map(decoded);
  if (first === null || second === null || more.length > 0) return { page: "missing" };
  const ofGame = first === "game" && second !== undefined;
  if (second !== undefined && !ofGame) return { page: "missing" };
  return {
    page: "analyse",
    game: ofGame ? second : null,
    variant: ofGame ? null : (first ?? null),
    fen: query.get("fen"),
    moves: (query.get("moves") ?? "").split(" ").filter((move) => move !== ""),
  };
}

/** A part of an address as text; null where its percent signs make none. */
function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
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
