import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { Database, type Transaction } from '../../../storage/index.js'
import type { UserRow } from '../../people/users/index.js'
import { socketTickets, type SocketTicketRow } from './socket-tickets-table.js'

/** Accounts by API key, and socket tickets. */
@perServer()
export class CredentialRepository {
  constructor(@inject(Database) private readonly database: Database) {}

  /**
   * API keys are unique across organizations: the key, not the host, determines the organization.
   */
  async findByApiKeyHash(apiKeyHash: string): Promise<UserRow | undefined> {
    return this.database.queryAll('users').where({ api_key_hash: apiKeyHash }).first()
  }

  /**
   * Reads and deletes a ticket.
   *
   * @returns undefined if it does not exist.
   */
  async takeTicket(tx: Transaction, ticketHash: string): Promise<SocketTicketRow | undefined> {
    const row = await tx.rows(socketTickets).lock({ ticket_hash: ticketHash })
    if (row !== undefined) await tx.rows(socketTickets).delete({ ticket_hash: ticketHash })
    return row
  }

  async deleteExpiredTickets(tx: Transaction, nowSeconds: number): Promise<void> {
    await tx.query('socket_tickets').where('expires_at_seconds', '<', nowSeconds).delete()
  }
}
