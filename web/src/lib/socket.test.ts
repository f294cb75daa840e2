import { describe, expect, it } from "vitest";
import type { ServerMessage } from "./protocol";
import { Socket, type Line } from "./socket";

/** A server written out: it keeps what it hears and says what the test tells it to. */
class Partner implements Line {
  heard: Record<string, unknown>[] = [];
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  send(text: string) {
    this.heard.push(JSON.parse(text) as Record<string, unknown>);
  }
  close() {
    this.onclose?.();
  }
  say(message: object) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

function dialogue() {
  const partners: Partner[] = [];
  const delays: { ms: number; what: () => void }[] = [];
  const seen: string[] = [];
  let now = 0;
  const pass = (ms: number) => {
    now += ms;
    socket.check();
  };
  const connect = () => {
    const partner = new Partner();
    partners.push(partner);
    return partner;
  };
  const timers = {
    later: (ms: number, what: () => void) => void delays.push({ ms, what }),
    random: () => 0.5,
    now: () => now,
  };
  const socket = new Socket(connect, timers, (status) => seen.push(status));
  const partner = () => partners.at(-1)!;
  const again = () => {
    delays.shift()!.what();
    partner().onopen?.();
  };
  return { socket, partner, partners, delays, seen, again, pass };
}

const move = { type: "move", game: "g", node: 3, move: "e2e4" } as const;
const fresh = { type: "new", variant: "chess", side: "white", opponent: { kind: "human" } } as const;

describe("requests", () => {
  it("wait for the line to open, are numbered, and get their answers", async () => {
    const { socket, partner } = dialogue();
    const first = socket.ask({ type: "open", game: "a" });
    const second = socket.ask({ type: "open", game: "b" });
    expect(partner().heard).toEqual([]);
    partner().onopen?.();
    expect(partner().heard).toEqual([
      { type: "open", game: "a", request: 1 },
      { type: "open", game: "b", request: 2 },
    ]);
    partner().say({ type: "ok", request: 2 });
    partner().say({ type: "deleted", game: "a", request: 1 });
    expect((await second).type).toBe("ok");
    expect((await first).type).toBe("deleted");
  });
  it("fail with the server's code and the state it sends", async () => {
    const { socket, partner } = dialogue();
    partner().onopen?.();
    const asked = socket.ask(move);
    partner().say({
      type: "error",
      code: "stale",
      message: "late",
      detail: null,
      game: { id: "g" },
      request: 1,
    });
    await expect(asked).rejects.toMatchObject({ code: "stale", message: "late", game: { id: "g" } });
  });
});

describe("a broken line", () => {
  it("is tried again with growing delays, and a move is sent again", async () => {
    const { socket, partner, partners, delays, seen, again } = dialogue();
    partner().onopen?.();
    const asked = socket.ask(move);
    partner().close();
    again();
    expect(partner().heard).toEqual([{ ...move, request: 1 }]);
    partner().say({ type: "ok", request: 1 });
    await asked;
    expect(seen).toEqual(["open", "lost", "open"]);
    partner().close();
    delays.shift()!.what();
    partner().close();
    expect(delays[0]!.ms).toBe(500);
    expect(partners).toHaveLength(3);
  });
  it("never begins a game twice", async () => {
    const { socket, partner, again } = dialogue();
    partner().onopen?.();
    const asked = socket.ask(fresh);
    partner().close();
    await expect(asked).rejects.toMatchObject({ code: "lost" });
    again();
    expect(partner().heard).toEqual([]);
  });
  it("keeps a request that was never sent", () => {
    const { socket, partner, again } = dialogue();
    void socket.ask(fresh);
    partner().close();
    again();
    expect(partner().heard).toEqual([{ ...fresh, request: 1 }]);
  });
});

describe("a stream", () => {
  const analyse = { type: "analyse", variant: "chess", engine: { kind: "engine" } } as const;
  it("goes on until its last message, or until it is stopped", () => {
    const { socket, partner } = dialogue();
    partner().onopen?.();
    const heard: ServerMessage[] = [];
    const last = (message: ServerMessage) => message.type === "analysis" && message.done;
    const stop = socket.follow(
      analyse,
      (message) => heard.push(message),
      last,
      () => {},
    );
    partner().say({ type: "analysis", request: 1, lines: [], done: false });
    partner().say({ type: "analysis", request: 1, lines: [], done: false });
    stop();
    partner().say({ type: "analysis", request: 1, lines: [], done: true });
    expect(heard).toHaveLength(2);
    expect(partner().heard.at(-1)).toEqual({ type: "stop", search: 1, request: 2 });
  });
});

describe("a network that goes away", () => {
  it("is noticed by a server that does not answer, and the move is sent again", () => {
    const { socket, partner, partners, seen, again, pass } = dialogue();
    partner().onopen?.();
    pass(1000);
    void socket.ask(move);
    pass(1000);
    expect(partner().heard.at(-1)).toEqual({ type: "ping", request: 2 });
    pass(1000);
    expect(seen).toEqual(["open"]);
    pass(1000);
    expect(seen).toEqual(["open", "lost"]);
    again();
    expect(partners).toHaveLength(2);
    expect(partner().heard).toEqual([{ ...move, request: 1 }]);
  });
  it("leaves a server alone that talks", () => {
    const { partner, seen, pass } = dialogue();
    partner().onopen?.();
    for (let second = 0; second < 10; second++) {
      partner().say({ type: "ok", request: 0 });
      pass(1000);
    }
    expect(partner().heard).toEqual([]);
    pass(1000);
    pass(1000);
    partner().say({ type: "ok", request: 1 });
    pass(1000);
    expect(seen).toEqual(["open"]);
  });
});
