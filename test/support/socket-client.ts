import { once } from 'node:events'

import { WebSocket } from 'ws'

import {
  apiOf,
  encode,
  type Answer,
  type Client,
  type Endpoint,
  type Parameters,
} from './client.js'
import type { FedEvent } from './event-feed.js'
import { until, within } from './waiting.js'

/** The first frame of the server. */
export interface FirstFrame {
  readonly queue_id: string
  readonly last_event_id: number
}

/** Every other frame. */
export interface Frame {
  readonly events: FedEvent[]
}

/** How a connection ended. */
export interface Closing {
  readonly code: number
  readonly reason: string
}

/** A client's WebSocket for an event queue. */
export class SocketClient {
  readonly #frames: Frame[] = []
  readonly #closing: Promise<Closing>
  #first: FirstFrame | undefined
  isClosed = false

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      const frame: unknown = JSON.parse(data.toString('utf8'))
      // What the server documents to send, in this order.
      if (this.#first === undefined) this.#first = frame as FirstFrame
      else this.#frames.push(frame as Frame)
    })
    socket.on('error', () => {})
    this.#closing = new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        this.isClosed = true
        resolve({ code, reason: reason.toString('utf8') })
      })
    })
  }

  /** Opens a connection. @throws {RefusedUpgrade} with the response, if it is not upgraded. */
  static async open(
    client: Client,
    params: Parameters = {},
    headers: Record<string, string> = {},
  ): Promise<SocketClient> {
    const { subdomain } = client.endpoint
    const address = `${apiOf(client.endpoint).replace('http', 'ws')}/events?${encode(params)}`
    const socket = new WebSocket(address, {
      headers: { 'x-organization': subdomain, ...client.authorization(), ...headers },
    })
    const refused = new Promise<never>((_, reject) => {
      socket.once('unexpected-response', (request, response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.on('end', () => {
          const { statusCode: status = 0, headers: own } = response
          reject(new RefusedUpgrade({ status, headers: own, text, body: JSON.parse(text) }))
          request.destroy()
        })
      })
    })
    const opened = new SocketClient(socket)
    await within('a WebSocket to open', Promise.race([once(socket, 'open'), refused]))
    return opened
  }

  /** How the connection ends. Read it before the connection ends. */
  get closing(): Promise<Closing> {
    return within('a WebSocket to be closed', this.#closing)
  }

  /** The first frame. @throws {Error} if the connection ends before. */
  first(): Promise<FirstFrame> {
    return until('the first frame', () => {
      if (this.#first === undefined && this.isClosed) throw new Error('The connection has ended')
      return this.#first
    })
  }

  /** The next frame. @throws {Error} if the connection ends before. */
  frame(): Promise<Frame> {
    return until('a frame', () => {
      const frame = this.#frames.shift()
      if (frame === undefined && this.isClosed) throw new Error('The connection has ended')
      return frame
    })
  }

  /** The events of the next frames, until there are `count`. */
  async events(count: number): Promise<FedEvent[]> {
    const events: FedEvent[] = []
    await until(
      `${count} events from a WebSocket`,
      async () => {
        if (events.length < count) events.push(...(await this.frame()).events)
        return events.length >= count
      },
      { instead: () => events },
    )
    return events
  }

  /** The events of all frames that have not been read yet. */
  received(): FedEvent[] {
    return this.#frames.splice(0).flatMap(({ events }) => events)
  }

  acknowledge(lastEventId: number): void {
    this.socket.send(JSON.stringify({ last_event_id: lastEventId }))
  }

  /**
   * Resolves when the server has read everything that this client has sent, also its pongs.
   *
   * @throws {Error} if the connection ends before.
   */
  async settle(): Promise<void> {
    const isAnswered = once(this.socket, 'pong')
    this.socket.ping()
    const ended = await Promise.race([isAnswered.then(() => undefined), this.closing])
    if (ended !== undefined) throw new Error(`The connection has ended with code ${ended.code}`)
  }

  async close(): Promise<void> {
    this.socket.close()
    await this.closing
  }
}

/** The response to an upgrade request that was rejected. */
export class RefusedUpgrade extends Error {
  constructor(readonly answer: Answer) {
    super(`The upgrade was refused: ${answer.status} ${answer.text}`)
  }
}

/** The response to an upgrade request that must be rejected. */
export async function refusedUpgrade(
  client: Client,
  params: Parameters = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  try {
    const opened = await SocketClient.open(client, params, headers)
    await opened.close()
  } catch (error) {
    if (error instanceof RefusedUpgrade) return error.answer
    throw error
  }
  throw new Error('The upgrade was accepted')
}

/**
 * Opens a WebSocket and closes it again. @returns the status of the response; 101 if it was opened.
 */
export async function upgradeStatus(
  { origin, subdomain }: Pick<Endpoint, 'origin' | 'subdomain'>,
  query: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/v1/events${query}`, {
    headers: { 'x-organization': subdomain, ...headers },
  })
  const answered = new Promise<number>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('unexpected-response', (request, response) => {
      request.destroy()
      resolve(response.statusCode ?? 0)
    })
    socket.on('open', () => {
      socket.terminate()
      resolve(101)
    })
  })
  return within('the response to an upgrade', answered)
}
