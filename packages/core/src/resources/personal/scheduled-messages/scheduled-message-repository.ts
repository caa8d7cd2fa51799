import { isDeepStrictEqual } from 'node:util'

import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction, RowsSize } from '../../../storage/index.js'
import { scheduledMessages, type ScheduledMessageRow } from './scheduled-messages-table.js'

@perServer()
export class ScheduledMessageRepository {
  /** The size of all messages of the user that were not sent. */
  async sizeOfUnsent(scope: OrganizationScope, userId: number): Promise<RowsSize> {
    const unsent = { user_id: userId, sent_message_id: null }
    return scope.rows(scheduledMessages).size(unsent, ['content', 'rendered_content', 'topic'])
  }

  /** A user's messages that were not sent, including failed ones, the next one first. */
  async listUnsent(scope: OrganizationScope, userId: number): Promise<ScheduledMessageRow[]> {
    return scope
      .rows(scheduledMessages)
      .list({ user_id: userId, sent_message_id: null }, 'deliver_at_seconds', 'id')
  }

  /** One message, with an exclusive lock until `tx` ends. */
  async findForChange(tx: Transaction, id: number): Promise<ScheduledMessageRow | undefined> {
    return tx.rows(scheduledMessages).lock({ id })
  }

  /** Whether a message is as it was when it was read. Locks it until `tx` ends. */
  async isUnchanged(tx: Transaction, row: ScheduledMessageRow): Promise<boolean> {
    return isDeepStrictEqual({ ...(await this.findForChange(tx, row.id)) }, { ...row })
  }
}
