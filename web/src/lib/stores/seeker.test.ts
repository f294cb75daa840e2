import { describe, expect, it } from "vitest";
import { Seeker } from "./seeker";

/** A seeker whose questions are answered by hand. */
function seeker() {
  const asked: number[] = [];
  const arrived: number[] = [];
  const failed: unknown[] = [];
  const answers: { resolve: (text: string) => void; reject: (error: unknown) => void }[] = [];
  const made = new Seeker<string>(
    (id) => (asked.push(id), new Promise((resolve, reject) => answers.push({ resolve, reject }))),
    (id) => arrived.push(id),
    (error) => failed.push(error),
  );
  return { made, asked, arrived, failed, answers };
}

describe("a seeker", () => {
  it("counts steps from where one is going, and asks only for the last", async () => {
    const { made, asked, arrived, answers } = seeker();
    let here = 0;
    const done = [1, 2, 3].map(() => made.seek((here = made.target(here) + 1)));
    expect(made.target(0)).toBe(3);
    answers[0]!.resolve("one");
    await Promise.resolve().then(() => {});
    expect(arrived).toEqual([1]);
    answers[1]!.resolve("three");
    await Promise.all(done);
    expect(asked).toEqual([1, 3]);
    expect(arrived).toEqual([1, 3]);
  });
  it("stays where it is told to", async () => {
    const { made, arrived, answers } = seeker();
    const done = made.seek(5);
    made.cancel();
    answers[0]!.resolve("five");
    await done;
    expect(arrived).toEqual([]);
    expect(made.target(2)).toBe(2);
  });
  it("says what failed, and can be sent on", async () => {
    const { made, arrived, failed, answers } = seeker();
    const first = made.seek(1);
    answers[0]!.reject("no");
    await first;
    expect(failed).toEqual(["no"]);
    const second = made.seek(2);
    answers[1]!.resolve("two");
    await second;
    expect(arrived).toEqual([2]);
  });
});
