export { chunksOf } from './chunks.js'
export { FileCheck, type PlacedItem } from './file-check.js'
export {
  defineFileSection,
  inOrderOfIds,
  type FileLoading,
  type FileSection,
  type FileSectionLoader,
  type RowSection,
} from './file-section.js'
export { FileId, FileSeconds, closed } from './file-schemas.js'
