import type { Duplex } from 'node:stream'

import { WebSocket } from 'ws'

import type { Clock, Timer } from '../../kernel/clock.js'
import { isRecord } from '../../kernel/objects.js'
import { isSafeInteger } from '../../kernel/safe-integer.js'
import { parseUntrustedJson } from '../../kernel/untrusted-json.js'
import type { EventDelivery } from '../delivery.js'
import type { LiveQueue, QueueConsumer, ReleaseReason } from '../queues/live-queue.js'
import { heartbeatDelayMilliseconds, isFinal } from '../queues/long-poll.js'
import type { SessionCheck } from '../queues/session-check.js'
import type { EventBatch } from '../queues/shared-events.js'
import { eventsText, textFrame } from './event-frame.js'
import { SocketWatch, type WatchEnd } from './socket-watch.js'

const pauseAboveBytes = 512 * 1024
const resumeAtBytes = 128 * 1024
const maxFrameCharacters = 100_000
const stallMilliseconds = 30_000
const drainCheckMilliseconds = 250

/** Close codes of RFC 6455, and of its range for applications. */
export const closeCodes = {
  goingAway: 1001,
  policyViolation: 1008,
  queueGone: 4001,
  superseded: 4002,
  signedOut: 4003,
  unacknowledged: 4004,
} as const

const endings: Readonly<Record<ReleaseReason | WatchEnd, readonly [code: number, reason: string]>> =
  {
    superseded: [closeCodes.superseded, 'another connection took over'],
    deleted: [closeCodes.queueGone, 'the queue was deleted'],
    signedOut: [closeCodes.signedOut, 'sign in again'],
    sessionEnded: [closeCodes.signedOut, 'sign in again'],
    unacknowledged: [closeCodes.unacknowledged, 'nothing was acknowledged for too long'],
    acknowledgedTooOften: [closeCodes.policyViolation, 'the same was acknowledged too often'],
    closing: [closeCodes.goingAway, 'the server is closing'],
  }

/**
 * Serves a queue over a WebSocket: the same events with the same ids as over long polls.
 *
 * Back-pressure: the backlog stays in the log. Reading stops while more than 512 KiB wait in the
 * socket and continues at 128 KiB; a client that receives nothing for 30 seconds is disconnected. A
 * frame has at most 100,000 characters, unless a single event is longer. {@link SocketWatch}
 * detects clients that have disappeared.
 *
 * A frame that many sockets get is encoded once, and written to the connection beside `ws`, which
 * would encode it again. That is possible because frames are neither compressed nor fragmented:
 * `ws` always writes whole frames at once, so another one fits between any two of them.
 */
export class EventSocket implements QueueConsumer {
  #cursor: number
  #collecting = false
  #woken = false
  /** The batch to send next. */
  #found: EventBatch | undefined
  #paused = false
  #closed = false
  #isBeatDue = false
  #heartbeat: Timer | undefined
  /** Time of the last send, in clock milliseconds. */
  #quietSince = 0
  #drain: Timer | undefined
  #lastBuffered = 0
  #progressAt = 0
  /** Reading continues when no more bytes than this wait. */
  #resumeAtBytes = 0
  readonly #watch: SocketWatch
  readonly isBySession: boolean

  constructor(
    private readonly socket: WebSocket,
    /** The connection of `socket`. */
    private readonly connection: Duplex,
    private readonly delivery: EventDelivery,
    private readonly live: LiveQueue,
    cursor: number,
    private readonly clock: Clock,
    private readonly heartbeatSeconds: number,
    private readonly onUse: () => void,
    session?: SessionCheck,
  ) {
    this.#cursor = cursor
    this.isBySession = session !== undefined
    this.#watch = new SocketWatch(
      {
        socket,
        session,
        heartbeatSeconds,
        idleTimeoutSeconds: live.queue.idleTimeoutSeconds,
        isPaused: () => this.#paused,
        pause: () => this.#pause(0),
        end: (reason) => this.release(reason),
      },
      clock,
    )
  }

  /** Takes the queue over and serves it until either side ends the connection. */
  start(): void {
    const { connection, live, socket } = this
    live.consumer?.release('superseded')
    live.consumer = this
    live.acknowledge(this.#cursor)
    socket.on('close', () => this.#finish())
    // The close event follows; an error event without a listener would end the process.
    socket.on('error', () => this.#finish())
    socket.on('message', (data: Buffer) => this.#acknowledge(data))
    const first = { queue_id: live.queue.id, last_event_id: this.#cursor }
    connection.write(textFrame(JSON.stringify(first)))
    this.#restartHeartbeat()
    this.#watch.start()
    this.#wakeAndSend()
  }

  wake(): void {
    this.#woken = true
    if (!this.#collecting && this.#found === undefined) this.#collect()
  }

  send(): void {
    while (this.#found !== undefined) {
      const batch = this.#found
      this.#found = undefined
      this.#sendBatch(batch)
      this.#collect()
    }
  }

  #wakeAndSend(): void {
    this.wake()
    this.send()
  }

  release(reason: ReleaseReason | WatchEnd): void {
    if (!this.#closed) this.#close(...endings[reason])
  }

  /** Finds the new events. Synchronous as long as the log is in memory, as it usually is. */
  #collect(): void {
    if (!this.#woken || this.#paused || this.#closed) return
    this.#woken = false
    try {
      const batch = this.delivery.collect(this.live, this.#cursor, maxFrameCharacters)
      if (batch instanceof Promise) void this.#collectLater(batch)
      else this.#found = batch
    } catch (error) {
      this.#fail(error)
    }
  }

  async #collectLater(batch: Promise<EventBatch>): Promise<void> {
    this.#collecting = true
    try {
      this.#sendBatch(await batch)
    } catch (error) {
      this.#fail(error)
    } finally {
      this.#collecting = false
    }
    this.#collect()
    this.send()
  }

  #sendBatch({ events, parts, lastId, hasMore }: EventBatch): void {
    if (this.#closed) return
    if (events.length > 0) {
      const { frames } = this.delivery
      this.#send(parts === undefined ? textFrame(eventsText(events)) : frames.of(parts), lastId)
    } else if (this.#isBeatDue) {
      this.#sendHeartbeat()
    }
    if (hasMore) this.#woken = true
  }

  #fail(error: unknown): void {
    if (isFinal(error)) this.#close(closeCodes.queueGone, error.message)
    // Otherwise the database is unavailable; the next event or heartbeat tries again.
    else if (this.#isBeatDue) this.#restartHeartbeat()
  }

  #sendHeartbeat(): void {
    const id = this.delivery.ephemeralId(this.live)
    if (id === undefined) this.#restartHeartbeat()
    else this.#send(textFrame(eventsText([`{"type":"heartbeat","id":${id}}`])), id)
  }

  #send(frame: Buffer, lastId: number): void {
    this.#cursor = lastId
    // Nothing may follow a close frame, which `ws` answers by itself.
    const isFlowing = this.socket.readyState !== WebSocket.OPEN || this.connection.write(frame)
    this.#watch.noteSent()
    this.#restartHeartbeat()
    if (!isFlowing && this.socket.bufferedAmount > pauseAboveBytes) this.#pause(resumeAtBytes)
  }

  #pause(resumeAt: number): void {
    this.#paused = true
    this.#resumeAtBytes = resumeAt
    this.#lastBuffered = this.socket.bufferedAmount
    this.#progressAt = this.clock.now()
    this.#drain = this.clock.setTimeout(() => this.#checkDrain(), drainCheckMilliseconds)
  }

  #checkDrain(): void {
    if (this.#closed) return
    const buffered = this.socket.bufferedAmount
    const now = this.clock.now()
    if (buffered < this.#lastBuffered) this.#progressAt = now
    this.#lastBuffered = buffered
    if (buffered <= this.#resumeAtBytes) {
      this.#paused = false
      this.#wakeAndSend()
    } else if (now - this.#progressAt >= stallMilliseconds) {
      // A close frame would wait behind everything that the client does not read.
      this.socket.terminate()
    } else {
      this.#drain = this.clock.setTimeout(() => this.#checkDrain(), drainCheckMilliseconds)
    }
  }

  /** Handles a frame of the client: `{"last_event_id": n}` acknowledges events up to `n`. */
  #acknowledge(data: Buffer): void {
    if (this.#closed) return
    const lastEventId = acknowledgedId(data)
    if (lastEventId === undefined || lastEventId > this.#cursor) {
      this.#close(closeCodes.policyViolation, 'expected {"last_event_id": an id that was sent}')
      return
    }
    this.live.acknowledge(lastEventId)
    this.#watch.noteAcknowledged(lastEventId === this.#cursor)
    this.onUse()
  }

  #restartHeartbeat(): void {
    this.#isBeatDue = false
    this.#quietSince = this.clock.now()
    if (this.#heartbeat !== undefined) return
    const delay = heartbeatDelayMilliseconds(this.heartbeatSeconds)
    this.#waitForQuiet(delay, delay)
  }

  /**
   * Waits until nothing was sent for a while. A send does not restart the timer, which would cost
   * more.
   */
  #waitForQuiet(delay: number, duration: number): void {
    this.#heartbeat = this.clock.setTimeout(() => {
      this.#heartbeat = undefined
      const missing = duration - (this.clock.now() - this.#quietSince)
      // Less than a millisecond is a rounding error; more than requested means that the clock was
      // set back.
      if (missing >= 1) this.#waitForQuiet(Math.min(missing, duration), duration)
      else this.#beat()
    }, delay)
  }

  #beat(): void {
    if (this.#closed) return
    this.onUse()
    // A client that is behind needs no heartbeat.
    if (this.#paused) this.#restartHeartbeat()
    else this.#isBeatDue = true
    this.#wakeAndSend()
  }

  #close(code: number, reason: string): void {
    this.socket.close(code, reason)
    this.#finish()
  }

  #finish(): void {
    this.#closed = true
    this.#heartbeat?.cancel()
    this.#drain?.cancel()
    this.#watch.stop()
    if (this.live.consumer === this) this.live.consumer = undefined
    this.live.usedAtMilliseconds = this.clock.now()
  }
}

/** The id that a frame acknowledges; undefined if the frame is invalid. */
function acknowledgedId(data: Buffer): number | undefined {
  let frame: unknown
  try {
    frame = parseUntrustedJson(data.toString('utf8'))
  } catch {
    return undefined
  }
  const id = isRecord(frame) ? frame['last_event_id'] : undefined
  return isSafeInteger(id) ? id : undefined
}
