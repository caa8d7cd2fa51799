import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import type { MessageRow } from '../../channels/message-permissions/index.js'
import type { OutgoingWebhookCallRow } from './outgoing-webhook-calls-table.js'

@perServer()
export class OutgoingWebhookRepository {
  async insertMany(
    tx: Transaction,
    rows: readonly Omit<OutgoingWebhookCallRow, 'id' | 'organization_id'>[],
  ): Promise<void> {
    await tx.insert('outgoing_webhook_calls', rows)
  }

  /** A message, regardless of who can access it. */
  async findMessage(scope: OrganizationScope, id: number): Promise<MessageRow | undefined> {
    return scope.query('messages').where({ id }).first<MessageRow | undefined>()
  }
}
