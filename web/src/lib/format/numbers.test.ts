import { describe, expect, it } from "vitest";
import { lineText, numberText } from "./numbers";

describe("numbers of moves", () => {
  it("stand before the first side's moves", () => {
    expect(lineText(["e4", "e5", "Nf3"], 1, 0)).toBe("1. e4 e5 2. Nf3");
  });
  it("stand before the second side's where a line begins with it", () => {
    expect(lineText(["Bg4", "dxe5", "Bxf3"], 6, 0)).toBe("3\u2026 Bg4 4. dxe5 Bxf3");
    expect(numberText(6, 0, false)).toBeNull();
  });
  it("count from a set-up in which the second side moves first", () => {
    expect(lineText(["Kd7", "Kd2"], 1, 1)).toBe("1\u2026 Kd7 2. Kd2");
  });
});
