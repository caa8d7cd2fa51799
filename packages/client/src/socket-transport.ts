import type { ChatApi } from './api.js'
import { apiPath } from './api-path.js'
import { endOfError } from './attempt-end.js'
import type { Environment, SocketConstructor, SocketLike } from './environment.js'
import type { ServerEvent } from '@parley/wire/events'
import type { Transport, TransportEnd, TransportEvents } from './transport.js'

/** A server's heartbeats come after 55 seconds at most. */
const maxSilenceMilliseconds = 65_000
const maxTicketMilliseconds = 10_000
/** Events are acknowledged together, so that the server does not hold them for long. */
const acknowledgeMilliseconds = 5_000

/** Receives the events of a queue by a WebSocket, which a ticket opens. */
export class SocketTransport implements Transport {
  readonly #api: ChatApi
  readonly #url: string
  readonly #WebSocket: SocketConstructor
  readonly #environment: Environment
  readonly #openingMilliseconds: () => number

  /**
   * @param url address of the chat.
   * @param openingMilliseconds how long the next WebSocket may take to open.
   */
  constructor(
    api: ChatApi,
    url: string,
    WebSocket: SocketConstructor,
    environment: Environment,
    openingMilliseconds: () => number,
  ) {
    this.#openingMilliseconds = openingMilliseconds
    this.#api = api
    this.#url = url
    this.#WebSocket = WebSocket
    this.#environment = environment
  }

  async run(
    queueId: string,
    lastEventId: number,
    { received }: TransportEvents,
    signal: AbortSignal,
  ): Promise<TransportEnd> {
    const ticket = await this.#ticket(queueId, signal)
    if (ticket === undefined) return { kind: 'unsupported' }
    const query = new URLSearchParams({
      queue_id: queueId,
      last_event_id: String(lastEventId),
      socket_version: '1',
      ticket,
    })
    const url = `${this.#url.replace(/^http/, 'ws')}${apiPath}/events?${query.toString()}`
    let socket: SocketLike
    try {
      socket = new this.#WebSocket(url)
    } catch (error) {
      // The page's Content-Security-Policy may forbid it.
      return { kind: 'lost', isOpen: false, error }
    }
    return follow(socket, this.#environment, this.#openingMilliseconds(), received, signal)
  }

  /** Undefined if the server has no WebSockets, as other servers of the same API. */
  async #ticket(queueId: string, signal: AbortSignal): Promise<string | undefined> {
    try {
      const options = { signal, timeoutMilliseconds: maxTicketMilliseconds }
      return (await this.#api.createSocketTicket({ queue_id: queueId }, options)).ticket
    } catch (error) {
      if (endOfError(error).kind === 'refused') return undefined
      throw error
    }
  }
}

function follow(
  socket: SocketLike,
  environment: Environment,
  openingMilliseconds: number,
  received: TransportEvents['received'],
  signal: AbortSignal,
): Promise<TransportEnd> {
  return new Promise((resolve) => {
    let isOpen = false
    let isStalled = false
    let isEnded = false
    let unacknowledged: number | undefined
    let stopAcknowledging: (() => void) | undefined
    const lose = (): void => end({ kind: 'lost', isOpen })
    const lapse = (): void => end({ kind: 'lost', isOpen, isStalled })
    const stop = (): void => end({ kind: 'stopped' })
    let stopWatching = environment.after(openingMilliseconds, lose)

    const acknowledge = (): void => {
      stopAcknowledging = undefined
      if (unacknowledged !== undefined) socket.send(`{"last_event_id":${unacknowledged}}`)
      unacknowledged = undefined
    }
    const end = (reason: TransportEnd): void => {
      if (isEnded) return
      isEnded = true
      stopWatching()
      stopAcknowledging?.()
      signal.removeEventListener('abort', stop)
      socket.close()
      resolve(reason)
    }
    signal.addEventListener('abort', stop)
    socket.addEventListener('error', lose)
    socket.addEventListener('close', ({ code }) => end(endOf(code, isOpen)))
    socket.addEventListener('message', ({ data }) => {
      if (isEnded) return
      stopWatching()
      stopWatching = environment.after(maxSilenceMilliseconds, lapse)
      const events = eventsOf(data)
      if (events === undefined) {
        lose()
        return
      }
      const isFirst = !isOpen
      isOpen = true
      isStalled = isFirst
      if (isFirst || events.length > 0) received(events)
      const last = events.at(-1)
      if (last === undefined) return
      unacknowledged = last.id
      stopAcknowledging ??= environment.after(acknowledgeMilliseconds, acknowledge)
    })
    if (signal.aborted) stop()
  })
}

/** The first frame has no events. Undefined for a message that is not a frame. */
function eventsOf(data: unknown): readonly ServerEvent[] | undefined {
  try {
    const frame: { readonly events?: readonly ServerEvent[] } = JSON.parse(String(data))
    const { events = [] } = frame
    return Array.isArray(events) ? events : undefined
  } catch {
    return undefined
  }
}

/** The close codes are those of the documentation. */
function endOf(code: number, isOpen: boolean): TransportEnd {
  switch (code) {
    case 4001:
      return { kind: 'queueGone' }
    case 4002:
      return { kind: 'replaced' }
    case 4003:
      return { kind: 'expired' }
    default:
      return { kind: 'lost', isOpen }
  }
}
