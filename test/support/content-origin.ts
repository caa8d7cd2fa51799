import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { until } from './waiting.js'

/** The response of another host at one path. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Another host whose content is shown in messages: a real HTTP server on loopback. */
export class ContentOrigin {
  /** The requests so far, as the server received them. */
  readonly requests: IncomingMessage[] = []
  readonly #answers = new Map<string, Answer>()

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ContentOrigin> {
    const server = createServer()
    const origin = new ContentOrigin(server)
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      origin.requests.push(request)
      const answer = origin.#answers.get(request.url ?? '')
      if (answer === undefined) response.writeHead(404).end('nothing')
      else answer(request, response)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return origin
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  /**
   * Answers a new path from now on.
   *
   * @param host under which the server is reached. @returns its URL.
   */
  at(path: string, answer: Answer | Buffer | string, host = '127.0.0.1'): string {
    this.#answers.set(
      path,
      typeof answer === 'function'
        ? answer
        : (_, response) =>
            void response.writeHead(200, { 'content-type': 'image/png' }).end(answer),
    )
    return `http://${host}:${this.port}${path}`
  }

  /** The number of requests for a path. */
  countOf(path: string): number {
    return this.requests.filter(({ url }) => url === path).length
  }

  /** Resolves when a path has been requested that often. */
  async asked(path: string, count = 1): Promise<void> {
    await until(`request ${count} for ${path}`, () => this.countOf(path) >= count || undefined)
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}
