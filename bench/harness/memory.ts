import { readFile } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** What the process uses after everything else was collected, in bytes. */
export interface Memory {
  readonly heapBytes: number
  /** Buffers, which are not on the heap. */
  readonly bufferBytes: number
  /** All of it, also caches of the database. */
  readonly residentBytes: number
  /** The most that `residentBytes` has been, garbage included. */
  readonly peakBytes: number
}

export async function usedMemory(): Promise<Memory> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // What a request leaves to the next ticks of the event loop has to be gone too.
  for (let tick = 0; tick < 5; tick += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    collect()
  }
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage()
  return {
    heapBytes: heapUsed,
    bufferBytes: arrayBuffers,
    residentBytes: rss,
    peakBytes: await peakBytes(),
  }
}

/** On Linux, `maxRSS` begins with what the process had that started this one. */
async function peakBytes(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '')
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS
  return Number(kibibytes) * 1024
}
