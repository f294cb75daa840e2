import { describe, expect, it } from "vitest";
import { t } from "../i18n/index.svelte";
import { spoken } from "./spoken";

const say = (family: string, san: string) => spoken(family, san, t);

describe("spoken", () => {
  it("says chess moves in words", () => {
    expect(say("chess", "e4")).toBe("e4");
    expect(say("chess", "Nxf3+")).toBe("knight takes f3, check");
    expect(say("chess", "bxc8=Q#")).toBe("b takes c8, promotes to queen, checkmate");
    expect(say("chess", "O-O")).toBe("castles short");
    expect(say("chess", "O-O-O+")).toBe("castles long, check");
  });
  it("says squares one after the other elsewhere", () => {
    expect(say("draughts", "32-28")).toBe("32 28");
    expect(say("draughts", "28x19")).toBe("28 takes 19");
    expect(say("loa", "b1-b3")).toBe("b1 b3");
  });
});
