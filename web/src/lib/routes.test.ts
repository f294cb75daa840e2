import { describe, expect, it } from "vitest";
import { analysisUrl, parse } from "./routes";

const at = (url: string) => {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  return parse(pathname, searchParams);
};

describe("parse", () => {
  it("knows the pages", () => {
    expect(at("/")).toEqual({ page: "home" });
    expect(at("/play/abc123")).toEqual({ page: "play", game: "abc123" });
    expect(at("/games")).toEqual({ page: "games" });
    expect(at("/settings/")).toEqual({ page: "settings" });
    expect(at("/analyse/game/abc")).toMatchObject({ page: "analyse", game: "abc", variant: null });
    expect(at("/analyse")).toMatchObject({ page: "analyse", game: null, variant: null });
  });
  it("says so where there is none", () => {
    for (const url of ["/nowhere", "/play", "/play/a/b", "/games/x", "/analyse/chess/x", "/analyse/game/a/b"])
      expect(at(url)).toEqual({ page: "missing" });
  });
  it("says so where an address cannot be decoded", () => {
    for (const url of ["/analyse/%ff", "/analyse/game/%e0%a4"]) expect(at(url)).toEqual({ page: "missing" });
  });
  it("reads back the address of a position", () => {
    const fen = "8/8/8/8/8/8/8/K1k5 w - - 0 1";
    expect(at(analysisUrl("loa:olympiad", fen, ["a1b1", "c1d1"]))).toEqual({
      page: "analyse",
      game: null,
      variant: "loa:olympiad",
      fen,
      moves: ["a1b1", "c1d1"],
    });
    expect(at(analysisUrl("chess", null, []))).toMatchObject({ variant: "chess", fen: null, moves: [] });
  });
});
