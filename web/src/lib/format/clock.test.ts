import { describe, expect, it } from "vitest";
import { clockText, remaining, settingText } from "./clock";

describe("clockText", () => {
  it("shows hours, minutes and seconds, then tenths", () => {
    expect(clockText(3723)).toBe("1:02:03");
    expect(clockText(300)).toBe("5:00");
    expect(clockText(59.2)).toBe("1:00");
    expect(clockText(20)).toBe("0:20");
    expect(clockText(19.99)).toBe("0:19.9");
    expect(clockText(9.46)).toBe("0:09.4");
    expect(clockText(-3)).toBe("0:00.0");
  });
});

describe("remaining", () => {
  const clock = { seconds: 60, increment: 0, white: 30, black: 20, running: "white" as const };
  it("goes down for the side whose clock runs", () => {
    expect(remaining(clock, "white", 12)).toBe(18);
    expect(remaining(clock, "black", 12)).toBe(20);
    expect(remaining(clock, "white", 40)).toBe(0);
    expect(remaining({ ...clock, running: null }, "white", 12)).toBe(30);
  });
});

describe("settingText", () => {
  it("is minutes and increment", () => {
    expect(settingText(300, 3)).toBe("5+3");
    expect(settingText(90, 0)).toBe("1.5+0");
  });
});
