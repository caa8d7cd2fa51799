import type { Migration } from './migration.js'

/**
 * Tickets are bound to one event queue, and to the API key that requested them. Existing tickets
 * are valid for half a minute at most, and are bound to neither.
 */
export const ticketBindings: Migration = {
  name: '0026-ticket-bindings',
  up(context) {
    context.raw(`DELETE FROM ${context.table('socket_tickets')}`)
    context.schema.alterTable(context.table('socket_tickets'), (t) => {
      // Null for a ticket that opens a new queue.
      t.string('queue_id', 80).nullable()
      // SHA-256, hexadecimal; null for a ticket that a session requested.
      t.string('api_key_hash', 64).nullable()
    })
  },
}
