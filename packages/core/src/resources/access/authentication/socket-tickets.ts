import { createHash } from 'node:crypto'

import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import type { SessionCheck } from '../../../events/queues/session-check.js'
import type { TicketUse } from '../../../http/ports.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { randomToken } from '../../../kernel/random.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { UnitOfWork, type Transaction } from '../../../storage/index.js'
import { actorOf, UserRepository } from '../../people/users/index.js'
import { EventQueueService } from '../../realtime/event-queues/index.js'
import { CredentialRepository } from './credential-repository.js'
import { socketTickets } from './socket-tickets-table.js'

/** The request for a ticket. */
export interface WantedTicket {
  /** The event queue that it opens; undefined for a new one. */
  readonly queueId: string | undefined
  /** The credential of the caller: the application's session, or an API key. */
  readonly proof: SessionCheck | { readonly apiKeyHash: string }
}

/** The caller of a redeemed ticket. */
export interface RedeemedTicket {
  readonly actor: Actor
  /** Whether it was issued to a session of the application. */
  readonly isForSession: boolean
}

/** The lifetime of a ticket. */
export const ticketLifetimeSeconds = 30

/**
 * Short-lived tokens that open one WebSocket each, for browsers, which cannot set headers on one. A
 * ticket opens the queue that it was issued for, and is valid no longer than the API key or session
 * that requested it.
 */
@perServer()
export class SocketTickets {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(CredentialRepository) private readonly credentials: CredentialRepository,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(EventQueueService) private readonly queues: EventQueueService,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * A browser hides from its pages why a WebSocket was refused, so a client whose queue is gone has
   * to learn that here.
   *
   * @throws {ChatError} `BAD_EVENT_QUEUE_ID` if there is no such queue of the caller; the error of an
   *   unauthenticated request, if the session has ended.
   */
  async issue(actor: Actor, { queueId, proof }: WantedTicket): Promise<string> {
    if (queueId !== undefined) await this.queues.require(actor, queueId)
    const ticket = randomToken(24)
    const ticket_hash = hashOf(ticket)
    const now = nowSeconds(this.clock)
    const issueWithin = async (tx: Transaction): Promise<void> => {
      await this.credentials.deleteExpiredTickets(tx, now)
      await tx.rows(socketTickets).insert({
        ticket_hash,
        user_id: actor.userId,
        expires_at_seconds: now + ticketLifetimeSeconds,
        queue_id: queueId ?? null,
        api_key_hash: 'apiKeyHash' in proof ? proof.apiKeyHash : null,
      })
    }
    await this.unitOfWork.runFor(actor, issueWithin, { skipWriteLock: true })
    // The session may have ended while the ticket was stored, after the user's tickets were
    // deleted.
    const refusal = 'check' in proof ? await proof.check() : undefined
    if (refusal === undefined) return ticket
    await this.#delete(actor.organizationId, ticket_hash)
    throw refusal
  }

  async #delete(organizationId: number, ticketHash: string): Promise<void> {
    const deleteWithin = (tx: Transaction) => this.credentials.takeTicket(tx, ticketHash)
    await this.unitOfWork.run(organizationId, deleteWithin, { skipWriteLock: true })
  }

  /**
   * Redeems a ticket. It cannot be used again, even if it is for another queue.
   *
   * @returns undefined if it is invalid, used, expired, or for another queue, or if the account is
   *   deactivated or has another API key than the one that requested the ticket.
   */
  async redeem(
    organizationId: number,
    { ticket, queueId }: TicketUse,
  ): Promise<RedeemedTicket | undefined> {
    const redeemWithin = async (tx: Transaction): Promise<RedeemedTicket | undefined> => {
      const row = await this.credentials.takeTicket(tx, hashOf(ticket))
      if (row === undefined || row.expires_at_seconds < nowSeconds(this.clock)) return undefined
      if (row.queue_id !== (queueId ?? null)) return undefined
      const user = await this.users.find(tx, row.user_id)
      if (user === undefined || !user.is_active) return undefined
      const isForSession = row.api_key_hash === null
      if (!isForSession && row.api_key_hash !== user.api_key_hash) return undefined
      const actor = actorOf(user)
      if (isForSession) return { actor, isForSession }
      return { actor: { ...actor, apiKeyHash: user.api_key_hash }, isForSession }
    }
    return this.unitOfWork.run(organizationId, redeemWithin, { skipWriteLock: true })
  }
}

function hashOf(ticket: string): string {
  return createHash('sha256').update(ticket).digest('hex')
}
