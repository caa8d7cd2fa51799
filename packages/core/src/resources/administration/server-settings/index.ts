export { getServerSettings } from './server-settings-operations.js'
