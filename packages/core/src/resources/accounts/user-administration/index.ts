export { ExternalAccountDeactivation } from './external-account-deactivation.js'
export { FreeAddresses } from './free-addresses.js'
export { UniqueNames } from './unique-names.js'
export {
  createUser,
  deactivateOwnUser,
  deactivateUser,
  reactivateUser,
  updateUser,
  updateUserByEmail,
} from './user-administration-operations.js'
export { requireManager, UserAdministration } from './user-administration.js'
