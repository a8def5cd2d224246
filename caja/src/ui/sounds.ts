/** Each sound as its tones: frequency in Hz, beginning and length in seconds. */
const sounds = {
  added: [[1760, 0, 0.05]],
  unknown: [
    [220, 0, 0.16],
    [165, 0.18, 0.24],
  ],
  charged: [
    [880, 0, 0.09],
    [1320, 0.1, 0.16],
  ],
  order: [
    [784, 0, 0.14],
    [988, 0.16, 0.14],
    [1175, 0.32, 0.3],
  ],
} as const satisfies Record<string, readonly (readonly [number, number, number])[]>;
export type Sound = keyof typeof sounds;

const setting = "caja.sound";
let audio: AudioContext | undefined;

export const hasSound = () => localStorage.getItem(setting) !== "off";

export function setSound(isOn: boolean): void {
  localStorage.setItem(setting, isOn ? "on" : "off");
}

/** A cashier looks at the product, not at the screen. Without a way to sound it stays silent. */
export function play(sound: Sound): void {
  dispatchEvent(new CustomEvent("caja:sound", { detail: sound }));
  // The first one makes the device ready, which takes a tenth of a second: the line is shown before.
  if (hasSound()) setTimeout(() => start(sound));
}

function start(sound: Sound): void {
  try {
    audio ??= new AudioContext();
    void audio.resume().catch(() => {});
    for (const [frequency, from, length] of sounds[sound]) tone(audio, frequency, from, length);
  } catch {
    // No audio device, or the browser waits for a first touch.
  }
}

function tone(context: AudioContext, frequency: number, from: number, length: number): void {
  const begin = context.currentTime + from;
  const oscillator = new OscillatorNode(context, { frequency, type: "triangle" });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0.15, begin);
  volume.gain.exponentialRampToValueAtTime(0.001, begin + length);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(begin);
  oscillator.stop(begin + length);
}
