import { defineResource } from '../../../resource-definition/resource.js'
import { botUpdated } from './bot-events.js'
import { exportConsentChanged, userAdded, userRemoved, userUpdated } from './user-events.js'

export { AccountChanges } from './account-changes.js'
export {
  AccountStepToken,
  KeyReplacedStepToken,
  type AccountStep,
  type KeyReplacedStep,
  NewcomerStepToken,
  type Joining,
  type NewcomerStep,
} from './account-steps.js'
export { isOwnedByApplication, requireApiKeyAllowed } from './application-ownership.js'
export { avatarUrl, newAvatarName, shownAvatarUrl } from './avatar-url.js'
export { BotService, botUpdated } from './bot-events.js'
export { BotManagerRepository } from './bot-manager-repository.js'
export {
  coversRights,
  managesBot,
  seesSecrets,
  type BotRights,
  type BotViewer,
} from './bot-rights.js'
export { accountChanged, activeUserChanges, userChanges, userEvents } from './user-changes.js'
export { LanguageName, mutedUsersChanged, SettingValue, userSettingChanged } from './own-events.js'
export { erasedAccount, erasedKeyHash, isErased } from './erased-account.js'
export { ExternalAccounts } from './external-accounts.js'
export { ExternalUserRepository, type ExternalUser } from './external-user-repository.js'
export { ExternalDirectory, type ApplicationUser } from './external-directory.js'
export {
  externalIdOf,
  maxExternalIdLength,
  isIdentity,
  requireIdentity,
  type ExternalIdentity,
} from './external-identity.js'
export {
  atMost,
  ExternalReferences,
  type AccountReference,
  type OrganizationReference,
} from './external-references.js'
export {
  ProfileValuesToken,
  type ProfileValueChange,
  type ProfileValues,
} from './profile-values.js'
export {
  SyncPartToken,
  type StartedSyncPart,
  type SyncDifferences,
  type SyncedAccount,
  type SyncPart,
} from './sync-parts.js'
export { OwnedBotRepository } from './owned-bot-repository.js'
export { SystemBots } from './system-bots.js'
export { unstoredUser } from './unstored-user.js'
export { UserAudience } from './user-audience.js'
export { UserDirectory } from './user-directory.js'
export { userAdded, userRemoved, userUpdated } from './user-events.js'
export { UserLookup } from './user-lookup.js'
export { hookUserOf } from './hook-user.js'
export { UserRepository } from './user-repository.js'
export { viewColumns, type ViewableUser } from './user-rows.js'
export type { UserRow } from './users-table.js'
export { ListedUser, ProfileData, UserObject } from './user-schemas.js'
export { UserService, type NewUser } from './user-service.js'
export { UserSync } from './user-sync.js'
export type {
  SyncEntry,
  SyncedGroup,
  SyncedUser,
  SyncOptions,
  SyncProblem,
  SyncResult,
} from './user-sync-input.js'
export {
  actorOf,
  apiEmail,
  asSeenBy,
  emailVisibilitiesBetween,
  standInEmail,
  unknownUser,
  userObject,
  weakestRoleThatSees,
} from './user-view.js'
export { UsersAndSystemBots } from './users-and-system-bots.js'

export const users = defineResource({
  events: [userAdded, userUpdated, userRemoved, botUpdated, exportConsentChanged],
})
