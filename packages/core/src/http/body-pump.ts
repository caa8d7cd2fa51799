import type { Readable } from 'node:stream'

import { ChatError } from '../errors/index.js'
import type { Clock, Timer } from '../kernel/clock.js'
import { BodyArrival } from './body-arrival.js'

/** Where the bytes of a body go. */
export interface ChunkTaker {
  /** Returns false when it wants no more until it is ready again. @throws if it has failed. */
  write(chunk: Buffer): boolean
  onceReady?(callback: () => void): void
  /** Says how to report a failure that happens between two chunks. */
  onFailure?(report: (reason: unknown) => void): void
}

/** What one body may be. */
export interface PumpLimits {
  readonly maxBytes: number
  /** Made only if needed: an error collects its stack when it is made. */
  readonly tooLarge: () => ChatError
  /** Whether a file in it is received as it arrives; it may take longer then. */
  readonly isReceived: boolean
  readonly clock: Clock
}

const minPatienceBytes = 64 * 1024 * 1024
const patienceMilliseconds = 30_000

/**
 * Hands every chunk of `source` to `taker`, no faster than that takes them.
 *
 * When there is more than `maxBytes`, when it arrives too slowly, or when `taker` fails, the
 * promise is rejected at once and what is still to come is thrown away: a client that is busy
 * writing does not read an answer on a connection that was reset. That patience ends after as many
 * bytes again, or after 30 seconds, with the connection.
 */
export function pump(
  source: Readable | Buffer,
  { maxBytes, tooLarge, isReceived, clock }: PumpLimits,
  taker: ChunkTaker,
): Promise<void> {
  if (Buffer.isBuffer(source)) {
    if (source.length > maxBytes) return Promise.reject(tooLarge())
    taker.write(source)
    return Promise.resolve()
  }
  // Let go of after a refusal: what was collected must not stay in memory while the rest arrives.
  let sink: ChunkTaker | undefined = taker
  return new Promise((resolve, reject) => {
    if (source.destroyed) {
      reject(malformedPayload())
      return
    }
    let received = 0
    let patienceTimer: Timer | undefined
    const patience = 2 * maxBytes + minPatienceBytes
    const refuse = (reason: unknown): void => {
      if (sink === undefined) return
      sink = undefined
      arrival.end()
      reject(reason as Error)
      if (source.readableEnded || source.destroyed) return
      source.resume()
      patienceTimer = clock.setTimeout(() => source.destroy(), patienceMilliseconds)
    }
    const arrival = new BodyArrival(clock, isReceived, refuse)
    sink?.onFailure?.(refuse)
    source.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (sink === undefined) {
        if (received > patience) source.destroy()
        return
      }
      if (received > maxBytes) {
        refuse(tooLarge())
        return
      }
      arrival.take(chunk.length)
      try {
        if (sink.write(chunk)) return
        source.pause()
        arrival.pause()
        sink.onceReady?.(() => {
          source.resume()
          if (sink !== undefined) arrival.resume()
        })
      } catch (error) {
        refuse(error)
      }
    })
    source.once('end', () => {
      arrival.end()
      patienceTimer?.cancel()
      resolve()
    })
    source.once('error', (error) => reject(malformedPayload(error)))
    source.once('close', () => {
      arrival.end()
      patienceTimer?.cancel()
      reject(malformedPayload())
    })
  })
}

export function malformedPayload(cause?: unknown): ChatError {
  return new ChatError('BAD_REQUEST', { message: 'Malformed payload', cause })
}
