import { isDeepStrictEqual } from 'node:util'

import { perServer } from '../../../kernel/per-server.js'
import type {
  NewRow,
  OrganizationScope,
  Transaction,
  Json,
  RowsSize,
} from '../../../storage/index.js'

declare module '../../../storage/rows/tables.js' {
  interface Tables {
    scheduled_messages: ScheduledMessageRow
  }
}

export interface ScheduledMessageRow {
  id: number
  organization_id: number
  user_id: number
  /** Null for direct messages. */
  channel_id: number | null
  /** The participants of a direct message without its sender, ascending. */
  user_ids: Json<number[]>
  topic: string
  content: string
  rendered_content: string
  deliver_at_seconds: number
  read_by_sender: boolean
  client: string
  /** When it is due; null once it was sent or has failed. */
  due_at_seconds: number | null
  /** Why sending it failed. */
  failure: string | null
  sent_message_id: number | null
}

@perServer()
export class ScheduledMessageRepository {
  /** The size of all messages of the user that were not sent. */
  async sizeOfUnsent(scope: OrganizationScope, userId: number): Promise<RowsSize> {
    const unsent = { user_id: userId, sent_message_id: null }
    return scope.size('scheduled_messages', unsent, ['content', 'rendered_content', 'topic'])
  }

  /** A user's messages that were not sent, including failed ones, the next one first. */
  async listUnsent(scope: OrganizationScope, userId: number): Promise<ScheduledMessageRow[]> {
    return scope
      .query('scheduled_messages')
      .where({ user_id: userId })
      .whereNull('sent_message_id')
      .orderBy('deliver_at_seconds')
      .orderBy('id')
      .select('*')
  }

  async find(scope: OrganizationScope, id: number): Promise<ScheduledMessageRow | undefined> {
    return scope.query('scheduled_messages').where({ id }).first<ScheduledMessageRow | undefined>()
  }

  /** One message, with an exclusive lock until `tx` ends. */
  async findForChange(tx: Transaction, id: number): Promise<ScheduledMessageRow | undefined> {
    return tx.dialect
      .lockForUpdate(tx.query('scheduled_messages').where({ id }))
      .first<ScheduledMessageRow | undefined>()
  }

  /** Whether a message is as it was when it was read. Locks it until `tx` ends. */
  async isUnchanged(tx: Transaction, row: ScheduledMessageRow): Promise<boolean> {
    return isDeepStrictEqual({ ...(await this.findForChange(tx, row.id)) }, { ...row })
  }

  async insert(
    tx: Transaction,
    row: Omit<ScheduledMessageRow, 'id' | 'organization_id'>,
  ): Promise<number> {
    return tx.insert('scheduled_messages', row)
  }

  async insertMany(tx: Transaction, rows: readonly NewRow<ScheduledMessageRow>[]): Promise<void> {
    await tx.insert('scheduled_messages', rows)
  }

  async update(tx: Transaction, id: number, changes: Partial<ScheduledMessageRow>): Promise<void> {
    await tx.query('scheduled_messages').where({ id }).update(changes)
  }

  async delete(tx: Transaction, id: number): Promise<void> {
    await tx.query('scheduled_messages').where({ id }).delete()
  }
}
