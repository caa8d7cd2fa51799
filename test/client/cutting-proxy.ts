import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** A TCP proxy in front of servers, which ends its connections on demand. */
export class CuttingProxy {
  /** The connections of clients. */
  readonly #sockets = new Set<Socket>()
  /** Whether new connections are ended at once. */
  isDown = false
  /** Whether new connections are accepted, and nothing is passed on. */
  isSilent = false
  /** Number of connections of clients that were cut. */
  ended = 0
  /** Number of connections that were ended at once. */
  refused = 0

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  /** @param origins of the servers, to which connections go in turn. */
  static async before(...origins: readonly string[]): Promise<CuttingProxy> {
    const ports = origins.map((origin) => Number(new URL(origin).port))
    let count = 0
    const server = createServer((socket) => {
      const target = ports[count % ports.length] ?? 0
      count += 1
      proxy.#join(socket, target)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    // A server that listens on a port has an address of this kind.
    const { port } = server.address() as AddressInfo
    const proxy = new CuttingProxy(server, `http://127.0.0.1:${port}`)
    return proxy
  }

  get connections(): number {
    return this.#sockets.size
  }

  /**
   * Ends all connections, in the middle of what they transfer. Not by `resetAndDestroy()`: node 20
   * never exits if the other side has closed the connection meanwhile.
   */
  cut(): void {
    this.ended += this.#sockets.size
    for (const socket of this.#sockets) socket.destroy()
  }

  async close(): Promise<void> {
    this.cut()
    this.server.close()
    await once(this.server, 'close')
  }

  #join(socket: Socket, target: number): void {
    if (this.isDown) {
      this.refused += 1
      socket.destroy()
      return
    }
    this.#sockets.add(socket)
    if (this.isSilent) {
      socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket))
      socket.resume()
      return
    }
    const upstream = connect(target, '127.0.0.1')
    socket.on('close', () => {
      this.#sockets.delete(socket)
      upstream.destroy()
    })
    upstream.on('close', () => socket.destroy())
    socket.on('error', () => {}).pipe(upstream)
    upstream.on('error', () => {}).pipe(socket)
  }
}
