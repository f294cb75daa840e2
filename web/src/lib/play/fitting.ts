// Choices that were made for one game, as another game can have them.
import type { Bounds, Catalogue, EngineChoice, Opponent, Variant } from "../protocol";

type Known = Pick<Catalogue, "algorithms" | "learnt">;
type Rules = Pick<Variant, "name" | "evaluations" | "elo">;

/** An opponent or an engine that was chosen, with what this game does not have put back to the usual. */
export function fitting<T extends Opponent | EngineChoice>(choice: T, variant: Rules, known: Known): T {
  return fitted(choice, variant, known) as T;
}

function fitted(choice: Opponent | EngineChoice, variant: Rules, known: Known): Opponent | EngineChoice {
  const evaluation = (name: string | null | undefined) =>
    name != null && variant.evaluations.includes(name) ? name : null;
  const learnt = (id: string) =>
    known.learnt.find((player) => player.id === id && player.variant === variant.name);
  switch (choice.kind) {
    case "elo":
      return { kind: "elo", elo: within(choice.elo, variant.elo) };
    case "learnt":
      return learnt(choice.id) ? choice : { kind: "level", level: 3 };
    case "textbook": {
      const algorithm = known.algorithms.find((each) => each.name === choice.algorithm);
      if (!algorithm) return { kind: "textbook", algorithm: "alphabeta", depth: 3 };
      const { measure, limit } = algorithm;
      const asked = choice[measure];
      return {
        ...choice,
        eval: evaluation(choice.eval),
        ...(asked === undefined ? {} : { [measure]: within(asked, limit) }),
      };
    }
    case "engine":
      if (choice.learnt != null) return learnt(choice.learnt)?.analyses ? choice : { kind: "engine" };
      return evaluation(choice.eval) === (choice.eval ?? null) ? choice : { kind: "engine" };
    default:
      return choice;
  }
}

/** The evaluation where none is chosen: the game's first, which the engine plays by; textbook algorithms by `classic`. */
export function usualEvaluation({ evaluations }: Pick<Rules, "evaluations">, textbook: boolean): string {
  return textbook && evaluations.includes("classic") ? "classic" : (evaluations[0] ?? "");
}

/** The engine that reviews: a textbook algorithm stops in the middle of exchanges, and would find every move good. */
export function reviewerOf(choice: EngineChoice): EngineChoice {
  return choice.kind === "textbook" ? { kind: "engine" } : choice;
}

function within(value: number, { least, most }: Bounds): number {
  return Math.min(most, Math.max(least, Math.round(value)));
}
