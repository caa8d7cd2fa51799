import type { TableName } from '../../../storage/index.js'

/** What the erasure of a user does with the rows, or the values, of a column. */
export type Erasure =
  /** The rows are deleted, all at once. */
  | 'deleted'
  /** The rows are deleted in batches, because there may be any number of them. */
  | 'deleted in batches'
  /** The rows stay, without anything that identifies the user. */
  | 'anonymized'
  /** The rows stay as they are, and refer to the erased account. */
  | 'kept'

/** A column with ids of users. */
export interface PersonalColumn {
  readonly table: TableName
  readonly column: string
  readonly erasure: Erasure
  readonly reason: string
  /** The type of the records in an export; undefined if the rows are not exported. */
  readonly exportedAs?: string
}

const own = 'concerns only the user'
const connection = 'belongs to a session or a device'
const author = 'the item belongs to the organization'

/**
 * Every column with ids of users. A test compares the list with the schema, and with the page
 * docs/personal-data.md.
 */
export const personalColumns: readonly PersonalColumn[] = [
  {
    table: 'users',
    column: 'id',
    erasure: 'anonymized',
    reason: 'other rows refer to it',
    exportedAs: 'account',
  },
  {
    table: 'users',
    column: 'bot_owner_id',
    erasure: 'kept',
    reason: "the user's bots are deactivated",
    exportedAs: 'bot',
  },
  {
    table: 'data_exports',
    column: 'acting_user_id',
    erasure: 'kept',
    reason: 'the export belongs to the organization',
  },
  { table: 'bot_details', column: 'user_id', erasure: 'kept', reason: 'belongs to a bot' },
  {
    table: 'presences',
    column: 'user_id',
    erasure: 'deleted',
    reason: own,
    exportedAs: 'presence',
  },
  {
    table: 'user_statuses',
    column: 'user_id',
    erasure: 'deleted',
    reason: own,
    exportedAs: 'status',
  },
  {
    table: 'profile_values',
    column: 'user_id',
    erasure: 'deleted',
    reason: own,
    exportedAs: 'profile_value',
  },
  {
    table: 'alert_words',
    column: 'user_id',
    erasure: 'deleted',
    reason: own,
    exportedAs: 'alert_word',
  },
  {
    table: 'muted_users',
    column: 'user_id',
    erasure: 'deleted',
    reason: own,
    exportedAs: 'muted_user',
  },
  {
    table: 'muted_users',
    column: 'muted_user_id',
    erasure: 'kept',
    reason: "in others' lists",
  },
  {
    table: 'email_changes',
    column: 'user_id',
    erasure: 'deleted',
    reason: own,
    exportedAs: 'email_change',
  },
  {
    table: 'invitations',
    column: 'inviter_id',
    erasure: 'deleted',
    reason: 'revoked with the account',
    exportedAs: 'invitation',
  },
  { table: 'socket_tickets', column: 'user_id', erasure: 'deleted', reason: connection },
  {
    table: 'known_addresses',
    column: 'user_id',
    erasure: 'deleted',
    reason: connection,
    exportedAs: 'known_address',
  },
  {
    table: 'user_groups',
    column: 'creator_id',
    erasure: 'kept',
    reason: author,
    exportedAs: 'created_group',
  },
  {
    table: 'user_group_members',
    column: 'user_id',
    erasure: 'deleted',
    reason: `${own}; a permission that names the account keeps it`,
    exportedAs: 'group',
  },
  {
    table: 'channel_folders',
    column: 'creator_id',
    erasure: 'kept',
    reason: author,
    exportedAs: 'created_channel_folder',
  },
  {
    table: 'channels',
    column: 'creator_id',
    erasure: 'kept',
    reason: author,
    exportedAs: 'created_channel',
  },
  {
    table: 'subscriptions',
    column: 'user_id',
    erasure: 'deleted',
    reason: own,
    exportedAs: 'subscription',
  },
  {
    table: 'user_topics',
    column: 'user_id',
    erasure: 'deleted',
    reason: own,
    exportedAs: 'topic_policy',
  },
  {
    table: 'recipient_members',
    column: 'user_id',
    erasure: 'kept',
    reason: 'who takes part in a direct conversation; its other participants keep it',
    exportedAs: 'direct_conversation',
  },
  {
    table: 'messages',
    column: 'sender_id',
    erasure: 'anonymized',
    reason: "others may rely on them; deleted with `messages: 'delete'`",
    exportedAs: 'message',
  },
  { table: 'message_local_ids', column: 'user_id', erasure: 'deleted', reason: connection },
  {
    table: 'user_messages',
    column: 'user_id',
    erasure: 'deleted in batches',
    reason: own,
    exportedAs: 'received_message',
  },
  {
    table: 'reactions',
    column: 'user_id',
    erasure: 'anonymized',
    reason: "part of the message; deleted with `messages: 'delete'`",
    exportedAs: 'reaction',
  },
  {
    table: 'submessages',
    column: 'sender_id',
    erasure: 'anonymized',
    reason: "votes and the like, part of the message; deleted with `messages: 'delete'`",
    exportedAs: 'submessage',
  },
  {
    table: 'saved_snippets',
    column: 'user_id',
    erasure: 'deleted',
    reason: own,
    exportedAs: 'saved_snippet',
  },
  {
    table: 'navigation_views',
    column: 'user_id',
    erasure: 'deleted',
    reason: own,
    exportedAs: 'navigation_view',
  },
  {
    table: 'unwritten_intervals',
    column: 'user_id',
    erasure: 'deleted',
    reason: 'which messages of left channels the user has received',
  },
  { table: 'drafts', column: 'user_id', erasure: 'deleted', reason: own, exportedAs: 'draft' },
  {
    table: 'drafts',
    column: 'recipient_ids',
    erasure: 'kept',
    reason: "in others' drafts",
  },
  {
    table: 'scheduled_messages',
    column: 'user_id',
    erasure: 'deleted',
    reason: own,
    exportedAs: 'scheduled_message',
  },
  {
    table: 'scheduled_messages',
    column: 'user_ids',
    erasure: 'kept',
    reason: "in others' scheduled messages, which will fail",
  },
  {
    table: 'reminders',
    column: 'user_id',
    erasure: 'deleted',
    reason: own,
    exportedAs: 'reminder',
  },
  {
    table: 'attachments',
    column: 'owner_id',
    erasure: 'anonymized',
    reason: 'files that a remaining message links to; others are deleted',
    exportedAs: 'file',
  },
  {
    table: 'event_audiences',
    column: 'user_ids',
    erasure: 'kept',
    reason: 'ids only, removed with the event log',
  },
  {
    table: 'event_audiences',
    column: 'removed_user_ids',
    erasure: 'kept',
    reason: 'ids only, removed with the event log',
  },
  {
    table: 'event_queues',
    column: 'user_id',
    erasure: 'deleted',
    reason: connection,
    exportedAs: 'connection',
  },
  {
    table: 'custom_emoji',
    column: 'author_id',
    erasure: 'kept',
    reason: author,
    exportedAs: 'created_emoji',
  },
  { table: 'push_identities', column: 'user_id', erasure: 'deleted', reason: connection },
  {
    table: 'push_tokens',
    column: 'user_id',
    erasure: 'deleted',
    reason: connection,
    exportedAs: 'push_token',
  },
  {
    table: 'push_devices',
    column: 'user_id',
    erasure: 'deleted',
    reason: connection,
    exportedAs: 'device',
  },
  { table: 'digests', column: 'user_id', erasure: 'deleted', reason: connection },
  {
    table: 'mail_notifications',
    column: 'user_id',
    erasure: 'deleted in batches',
    reason: connection,
  },
  {
    table: 'push_notifications',
    column: 'user_id',
    erasure: 'deleted in batches',
    reason: connection,
  },
  {
    table: 'pushed_messages',
    column: 'user_id',
    erasure: 'deleted in batches',
    reason: connection,
  },
  {
    table: 'audit_log',
    column: 'actor_id',
    erasure: 'anonymized',
    reason: 'what the user has changed, without address and client; deleted with the audit trail',
    exportedAs: 'audited_change',
  },
  {
    table: 'audit_log',
    column: 'user_id',
    erasure: 'kept',
    reason: 'what was changed about the user; deleted with the audit trail',
    exportedAs: 'audited_account_change',
  },
  {
    table: 'outgoing_webhook_calls',
    column: 'bot_id',
    erasure: 'kept',
    reason: 'belongs to a bot',
  },
]
