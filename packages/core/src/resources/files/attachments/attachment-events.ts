import { Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'
import { Attachment } from './attachment-schemas.js'

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
