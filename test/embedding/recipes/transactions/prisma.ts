import { prismaTransaction, type TransactionExecutor } from '@parley/core/transactions'

import type { PrismaClient } from '../../prisma-client.js'

type Announce = (within: TransactionExecutor) => Promise<unknown>

/** Stores an order and announces it in the chat: both, or neither. */
export async function placeOrder(
  prisma: PrismaClient,
  item: string,
  announce: Announce,
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    await tx.orders.create({ data: { item } })
    await announce(prismaTransaction(tx))
  })
}
