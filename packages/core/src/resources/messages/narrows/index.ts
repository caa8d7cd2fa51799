export {
  maxFetchedBytes,
  MessageSearchRepository,
  type SearchedMessage,
} from './message-search-repository.js'
export {
  clampRange,
  parseAnchor,
  requireContiguous,
  describeRange,
  newestAnchor,
  type Anchor,
  type MessageRange,
} from './narrow-range.js'
export { NarrowTermSchema, maxTermLength } from './narrow-schema.js'
export { NarrowResolver, type NarrowResolution } from './narrow-resolver.js'
export { escapeHtml, type SearchTexts } from './search-texts.js'
export { parseNarrow, type NarrowTerm, maxNarrowTerms } from './narrow.js'
export { matchesQueueNarrow } from './queue-narrow.js'
export { requireWebPublic } from './spectator-narrow.js'
