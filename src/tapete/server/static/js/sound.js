// Sound: soft and made here; off until somebody wants it.

import { prefs } from "./prefs.js";

let context = null;

function ready() {
  if (!prefs.sound) return null;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  return context;
}

function tone(frequency, { at = 0, length = 0.12, loud = 0.05 } = {}) {
  const audio = ready();
  if (!audio) return;
  const [wave, gain] = [audio.createOscillator(), audio.createGain()];
  const start = audio.currentTime + at;
  wave.frequency.value = frequency;
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loud, start + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  wave.connect(gain).connect(audio.destination);
  wave.start(start);
  wave.stop(start + length);
}

/** A card slides: a breath of noise. */
export function card() {
  const audio = ready();
  if (!audio) return;
  const frames = Math.floor(audio.sampleRate * 0.07);
  const buffer = audio.createBuffer(1, frames, audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < frames; i += 1) data[i] = (Math.random() * 2 - 1) * (1 - i / frames) ** 2;
  const [noise, filter, gain] = [audio.createBufferSource(), audio.createBiquadFilter(), audio.createGain()];
  noise.buffer = buffer;
  filter.type = "bandpass";
  filter.frequency.value = 2400;
  gain.gain.value = 0.06;
  noise.connect(filter).connect(gain).connect(audio.destination);
  noise.start();
}

export const chip = () => tone(1800, { length: 0.05, loud: 0.03 });

export function turn() {
  tone(520);
  tone(660, { at: 0.12 });
}

export const won = () => [523, 659, 784].forEach((note, at) => tone(note, { at: at * 0.09, length: 0.2 }));
