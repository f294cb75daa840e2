import { describe, expect, it } from "vitest";
import { en } from "./en";
import { fr } from "./fr";
import { resolve } from "./index.svelte";

const sources = import.meta.glob("../../**/*.{svelte,ts}", {
  query: "?raw",
  import: "default",
  eager: true,
}) as Record<string, string>;
const parameters = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

describe("the tables", () => {
  it("have the same keys and parameters", () => {
    expect(Object.keys(fr).sort()).toEqual(Object.keys(en).sort());
    for (const [key, text] of Object.entries(en))
      expect(parameters(fr[key as keyof typeof en]), key).toEqual(parameters(text));
  });
  it("hold every key that a page names", () => {
    for (const [file, source] of Object.entries(sources)) {
      if (file.endsWith(".test.ts")) continue;
      for (const [, key] of source.matchAll(/\bt\(\s*"([^"]+)"/g))
        expect(en, `${file}: ${key}`).toHaveProperty([key!]);
    }
  });
  it("hold no key that nobody uses", () => {
    const used = Object.values(sources).join("\n");
    const families = [...used.matchAll(/`([\w.]+)\.\$\{/g)].map((match) => `${match[1]}.`);
    const known = (key: string) =>
      families.some((prefix) => key.startsWith(prefix)) || used.includes(`"${key}"`);
    const tables = Object.keys(en).filter((key) => !known(key));
    expect(tables).toEqual([]);
  });
});

describe("the language", () => {
  it("is the one chosen, or the first that we speak", () => {
    expect(resolve("fr", ["en-GB"])).toBe("fr");
    expect(resolve("system", ["de", "fr-FR", "en"])).toBe("fr");
    expect(resolve("system", ["de"])).toBe("en");
  });
});
