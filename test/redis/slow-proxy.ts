import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** A TCP proxy that passes on what both sides send later than it arrives, in the same order. */
export class SlowProxy implements AsyncDisposable {
  readonly #sockets = new Set<Socket>()
  readonly #timers = new Set<NodeJS.Timeout>()
  /** How much later, in each direction. */
  delayMilliseconds = 0

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

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer)
    for (const socket of this.#sockets) socket.destroy()
    this.server.close()
    await once(this.server, 'close')
  }

  #join(from: Socket, to: Socket): void {
    this.#sockets.add(from)
    let lastAt = 0
    from
      .on('data', (chunk: Buffer) => {
        // Not before what arrived earlier, also after the delay was shortened.
        lastAt = Math.max(lastAt, performance.now() + this.delayMilliseconds)
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
