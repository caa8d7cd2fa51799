import { once } from 'node:events'
import { Agent, createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before } from 'node:test'

import { createChatServer, type ChatServer, type OneOrganizationOptions } from '@parley/core'

import { Client } from '../support/client.js'
import { castOf, type Cast } from '../support/cast.js'
import { databaseColumns } from '../support/databases.js'

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

  /** The usual users and channels, to be loaded from `file`, as clients of this application. */
  cast(subdomain = 'product', base = 100, basePath = ''): Cast {
    return castOf(base, subdomain, {}, (credentials, id, name) => {
      const endpoint = { origin: this.origin, basePath, agent: this.#agent, subdomain }
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

/** An application with a chat server and the usual users. */
export interface ChatProduct {
  readonly chat: ChatServer
  readonly product: Product
  readonly cast: Cast
}

/** Provides the cases of a suite with an application and its chat server, on the first database. */
export function withChatProduct(
  mount: (chat: ChatServer) => RequestListener,
  options: Partial<OneOrganizationOptions> = {},
): ChatProduct {
  const at = {} as { -readonly [Key in keyof ChatProduct]: ChatProduct[Key] }
  let drop: (() => Promise<void>) | undefined
  before(async () => {
    const database = await databaseColumns()[0]?.create()
    if (database === undefined) throw new Error('There is no database to test with.')
    drop = database.drop
    at.chat = createChatServer({ database: database.config, rateLimits: 'off', ...options })
    await at.chat.start()
    at.product = await Product.listen(mount(at.chat))
    at.cast = at.product.cast(undefined, undefined, options.basePath)
    await at.chat.organizations.load(at.cast.file)
  })
  after(async () => {
    await at.product[Symbol.asyncDispose]()
    await at.chat.close()
    await drop?.()
  })
  return at
}
