export { DatabaseStorage } from './database-storage.js'
export { FileStorageToken, type ByteRange, type FileStorage } from './file-storage.js'
export { FolderStorage } from './folder-storage.js'
export { StoredFiles } from './stored-files.js'
