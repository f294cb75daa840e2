import { describe, expect, it } from "vitest";
import { changed, index, layout, lineThrough, mainLine, pathTo, stepFrom, type Node } from "./tree";

function node(id: number, parent: number | null, ply: number, san: string | null = `m${id}`): Node {
  return { id, parent, ply, san, move: san };
}
// 1. m1 m2 (m5 m6 (m8)) 2. m3 (m7) m4
const nodes = [
  node(0, null, 0, null),
  node(1, 0, 1),
  node(2, 1, 2),
  node(3, 2, 3),
  node(4, 3, 4),
  node(5, 1, 2),
  node(6, 5, 3),
  node(7, 2, 3),
  node(8, 5, 3),
];
const tree = index(nodes);
const ids = (list: Node[]) => list.map(({ id }) => id);

describe("lines", () => {
  it("lead to a node and on from it", () => {
    expect(ids(mainLine(tree))).toEqual([1, 2, 3, 4]);
    expect(ids(pathTo(tree, 6))).toEqual([1, 5, 6]);
    expect(ids(lineThrough(tree, 5))).toEqual([1, 5, 6]);
    expect(ids(pathTo(tree, 0))).toEqual([]);
  });
  it("are gone along by steps, and no further than their ends", () => {
    expect((["first", "back", "forward", "last"] as const).map((step) => stepFrom(tree, 2, step))).toEqual([
      0, 1, 3, 4,
    ]);
    expect(stepFrom(tree, 0, "back")).toBe(0);
    expect(stepFrom(tree, 6, "forward")).toBe(6);
    expect(stepFrom(tree, 5, "last")).toBe(6);
  });
});

describe("a change", () => {
  it("adds, says something else, and puts a line before others", () => {
    const comment = { ...node(5, 1, 2), san: "other" };
    const after = changed(nodes, { nodes: [node(9, 4, 5), comment], children: { 4: [9], 1: [5, 2] } });
    expect(ids(after)).toEqual([0, 1, 5, 6, 8, 2, 3, 4, 9, 7]);
    expect(after[2]).toBe(comment);
    expect(ids(nodes)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });
  it("leaves out what has no place any more, and all that followed it", () => {
    expect(ids(changed(nodes, { nodes: [], children: { 1: [5] } }))).toEqual([0, 1, 5, 6, 8]);
  });
  it("of nothing is the tree as it was", () => {
    expect(changed(nodes, { nodes: [], children: {} })).toBe(nodes);
  });
});

describe("layout", () => {
  it("sets two moves a row, and variations below the move they replace", () => {
    const rows = layout(tree);
    expect(rows.map(({ number, first, second }) => [number, first?.id, second?.id])).toEqual([
      [1, 1, 2],
      [2, 3, undefined],
      [2, undefined, 4],
    ]);
    expect(rows[0]!.variations[0]!.entries.map((entry) => [entry.node.id, entry.number])).toEqual([
      [5, "1…"],
      [6, "2."],
    ]);
    expect(rows[0]!.variations[0]!.variations.get(6)![0]!.entries[0]!.node.id).toBe(8);
    expect(rows[1]!.variations[0]!.entries[0]).toEqual({ node: nodes[7], number: "2." });
  });
  it("begins on the second move where Black moves first", () => {
    const rows = layout(index([node(0, null, 0, null), node(1, 0, 1), node(2, 1, 2)]), 1);
    expect(rows.map(({ number, first, second }) => [number, first?.id, second?.id])).toEqual([
      [1, undefined, 1],
      [2, 2, undefined],
    ]);
  });
  it("of an empty game is empty", () => {
    expect(layout(index([node(0, null, 0, null)]))).toEqual([]);
  });
});
