import { defineResource } from '../../../resource-definition/resource.js'
import {
  getFileTemporaryUrl,
  readFile,
  readTemporaryFile,
  readThumbnail,
  uploadFile,
} from './upload-operations.js'

export const uploads = defineResource({
  operations: [uploadFile, getFileTemporaryUrl, readFile, readThumbnail, readTemporaryFile],
})
