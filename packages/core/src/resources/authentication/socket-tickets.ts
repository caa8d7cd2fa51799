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

const sessionPrefix = 's'
const keyPrefix = 'k'

/** What a ticket stood for. */
export interface RedeemedTicket {
  readonly actor: Actor
  /** Whether the application's session vouched for whom it was issued to. */
  readonly isForSession: boolean
}

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

  /** @param isForSession whether the application's session vouches for the caller. */
  async issue(actor: Actor, isForSession: boolean): Promise<string> {
    // The stored hash covers the prefix, so nobody can exchange it.
    const ticket = `${isForSession ? sessionPrefix : keyPrefix}${randomToken(24)}`
    const now = nowSeconds(this.clock)
    const issueWithin = async (tx: Transaction): Promise<void> => {
      await this.credentials.deleteExpiredTickets(tx, now)
      await this.credentials.insertTicket(tx, {
        ticket_hash: hashOf(ticket),
        user_id: actor.userId,
        expires_at_seconds: now + ticketLifetimeSeconds,
      })
    }
    await this.unitOfWork.runFor(actor, issueWithin, { alongside: true })
    return ticket
  }

  /** @returns whom the query's `ticket` stands for, or undefined if it is invalid, used or old. */
  async redeem(organizationId: number, query: string): Promise<RedeemedTicket | undefined> {
    const ticket = new URLSearchParams(query).get('ticket')
    if (ticket === null) return undefined
    const isForSession = ticket.startsWith(sessionPrefix)
    const redeemWithin = async (tx: Transaction): Promise<RedeemedTicket | undefined> => {
      const userId = await this.credentials.takeTicket(tx, hashOf(ticket), nowSeconds(this.clock))
      if (userId === undefined) return undefined
      const user = await this.users.find(tx, userId)
      return user !== undefined && Boolean(user.is_active)
        ? { actor: actorOf(user), isForSession }
        : undefined
    }
    return this.unitOfWork.run(organizationId, redeemWithin, { alongside: true })
  }
}

function hashOf(ticket: string): string {
  return createHash('sha256').update(ticket).digest('hex')
}
