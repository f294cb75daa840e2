// The review of a game: every move judged by one engine.
import type { ClientMessage, Review } from "../protocol";
import type { Refused, Unnumbered } from "../socket";
import { live } from "./live.svelte";

type Request = Omit<Extract<Unnumbered<ClientMessage>, { type: "review" }>, "type">;

export class ReviewStore {
  review: Review | null = $state.raw(null);
  progress: { done: number; total: number } | null = $state.raw(null);
  failure: Refused | null = $state.raw(null);
  private end: (() => void) | null = null;

  /** Review a line: `line` are its nodes, the first move's first. */
  start(request: Request, line: readonly number[]): void {
    this.stop();
    this.failure = null;
    this.progress = { done: 0, total: 0 };
    this.end = live.socket.follow(
      { type: "review", ...request },
      (message) => {
        if (message.type === "review_progress") this.progress = { done: message.done, total: message.total };
        else if (message.type === "review") {
          const { review } = message;
          this.review = {
            ...review,
            moves: review.moves.map((move, i) => ({ ...move, node: line[i] ?? null })),
          };
          this.progress = null;
        }
      },
      (message) => message.type === "review",
      (error) => {
        this.failure = error;
        this.progress = null;
      },
    );
  }

  stop(): void {
    this.end?.();
    this.end = null;
    this.progress = null;
  }
}
