// Clocks as people read them.
import type { ClockState, Side } from "../protocol";

/** Seconds as 1:02:03, 5:00 or 0:09.4; tenths below twenty seconds. */
export function clockText(seconds: number): string {
  const left = Math.max(0, seconds);
  // What is shown is rounded up, so that 0:00 means it is over; tenths are cut.
  if (left < 20) {
    const tenths = Math.floor(left * 10);
    return `0:${pad(Math.floor(tenths / 10))}.${tenths % 10}`;
  }
  const whole = Math.ceil(left);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`;
}

/** What is left to a side, `elapsed` seconds after the state was received. */
export function remaining(clock: ClockState, side: Side, elapsed: number): number {
  return Math.max(0, clock[side] - (clock.running === side ? elapsed : 0));
}

/** A clock setting such as 5+3: minutes and seconds per move. */
export function settingText(seconds: number, increment: number): string {
  const minutes = seconds / 60;
  return `${Number.isInteger(minutes) ? minutes : minutes.toFixed(1)}+${increment}`;
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
