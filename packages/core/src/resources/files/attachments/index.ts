import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineCommand, defineOperation } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import {
  Attachment,
  attachmentAdded,
  attachmentRemoved,
  attachmentUpdated,
} from './attachment-events.js'
import { AttachmentService } from './attachment-service.js'
import { AttachmentUpkeep } from './attachment-upkeep.js'

export { AttachmentAccess } from './attachment-access.js'
export { AttachmentClaims } from './attachment-claims.js'
export type { AttachmentRow } from './attachments-table.js'
export { Attachment, decodePathId, pathIdOf } from './attachment-events.js'
export { AttachmentService, fileKeyOf, fileKeysOf, thumbnailKeyOf } from './attachment-service.js'

const getAttachments = defineOperation({
  id: 'get-attachments',
  summary: 'List the files that the caller has uploaded, and the messages that link to them.',
  method: 'GET',
  path: '/attachments',
  access: 'user',
  isPersonal: true,
  params: {},
  response: Type.Object({
    attachments: Type.Array(Attachment),
    upload_space_used: Type.Integer({
      description: "The size of all the organization's uploads, in bytes.",
    }),
  }),
  errors: [],
  service: AttachmentService,
  handle: (attachments, { actor }) => attachments.listFor(actor),
})

const removeAttachment = defineCommand({
  id: 'remove-attachment',
  summary: 'Delete a file that the caller has uploaded; links to it in messages stop working.',
  method: 'DELETE',
  path: '/attachments/{attachment_id}',
  access: 'user',
  isPersonal: true,
  params: { attachment_id: Bounded.id() },
  errors: ['BAD_REQUEST'],
  service: AttachmentService,
  handle: (attachments, { actor, params }) => attachments.remove(actor, params.attachment_id),
})

export const attachments = defineResource({
  operations: [getAttachments, removeAttachment],
  events: [attachmentAdded, attachmentUpdated, attachmentRemoved],
  backgroundWork: [AttachmentUpkeep],
})
