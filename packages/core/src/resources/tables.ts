import { firstRelease } from '../storage/migrations/first-release.js'
import type { Migration } from '../storage/migrations/migration.js'
import { auditLog } from '../storage/log/audit-log-table.js'
import { eventAudiences } from '../storage/log/event-audiences-table.js'
import { events } from '../storage/log/events-table.js'
import { knownAddresses } from './access/authentication/known-addresses-table.js'
import type { NewRowsOf, RowsOf } from '../storage/tables/table.js'
import { accessTokens } from './access/authentication/access-tokens-table.js'
import { socketTickets } from './access/authentication/socket-tickets-table.js'
import { botDetails } from './accounts/bots/bot-details-table.js'
import { emailChanges } from './accounts/email-changes/email-changes-table.js'
import { invitations } from './accounts/invitations/invitations-table.js'
import { profileFields, profileValues } from './accounts/profile-fields/profile-fields-table.js'
import { dataExports } from './administration/data-exports/data-exports-table.js'
import { channelFolders } from './channels/channel-folders/channel-folders-table.js'
import { channels } from './channels/channels/channels-table.js'
import { messages } from './channels/message-permissions/messages-table.js'
import { userMessages } from './channels/message-permissions/user-messages-table.js'
import { subscriptions } from './channels/subscriptions/subscriptions-table.js'
import { userTopics } from './channels/topics/user-topics-table.js'
import { movedMessages } from './channels/unwritten-messages/moved-messages-table.js'
import { unwrittenIntervals } from './channels/unwritten-messages/unwritten-intervals-table.js'
import { alertWords } from './content/alert-words/alert-words-table.js'
import { customEmoji } from './content/emoji/custom-emoji-table.js'
import { linkifiers } from './content/linkifiers/linkifiers-table.js'
import { playgrounds } from './content/playgrounds/playgrounds-table.js'
import {
  attachmentMessages,
  attachmentSchedules,
  attachments,
} from './files/attachments/attachments-table.js'
import { fileChunks, unkeptFiles } from './files/file-storage/file-chunks-table.js'
import {
  userGroupMembers,
  userGroupSubgroups,
  userGroups,
} from './groups/user-groups/user-groups-table.js'
import { recipientMembers, recipients } from './messages/objects/recipients-table.js'
import { reactions } from './messages/reactions/reactions-table.js'
import { messageWords } from './messages/search-index/message-words-table.js'
import { messagesToReindex } from './messages/search-index/messages-to-reindex-table.js'
import { searchBacklogs } from './messages/search-index/search-backlogs-table.js'
import { messageLocalIds } from './messages/sending/message-local-ids-table.js'
import { submessages } from './messages/submessages/submessages-table.js'
import { digests } from './notifications/digests/digests-table.js'
import { mailNotifications } from './notifications/mails/mail-notifications-table.js'
import { outgoingWebhookCalls } from './notifications/outgoing-webhooks/outgoing-webhook-calls-table.js'
import {
  pushDevices,
  pushRegistrations,
  pushTokens,
} from './notifications/push-devices/push-devices-table.js'
import { pushIdentities } from './notifications/push-relay/push-identities-table.js'
import { pushNotifications, pushedMessages } from './notifications/push/push-notifications-table.js'
import { realmDomains } from './organization/domains/realm-domains-table.js'
import { organizations } from './organization/organizations/organizations-table.js'
import { serverSecrets } from './people/credentials/server-secrets-table.js'
import { mutedUsers } from './personal/muted-users/muted-users-table.js'
import { users } from './people/users/users-table.js'
import { drafts } from './personal/drafts/drafts-table.js'
import { navigationViews } from './personal/navigation-views/navigation-views-table.js'
import { presences } from './personal/presence/presences-table.js'
import { reminders } from './personal/reminders/reminders-table.js'
import { savedSnippets } from './personal/saved-snippets/saved-snippets-table.js'
import { scheduledMessages } from './personal/scheduled-messages/scheduled-messages-table.js'
import { userStatuses } from './personal/user-status/user-statuses-table.js'
import {
  consumerCursors,
  consumerParkedEvents,
  consumers,
} from './realtime/consumers/consumers-table.js'
import { eventQueues } from './realtime/event-queues/event-queues-table.js'

/**
 * All tables, in the order in which they are created, and in which an archive has their rows: each
 * after those that its rows belong to.
 */
export const tables = [
  serverSecrets,
  organizations,
  users,
  userGroups,
  userGroupMembers,
  userGroupSubgroups,
  profileFields,
  profileValues,
  realmDomains,
  linkifiers,
  playgrounds,
  customEmoji,
  channelFolders,
  channels,
  subscriptions,
  userTopics,
  botDetails,
  recipients,
  recipientMembers,
  alertWords,
  mutedUsers,
  presences,
  userStatuses,
  drafts,
  navigationViews,
  savedSnippets,
  reminders,
  messages,
  userMessages,
  reactions,
  submessages,
  scheduledMessages,
  attachments,
  attachmentMessages,
  attachmentSchedules,
  dataExports,
  auditLog,
  emailChanges,
  invitations,
  accessTokens,
  socketTickets,
  knownAddresses,
  messageLocalIds,
  movedMessages,
  unwrittenIntervals,
  searchBacklogs,
  messagesToReindex,
  fileChunks,
  unkeptFiles,
  eventAudiences,
  events,
  eventQueues,
  consumers,
  consumerCursors,
  consumerParkedEvents,
  pushIdentities,
  pushTokens,
  pushDevices,
  pushRegistrations,
  pushNotifications,
  pushedMessages,
  mailNotifications,
  digests,
  outgoingWebhookCalls,
  messageWords,
] as const

declare module '../storage/rows/tables.js' {
  interface Tables extends RowsOf<typeof tables> {}
  interface NewRows extends NewRowsOf<typeof tables> {}
}

/** The schema's history, oldest first. */
export const migrations: readonly Migration[] = [firstRelease(tables)]
