export { archiveStream, updateStream } from './channel-administration-operations.js'
