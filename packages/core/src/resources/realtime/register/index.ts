import { defineResource } from '../../../resource-definition/resource.js'
import { registerQueue } from './register-operations.js'
import { unsupportedSnapshot } from './unsupported-snapshot.js'

export { registrationSchema } from './registration-schema.js'

export const register = defineResource({
  operations: [registerQueue],
  snapshot: unsupportedSnapshot,
})
