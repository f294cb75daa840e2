// One websocket for everything live. Requests are numbered; what was not answered when the line broke is sent again
// where that is harmless, and refused with the code `lost` where it could be done twice. A line whose network has gone
// away closes nothing by itself: while someone looks, the server is asked now and then whether it is there.
import type { ClientMessage, ErrorMessage, Game, ServerMessage } from "./protocol";

export type Unnumbered<T> = T extends unknown ? Omit<T, "request"> : never;
export type Status = "connecting" | "open" | "lost";
export type Line = {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onclose: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
};
export type Timers = {
  later: (ms: number, what: () => void) => void;
  random: () => number;
  now: () => number;
};

/** A request that the server refused, or that was lost on the way. */
export class Refused extends Error {
  readonly code: string;
  readonly game: Game | null;
  /** The name of a sentence that says more, and what belongs into it. */
  readonly detail: string | null;
  readonly about: Readonly<Record<string, string>>;
  constructor(code: string, message: string, more: Partial<Pick<Refused, "game" | "detail" | "about">> = {}) {
    super(message);
    this.code = code;
    this.game = more.game ?? null;
    this.detail = more.detail ?? null;
    this.about = more.about ?? {};
  }
}

type Waiting = {
  message: ClientMessage;
  sent: boolean;
  answer: (message: ServerMessage) => boolean; // whether that was the last answer
  fail: (error: Refused) => void;
};

// A move names the node it follows, so that a second copy is refused as stale: it may be sent again.
const OnlyOnce = new Set(["new", "rematch", "flip_sides", "offer_draw", "resign", "add"]);
const FirstDelay = 250;
const LongestDelay = 3000;
const Quiet = 2000; // ms without a word after which the server is asked
const Patience = 1500; // ms to answer

export class Socket {
  status: Status = "connecting";
  private line: Line | null = null;
  private waiting = new Map<number, Waiting>();
  private listeners = new Set<(message: ServerMessage) => void>();
  private counter = 0;
  private delay = FirstDelay;
  private ended = false;
  private heard = 0;
  private asked: number | null = null; // when the server was asked whether it is there

  constructor(
    private readonly connect: () => Line,
    private readonly timers: Timers,
    private readonly onstatus: (status: Status) => void = () => {},
  ) {
    this.open();
  }

  /** See whether the line is still alive; called every second while someone looks. */
  check(): void {
    if (this.status !== "open") return;
    const now = this.timers.now();
    if (this.asked !== null && this.heard < this.asked) {
      if (now - this.asked >= Patience) this.drop();
    } else if (now - this.heard >= Quiet) {
      this.asked = now;
      this.line?.send(JSON.stringify({ type: "ping", request: ++this.counter }));
    }
  }

  /** Give up a line that may be dead: its network is gone, or the machine has slept. */
  drop(): void {
    const line = this.line;
    if (!line || this.status !== "open") return;
    this.line = null;
    line.close();
    this.lose();
  }

  /** Hear every message. */
  listen(listener: (message: ServerMessage) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Ask, and wait for the one answer. */
  ask<A extends ServerMessage = ServerMessage>(message: Unnumbered<ClientMessage>): Promise<A> {
    return new Promise((resolve, reject) => {
      this.put(message, (reply) => (resolve(reply as A), true), reject);
    });
  }

  /** Ask for answers that keep coming until `last` says so; the function returned tells the server to stop. */
  follow(
    message: Unnumbered<ClientMessage>,
    hear: (message: ServerMessage) => void,
    last: (message: ServerMessage) => boolean,
    fail: (error: Refused) => void,
  ): () => void {
    const request = this.put(message, (reply) => (hear(reply), last(reply)), fail);
    return () => {
      const waiting = this.waiting.get(request);
      if (!waiting) return;
      this.waiting.delete(request);
      if (waiting.sent)
        this.put(
          { type: "stop", search: request },
          () => true,
          () => {},
        );
    };
  }

  /** Try now rather than at the end of the delay. */
  hurry(): void {
    if (this.status === "lost" && this.line === null) this.open();
  }

  close(): void {
    this.ended = true;
    this.line?.close();
  }

  private put(message: Unnumbered<ClientMessage>, answer: Waiting["answer"], fail: Waiting["fail"]): number {
    const request = ++this.counter;
    const waiting = { message: { ...message, request } as ClientMessage, sent: false, answer, fail };
    this.waiting.set(request, waiting);
    if (this.status === "open") this.transmit(waiting);
    return request;
  }

  private transmit(waiting: Waiting): void {
    waiting.sent = true;
    this.line?.send(JSON.stringify(waiting.message));
  }

  private open(): void {
    const line = (this.line = this.connect());
    line.onopen = () => {
      if (this.line !== line) return;
      this.heard = this.timers.now();
      this.asked = null;
      this.delay = FirstDelay;
      this.change("open");
      for (const waiting of [...this.waiting.values()]) this.transmit(waiting);
    };
    line.onmessage = ({ data }) => {
      this.heard = this.timers.now();
      if (this.line === line) this.receive(JSON.parse(String(data)) as ServerMessage);
    };
    line.onclose = () => {
      if (this.line !== line) return;
      this.line = null;
      this.lose();
    };
  }

  private lose(): void {
    for (const [request, waiting] of [...this.waiting])
      if (waiting.sent && OnlyOnce.has(waiting.message.type)) {
        this.waiting.delete(request);
        waiting.fail(new Refused("lost", "the connection was lost before the server answered"));
      } else waiting.sent = false;
    if (this.ended) return;
    this.change("lost");
    const delay = this.delay * (0.5 + this.timers.random());
    this.delay = Math.min(LongestDelay, this.delay * 2);
    this.timers.later(delay, () => {
      if (this.line === null && !this.ended) this.open();
    });
  }

  private receive(message: ServerMessage): void {
    for (const listener of this.listeners) listener(message);
    const waiting = this.waiting.get(message.request);
    if (!waiting) return;
    if (message.type === "error") {
      this.waiting.delete(message.request);
      const { code, message: text, ...more } = message as ErrorMessage;
      waiting.fail(new Refused(code, text, more));
    } else if (waiting.answer(message)) this.waiting.delete(message.request);
  }

  private change(status: Status): void {
    this.status = status;
    this.onstatus(status);
  }
}
