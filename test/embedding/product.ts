import { once } from 'node:events'
import { Agent, createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { Client } from '../support/client.js'
import { castOf, type Cast } from '../support/cast.js'

/** An application's own HTTP server, on a free port. */
export class Product {
  readonly #agent = new Agent({ keepAlive: true })

  private constructor(
    readonly server: Server,
    readonly origin: string,
  ) {}

  static async listen(handler: RequestListener): Promise<Product> {
    const server = createServer(handler)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new Product(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  }

  /** The usual people and channels, to be loaded from `file`, as clients of this product. */
  cast(subdomain = 'product', base = 100): Cast {
    return castOf(base, subdomain, {}, (credentials, id, name) => {
      const endpoint = { origin: this.origin, agent: this.#agent, subdomain }
      return new Client(endpoint, credentials, id, name)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy()
    this.server.closeAllConnections()
    const isClosed = once(this.server, 'close')
    this.server.close()
    await isClosed
  }
}
