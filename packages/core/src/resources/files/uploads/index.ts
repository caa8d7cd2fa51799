export { uploadOperations } from './upload-operations.js'
