import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

/** How often each fault happens, from 0 (never) to 1. */
export interface Faults {
  /** A request, an answer or a part of a WebSocket arrives later. */
  readonly delayed: number
  /** An answer waits until the answer to a later request has arrived. */
  readonly overtaken: number
  /** An answer or a part of a WebSocket arrives in small pieces. */
  readonly slow: number
  /** The server does not get a request. */
  readonly lostRequest: number
  /** The server does what is requested, and the client gets no answer. */
  readonly lostAnswer: number
  /** The connection ends after the half of an answer, or of a part of a WebSocket. */
  readonly halved: number
}

export const noFaults: Faults = {
  delayed: 0,
  overtaken: 0,
  slow: 0,
  lostRequest: 0,
  lostAnswer: 0,
  halved: 0,
}

/** Everything arrives, at another time. */
export const latenessOnly: Faults = { ...noFaults, delayed: 0.5, overtaken: 0.3, slow: 0.2 }

export const allFaults: Faults = {
  ...latenessOnly,
  lostRequest: 0.05,
  lostAnswer: 0.08,
  halved: 0.05,
}

const maxDelayMilliseconds = 15
const maxPieces = 8
/** An answer that no later one has overtaken by then arrives nevertheless. */
const maxHoldMilliseconds = 60

interface HeldAnswer {
  /** Of the request. */
  readonly place: number
  readonly overtake: () => void
}

/** An HTTP proxy in front of servers, with random faults. Each WebSocket keeps its order. */
export class FaultyProxy {
  /** How often each fault has happened. */
  readonly counts: Record<keyof Faults, number> = { ...noFaults }
  readonly #held = new Set<HeldAnswer>()
  readonly #streams = new Set<Duplex>()
  readonly #closing = new AbortController()
  readonly #server = createServer((incoming, response) => {
    this.#pass(incoming, response).catch(() => response.destroy())
  })
  readonly #ports: readonly number[]
  #requests = 0

  private constructor(
    origins: readonly string[],
    public faults: Faults,
    private readonly random: () => number,
  ) {
    this.#ports = origins.map((origin) => Number(new URL(origin).port))
    this.#server.on('connection', (socket) => this.#keep(socket))
    this.#server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#upgrade(incoming, socket, head),
    )
  }

  /** @param origins of the servers, to which requests go in turn. */
  static async before(
    origins: readonly string[],
    faults: Faults,
    random: () => number,
  ): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(origins, faults, random)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get origin(): string {
    // A server that listens on a port has an address of this kind.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Ends all connections. */
  cut(): void {
    for (const stream of this.#streams) stream.destroy()
  }

  /** May be called twice. */
  async close(): Promise<void> {
    if (!this.#server.listening) return
    this.#closing.abort()
    this.cut()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const place = (this.#requests += 1)
    const body = await buffer(incoming)
    await this.#delay()
    if (this.#happens('lostRequest')) {
      response.destroy()
      return
    }
    const outgoing = request({
      host: '127.0.0.1',
      port: this.#portOf(place),
      method: incoming.method,
      path: incoming.url,
      headers: incoming.headers,
    })
    response.on('close', () => outgoing.destroy())
    outgoing.end(body)
    // The event has this parameter.
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
    const content = await buffer(answer)
    if (this.#happens('lostAnswer')) {
      response.destroy()
      return
    }
    await this.#delay()
    if (this.random() < this.faults.overtaken) await this.#overtaking(place)
    const { 'transfer-encoding': _encoding, ...headers } = answer.headers
    response.writeHead(answer.statusCode ?? 502, { ...headers, 'content-length': content.length })
    await this.#write(content, response)
    response.end()
    for (const held of this.#held) if (held.place < place) held.overtake()
  }

  #upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const upstream = connect(this.#portOf((this.#requests += 1)), '127.0.0.1')
    this.#keep(upstream)
    upstream.write(upgradeOf(incoming, head))
    void this.#carry(socket, upstream)
    void this.#carry(upstream, socket)
  }

  /** Passes on what comes, until either side ends. */
  async #carry(from: Duplex, to: Duplex): Promise<void> {
    try {
      for await (const part of from) {
        await this.#delay()
        // Sockets without an encoding give bytes.
        await this.#write(part as Buffer, to)
      }
      to.end()
    } catch {
      to.destroy()
    }
  }

  /** @throws {Error} if the connection ends meanwhile. */
  async #write(content: Buffer, to: Duplex | ServerResponse): Promise<void> {
    if (this.#happens('halved')) {
      to.write(content.subarray(0, content.length / 2), () => to.destroy())
      throw new Error('the connection ends')
    }
    const pieces = this.#happens('slow') ? maxPieces : 1
    const size = Math.max(1, Math.ceil(content.length / pieces))
    for (let start = 0; start < content.length; start += size) {
      if (start > 0) await this.#sleep(this.random() * (maxDelayMilliseconds / maxPieces))
      to.write(content.subarray(start, start + size))
    }
  }

  async #delay(): Promise<void> {
    if (this.#happens('delayed')) await this.#sleep(this.random() * maxDelayMilliseconds)
  }

  /** Waits until the answer to a request after `place` is passed on. */
  async #overtaking(place: number): Promise<void> {
    let overtake = (): void => {}
    const overtaken = new Promise<void>((resolve) => {
      overtake = () => {
        this.counts.overtaken += 1
        resolve()
      }
    })
    const held = { place, overtake }
    this.#held.add(held)
    await Promise.race([overtaken, this.#sleep(maxHoldMilliseconds)])
    this.#held.delete(held)
  }

  #happens(fault: keyof Faults): boolean {
    const happens = this.random() < this.faults[fault]
    if (happens) this.counts[fault] += 1
    return happens
  }

  #portOf(place: number): number {
    return this.#ports[place % this.#ports.length] ?? 0
  }

  async #sleep(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.#closing.signal })
  }

  #keep(stream: Duplex): void {
    this.#streams.add(stream)
    stream.on('error', () => {}).on('close', () => this.#streams.delete(stream))
  }
}

/** The bytes of a request to upgrade, as the client has sent it. */
export function upgradeOf({ method, url, rawHeaders }: IncomingMessage, head: Buffer): Buffer {
  const lines = rawHeaders.map((text, index) => text + (index % 2 === 0 ? ': ' : '\r\n'))
  return Buffer.concat([Buffer.from(`${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n`), head])
}
