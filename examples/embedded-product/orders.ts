import type { ChatServer, ConsumerContext } from '@parley/core'
import type { Knex } from 'knex'

import type { Account } from './accounts.js'

export interface Order {
  readonly id: number
  readonly account_id: number
  readonly item: string
  readonly quantity: number
  /** The chat's channel about this order. */
  readonly channel_id: number
  /** Messages in that channel. */
  readonly messages: number
}

/** The product's orders. Each has a private channel of its customer and the staff. */
export class Orders {
  constructor(
    private readonly database: Knex,
    private readonly chat: ChatServer,
  ) {}

  get #driver(): 'sqlite3' | 'mysql2' | 'pg' {
    return this.database.client.config.client
  }

  async createTable(): Promise<void> {
    const id = {
      sqlite3: 'INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT',
      mysql2: 'INTEGER NOT NULL PRIMARY KEY AUTO_INCREMENT',
      pg: 'INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
    }[this.#driver]
    await this.database.schema.raw(
      `CREATE TABLE IF NOT EXISTS product_orders (
         id ${id}, account_id INTEGER NOT NULL, item VARCHAR(200) NOT NULL, quantity INTEGER NOT NULL,
         channel_id INTEGER NOT NULL DEFAULT 0, messages INTEGER NOT NULL DEFAULT 0)`,
    )
  }

  /** @returns the newest hundred: the customer's own, or for staff those of all customers. */
  async list(account: Account): Promise<Order[]> {
    const query = this.database<Order>('product_orders').orderBy('id', 'desc').limit(100)
    return account.is_staff ? query : query.where({ account_id: account.id })
  }

  /**
   * Stores an order, opens its channel and writes the first message there: all of it happens, or
   * nothing does.
   */
  async place(
    account: Account,
    item: string,
    quantity: number,
  ): Promise<{ orderId: number; channelId: number; messageId: number }> {
    const customer = this.chat.as({ externalId: account.id })
    return this.database.transaction(async (within) => {
      const row = { account_id: account.id, item, quantity }
      const inserted = within<Order>('product_orders').insert(row)
      const [orderId = 0] =
        this.#driver === 'pg'
          ? (await inserted.returning('id')).map((order) => order.id)
          : await inserted
      const staff = await within<{ id: number }>('product_accounts')
        .where('is_staff', 1)
        .select('id')
      const ids = new Set([account.id, ...staff.map(({ id }) => id)])
      const { id: channelId } = await this.chat.channels.ensure(
        {
          externalId: `order:${orderId}`,
          name: `Order ${orderId}`,
          isPrivate: true,
          subscribers: [...ids].map((id) => ({ externalId: id })),
        },
        { within },
      )
      await within('product_orders').where({ id: orderId }).update({ channel_id: channelId })
      const message = await customer.api.sendMessage(
        { type: 'channel', to: channelId, topic: 'order', content: `${quantity} × ${item}` },
        { within },
      )
      return { orderId, channelId, messageId: message.id }
    })
  }

  /** Counts the messages about each order, exactly once, whatever process has sent them. */
  countMessages(): void {
    this.chat.consume(
      'order-messages',
      { types: ['message'] },
      async (event, { trx }: ConsumerContext<Knex.Transaction>) => {
        if (event.type !== 'message' || event.message.type !== 'stream') return
        await trx('product_orders')
          .where({ channel_id: event.message.stream_id })
          .increment('messages', 1)
      },
    )
  }
}
