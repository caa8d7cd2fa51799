import { defineResource } from '../../../resource-definition/resource.js'
import { SearchIndexer } from './search-indexer.js'

export { SearchIndex, type SearchIndexState } from './search-index.js'
export type { WordIndex } from './word-index.js'

export const searchIndex = defineResource({
  backgroundWork: [SearchIndexer],
})
