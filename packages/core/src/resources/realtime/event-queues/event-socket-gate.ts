import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

import { inject } from 'tsyringe'
import { WebSocketServer, type WebSocket } from 'ws'

import { isGuest, type Actor } from '../../../domain/users/actor.js'
import { ChatError } from '../../../errors/index.js'
import { EventDelivery } from '../../../events/delivery.js'
import { FollowedLogs } from '../../../events/log/followed-logs.js'
import type { LiveQueue } from '../../../events/queues/live-queue.js'
import type { SessionCheck } from '../../../events/queues/session-check.js'
import { closeCodes, EventSocket } from '../../../events/sockets/event-socket.js'
import type { Clock } from '../../../kernel/clock.js'
import type { Logger } from '../../../kernel/logger.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { ClockToken, LoggerToken } from '../../../kernel/tokens.js'
import { EventPolling } from './event-polling.js'
import { EventQueueService } from './event-queue-service.js'
import { queueOptionsOf, type RegistrationParameters } from './queue-parameters.js'
import { SocketOpenings } from './socket-openings.js'

/**
 * Clients only send acknowledgments; longer frames are refused by the protocol (close code 1009).
 */
const maxFrameBytes = 4096
const closeTimeoutMilliseconds = 1000

/** An upgrade request with its authenticated caller and its parameters. */
export interface SocketRequest {
  readonly actor: Actor
  readonly clientName: string
  readonly session: SessionCheck | undefined
  readonly queueId: string | undefined
  readonly lastEventId: number | undefined
  readonly registration: RegistrationParameters
}

/** A request to open a WebSocket. */
export interface SocketUpgradeRequest {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
  /** Authenticates the request and returns its parameters; its errors are sent in place of the upgrade. */
  readonly identify: () => Promise<SocketRequest>
  /** Converts any error into the one that the client gets; logs it if it is not a `ChatError`. */
  readonly failureOf: (error: unknown) => ChatError
}

/** Opens WebSockets for event queues. */
@perServer()
export class EventSocketGate {
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    clientTracking: true,
  })
  readonly #openings: SocketOpenings

  constructor(
    @inject(EventQueueService) private readonly queues: EventQueueService,
    @inject(EventPolling) private readonly polling: EventPolling,
    @inject(EventDelivery) private readonly delivery: EventDelivery,
    @inject(FollowedLogs) logs: FollowedLogs,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {
    this.#openings = new SocketOpenings(logs)
  }

  /** Completes an upgrade, or refuses it. */
  open(upgrade: SocketUpgradeRequest): void {
    void this.#answer(upgrade, bytesWritten(upgrade.socket))
  }

  /** Never rejects: nothing waits for it, so the process of the application would end. */
  async #answer(upgrade: SocketUpgradeRequest, writtenBefore: number): Promise<void> {
    const { request, socket, head, identify, failureOf } = upgrade
    // Until the upgrade is complete, there is no other listener for a reset of the connection.
    const onError = () => socket.destroy()
    socket.on('error', onError)
    const opening = this.#openings.begin()
    try {
      const socketRequest = await identify()
      requireUnanswered(socket, writtenBefore)
      const { live, cursor } = await this.#place(socketRequest)
      const { session } = socketRequest
      if (opening.isEnded(live.queue, session !== undefined)) {
        throw session?.refusal ?? new ChatError('UNAUTHORIZED')
      }
      requireUnanswered(socket, writtenBefore)
      this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
        socket.off('error', onError)
        this.#serve(webSocket, socket, live, cursor, session)
      })
    } catch (error) {
      if (isAnswered(socket, writtenBefore)) this.#reportAnswered(error)
      else refuse(socket, failureOf(error))
    } finally {
      opening.finish()
    }
  }

  #reportAnswered(error: unknown): void {
    const isByOther = error instanceof AnsweredUpgrade
    const problem = isByOther ? error.message : 'Serving a WebSocket failed'
    this.logger.error(problem, isByOther ? {} : { err: error })
  }

  /** Number of open connections. */
  get count(): number {
    return this.#sockets.clients.size
  }

  /** Closes every connection; those that do not answer the close within a second are terminated. */
  async close(): Promise<void> {
    const { clients } = this.#sockets
    const closed = [...clients].map((client) => once(client, 'close'))
    for (const client of clients) client.close(closeCodes.goingAway, 'the server is closing')
    const timeout = new AbortController()
    await Promise.race([
      Promise.allSettled(closed),
      sleep(closeTimeoutMilliseconds, undefined, { signal: timeout.signal }),
    ])
    timeout.abort()
    for (const client of clients) client.terminate()
    this.#sockets.close()
  }

  /**
   * A method of its own: a function that is made in {@link open} would keep the upgrade request, with
   * all of its headers, as long as the connection is open.
   */
  #serve(
    webSocket: WebSocket,
    connection: Duplex,
    live: LiveQueue,
    cursor: number,
    session: SessionCheck | undefined,
  ): void {
    new EventSocket(
      webSocket,
      connection,
      this.delivery,
      live,
      cursor,
      this.clock,
      this.facts.heartbeatSeconds,
      () => this.queues.touch(live),
      session,
    ).start()
  }

  async #place(socketRequest: SocketRequest): Promise<{ live: LiveQueue; cursor: number }> {
    if (!this.delivery.takesWaiters) throw new ChatError('SERVICE_UNAVAILABLE')
    const { actor } = socketRequest
    const queueId =
      socketRequest.queueId ??
      (await this.polling.register(
        actor,
        queueOptionsOf(socketRequest.registration, {
          isGuest: isGuest(actor),
          clientName: socketRequest.clientName,
          defaultIdleSeconds: this.facts.queueIdleTimeoutSeconds,
        }),
      ))
    const live = await this.queues.require(actor, queueId)
    const cursor = await this.queues.position(live, socketRequest.lastEventId)
    this.queues.touch(live)
    return { live, cursor }
  }
}

/**
 * Whether another server has answered an upgrade: something was written since, or before this one was
 * called the connection became that of a `WebSocket`, which every copy of `ws` notes under a symbol.
 */
function isAnswered(socket: Duplex, writtenBefore: number): boolean {
  const symbols = Object.getOwnPropertySymbols(socket)
  const isTaken = symbols.some(({ description }) => description === 'websocket')
  return isTaken || bytesWritten(socket) !== writtenBefore
}

/** The bytes that were written to a connection so far, earlier responses included. */
function bytesWritten(socket: Duplex & { readonly bytesWritten?: number }): number {
  return socket.bytesWritten ?? 0
}

/** Another WebSocket server of the application has answered an upgrade that is for the chat. */
class AnsweredUpgrade extends Error {
  constructor() {
    super(
      "Another WebSocket server of the application has answered an upgrade for the chat: pass upgrades of the chat's path to the chat only, as docs/mounting.md shows",
    )
  }
}

/** @throws {AnsweredUpgrade} if another server has answered. */
function requireUnanswered(socket: Duplex, writtenBefore: number): void {
  if (isAnswered(socket, writtenBefore)) throw new AnsweredUpgrade()
}

function refuse(socket: Duplex, { status, headers, body }: ChatError): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nConnection: close\r\n` +
      `Content-Type: application/json\r\nX-Content-Type-Options: nosniff\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `${lines.join('')}\r\n${body}`,
  )
}
