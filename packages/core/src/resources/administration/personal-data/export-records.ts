import type { TableName, Tables } from '../../../storage/index.js'

/** How the rows of a user in one table become records. */
interface RecordSource<Name extends TableName = TableName> {
  /** The column with the id of the user. */
  readonly owner: keyof Tables[Name] & string
  /** The columns by which pages are read; unique for a user. */
  readonly keys: readonly (keyof Tables[Name] & string)[]
  /** The columns of a record, with their names and values in the database. */
  readonly columns: readonly (keyof Tables[Name] & string)[]
  /** Those of the columns that contain JSON, which becomes part of the record. */
  readonly json?: readonly (keyof Tables[Name] & string)[]
}

export interface RecordType {
  readonly type: string
  readonly table: TableName
  readonly owner: string
  readonly keys: readonly string[]
  readonly columns: readonly string[]
  readonly json: readonly string[]
  /** The table if it has no index of the owner, so that all of its ids are gone through. */
  readonly scans: 'reactions' | 'submessages' | undefined
}

function records<Name extends TableName>(
  type: string,
  table: Name,
  { json = [], ...source }: RecordSource<Name>,
  scans?: RecordType['scans'],
): RecordType {
  return { type, table, json, scans, ...source }
}

/** The types of records with rows of a table, in the order of the export. No secrets. */
export const recordTypes: readonly RecordType[] = [
  records('account', 'users', {
    owner: 'id',
    keys: ['id'],
    columns: [
      'id',
      'external_id',
      'email',
      'full_name',
      'role',
      'is_active',
      'joined_at_milliseconds',
      'timezone',
      'avatar_source',
      'application_avatar_url',
      'email_address_visibility',
      'can_create_users',
      'can_change_user_emails',
      'settings',
    ],
    json: ['settings'],
  }),
  records('presence', 'presences', {
    owner: 'user_id',
    keys: ['user_id'],
    columns: ['active_at_seconds', 'connected_at_seconds'],
  }),
  records('status', 'user_statuses', {
    owner: 'user_id',
    keys: ['user_id'],
    columns: ['status_text', 'emoji_name', 'emoji_code', 'reaction_type'],
  }),
  records('profile_value', 'profile_values', {
    owner: 'user_id',
    keys: ['field_id'],
    columns: ['field_id', 'value'],
  }),
  records('email_change', 'email_changes', {
    owner: 'user_id',
    keys: ['id'],
    columns: ['old_email', 'new_email', 'requested_at_seconds'],
  }),
  records('invitation', 'invitations', {
    owner: 'inviter_id',
    keys: ['id'],
    columns: [
      'id',
      'is_reusable',
      'email',
      'role',
      'welcome_text',
      'invited_at_seconds',
      'expires_at_seconds',
      'ended_at_seconds',
    ],
  }),
  records('device', 'push_devices', {
    owner: 'user_id',
    keys: ['id'],
    columns: ['id', 'token_kind', 'realm_url'],
  }),
  records('push_token', 'push_tokens', {
    owner: 'user_id',
    keys: ['id'],
    columns: ['id', 'kind', 'realm_url'],
  }),
  records('connection', 'event_queues', {
    owner: 'user_id',
    keys: ['id'],
    columns: ['last_seen_at_seconds', 'idle_timeout_seconds'],
  }),
  records('known_address', 'known_addresses', {
    owner: 'user_id',
    keys: ['login_hash'],
    columns: ['used_at_seconds'],
  }),
  records('bot', 'users', {
    owner: 'bot_owner_id',
    keys: ['id'],
    columns: ['id', 'email', 'full_name', 'bot_type', 'is_active', 'joined_at_milliseconds'],
  }),
  records('group', 'user_group_members', {
    owner: 'user_id',
    keys: ['group_id'],
    columns: ['group_id'],
  }),
  records('created_group', 'user_groups', {
    owner: 'creator_id',
    keys: ['id'],
    columns: ['id', 'name', 'description', 'created_at_seconds'],
  }),
  records('subscription', 'subscriptions', {
    owner: 'user_id',
    keys: ['channel_id'],
    columns: [
      'channel_id',
      'is_active',
      'color',
      'is_muted',
      'pin_to_top',
      'desktop_notifications',
      'audible_notifications',
      'push_notifications',
      'email_notifications',
      'wildcard_mentions_notify',
    ],
  }),
  records('created_channel', 'channels', {
    owner: 'creator_id',
    keys: ['id'],
    columns: ['id', 'name', 'description', 'created_at_seconds'],
  }),
  records('created_channel_folder', 'channel_folders', {
    owner: 'creator_id',
    keys: ['id'],
    columns: ['id', 'name', 'description', 'created_at_seconds'],
  }),
  records('created_emoji', 'custom_emoji', {
    owner: 'author_id',
    keys: ['id'],
    columns: ['id', 'name'],
  }),
  records('topic_policy', 'user_topics', {
    owner: 'user_id',
    keys: ['channel_id', 'topic_key'],
    columns: ['channel_id', 'topic', 'visibility_policy', 'updated_at_seconds'],
  }),
  records('alert_word', 'alert_words', {
    owner: 'user_id',
    keys: ['word_key'],
    columns: ['word'],
  }),
  records('muted_user', 'muted_users', {
    owner: 'user_id',
    keys: ['muted_user_id'],
    columns: ['muted_user_id', 'muted_at_seconds'],
  }),
  records('saved_snippet', 'saved_snippets', {
    owner: 'user_id',
    keys: ['id'],
    columns: ['id', 'title', 'content', 'created_at_seconds'],
  }),
  records('navigation_view', 'navigation_views', {
    owner: 'user_id',
    keys: ['id'],
    columns: ['id', 'fragment', 'name', 'is_pinned'],
  }),
  records('draft', 'drafts', {
    owner: 'user_id',
    keys: ['id'],
    columns: ['id', 'type', 'recipient_ids', 'topic', 'content', 'edited_at_seconds'],
    json: ['recipient_ids'],
  }),
  records('scheduled_message', 'scheduled_messages', {
    owner: 'user_id',
    keys: ['id'],
    columns: [
      'id',
      'channel_id',
      'user_ids',
      'topic',
      'content',
      'deliver_at_seconds',
      'failure',
      'sent_message_id',
    ],
    json: ['user_ids'],
  }),
  records('reminder', 'reminders', {
    owner: 'user_id',
    keys: ['id'],
    columns: ['id', 'message_id', 'note', 'deliver_at_seconds'],
  }),
  records('file', 'attachments', {
    owner: 'owner_id',
    keys: ['id'],
    columns: [
      'id',
      'folder',
      'path_name',
      'name',
      'content_type',
      'size_bytes',
      'created_at_seconds',
    ],
  }),
  records('audited_change', 'audit_log', {
    owner: 'actor_id',
    keys: ['id'],
    columns: [
      'id',
      'created_at_seconds',
      'action',
      'object_type',
      'object_id',
      'user_id',
      'via',
      'client_address',
      'client_name',
    ],
  }),
  records('audited_account_change', 'audit_log', {
    owner: 'user_id',
    keys: ['id'],
    columns: ['id', 'created_at_seconds', 'action', 'object_type', 'object_id'],
  }),
  records('direct_conversation', 'recipient_members', {
    owner: 'user_id',
    keys: ['recipient_id'],
    columns: ['recipient_id'],
  }),
  records('message', 'messages', {
    owner: 'sender_id',
    keys: ['id'],
    columns: [
      'id',
      'recipient_id',
      'channel_id',
      'topic',
      'content',
      'sent_at_seconds',
      'client',
      'edit_history',
      'last_edited_at_seconds',
    ],
    json: ['edit_history'],
  }),
  records('received_message', 'user_messages', {
    owner: 'user_id',
    keys: ['message_id'],
    columns: ['message_id', 'flags'],
  }),
  records(
    'reaction',
    'reactions',
    {
      owner: 'user_id',
      keys: ['id'],
      columns: ['message_id', 'reaction_type', 'emoji_code', 'emoji_name'],
    },
    'reactions',
  ),
  records(
    'submessage',
    'submessages',
    {
      owner: 'sender_id',
      keys: ['id'],
      columns: ['message_id', 'msg_type', 'content'],
    },
    'submessages',
  ),
]
