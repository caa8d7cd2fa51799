import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

import type { RateLimitKey, RateLimitOutcome, RateLimitStore } from '@parley/core'

import { ProcessCounts } from '../../packages/core/src/http/limits/rate-limit-store.js'

type Method = 'consume' | 'refund' | 'forget'

interface Call {
  readonly id: number
  readonly method: Method
  readonly limit: RateLimitKey
}

/** A program that counts for other processes: one line of JSON for each call and each answer. */
export class RateLimitServer {
  readonly #counts = new ProcessCounts({ now: () => Date.now() })
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  /** The keys of all calls. */
  readonly keys = new Set<string>()
  port = 0

  /** Listens on loopback; on the same port after {@link stop}. */
  async start(): Promise<void> {
    const server = createServer((socket) => {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      createInterface(socket).on('line', (line) => this.#answer(socket, line))
    })
    this.#server = server
    server.listen(this.port, '127.0.0.1')
    await once(server, 'listening')
    this.port = (server.address() as AddressInfo).port
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#sockets.clear()
    const server = this.#server
    if (server === undefined) return
    const closed = once(server, 'close')
    server.close()
    await closed
  }

  #answer(socket: Socket, line: string): void {
    // Only the client below connects.
    const { id, method, limit } = JSON.parse(line) as Call
    this.keys.add(limit.key)
    const result = this.#counts[method](limit)
    socket.write(`${JSON.stringify({ id, result })}\n`)
  }
}

/** A store that asks a {@link RateLimitServer}. */
export class TcpRateLimits implements RateLimitStore {
  readonly #waiting = new Map<number, WaitingCall>()
  #socket: Socket | undefined
  #lastId = 0

  constructor(private readonly port: number) {}

  async consume(limit: RateLimitKey): Promise<RateLimitOutcome> {
    // The server answers with what its own counts return.
    return (await this.#call('consume', limit)) as RateLimitOutcome
  }

  async refund(limit: RateLimitKey): Promise<void> {
    await this.#call('refund', limit)
  }

  async forget(limit: RateLimitKey): Promise<void> {
    await this.#call('forget', limit)
  }

  #call(method: Method, limit: RateLimitKey): Promise<unknown> {
    this.#lastId += 1
    const id = this.#lastId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#connected().write(`${JSON.stringify({ id, method, limit })}\n`)
    })
  }

  #connected(): Socket {
    if (this.#socket !== undefined) return this.#socket
    const socket = connect(this.port, '127.0.0.1')
    socket.unref()
    this.#socket = socket
    const end = (error?: Error): void => {
      this.#socket = undefined
      for (const { reject } of this.#waiting.values()) reject(error ?? new Error('It has closed'))
      this.#waiting.clear()
    }
    socket.on('error', end).on('close', () => end())
    createInterface(socket)
      .on('line', (line) => {
        const { id, result } = JSON.parse(line) as { id: number; result: unknown }
        this.#waiting.get(id)?.resolve(result)
        this.#waiting.delete(id)
      })
      .on('error', () => {})
    return socket
  }
}

interface WaitingCall {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}
