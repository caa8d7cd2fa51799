import { createHash } from 'node:crypto'

import { inject } from 'tsyringe'

import type { Actor } from '../../domain/actor.js'
import { nowSeconds, type Clock } from '../../kernel/clock.js'
import { perServer } from '../../kernel/per-server.js'
import { randomToken } from '../../kernel/random.js'
import { ClockToken } from '../../kernel/tokens.js'
import { UnitOfWork, type Transaction } from '../../storage/index.js'
import { actorOf, UserRepository } from '../users/index.js'
import { CredentialRepository } from './credential-repository.js'

/** How long a ticket is good for. */
export const ticketLifetimeSeconds = 30

/**
 * Short-lived texts that open one WebSocket each, for browsers, which cannot set headers on one.
 */
@perServer()
export class SocketTickets {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(CredentialRepository) private readonly credentials: CredentialRepository,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  async issue(actor: Actor): Promise<string> {
    const ticket = randomToken(24)
    const now = nowSeconds(this.clock)
    const issueWithin = async (tx: Transaction): Promise<void> => {
      await this.credentials.deleteExpiredTickets(tx, now)
      await this.credentials.insertTicket(tx, {
        ticket_hash: hashOf(ticket),
        user_id: actor.userId,
        expires_at_seconds: now + ticketLifetimeSeconds,
      })
    }
    await this.unitOfWork.run(actor.organizationId, issueWithin, { alongside: true })
    return ticket
  }

  /** @returns whom the query's `ticket` stands for, or undefined if it is none, used or old. */
  async redeem(organizationId: number, query: string): Promise<Actor | undefined> {
    const ticket = new URLSearchParams(query).get('ticket')
    if (ticket === null) return undefined
    const redeemWithin = async (tx: Transaction): Promise<Actor | undefined> => {
      const userId = await this.credentials.takeTicket(tx, hashOf(ticket), nowSeconds(this.clock))
      if (userId === undefined) return undefined
      const user = await this.users.find(tx, userId)
      return user !== undefined && Boolean(user.is_active) ? actorOf(user) : undefined
    }
    return this.unitOfWork.run(organizationId, redeemWithin, { alongside: true })
  }
}

function hashOf(ticket: string): string {
  return createHash('sha256').update(ticket).digest('hex')
}
