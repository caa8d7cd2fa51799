import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/**
 * A TCP proxy that passes on what both sides send later than it arrives, or slower, in the same order,
 * and ends its connections on demand.
 */
export class SlowProxy implements AsyncDisposable {
  readonly #sockets = new Set<Socket>()
  readonly #timers = new Set<NodeJS.Timeout>()
  /** How much later, in each direction. */
  delayMilliseconds = 0
  /** In each direction of each connection. */
  bytesPerSecond = Number.POSITIVE_INFINITY

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async before(target: number): Promise<SlowProxy> {
    const server = createServer((socket) => {
      const upstream = connect(target, '127.0.0.1')
      proxy.#join(socket, upstream)
      proxy.#join(upstream, socket)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    // A server that listens on a port has an address of this kind.
    const proxy = new SlowProxy(server, (server.address() as AddressInfo).port)
    return proxy
  }

  /** Ends all connections, in the middle of what they transfer. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer)
    this.cut()
    this.server.close()
    await once(this.server, 'close')
  }

  #join(from: Socket, to: Socket): void {
    this.#sockets.add(from)
    let lastAt = 0
    from
      .on('data', (chunk: Buffer) => {
        // Not before what arrived earlier, also after the delay was shortened.
        const transferMilliseconds = (chunk.length / this.bytesPerSecond) * 1000
        lastAt = Math.max(lastAt, performance.now() + this.delayMilliseconds) + transferMilliseconds
        const timer = setTimeout(() => {
          this.#timers.delete(timer)
          if (to.writable) to.write(chunk)
        }, lastAt - performance.now())
        this.#timers.add(timer)
      })
      .on('error', () => {})
      .on('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
  }
}
