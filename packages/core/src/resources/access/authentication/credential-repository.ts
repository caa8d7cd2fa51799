import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { Database, type Transaction } from '../../../storage/index.js'
import type { UserRow } from '../../people/users/index.js'

declare module '../../../storage/rows/tables.js' {
  interface Tables {
    socket_tickets: SocketTicketRow
  }
}

export interface SocketTicketRow {
  /** SHA-256 of the ticket, hexadecimal. */
  ticket_hash: string
  organization_id: number
  user_id: number
  expires_at_seconds: number
  /** The event queue that the ticket opens; null for a new one. */
  queue_id: string | null
  /** SHA-256 of the API key that requested the ticket, hexadecimal; null if a session did. */
  api_key_hash: string | null
}

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

  async insertTicket(
    tx: Transaction,
    row: Omit<SocketTicketRow, 'organization_id'>,
  ): Promise<void> {
    await tx.insert('socket_tickets', row)
  }

  /**
   * Reads and deletes a ticket.
   *
   * @returns undefined if it does not exist.
   */
  async takeTicket(tx: Transaction, ticketHash: string): Promise<SocketTicketRow | undefined> {
    const row = await tx.dialect
      .lockForUpdate(tx.query('socket_tickets').where({ ticket_hash: ticketHash }))
      .first<SocketTicketRow | undefined>()
    if (row !== undefined) {
      await tx.query('socket_tickets').where({ ticket_hash: ticketHash }).delete()
    }
    return row
  }

  async deleteTicketsOf(tx: Transaction, userId: number): Promise<void> {
    await tx.query('socket_tickets').where({ user_id: userId }).delete()
  }

  async deleteExpiredTickets(tx: Transaction, nowSeconds: number): Promise<void> {
    await tx.query('socket_tickets').where('expires_at_seconds', '<', nowSeconds).delete()
  }
}
