import type { TableName } from '../../../storage/index.js'

/** By which column the rows of an organization are found, so that an index is used. */
export type OwningColumn = 'message_id' | 'user_id' | 'organization_id'

interface OrganizationTable {
  readonly by: OwningColumn
  /** The columns of the primary key. */
  readonly keys: readonly [string, ...string[]]
}

const byId = { by: 'organization_id', keys: ['id'] } as const
const ofUserById = { by: 'user_id', keys: ['id'] } as const
const ofUser = { by: 'user_id', keys: ['user_id'] } as const
const ofMessage = { by: 'message_id', keys: ['id'] } as const

/**
 * Every table with rows of organizations, except `organizations` itself, and those that
 * `SearchIndex` empties. The type demands all of them, so that none is forgotten when an
 * organization is deleted.
 */
export const organizationTables: {
  readonly [
    Name in Exclude<
      TableName,
      'organizations' | 'consumers' | 'message_words' | 'messages_to_reindex'
    >
  ]: OrganizationTable
} = {
  alert_words: { by: 'organization_id', keys: ['user_id', 'word_key'] },
  attachment_messages: { by: 'organization_id', keys: ['attachment_id', 'message_id'] },
  attachment_schedules: { by: 'organization_id', keys: ['attachment_id', 'scheduled_message_id'] },
  attachments: byId,
  audit_log: byId,
  bot_details: byId,
  channel_folders: byId,
  channels: byId,
  consumer_cursors: { by: 'organization_id', keys: ['consumer', 'organization_id'] },
  consumer_parked_events: byId,
  custom_emoji: byId,
  data_exports: byId,
  unwritten_intervals: {
    by: 'user_id',
    keys: ['user_id', 'channel_id', 'after_message_id'],
  },
  drafts: ofUserById,
  email_changes: byId,
  event_audiences: byId,
  event_queues: byId,
  events: { by: 'organization_id', keys: ['organization_id', 'seq'] },
  file_chunks: { by: 'organization_id', keys: ['organization_id', 'file_key', 'position'] },
  invitations: byId,
  known_addresses: { by: 'organization_id', keys: ['organization_id', 'login_hash'] },
  linkifiers: byId,
  message_local_ids: { by: 'organization_id', keys: ['organization_id', 'local_id_hash'] },
  messages: byId,
  moved_messages: { by: 'organization_id', keys: ['message_id'] },
  muted_users: { by: 'user_id', keys: ['user_id', 'muted_user_id'] },
  navigation_views: ofUserById,
  outgoing_webhook_calls: byId,
  playgrounds: byId,
  presences: ofUser,
  profile_fields: byId,
  profile_values: { by: 'organization_id', keys: ['user_id', 'field_id'] },
  digests: byId,
  mail_notifications: byId,
  push_devices: byId,
  push_identities: { by: 'organization_id', keys: ['organization_id', 'user_id'] },
  push_notifications: byId,
  push_registrations: byId,
  push_tokens: byId,
  pushed_messages: { by: 'organization_id', keys: ['user_id', 'message_id'] },
  reactions: ofMessage,
  realm_domains: byId,
  recipient_members: { by: 'organization_id', keys: ['recipient_id', 'user_id'] },
  recipients: byId,
  reminders: ofUserById,
  saved_snippets: ofUserById,
  scheduled_messages: byId,
  search_backlogs: { by: 'organization_id', keys: ['organization_id'] },
  socket_tickets: { by: 'organization_id', keys: ['ticket_hash'] },
  submessages: ofMessage,
  subscriptions: { by: 'user_id', keys: ['user_id', 'channel_id'] },
  unkept_files: { by: 'organization_id', keys: ['file_key'] },
  user_group_members: { by: 'organization_id', keys: ['group_id', 'user_id'] },
  user_group_subgroups: { by: 'organization_id', keys: ['group_id', 'subgroup_id'] },
  user_groups: byId,
  user_messages: { by: 'user_id', keys: ['user_id', 'message_id'] },
  user_statuses: ofUser,
  user_topics: { by: 'user_id', keys: ['user_id', 'channel_id', 'topic_key'] },
  users: byId,
}
