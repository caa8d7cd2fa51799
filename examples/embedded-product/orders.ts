import type { ChatServer } from '@parley/core'
import type { Knex } from 'knex'

import type { Account } from './accounts.js'

export interface Order {
  readonly id: number
  readonly account_id: number
  readonly item: string
  readonly quantity: number
}

/** The product's orders; each is announced in the chat's channel "orders". */
export class Orders {
  constructor(
    private readonly database: Knex,
    private readonly chat: ChatServer,
  ) {}

  async createTable(): Promise<void> {
    const isMysql = String(this.database.client.config.client).includes('mysql')
    await this.database.schema.raw(
      `CREATE TABLE IF NOT EXISTS product_orders (
         id INTEGER NOT NULL PRIMARY KEY ${isMysql ? 'AUTO_INCREMENT' : 'AUTOINCREMENT'},
         account_id INTEGER NOT NULL, item VARCHAR(200) NOT NULL, quantity INTEGER NOT NULL)`,
    )
  }

  async list(): Promise<Order[]> {
    return this.database<Order>('product_orders').orderBy('id', 'desc').limit(100)
  }

  /** Stores an order and announces it: either both happen, or neither does. */
  async place(
    account: Account,
    item: string,
    quantity: number,
  ): Promise<{ orderId: number; messageId: number }> {
    const user = this.chat.as({
      externalId: String(account.id),
      email: account.email,
      fullName: account.full_name,
    })
    return this.database.transaction(async (transaction) => {
      const [orderId = 0] = await transaction('product_orders').insert({
        account_id: account.id,
        item,
        quantity,
      })
      const message = await user.api.sendMessage(
        {
          type: 'channel',
          to: 'orders',
          topic: item,
          content: `Order ${orderId}: ${quantity} × ${item}`,
        },
        { within: transaction },
      )
      return { orderId, messageId: message.id }
    })
  }
}
