// Sounds made on the spot: wood on wood is a short burst of noise through a low filter, bells are two sines.
import type { Settings } from "./protocol";

export type Sound = "move" | "capture" | "check" | "end" | "low_time" | "refused";

let context: AudioContext | null = null;

/** Play a sound, if the person wants any and has touched the page (browsers refuse before that). */
export function play(sound: Sound, settings: Settings): void {
  if (!settings.sounds || !("AudioContext" in window) || navigator.userActivation?.hasBeenActive === false)
    return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
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
  const length = Math.floor(audio.sampleRate * 0.06);
  const buffer = audio.createBuffer(1, length, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) samples[i] = (Math.random() * 2 - 1) * Math.exp((-9 * i) / length);
  const source = new AudioBufferSourceNode(audio, { buffer });
  const filter = new BiquadFilterNode(audio, { type: "lowpass", frequency: pitch, Q: 3 });
  source
    .connect(filter)
    .connect(new GainNode(audio, { gain: loudness }))
    .connect(audio.destination);
  source.start(at);
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
