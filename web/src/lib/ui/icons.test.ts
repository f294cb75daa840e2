import { expect, it } from "vitest";
import { icons } from "./icons";

const sources = import.meta.glob("../../**/*.svelte", { query: "?raw", import: "default", eager: true });

it("every icon is used", () => {
  const used = Object.values(sources).join("\n");
  expect(Object.keys(icons).filter((name) => !used.includes(`"${name}"`))).toEqual([]);
});
