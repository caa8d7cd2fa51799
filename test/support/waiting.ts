import { inspect } from 'node:util'

/**
 * Longer than any expected wait takes, also on a slow machine. A test that waited forever would
 * print nothing until its process is killed, and then not what it waited for.
 */
const limitSeconds = 30
const longestList = 20
const quickLooks = 20
const longestPauseMilliseconds = 20

/** The limit of a wait, and what its error contains. */
export interface WaitOptions {
  /** What has occurred instead; called when the time has elapsed. */
  readonly instead?: () => unknown
  /** @default 30 */
  readonly seconds?: number
}

/**
 * Waits for `coming`, with a time limit.
 *
 * @param what is awaited; contained in the message of the error.
 * @throws {Error} when the time has elapsed.
 */
export async function within<Value>(
  what: string,
  coming: Promise<Value>,
  { instead, seconds = limitSeconds }: WaitOptions = {},
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(lateMessage(what, seconds, instead))), seconds * 1000)
  })
  try {
    return await Promise.race([coming, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Polls until there is a value, and lets everything else run in between.
 *
 * @param look returns the value; undefined or false if there is none yet.
 * @throws {Error} when the time has elapsed.
 */
export async function until<Value>(
  what: string,
  look: () => Promise<Value | undefined | false> | Value | undefined | false,
  options: WaitOptions = {},
): Promise<Value> {
  let isOver = false
  const looking = async (): Promise<Value> => {
    for (let looks = 1; ; looks += 1) {
      const found = await look()
      if (found !== undefined && found !== false) return found
      if (isOver) throw new Error(`The wait for ${what} has ended`)
      await pause(looks)
    }
  }
  try {
    return await within(what, looking(), options)
  } finally {
    isOver = true
  }
}

/** Between two looks: longer ones leave the processor to the process or browser that is awaited. */
function pause(looks: number): Promise<void> {
  if (looks < quickLooks) return new Promise((resolve) => setImmediate(resolve))
  const milliseconds = Math.min(looks - quickLooks + 1, longestPauseMilliseconds)
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

function lateMessage(what: string, seconds: number, instead: WaitOptions['instead']): string {
  const waited = `Waited ${seconds} seconds in vain for ${what}.`
  if (instead === undefined) return waited
  return `${waited} Instead there was: ${inspect(instead(), { depth: 6, maxArrayLength: longestList })}`
}
