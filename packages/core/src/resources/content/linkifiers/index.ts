import { defineResource } from '../../../resource-definition/resource.js'
import { linkifiersChanged } from './linkifier-events.js'
import { linkifierFile } from './linkifier-file-section.js'
import {
  addLinkifier,
  getLinkifiers,
  removeLinkifier,
  reorderLinkifiers,
  updateLinkifier,
} from './linkifier-operations.js'
import { linkifierSnapshot } from './linkifier-snapshot.js'

export { LinkifierIndex } from './linkifier-index.js'
export { TopicLinks } from './topic-links.js'

export const linkifiers = defineResource({
  operations: [getLinkifiers, addLinkifier, updateLinkifier, removeLinkifier, reorderLinkifiers],
  events: [linkifiersChanged],
  snapshot: linkifierSnapshot,
  fileSection: linkifierFile,
})
