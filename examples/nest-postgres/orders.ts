import type { ChatServer } from '@parley/core'
import { drizzleTransaction } from '@parley/core/transactions'
import { and, desc, eq, gt, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'

import { accounts, items, orders, type Account, type Order } from './database.js'

export interface OrderWithNews extends Order {
  /** Unread messages about the order. */
  readonly unread: number
}

/** The shop's orders. Each has a private channel of its customer and the staff. */
export class Orders {
  constructor(
    private readonly database: NodePgDatabase,
    private readonly chat: ChatServer,
  ) {}

  /** @returns the newest hundred: the customer's own, or for staff those of all customers. */
  async list(account: Account): Promise<OrderWithNews[]> {
    const found = await this.database
      .select()
      .from(orders)
      .where(account.isStaff ? undefined : eq(orders.accountId, account.id))
      .orderBy(desc(orders.id))
      .limit(100)
    const channels = found.map(({ id }) => channelOf(id))
    const unread = await this.chat.users.unread(account.id, { channels })
    const counts = new Map(unread?.channels.map(({ externalId, count }) => [externalId, count]))
    return found.map((order) => ({ ...order, unread: counts.get(channelOf(order.id)) ?? 0 }))
  }

  async find(account: Account, id: number): Promise<Order | undefined> {
    const [order] = await this.database.select().from(orders).where(eq(orders.id, id))
    return account.isStaff || order?.accountId === account.id ? order : undefined
  }

  /**
   * Stores an order, opens its channel and writes the first message there: all of it happens, or
   * nothing does.
   *
   * @returns its id; undefined if the item is sold out.
   */
  async place(account: Account, item: string): Promise<number | undefined> {
    try {
      return await this.database.transaction(async (tx) => {
        const within = drizzleTransaction(tx)
        const [order = { id: 0 }] = await tx
          .insert(orders)
          .values({ accountId: account.id, item })
          .returning({ id: orders.id })
        const staff = await tx
          .select({ id: accounts.id })
          .from(accounts)
          .where(eq(accounts.isStaff, true))
        const { id: channelId } = await this.chat.channels.ensure(
          {
            externalId: channelOf(order.id),
            name: `Order ${order.id}`,
            isPrivate: true,
            subscribers: [account, ...staff].map(({ id }) => ({ externalId: id })),
          },
          { within },
        )
        await this.chat
          .as({ externalId: account.id })
          .api.sendMessage(
            { type: 'channel', to: channelId, topic: 'order', content: `Please send me: ${item}` },
            { within },
          )
        await tx.update(orders).set({ channelId }).where(eq(orders.id, order.id))
        // Last, because all orders of an item wait for this row until the commit.
        const taken = await tx
          .update(items)
          .set({ stock: sql`${items.stock} - 1` })
          .where(and(eq(items.name, item), gt(items.stock, 0)))
          .returning()
        if (taken.length === 0) throw new SoldOut()
        return order.id
      })
    } catch (error) {
      if (error instanceof SoldOut) return undefined
      throw error
    }
  }
}

class SoldOut extends Error {}

/** The shop's name of the channel. */
function channelOf(orderId: number): string {
  return `order:${orderId}`
}
