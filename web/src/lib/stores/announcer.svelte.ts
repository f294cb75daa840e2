// What screen readers are told: a log, so that a move and the quick reply to it are both read.

const Kept = 6;

class Announcer {
  lines: { id: number; text: string }[] = $state.raw([]);
  private counter = 0;

  say(text: string): void {
    this.lines = [...this.lines, { id: ++this.counter, text }].slice(-Kept);
  }
}

export const announcer = new Announcer();
