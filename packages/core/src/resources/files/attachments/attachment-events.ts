import { type Static, Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'
import type { LinkingMessage } from './attachment-repository.js'
import type { AttachmentRow } from './attachments-table.js'

/** An uploaded file as its owner sees it. */
export const Attachment = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String({ description: 'As its owner named it.' }),
    path_id: Type.String({ description: 'What follows `/user_uploads/` in its address.' }),
    size: Type.Integer({ description: 'Bytes.' }),
    create_time: Type.Integer({ description: 'UNIX milliseconds.' }),
    messages: Type.Array(
      Type.Object(
        { id: Type.Integer(), date_sent: Type.Integer({ description: 'UNIX milliseconds.' }) },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
export type Attachment = Static<typeof Attachment>

/** The part of an attachment's address after `/user_uploads/`. */
export function pathIdOf(row: Pick<AttachmentRow, 'organization_id' | 'folder' | 'path_name'>) {
  return `${row.organization_id}/${row.folder}/${row.path_name}`
}

/** Decodes the path id of a link: clients may percent-encode the addresses in message text. */
export function decodePathId(linked: string): string {
  try {
    return decodeURIComponent(linked)
  } catch {
    return linked
  }
}

/** @param messages messages that link to it; may include others. */
export function attachmentOf(row: AttachmentRow, messages: readonly LinkingMessage[]): Attachment {
  return {
    id: row.id,
    name: row.name,
    path_id: pathIdOf(row),
    size: row.size_bytes,
    create_time: row.created_at_seconds * 1000,
    messages: messages
      .filter(({ attachment_id }) => attachment_id === row.id)
      .map(({ id, sent_at_seconds }) => ({ id, date_sent: sent_at_seconds * 1000 })),
  }
}

const spaceUsed = Type.Integer({ description: "The size of all the organization's uploads." })
const payload = Type.Object({ attachment: Attachment, upload_space_used: spaceUsed })

export const attachmentAdded = defineEvent({
  type: 'attachment',
  op: 'add',
  summary: 'A file was uploaded. Sent to its owner.',
  payload,
})

export const attachmentUpdated = defineEvent({
  type: 'attachment',
  op: 'update',
  summary: 'One more message links to an uploaded file. Sent to the sender of the message.',
  payload,
})

export const attachmentRemoved = defineEvent({
  type: 'attachment',
  op: 'remove',
  summary: 'An uploaded file was deleted by its owner. Sent to them.',
  payload: Type.Object({
    attachment: Type.Object({ id: Type.Integer() }, { additionalProperties: false }),
    upload_space_used: spaceUsed,
  }),
})
