import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import type { MessageRow } from '../../channels/message-permissions/index.js'
import type { MessageDecoration, MessageParts } from '../objects/index.js'
import { submessages, type SubmessageRow } from './submessages-table.js'

type Part = Pick<MessageParts, 'submessages'>

/** The `submessages` of message objects, the first of which is the widget itself. */
@perServer()
export class SubmessageDecoration implements MessageDecoration {
  async partsOf(
    scope: OrganizationScope,
    messages: readonly MessageRow[],
  ): Promise<ReadonlyMap<number, Part>> {
    const parts = new Map<number, Part>()
    const rows = await scope
      .rows(submessages)
      .list({ message_id: messages.map(({ id }) => id) }, 'id')
    for (const row of rows) {
      const part = parts.get(row.message_id) ?? { submessages: [] }
      parts.set(row.message_id, part)
      part.submessages.push(submessageOf(row))
    }
    return parts
  }

  async begin(
    tx: Transaction,
    message: { readonly id: number; readonly senderId: number },
    widget: string,
  ): Promise<Part> {
    const row = {
      message_id: message.id,
      sender_id: message.senderId,
      msg_type: 'widget',
      content: widget,
    }
    const id = await tx.rows(submessages).insert(row)
    return { submessages: [submessageOf({ ...row, id })] }
  }
}

function submessageOf({
  id,
  message_id,
  sender_id,
  msg_type,
  content,
}: Omit<SubmessageRow, 'organization_id'>): Part['submessages'][number] {
  return { id, message_id, sender_id, msg_type, content }
}
