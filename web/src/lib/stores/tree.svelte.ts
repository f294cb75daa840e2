// A tree of moves and the position of it that is shown: what a game and a tree of this page have in common.
import { index, lineThrough, pathTo, stepFrom, type WalkStep } from "../format/tree";
import type { LegalMove, Position, PositionMessage, TreeNode, Variant } from "../protocol";
import type { Refused } from "../socket";
import { live } from "./live.svelte";
import { Seeker } from "./seeker";
import { toasts } from "./toasts.svelte";

export type NodeChange = { comment?: string; glyph?: number; promote?: boolean; delete?: boolean };

export abstract class TreeStore {
  failure: Refused | null = $state.raw(null);
  abstract readonly nodes: readonly TreeNode[];
  abstract readonly start: string | null;
  abstract readonly variant: Variant | null;
  abstract readonly position: Position | null;
  abstract readonly shownId: number;
  readonly tree = $derived.by(() => (this.nodes.length > 0 ? index(this.nodes) : null));
  readonly line = $derived.by(() => (this.tree ? lineThrough(this.tree, this.shownId) : []));
  protected readonly positions = new Map<number, Position>();
  protected readonly seeker = new Seeker<Position>(
    (id) => this.positionOf(id),
    (id, position) => this.arrive(id, position),
    (error) => toasts.fail(error),
  );

  /** Add a move after the position that is shown, unless it is there already, and show it. */
  abstract add(move: LegalMove): Promise<void>;
  abstract edit(node: number, change: NodeChange): Promise<void>;
  protected abstract arrive(id: number, position: Position): void;

  /** Show the position after a node. */
  show(id: number): Promise<void> {
    return this.seeker.seek(id);
  }

  /** Go along the line that is shown: by steps, or to one of its ends. */
  go(step: WalkStep): void {
    if (!this.tree) return;
    const here = this.seeker.target(this.shownId);
    const id = stepFrom(this.tree, here, step);
    if (id !== here) void this.show(id);
  }

  /** The moves that lead to a node. */
  movesTo(id: number): string[] {
    return this.tree ? pathTo(this.tree, id).map((node) => node.move ?? "") : [];
  }

  protected childOf(parent: number, move: { move: string; san: string }): TreeNode | undefined {
    return this.tree?.children.get(parent)?.find((node) => node.move === move.move || node.move === move.san);
  }

  protected async positionOf(id: number): Promise<Position> {
    const known = this.positions.get(id);
    if (known) return known;
    const position = await this.ask(this.movesTo(id));
    this.positions.set(id, position);
    return position;
  }

  protected async ask(moves: string[]): Promise<Position> {
    const { position } = await live.socket.ask<PositionMessage>({
      type: "position",
      variant: this.variantName,
      fen: this.start,
      moves,
    });
    return position;
  }

  protected abstract readonly variantName: string;
}
