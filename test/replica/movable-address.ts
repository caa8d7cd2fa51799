import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** An address that leads to another server of a database later, as that of a proxy does after a failover. */
export class MovableAddress {
  readonly #sockets = new Set<Socket>()

  private constructor(
    private readonly server: Server,
    private target: number,
  ) {}

  static async of(target: number): Promise<MovableAddress> {
    const server = createServer((client) => address.#serve(client))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = new MovableAddress(server, target)
    return address
  }

  get port(): number {
    // A server that listens on a port has an address of this kind.
    return (this.server.address() as AddressInfo).port
  }

  /** New connections lead there; those that are open stay. */
  moveTo(target: number): void {
    this.target = target
  }

  /** Ends all connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async close(): Promise<void> {
    this.cut()
    this.server.close()
    await once(this.server, 'close')
  }

  #serve(client: Socket): void {
    const server = connect(this.target, '127.0.0.1')
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from)
      from
        .on('error', () => {})
        .on('close', () => {
          this.#sockets.delete(from)
          to.destroy()
        })
        .pipe(to)
    }
  }
}
