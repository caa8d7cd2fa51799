export {
  SnapshotSectionsToken,
  type SnapshotContext,
  type SnapshotSection,
} from './snapshot-section.js'
