import { inspect } from 'node:util'

/**
 * Longer than anything takes that comes at all, on a slow machine too. A test that waits for ever
 * would say nothing until its process is ended, and then not what it waited for.
 */
const limitSeconds = 30
const longestList = 20

/** How long a wait lasts, and what it says when it has been in vain. */
export interface WaitOptions {
  /** What has come instead; asked for when the time is over. */
  readonly instead?: () => unknown
  /** @default 30 */
  readonly seconds?: number
}

/**
 * Waits for `coming`, but not for ever.
 *
 * @param what is awaited; the message of the error names it.
 * @throws {Error} when the time is over.
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
 * Looks again and again until there is something, and lets everything else go on in between.
 *
 * @param look what is there; undefined or false if it has not come yet.
 * @throws {Error} when the time is over.
 */
export async function until<Value>(
  what: string,
  look: () => Promise<Value | undefined | false> | Value | undefined | false,
  options: WaitOptions = {},
): Promise<Value> {
  let isOver = false
  const looking = async (): Promise<Value> => {
    for (;;) {
      const found = await look()
      if (found !== undefined && found !== false) return found
      if (isOver) throw new Error(`Nobody waits for ${what} any more`)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  try {
    return await within(what, looking(), options)
  } finally {
    isOver = true
  }
}

function lateMessage(what: string, seconds: number, instead: WaitOptions['instead']): string {
  const waited = `Waited ${seconds} seconds in vain for ${what}.`
  if (instead === undefined) return waited
  return `${waited} Instead there was: ${inspect(instead(), { depth: 6, maxArrayLength: longestList })}`
}
