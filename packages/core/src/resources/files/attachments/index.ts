import { defineResource } from '../../../resource-definition/resource.js'
import { attachmentAdded, attachmentRemoved, attachmentUpdated } from './attachment-events.js'
import { getAttachments, removeAttachment } from './attachment-operations.js'
import { AttachmentUpkeep } from './attachment-upkeep.js'

export { AttachmentAccess } from './attachment-access.js'
export { AttachmentClaims } from './attachment-claims.js'
export type { AttachmentRow } from './attachments-table.js'
export { Attachment, decodePathId, pathIdOf } from './attachment-schemas.js'
export { AttachmentService, fileKeyOf, fileKeysOf, thumbnailKeyOf } from './attachment-service.js'

export const attachments = defineResource({
  operations: [getAttachments, removeAttachment],
  events: [attachmentAdded, attachmentUpdated, attachmentRemoved],
  backgroundWork: [AttachmentUpkeep],
})
