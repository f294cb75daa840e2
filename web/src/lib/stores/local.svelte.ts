// A tree of moves that only this page knows: a position to look at, shared by its address.
import { index, lineThrough, mainLine, pathTo } from "../format/tree";
import type { GameMessage, LegalMove, Position, PositionMessage, TreeNode } from "../protocol";
import type { Refused } from "../socket";
import type { NodeChange } from "./game.svelte";
import { asRefused, live } from "./live.svelte";
import { toasts } from "./toasts.svelte";

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

export class LocalTree {
  nodes: TreeNode[] = $state.raw([root]);
  shownId: number = $state(0);
  position: Position | null = $state.raw(null);
  failure: Refused | null = $state.raw(null);
  private positions = new Map<number, Position>();
  private counter = 0;

  readonly tree = $derived(index(this.nodes));
  readonly line = $derived(lineThrough(this.tree, this.shownId));
  readonly variant = $derived.by(() => live.variant(this.variantName));

  constructor(
    readonly variantName: string,
    readonly start: string | null,
    moves: readonly string[],
  ) {
    void this.load(moves);
  }

  async show(id: number): Promise<void> {
    try {
      const position = await this.positionOf(id);
      this.position = position;
      this.shownId = id;
    } catch (error) {
      toasts.fail(error);
    }
  }

  go(step: "first" | "back" | "forward" | "last"): void {
    const ids = [0, ...this.line.map((node) => node.id)];
    const here = ids.indexOf(this.shownId);
    const to = { first: 0, back: here - 1, forward: here + 1, last: ids.length - 1 }[step];
    const id = ids[Math.max(0, Math.min(ids.length - 1, to))];
    if (id !== undefined && id !== this.shownId) void this.show(id);
  }

  async add(move: LegalMove): Promise<void> {
    const known = this.tree.children.get(this.shownId)?.find((node) => node.move === move.move);
    await this.show(known?.id ?? this.append(this.shownId, move.move, move.san));
  }

  edit(id: number, change: NodeChange): Promise<void> {
    const node = this.tree.byId.get(id);
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

  /** The moves that lead to the position that is shown. */
  moves(): string[] {
    return pathTo(this.tree, this.shownId).map((node) => node.move ?? "");
  }

  private append(parent: number, move: string, san: string): number {
    const id = ++this.counter;
    const ply = (this.tree.byId.get(parent)?.ply ?? 0) + 1;
    this.nodes = [...this.nodes, { ...root, id, parent, move, san, ply }];
    return id;
  }

  private async positionOf(id: number): Promise<Position> {
    const known = this.positions.get(id);
    if (known) return known;
    const moves = pathTo(this.tree, id).map((node) => node.move ?? "");
    const { position } = await live.socket.ask<PositionMessage>({
      type: "position",
      variant: this.variantName,
      fen: this.start,
      moves,
    });
    this.positions.set(id, position);
    return position;
  }

  /** Follow the moves of the address one by one, so that each has its notation. */
  private async load(moves: readonly string[]): Promise<void> {
    try {
      this.position = await this.positionOf(0);
      let at = 0;
      for (const move of moves) {
        const id = this.append(at, move, move);
        const position = await this.positionOf(id);
        const last = position.last;
        if (last)
          this.nodes = this.nodes.map((each) =>
            each.id === id ? { ...each, move: last.move, san: last.san } : each,
          );
        at = id;
        this.position = position;
        this.shownId = id;
      }
    } catch (error) {
      this.failure = asRefused(error);
    }
  }
}

/** Make a game of a tree, with its variations, comments and glyphs; the id of the game. */
export async function saveTree(local: LocalTree): Promise<string> {
  const main = mainLine(local.tree);
  const { game } = await live.socket.ask<GameMessage>({
    type: "new",
    variant: local.variantName,
    side: "white",
    opponent: { kind: "human" },
    fen: local.start,
    moves: main.map((node) => node.move ?? ""),
  });
  const there = mainLine(index(game.tree));
  const ids = new Map<number, number>([[local.tree.root.id, index(game.tree).root.id]]);
  main.forEach((node, i) => ids.set(node.id, there[i]!.id));
  for (const node of byDepth(local.nodes)) {
    const parent = node.parent === null ? undefined : ids.get(node.parent);
    if (!ids.has(node.id) && parent !== undefined) {
      const { added } = await live.socket.ask<GameMessage>({
        type: "add",
        game: game.id,
        node: parent,
        move: node.move ?? "",
      });
      if (added != null) ids.set(node.id, added);
    }
    const id = ids.get(node.id);
    if (id !== undefined && (node.comment !== "" || node.glyph !== null))
      await live.socket.ask({
        type: "edit",
        game: game.id,
        node: id,
        comment: node.comment,
        glyph: node.glyph ?? 0,
      });
  }
  return game.id;
}

/** Parents before their children, siblings in their order. */
function byDepth(nodes: readonly TreeNode[]): TreeNode[] {
  return [...nodes].sort((a, b) => a.ply - b.ply);
}
