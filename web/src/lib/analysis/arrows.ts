// Lines of analysis as arrows on the board.
import type { Arrow } from "../board/arrows";
import type { Line } from "../protocol";

/** The first moves of lines, the best one strongest; `ahead` moves of a single line when there is only one. */
export function analysisArrows(lines: readonly Line[], ahead = 1): Arrow[] {
  const arrows: Arrow[] = [];
  const add = (squares: readonly [string, string] | undefined, tone: Arrow["tone"]) => {
    if (squares && !arrows.some((arrow) => arrow.from === squares[0] && arrow.to === squares[1]))
      arrows.push({ from: squares[0], to: squares[1], tone });
  };
  lines.forEach((line, i) => add(line.squares[0], i === 0 ? "best" : "other"));
  if (lines.length === 1)
    lines[0]!.squares.slice(1, ahead).forEach((squares, i) => add(squares, i % 2 === 0 ? "threat" : "other"));
  return arrows;
}
