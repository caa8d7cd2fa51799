import { defineResource } from '../../../resource-definition/resource.js'
import {
  getFileTemporaryUrl,
  getFileTemporaryUrls,
  readFile,
  readTemporaryFile,
  readThumbnail,
  uploadFile,
} from './upload-operations.js'

export { UploadService } from './upload-service.js'

export const uploads = defineResource({
  operations: [
    uploadFile,
    getFileTemporaryUrl,
    getFileTemporaryUrls,
    readFile,
    readThumbnail,
    readTemporaryFile,
  ],
})
