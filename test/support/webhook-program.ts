import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

import { until } from './waiting.js'

/** A call that a program has received. */
export interface ProgramCall {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** The response of a program; with `hangs` it is sent on {@link WebhookProgram.release}. */
export interface ProgramAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly hangs?: boolean
}

/** The program behind an outgoing webhook bot: a real HTTP server. */
export class WebhookProgram {
  readonly calls: ProgramCall[] = []
  /** The responses to the calls, in order; further calls get an empty one. */
  answers: ProgramAnswer[] = []
  readonly #held: (() => void)[] = []
  readonly #connections = new Set<Socket>()

  private constructor(private readonly server: Server) {
    server.on('connection', (connection) => {
      this.#connections.add(connection)
      connection.once('close', () => this.#connections.delete(connection))
    })
  }

  static async start(): Promise<WebhookProgram> {
    const server = createServer()
    const program = new WebhookProgram(server)
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void program.#take(request, response)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return program
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook?x=1`
  }

  /** Resolves when that many calls have arrived since the start. */
  async called(count: number): Promise<ProgramCall> {
    return until(`call ${count} of the program`, () => this.calls[count - 1], {
      instead: () => this.calls,
    })
  }

  /** Resolves when the next response has been read, and its connection was closed. */
  async answered(): Promise<void> {
    const connections = [...this.#connections]
    await Promise.race(connections.map((connection) => once(connection, 'close')))
  }

  /** Sends the responses that hang. */
  release(): void {
    for (const answer of this.#held.splice(0)) answer()
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const { method, url, headers } = request
    this.calls.push({ method, path: url, headers, body: Buffer.concat(chunks).toString() })
    const {
      status = 200,
      headers: own = {},
      body = '{"response_not_required":true}',
      hangs = false,
    } = this.answers[this.calls.length - 1] ?? {}
    const answer = (): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...own })
      response.end(body)
    }
    if (hangs) this.#held.push(answer)
    else answer()
  }
}
