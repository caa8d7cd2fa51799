export { AttachmentAccess } from './attachment-access.js'
export { AttachmentClaims } from './attachment-claims.js'
export { attachmentEvents } from './attachment-events.js'
export { attachmentOperations } from './attachment-operations.js'
export { type AttachmentRow } from './attachment-repository.js'
export { Attachment, decodePathId, pathIdOf } from './attachment-schemas.js'
export {
  AttachmentService,
  fileKeyOf,
  thumbnailKeyOf,
  type NewAttachment,
} from './attachment-service.js'
export { AttachmentUpkeep } from './attachment-upkeep.js'
