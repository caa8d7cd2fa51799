import {
  createChatServer,
  type ChatServer,
  type EventBus,
  type Logger,
  type RateLimitsOption,
} from '@parley/core'
import { createChatMiddleware } from '@parley/express'
import { createRedisBus, type RedisClient } from '@parley/redis'
import express from 'express'

import { Product } from '../embedding/product.js'
import type { Cast } from '../support/cast.js'
import type { TestDatabase } from '../support/databases.js'
import { FakeClock } from '../support/fake-clock.js'

/** A chat server with a Redis bus, and the users of the organization as its clients. */
export interface ConnectedChat {
  readonly chat: ChatServer
  readonly bus: EventBus
  readonly product: Product
  readonly cast: Cast
  /** What was logged with the level `warn` or `error`. */
  readonly warnings: string[]
}

interface ChatOptions {
  readonly prefix?: string
  /** A clock of the machine makes the chat poll its log; otherwise it never does. */
  readonly polls?: boolean
  /** @default no limits */
  readonly rateLimits?: RateLimitsOption
}

/** Chat servers that share a database and a Redis server, as processes do. */
export class ConnectedChats implements AsyncDisposable {
  readonly #chats: ConnectedChat[] = []

  private constructor(private readonly database: TestDatabase) {}

  static on(database: TestDatabase): ConnectedChats {
    return new ConnectedChats(database)
  }

  /** Starts one more; the first one loads the organization. */
  async add(client: RedisClient, options: ChatOptions = {}): Promise<ConnectedChat> {
    const { prefix, polls = false, rateLimits = 'off' } = options
    const bus = createRedisBus(client, prefix === undefined ? {} : { prefix })
    const warnings: string[] = []
    const chat = createChatServer({
      database: this.database.config,
      // Without them, the chat warns when it starts.
      secret: 'the secret of all connected chats',
      baseUrl: 'https://chat.example',
      bus,
      rateLimits,
      logger: loggerInto(warnings),
      ...(!polls && { clock: new FakeClock() }),
    })
    await chat.start()
    const product = await Product.listen(express().use(createChatMiddleware(chat)))
    const cast = product.cast()
    if (this.#chats.length === 0) await chat.organizations.load(cast.file)
    const connected = { chat, bus, product, cast, warnings }
    this.#chats.push(connected)
    return connected
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { product, chat } of this.#chats) {
      await product[Symbol.asyncDispose]()
      await chat.close()
    }
    await this.database.drop()
  }
}

function loggerInto(lines: string[]): Logger {
  const add = (text: string): void => {
    lines.push(text)
  }
  return { debug() {}, info() {}, warn: add, error: add }
}
