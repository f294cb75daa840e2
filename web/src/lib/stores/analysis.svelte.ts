// The engine at work on the position that is shown.
import type { EngineChoice, Line } from "../protocol";
import type { Refused } from "../socket";
import { live } from "./live.svelte";

export type Subject = { variant: string; fen: string | null; moves: string[] };
export type EngineOptions = { engine: EngineChoice; multipv: number; threads: number; hash: number };

export class Analysis {
  lines: Line[] = $state.raw([]);
  /** How many moves lead to the position that `lines` are of. */
  ply: number = $state(0);
  engine: string = $state("");
  running: boolean = $state(false);
  waiting: boolean = $state(false);
  failure: Refused | null = $state.raw(null);
  /** Whether `lines` are of the position before: shown faintly until the first new one comes. */
  old: boolean = $state(false);
  private end: (() => void) | null = null;
  private asked = "";
  private done = false;

  start(subject: Subject, options: EngineOptions): void {
    const asked = JSON.stringify([subject, options]);
    const again = asked === this.asked;
    if (again && (this.done || this.running)) return;
    this.stop();
    this.asked = asked;
    this.done = false;
    this.old = !again && this.lines.length > 0;
    const known = again ? (this.lines[0]?.depth ?? 0) : 0;
    this.running = true;
    this.failure = null;
    this.end = live.socket.follow(
      { type: "analyse", ...subject, ...options },
      (message) => {
        if (message.type !== "analysis") return;
        this.waiting = message.waiting;
        this.engine = message.engine;
        // A search that goes on after a pause is silent until it knows more than before.
        const depth = message.lines[0]?.depth ?? 0;
        if ((depth > 0 && depth >= known) || message.done) {
          this.lines = message.lines;
          this.ply = subject.moves.length;
          this.old = false;
        }
        if (message.done) {
          this.done = true;
          this.running = false;
        }
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
    this.asked = "";
    this.lines = [];
    this.old = false;
  }
}
