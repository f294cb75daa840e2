// The one connection, and what the server has to offer.
import { api } from "../api";
import type { Catalogue, Family, Variant } from "../protocol";
import { Refused, Socket, type Line, type Status } from "../socket";

const loopback = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname); // reached without a network

class Live {
  status: Status = $state("connecting");
  catalogue: Catalogue | null = $state.raw(null);
  failure: Refused | null = $state.raw(null);
  readonly socket: Socket;

  constructor() {
    const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
    this.socket = new Socket(
      () => new WebSocket(address) as unknown as Line,
      { later: (ms, what) => void setTimeout(what, ms), random: Math.random, now: () => performance.now() },
      (status) => (this.status = status),
    );
    addEventListener("online", () => this.socket.hurry());
    addEventListener("offline", () => loopback || this.socket.drop());
    setInterval(() => document.visibilityState === "visible" && this.socket.check(), 1000);
    document.addEventListener(
      "visibilitychange",
      () => document.visibilityState === "visible" && this.socket.hurry(),
    );
    void this.load();
  }

  async load(): Promise<void> {
    this.failure = null;
    try {
      this.catalogue = await api.catalogue();
    } catch (error) {
      this.failure = asRefused(error);
      setTimeout(() => void this.load(), 2000);
    }
  }

  variant(name: string): Variant | null {
    return (
      this.catalogue?.families.flatMap(({ variants }) => variants).find((each) => each.name === name) ?? null
    );
  }

  family(name: string): Family | null {
    return this.catalogue?.families.find((each) => each.name === name) ?? null;
  }
}

export function asRefused(error: unknown): Refused {
  return error instanceof Refused ? error : new Refused("internal", String(error));
}

export const live = new Live();
