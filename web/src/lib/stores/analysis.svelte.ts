// The engine at work on the position that is shown.
import type { EngineChoice, Line } from "../protocol";
import type { Refused } from "../socket";
import { live } from "./live.svelte";

export type Subject = { variant: string; fen: string | null; moves: string[] };
export type EngineOptions = { engine: EngineChoice; multipv: number; threads: number; hash: number };

export class Analysis {
  lines: Line[] = $state.raw([]);
  engine: string = $state("");
  running: boolean = $state(false);
  waiting: boolean = $state(false);
  failure: Refused | null = $state.raw(null);
  /** Whether `lines` are of the position before: shown faintly until the first new one comes. */
  old: boolean = $state(false);
  private end: (() => void) | null = null;

  start(subject: Subject, options: EngineOptions): void {
    this.stop();
    this.old = this.lines.length > 0;
    this.running = true;
    this.failure = null;
    this.end = live.socket.follow(
      { type: "analyse", ...subject, ...options },
      (message) => {
        if (message.type !== "analysis") return;
        this.waiting = message.waiting;
        this.engine = message.engine;
        if (message.lines.length > 0 || message.done) {
          this.lines = message.lines;
          this.old = false;
        }
        if (message.done) this.running = false;
      },
      (message) => message.type === "analysis" && message.done,
      (error) => {
        this.failure = error;
        this.running = false;
      },
    );
  }

  stop(): void {
    this.end?.();
    this.end = null;
    this.running = false;
    this.waiting = false;
  }

  clear(): void {
    this.stop();
    this.lines = [];
    this.old = false;
  }
}
