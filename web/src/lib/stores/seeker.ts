// On the way to a place that has to be asked for: one question at a time, and of the places wanted meanwhile the last.

export class Seeker<T> {
  private wanted: number | null = null;
  private running: Promise<void> | null = null;

  constructor(
    private readonly ask: (id: number) => Promise<T>,
    private readonly arrive: (id: number, found: T) => void,
    private readonly fail: (error: unknown) => void,
  ) {}

  /** Where one will stand: steps count from there, however fast they come. */
  target(here: number): number {
    return this.wanted ?? here;
  }

  /** Go to a place; done once nothing more is wanted. */
  seek(id: number): Promise<void> {
    this.wanted = id;
    return (this.running ??= this.run().finally(() => (this.running = null)));
  }

  /** Stay: whatever is on its way comes too late. */
  cancel(): void {
    this.wanted = null;
  }

  private async run(): Promise<void> {
    while (this.wanted !== null) {
      const id = this.wanted;
      try {
        const found = await this.ask(id);
        if (this.wanted === null) return;
        this.arrive(id, found);
      } catch (error) {
        if (this.wanted === id) this.fail(error);
      }
      if (this.wanted === id) this.wanted = null;
    }
  }
}
