// A tree of moves that only this page knows: a position to look at, shared by its address.
import type { GameMessage, LegalMove, Position, TreeNode } from "../protocol";
import { asRefused, live } from "./live.svelte";
import { toasts } from "./toasts.svelte";
import { TreeStore, type NodeChange } from "./tree.svelte";

const root: TreeNode = {
  id: 0,
  parent: null,
  move: null,
  san: null,
  ply: 0,
  comment: "",
  glyph: null,
  score: null,
  seconds: null,
  ending: null,
};

export class LocalTree extends TreeStore {
  nodes: TreeNode[] = $state.raw([root]);
  shownId: number = $state(0);
  position: Position | null = $state.raw(null);
  private counter = 0;
  readonly variant = $derived.by(() => live.variant(this.variantName));

  constructor(
    readonly variantName: string,
    readonly start: string | null,
    moves: readonly string[],
  ) {
    super();
    void this.load(moves);
  }

  async add(move: LegalMove): Promise<void> {
    const parent = this.shownId;
    const known = this.childOf(parent, move);
    if (known) return this.show(known.id);
    try {
      const position = await this.ask([...this.movesTo(parent), move.move]);
      const id = this.childOf(parent, move)?.id ?? this.append(parent, move.move, move.san);
      this.positions.set(id, position);
      this.seeker.cancel();
      this.arrive(id, position);
    } catch (error) {
      toasts.fail(error);
    }
  }

  edit(id: number, change: NodeChange): Promise<void> {
    const node = this.tree?.byId.get(id);
    if (!node) return Promise.resolve();
    if (change.delete) {
      const gone = new Set([id]);
      for (const each of this.nodes) if (each.parent !== null && gone.has(each.parent)) gone.add(each.id);
      const leave = gone.has(this.shownId);
      this.nodes = this.nodes.filter((each) => !gone.has(each.id));
      return leave ? this.show(node.parent ?? 0) : Promise.resolve();
    }
    if (change.promote) {
      const others = this.nodes.filter((each) => each !== node);
      const first = others.findIndex((each) => each.parent === node.parent);
      this.nodes = first < 0 ? this.nodes : [...others.slice(0, first), node, ...others.slice(first)];
    }
    const { comment, glyph } = change;
    if (comment !== undefined || glyph !== undefined)
      this.nodes = this.nodes.map((each) =>
        each.id === id
          ? {
              ...each,
              comment: comment ?? each.comment,
              glyph: glyph === undefined ? each.glyph : glyph || null,
            }
          : each,
      );
    return Promise.resolve();
  }

  protected arrive(id: number, position: Position): void {
    this.position = position;
    this.shownId = id;
    const node = this.nodes.find((each) => each.id === id);
    const last = position.last;
    // Moves of an address are shown as they are written there until one comes to them.
    if (node && last && (node.move !== last.move || node.san !== last.san))
      this.nodes = this.nodes.map((each) =>
        each === node ? { ...each, move: last.move, san: last.san } : each,
      );
  }

  private append(parent: number, move: string, san: string): number {
    const id = ++this.counter;
    const ply = (this.nodes.find((node) => node.id === parent)?.ply ?? 0) + 1;
    this.nodes = [...this.nodes, { ...root, id, parent, move, san, ply }];
    return id;
  }

  /** Follow the moves of the address to their end, with one question for all of them. */
  private async load(moves: readonly string[]): Promise<void> {
    const nodes = moves.map((move, i) => ({ ...root, id: i + 1, parent: i, move, san: move, ply: i + 1 }));
    try {
      const position = await this.ask([...moves]);
      this.nodes = [root, ...nodes];
      this.counter = nodes.length;
      this.positions.set(nodes.length, position);
      this.arrive(nodes.length, position);
    } catch (error) {
      this.failure = asRefused(error);
    }
  }
}

/** Make a game of a tree, with its variations, comments and glyphs; the id of the game. */
export async function saveTree(local: LocalTree): Promise<string> {
  const numbers = new Map(local.nodes.map((node, i) => [node.id, i])); // the start is the first, and 0
  const { game } = await live.socket.ask<GameMessage>({
    type: "new",
    variant: local.variantName,
    side: "white",
    opponent: { kind: "human" },
    fen: local.start,
    tree: local.nodes.slice(1).map(({ parent, move, comment, glyph }) => ({
      parent: numbers.get(parent ?? 0) ?? 0,
      move: move ?? "",
      comment,
      glyph,
    })),
  });
  return game.id;
}
