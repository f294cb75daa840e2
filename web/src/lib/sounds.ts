// Sounds made on the spot: wood on wood is a short burst of noise through a low filter, bells are two sines.
import type { Settings } from "./protocol";

export type Sound = "move" | "capture" | "check" | "end" | "low_time" | "refused";

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;

// Opening the device takes a tenth of a second: it is done after the first touch, before which browsers refuse, and
// when nothing else happens.
const idle = window.requestIdleCallback ?? ((what: () => void) => setTimeout(what, 300));
const touched = new AbortController();
for (const touch of ["pointerup", "keyup"])
  addEventListener(touch, () => (touched.abort(), idle(open)), { capture: true, signal: touched.signal });

function open(): AudioContext | null {
  if (!("AudioContext" in window) || navigator.userActivation?.hasBeenActive === false) return null;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  return context;
}

/** Play a sound, if the person wants any; the frame that shows what it is about comes first. */
export function play(sound: Sound, settings: Settings): void {
  if (settings.sounds) setTimeout(() => make(sound), 0);
}

function make(sound: Sound): void {
  const context = open();
  if (!context) return;
  const now = context.currentTime;
  switch (sound) {
    case "move":
      return knock(context, now, 900, 0.5);
    case "capture":
      knock(context, now, 1300, 0.6);
      return knock(context, now + 0.05, 700, 0.5);
    case "check":
      knock(context, now, 1100, 0.5);
      return bell(context, now + 0.03, 880, 0.12, 0.16);
    case "end":
      bell(context, now, 523, 0.16, 0.5);
      return bell(context, now + 0.14, 784, 0.16, 0.7);
    case "low_time":
      return bell(context, now, 1320, 0.1, 0.12);
    case "refused":
      return bell(context, now, 180, 0.16, 0.14);
  }
}

function knock(audio: AudioContext, at: number, pitch: number, loudness: number): void {
  const source = new AudioBufferSourceNode(audio, { buffer: (noise ??= burst(audio)) });
  const filter = new BiquadFilterNode(audio, { type: "lowpass", frequency: pitch, Q: 3 });
  source
    .connect(filter)
    .connect(new GainNode(audio, { gain: loudness }))
    .connect(audio.destination);
  source.start(at);
}

function burst(audio: AudioContext): AudioBuffer {
  const length = Math.floor(audio.sampleRate * 0.06);
  const buffer = audio.createBuffer(1, length, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) samples[i] = (Math.random() * 2 - 1) * Math.exp((-9 * i) / length);
  return buffer;
}

function bell(audio: AudioContext, at: number, pitch: number, loudness: number, seconds: number): void {
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(loudness, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  const tone = new OscillatorNode(audio, { type: "sine", frequency: pitch });
  tone.connect(gain).connect(audio.destination);
  tone.start(at);
  tone.stop(at + seconds);
}
