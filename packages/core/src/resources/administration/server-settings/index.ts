import { defineResource } from '../../../resource-definition/resource.js'
import { getServerSettings } from './server-settings-operations.js'

export const serverSettings = defineResource({
  operations: [getServerSettings],
})
