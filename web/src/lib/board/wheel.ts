// How far a wheel was turned, in notches: mice send a hundred pixels or a few lines at once, trackpads many small parts.

const PixelsPerNotch = 60;
const PixelsPerLine = 20;

/** Whole notches once `delta` is added to what was left over; turning back begins anew. */
export function notches(left: number, delta: number, mode: number): { steps: number; rest: number } {
  const pixels = mode === 0 ? delta : delta * PixelsPerLine;
  const sum = left * pixels < 0 ? pixels : left + pixels;
  if (Math.abs(sum) < PixelsPerNotch) return { steps: 0, rest: sum };
  return { steps: Math.sign(sum), rest: 0 }; // one at a time, however hard it was turned
}
