export { linkifiersChanged } from './linkifier-events.js'
export { linkifierFile, type FileLinkifier } from './linkifier-file-section.js'
export { LinkifierIndex } from './linkifier-index.js'
export {
  addLinkifier,
  getLinkifiers,
  removeLinkifier,
  reorderLinkifiers,
  updateLinkifier,
} from './linkifier-operations.js'
export { LinkifierSnapshot, linkifierKeys } from './linkifier-snapshot.js'
export { TopicLinks } from './topic-links.js'
