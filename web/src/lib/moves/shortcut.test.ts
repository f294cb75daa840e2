import { describe, expect, it } from "vitest";
import { shortcutOf } from "./shortcut";

function press(key: string, { field = false, ...held }: { field?: boolean; ctrlKey?: boolean } = {}) {
  const target = { closest: () => (field ? {} : null) };
  return shortcutOf({ key, target, ctrlKey: false, metaKey: false, altKey: false, ...held } as never);
}

describe("a key", () => {
  it("goes through the moves or flips the board", () => {
    expect(["ArrowLeft", "ArrowRight", "Home", "End", "f"].map((key) => press(key))).toEqual([
      "back",
      "forward",
      "first",
      "last",
      "flip",
    ]);
    expect(press("x")).toBeNull();
  });
  it("stays with a field or with the browser", () => {
    expect(press("ArrowLeft", { field: true })).toBeNull();
    expect(press("f", { ctrlKey: true })).toBeNull();
  });
});
