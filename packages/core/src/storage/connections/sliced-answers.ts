import type { Readable } from 'node:stream'

import { EventLoopYielder } from '../../kernel/event-loop-yielder.js'

/** Smaller parts of an answer than this take no time. */
const largePartBytes = 8192

/** The members of a connection of `pg` or `mysql2` that are used here. */
export interface StreamingConnection {
  /** Of `mysql2`. */
  readonly stream?: Readable
  /** Of `pg`: the connection of the protocol. */
  readonly connection?: { readonly stream: Readable }
}

const sliced = new WeakSet<object>()

/**
 * Lets the process do other work while a connection receives a large answer. The drivers read rows as
 * they arrive, and from a server that is near, megabytes arrive in one tick of the event loop.
 */
export function readInSlices(from: StreamingConnection): void {
  const stream = from.connection?.stream ?? from.stream
  if (stream === undefined || sliced.has(stream)) return
  sliced.add(stream)
  const yielder = new EventLoopYielder()
  // After the driver's own listener, so a part has been read by then.
  stream.on('data', ({ length }: Buffer) => {
    if (length >= largePartBytes && yielder.isDue && !stream.isPaused()) void pause()
  })

  async function pause(): Promise<void> {
    stream?.pause()
    await yielder.yield()
    stream?.resume()
  }
}
