import type { EventDefinition } from '../events/event.js'
import type { Operation } from '../http/operation.js'
import type { FileSection } from '../resource-definition/file-section.js'
import type { Resource } from '../resource-definition/resource.js'
import type { Snapshot } from '../resource-definition/snapshot.js'
import { authentication } from './access/authentication/index.js'
import { singleSignOn } from './access/single-sign-on/index.js'
import { bots } from './accounts/bots/index.js'
import { emailChanges } from './accounts/email-changes/index.js'
import { invitations } from './accounts/invitations/index.js'
import { profileFields } from './accounts/profile-fields/index.js'
import { userAdministration } from './accounts/user-administration/index.js'
import { userList } from './accounts/user-list/index.js'
import { apiDescription } from './administration/api-description/index.js'
import { auditLog } from './administration/audit-log/index.js'
import { dataExports } from './administration/data-exports/index.js'
import { organizationArchive } from './administration/organization-archive/index.js'
import { organizationImages } from './administration/organization-images/index.js'
import { organizationLifecycle } from './administration/organization-lifecycle/index.js'
import { organizationSettings } from './administration/organization-settings/index.js'
import { serverSettings } from './administration/server-settings/index.js'
import { videoCalls } from './administration/video-calls/index.js'
import { channelAdministration } from './channels/channel-administration/index.js'
import { channelFolders } from './channels/channel-folders/index.js'
import { channels } from './channels/channels/index.js'
import { defaultChannels } from './channels/default-channels/index.js'
import { subscriptions } from './channels/subscriptions/index.js'
import { topics } from './channels/topics/index.js'
import { unwrittenMessages } from './channels/unwritten-messages/index.js'
import { alertWords } from './content/alert-words/index.js'
import { emoji } from './content/emoji/index.js'
import { linkifiers } from './content/linkifiers/index.js'
import { playgrounds } from './content/playgrounds/index.js'
import { messageRendering } from './content/rendering/index.js'
import { attachments } from './files/attachments/index.js'
import { avatars } from './files/avatars/index.js'
import { externalContent } from './files/external-content/index.js'
import { uploads } from './files/uploads/index.js'
import { roleGroups } from './groups/role-groups/index.js'
import { userGroups } from './groups/user-groups/index.js'
import { messageEditing } from './messages/editing/index.js'
import { messageFlags } from './messages/flags/index.js'
import { notificationMessages } from './messages/notification-messages/index.js'
import { reactions } from './messages/reactions/index.js'
import { messageReading } from './messages/reading/index.js'
import { messageReports } from './messages/reports/index.js'
import { messageRetention } from './messages/retention/index.js'
import { searchIndex } from './messages/search-index/index.js'
import { messageSending } from './messages/sending/index.js'
import { submessages } from './messages/submessages/index.js'
import { typing } from './messages/typing/index.js'
import { digests } from './notifications/digests/index.js'
import { incomingWebhooks } from './notifications/incoming-webhooks/index.js'
import { notificationMails } from './notifications/mails/index.js'
import { outgoingWebhooks } from './notifications/outgoing-webhooks/index.js'
import { pushDevices } from './notifications/push-devices/index.js'
import { pushNotifications } from './notifications/push/index.js'
import { realmDomains } from './organization/domains/index.js'
import { organizations } from './organization/organizations/index.js'
import { users } from './people/users/index.js'
import { drafts } from './personal/drafts/index.js'
import { mailUnsubscription } from './personal/mail-unsubscription/index.js'
import { mutedUsers } from './personal/muted-users/index.js'
import { navigationViews } from './personal/navigation-views/index.js'
import { presence } from './personal/presence/index.js'
import { reminders } from './personal/reminders/index.js'
import { savedSnippets } from './personal/saved-snippets/index.js'
import { scheduledMessages } from './personal/scheduled-messages/index.js'
import { userSettings } from './personal/user-settings/index.js'
import { userStatus } from './personal/user-status/index.js'
import { eventQueues } from './realtime/event-queues/index.js'
import { register } from './realtime/register/index.js'

export { hooks } from './steps.js'

/** The resources of the chat, by group. To add a resource, add its name here. */
export const resources: readonly Resource[] = [
  // organization/
  realmDomains,
  organizations,
  // people/
  users,
  // realtime/
  eventQueues,
  register,
  // access/
  authentication,
  singleSignOn,
  // groups/
  roleGroups,
  userGroups,
  // channels/
  channelAdministration,
  channelFolders,
  channels,
  defaultChannels,
  subscriptions,
  topics,
  unwrittenMessages,
  // files/
  attachments,
  avatars,
  externalContent,
  uploads,
  // content/
  alertWords,
  emoji,
  linkifiers,
  playgrounds,
  messageRendering,
  // accounts/
  bots,
  emailChanges,
  invitations,
  profileFields,
  userAdministration,
  userList,
  // messages/
  messageEditing,
  messageFlags,
  notificationMessages,
  reactions,
  messageReading,
  messageReports,
  messageRetention,
  searchIndex,
  messageSending,
  submessages,
  typing,
  // notifications/
  incomingWebhooks,
  notificationMails,
  digests,
  outgoingWebhooks,
  pushNotifications,
  pushDevices,
  // personal/
  drafts,
  mailUnsubscription,
  mutedUsers,
  navigationViews,
  presence,
  reminders,
  savedSnippets,
  scheduledMessages,
  userSettings,
  userStatus,
  // administration/
  apiDescription,
  dataExports,
  organizationArchive,
  auditLog,
  organizationImages,
  organizationLifecycle,
  organizationSettings,
  serverSettings,
  videoCalls,
]

/** Every operation of the API. */
export const allOperations: readonly Operation[] = resources.flatMap(({ operations }) => operations)

/** Every event that clients may receive. */
export const allEvents: readonly EventDefinition[] = resources.flatMap(({ events }) => events)

/** Every part of the response of `POST /register`. */
export const allSnapshots: readonly Snapshot[] = resources.flatMap(({ snapshot }) => snapshot ?? [])

/**
 * Every list of organization files that belongs to a resource, in the order in which they are
 * stored: their rows can refer to those of resources in earlier groups.
 */
export const allFileSections: readonly FileSection[] = resources.flatMap(
  ({ fileSection }) => fileSection ?? [],
)
