import type { Readable } from 'node:stream'

import { ChatError, namedText } from '../../errors/index.js'
import type { Clock, Timer } from '../../kernel/clock.js'

const maxIdleMilliseconds = 30_000
const maxFormMilliseconds = 300_000
const minUploadBytesPerSecond = 8 * 1024

/**
 * Times out a body that does not arrive: after 30 seconds without a byte, or after five minutes in
 * all. A body whose file is streamed may take longer, as long as it brings 8 KiB for each further
 * second: 100 MiB take three and a half hours at most.
 *
 * Time in which the server does not read does not count.
 */
class BodyArrival {
  readonly #clock: Clock
  readonly #isReceived: boolean
  readonly #onLate: (error: ChatError) => void
  #startedAt: number
  #progressAt: number
  #pausedAt: number | undefined
  #bytes = 0
  #timer: Timer | undefined

  /** @param onLate called once, if the body times out. */
  constructor(clock: Clock, isReceived: boolean, onLate: (error: ChatError) => void) {
    this.#clock = clock
    this.#isReceived = isReceived
    this.#onLate = onLate
    this.#startedAt = this.#progressAt = clock.now()
    this.#wait()
  }

  take(byteLength: number): void {
    this.#bytes += byteLength
    this.#progressAt = this.#clock.now()
  }

  pause(): void {
    this.#pausedAt ??= this.#clock.now()
    this.#timer?.cancel()
  }

  resume(): void {
    if (this.#pausedAt === undefined) return
    const pause = this.#clock.now() - this.#pausedAt
    this.#pausedAt = undefined
    this.#startedAt += pause
    this.#progressAt += pause
    this.#wait()
  }

  end(): void {
    this.#timer?.cancel()
  }

  get #dueAt(): number {
    const extraSeconds = this.#isReceived ? this.#bytes / minUploadBytesPerSecond : 0
    const all = this.#startedAt + maxFormMilliseconds + extraSeconds * 1000
    return Math.min(this.#progressAt + maxIdleMilliseconds, all)
  }

  /** One timer that checks again when it fires, instead of one for each chunk. */
  #wait(): void {
    const delay = Math.max(0, this.#dueAt - this.#clock.now())
    this.#timer = this.#clock.setTimeout(() => {
      if (this.#clock.now() < this.#dueAt) this.#wait()
      else this.#onLate(new ChatError('REQUEST_TIMEOUT'))
    }, delay)
  }
}

/** The destination of a body's bytes. */
export interface ChunkTaker {
  /** Returns false to apply back-pressure, until it is ready again. @throws if it has failed. */
  write(chunk: Buffer): boolean
  onceReady?(callback: () => void): void
  /** Registers the callback for a failure between two chunks. */
  onFailure?(report: (reason: unknown) => void): void
}

/** Limits of one body. */
export interface PumpLimits {
  readonly maxBytes: number
  /** Created only if needed: creating an error captures its stack. */
  readonly tooLarge: () => ChatError
  /** Whether a file in it is streamed; it may take longer then. */
  readonly isReceived: boolean
  readonly clock: Clock
}

const minPatienceBytes = 64 * 1024 * 1024
const patienceMilliseconds = 30_000

/**
 * Writes every chunk of `source` to `taker`, with back-pressure.
 *
 * If there is more than `maxBytes`, if it arrives too slowly, or if `taker` fails, the promise is
 * rejected at once and the rest of the body is discarded: a client that is still writing does not
 * read a response from a connection that was reset. After as many bytes again, or after 30 seconds,
 * the connection is closed.
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
  // Released after a rejection, so that collected data does not stay in memory while the rest
  // arrives.
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
  return new ChatError('BAD_REQUEST', { text: namedText('PAYLOAD_MALFORMED'), cause })
}
