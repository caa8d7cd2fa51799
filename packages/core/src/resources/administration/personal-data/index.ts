export { UserExport, type ExportOptions } from './user-export.js'
export { UserErasure, type EraseOptions, type ErasedUser } from './user-erasure.js'
