// The HTTP side of the server.
import type { Catalogue, Failure, GamePage, ImportBody, Imported, Settings } from "./protocol";
import { Refused } from "./socket";

async function call<T>(method: string, path: string, body?: unknown, options: RequestInit = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      ...options,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
  } catch {
    throw new Refused("lost", "the server did not answer");
  }
  const text = await response.text();
  if (response.ok) return (text === "" ? undefined : JSON.parse(text)) as T;
  const failure = readFailure(text);
  throw new Refused(
    failure?.code ?? "internal",
    failure?.message ?? `${response.status} ${response.statusText}`,
    failure ?? {},
  );
}

function readFailure(text: string): Failure | null {
  try {
    const found = JSON.parse(text) as Partial<Failure>;
    return typeof found.code === "string" && typeof found.message === "string" ? (found as Failure) : null;
  } catch {
    return null;
  }
}

export type GameQuery = {
  search?: string;
  variant?: string;
  result?: string;
  limit?: number;
  before?: string;
};

export const api = {
  catalogue: () => call<Catalogue>("GET", "/api/catalogue"),
  settings: () => call<Settings>("GET", "/api/settings"),
  saveSettings: (settings: Settings) => call<Settings>("PUT", "/api/settings", settings, { keepalive: true }), // also while the page is left
  games: (query: GameQuery) => {
    const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
    return call<GamePage>("GET", `/api/games?${new URLSearchParams(given.map(([k, v]) => [k, String(v)]))}`);
  },
  remove: (id: string) => call<unknown>("DELETE", `/api/games/${encodeURIComponent(id)}`),
  importGames: (body: ImportBody) => call<Imported>("POST", "/api/games/import", body),
  exportUrl: (id: string, format: string) => `/api/games/${encodeURIComponent(id)}/export?format=${format}`,
  exported: async (id: string, format: string): Promise<string> => {
    const response = await fetch(api.exportUrl(id, format)).catch(() => null);
    if (!response?.ok) throw new Refused("lost", "the game could not be exported");
    return response.text();
  },
};
