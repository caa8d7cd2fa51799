const seconds = 0.3
const loudness = 0.12
/** Two tones, in hertz, and when they begin. */
const tones = [
  [660, 0],
  [880, 0.1],
] as const

let context: AudioContext | undefined

/** A short sound. Browsers play none before the user has used the page. */
export function playSound(): void {
  try {
    context ??= new AudioContext()
    if (context.state === 'suspended') context.resume().catch(() => {})
    for (const [frequency, delay] of tones) play(context, frequency, context.currentTime + delay)
  } catch {
    // The browser has no sound.
  }
}

function play(audio: AudioContext, frequency: number, start: number): void {
  const oscillator = new OscillatorNode(audio, { frequency })
  const gain = new GainNode(audio, { gain: loudness })
  // It ends without a click.
  gain.gain.setValueAtTime(loudness, start)
  gain.gain.exponentialRampToValueAtTime(0.001, start + seconds)
  oscillator.connect(gain).connect(audio.destination)
  oscillator.start(start)
  oscillator.stop(start + seconds)
}
