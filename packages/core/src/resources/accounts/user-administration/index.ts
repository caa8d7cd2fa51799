import { defineResource } from '../../../resource-definition/resource.js'
import {
  createUser,
  deactivateOwnUser,
  deactivateUser,
  reactivateUser,
  updateUser,
  updateUserByEmail,
} from './user-administration-operations.js'

export { ExternalAccountDeactivation } from './external-account-deactivation.js'
export { FreeAddresses } from './free-addresses.js'
export { UniqueNames } from './unique-names.js'
export { AccountRights, requireAdministrator } from './account-rights.js'
export { BotQuotas } from './bot-quotas.js'
export { UserAdministration } from './user-administration.js'

export const userAdministration = defineResource({
  operations: [
    createUser,
    updateUser,
    updateUserByEmail,
    deactivateUser,
    deactivateOwnUser,
    reactivateUser,
  ],
})
