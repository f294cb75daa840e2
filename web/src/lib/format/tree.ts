// The tree of moves: which line one stands on, and how it is laid out on the page.
import { isFirst, numberOf, numberText } from "./numbers";

export type Node = {
  id: number;
  parent: number | null;
  ply: number;
  san: string | null;
  move: string | null;
};
export type Tree<T extends Node> = { byId: Map<number, T>; children: Map<number, T[]>; root: T };

/** The tree by id and by parent; children keep the order in which they come, the main line first. */
export function index<T extends Node>(nodes: readonly T[]): Tree<T> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const children = new Map<number, T[]>(nodes.map((node) => [node.id, []]));
  for (const node of nodes) if (node.parent !== null) children.get(node.parent)?.push(node);
  const root = nodes.find((node) => node.parent === null);
  if (!root) throw new Error("a tree has no root");
  return { byId, children, root };
}

export type Change<T extends Node> = { nodes: readonly T[]; children: Readonly<Record<string, number[]>> };

/** The nodes of a tree after a change, each after its parent and its elder siblings; what has no place is left out. */
export function changed<T extends Node>(nodes: T[], change: Change<T>): T[] {
  if (change.nodes.length === 0 && Object.keys(change.children).length === 0) return nodes;
  const tree = index(nodes);
  for (const node of change.nodes) tree.byId.set(node.id, node);
  const after: T[] = [];
  const rest = [tree.root.id];
  for (let id = rest.pop(); id !== undefined; id = rest.pop()) {
    after.push(tree.byId.get(id)!);
    const children = change.children[id] ?? tree.children.get(id)?.map((node) => node.id) ?? [];
    for (const child of [...children].reverse()) rest.push(child);
  }
  return after;
}

/** The nodes from the first move to a node, the root left out. */
export function pathTo<T extends Node>(tree: Tree<T>, id: number): T[] {
  const path: T[] = [];
  for (let node = tree.byId.get(id); node && node.parent !== null; node = tree.byId.get(node.parent))
    path.push(node);
  return path.reverse();
}

/** The whole line through a node: what leads to it, and the main line after it. */
export function lineThrough<T extends Node>(tree: Tree<T>, id: number): T[] {
  const line = pathTo(tree, id);
  for (let next = tree.children.get(id)?.[0]; next; next = tree.children.get(next.id)?.[0]) line.push(next);
  return line;
}

export function mainLine<T extends Node>(tree: Tree<T>): T[] {
  return lineThrough(tree, tree.root.id);
}

export type WalkStep = "first" | "back" | "forward" | "last";

/** The node one comes to from another along its line: by a step, or to one of the ends. */
export function stepFrom<T extends Node>(tree: Tree<T>, here: number, step: WalkStep): number {
  const ids = [tree.root.id, ...lineThrough(tree, here).map((node) => node.id)];
  const at = ids.indexOf(here);
  const to = { first: 0, back: at - 1, forward: at + 1, last: ids.length - 1 }[step];
  return ids[Math.max(0, Math.min(ids.length - 1, to))]!;
}

export type Entry<T extends Node> = { node: T; number: string | null };
export type Variation<T extends Node> = { entries: Entry<T>[]; variations: Map<number, Variation<T>[]> };
export type Row<T extends Node> = {
  number: number;
  first: T | null;
  second: T | null;
  /** Variations on the first and on the second move of the row, shown below it. */
  variations: Variation<T>[];
  key: string;
};

/**
 * The main line in rows of two moves. A row with variations on its first move is cut in two, so that they stand
 * below the move they replace. `offset` is 1 where the second side moves first, as in some set-ups.
 */
export function layout<T extends Node>(tree: Tree<T>, offset = 0): Row<T>[] {
  const rows: Row<T>[] = [];
  for (const node of mainLine(tree)) {
    const first = isFirst(node.ply, offset);
    const siblings = (tree.children.get(node.parent ?? -1) ?? []).filter((other) => other !== node);
    const variations = siblings.map((sibling) => variation(tree, sibling, offset));
    const open = rows.at(-1);
    if (!first && open && open.second === null && open.variations.length === 0) {
      open.second = node;
      open.variations.push(...variations);
    } else {
      rows.push({
        number: numberOf(node.ply, offset),
        first: first ? node : null,
        second: first ? null : node,
        variations,
        key: `${node.id}`,
      });
    }
  }
  return rows;
}

function variation<T extends Node>(tree: Tree<T>, start: T, offset: number): Variation<T> {
  const entries: Entry<T>[] = [];
  const variations = new Map<number, Variation<T>[]>();
  let interrupted = true;
  for (let node: T | undefined = start; node; node = tree.children.get(node.id)?.[0]) {
    entries.push({ node, number: numberText(node.ply, offset, interrupted) });
    interrupted = false;
    const parent = node.parent;
    const siblings = node === start ? [] : (tree.children.get(parent ?? -1) ?? []).slice(1);
    if (siblings.length > 0) {
      variations.set(
        node.id,
        siblings.map((sibling) => variation(tree, sibling, offset)),
      );
      interrupted = true;
    }
  }
  return { entries, variations };
}
