import { Type } from 'typebox'

import { column, rowOf } from './archive-columns.js'
import type { ArchivedTable } from './archive-table.js'

const { boolean, count, id, integer, longText, orNull, string, text, time } = column

/** What follows each page of messages. */
const ofMessage = { table: 'messages', column: 'message_id' } as const
const inheritable = () => orNull(boolean())

/** The lists of the organization. */
export const archivedLists: readonly ArchivedTable[] = [
  {
    name: 'realm_domains',
    keys: ['id'],
    row: rowOf({ id: id(), domain: string(255), allow_subdomains: boolean() }),
    references: {},
  },
  {
    name: 'linkifiers',
    keys: ['id'],
    row: rowOf({ id: id(), pattern: text(), url_template: text(), position: integer() }),
    references: {},
  },
  {
    name: 'playgrounds',
    keys: ['id'],
    row: rowOf({
      id: id(),
      name: string(200),
      pygments_language: string(40),
      url_template: text(),
    }),
    references: {},
  },
  {
    name: 'custom_emoji',
    keys: ['id'],
    row: rowOf({
      id: id(),
      name: string(100),
      author_id: orNull(id()),
      is_deactivated: boolean(),
      image_token: Type.String({ pattern: '^[A-Za-z0-9_-]{1,40}$' }),
      content_type: string(40),
    }),
    references: { author_id: 'users' },
  },
]

/** Channels, and who takes part in conversations. */
export const archivedChannels: readonly ArchivedTable[] = [
  {
    name: 'channel_folders',
    keys: ['id'],
    row: rowOf({
      id: id(),
      name: string(60),
      name_key: string(190),
      description: text(),
      rendered_description: longText(),
      position: count(),
      creator_id: orNull(id()),
      created_at_seconds: time(),
      is_archived: boolean(),
    }),
    references: { creator_id: 'users' },
  },
  {
    name: 'channels',
    keys: ['id'],
    row: rowOf({
      id: id(),
      external_id: orNull(string(190)),
      recipient_id: id(),
      name: string(60),
      name_key: string(180),
      description: text(),
      rendered_description: longText(),
      created_at_seconds: time(),
      creator_id: orNull(id()),
      is_private: boolean(),
      is_history_shared: boolean(),
      is_web_public: boolean(),
      is_archived: boolean(),
      is_default: boolean(),
      is_recently_active: boolean(),
      message_retention_days: orNull(integer()),
      topics_policy: string(30),
      folder_id: orNull(id()),
      // The message may have been deleted.
      first_message_id: orNull(id()),
      settings: text(),
    }),
    references: { recipient_id: 'recipients', creator_id: 'users', folder_id: 'channel_folders' },
    json: { settings: 'group ids' },
    omitted: { audience_id: 'a cache', version: 'belongs to a cache' },
  },
  {
    name: 'subscriptions',
    keys: ['channel_id', 'user_id'],
    of: { table: 'channels', column: 'channel_id' },
    row: rowOf({
      channel_id: id(),
      user_id: id(),
      is_active: boolean(),
      is_user_active: boolean(),
      color: string(7),
      is_muted: boolean(),
      pin_to_top: boolean(),
      desktop_notifications: inheritable(),
      audible_notifications: inheritable(),
      push_notifications: inheritable(),
      email_notifications: inheritable(),
      wildcard_mentions_notify: inheritable(),
    }),
    references: { channel_id: 'channels', user_id: 'users' },
    omitted: { unwritten_after_message_id: 'all user messages are in an archive' },
  },
  {
    name: 'user_topics',
    keys: ['channel_id', 'topic_key', 'user_id'],
    of: { table: 'channels', column: 'channel_id' },
    row: rowOf({
      user_id: id(),
      channel_id: id(),
      topic: string(60),
      topic_key: string(180),
      visibility_policy: integer(0),
      updated_at_seconds: time(),
    }),
    references: { channel_id: 'channels', user_id: 'users' },
  },
  {
    name: 'bot_details',
    keys: ['id'],
    row: rowOf({
      id: id(),
      user_id: id(),
      default_sending_channel_id: orNull(id()),
      default_events_channel_id: orNull(id()),
      default_all_public_channels: boolean(),
      service_base_url: orNull(string(2000)),
      service_interface: orNull(integer()),
    }),
    references: {
      user_id: 'users',
      default_sending_channel_id: 'channels',
      default_events_channel_id: 'channels',
    },
    omitted: { service_token_sealed: 'a secret: an import makes a new one' },
  },
  {
    name: 'recipients',
    keys: ['id'],
    row: rowOf({ id: id(), channel_id: orNull(id()), members_hash: orNull(string(64)) }),
    references: { channel_id: 'channels' },
  },
  {
    name: 'recipient_members',
    keys: ['recipient_id', 'user_id'],
    of: { table: 'recipients', column: 'recipient_id' },
    row: rowOf({ recipient_id: id(), user_id: id() }),
    references: { recipient_id: 'recipients', user_id: 'users' },
  },
]

/** Messages and what is attached to them, and the files. */
export const archivedMessages: readonly ArchivedTable[] = [
  {
    name: 'messages',
    keys: ['id'],
    row: rowOf({
      id: id(),
      sender_id: id(),
      recipient_id: id(),
      channel_id: orNull(id()),
      topic: string(60),
      topic_key: string(180),
      content: text(),
      rendered_content: longText(),
      sent_at_seconds: time(),
      client: string(30),
      content_traits: count(),
      edit_history: orNull(longText()),
      last_edited_at_seconds: orNull(time()),
      last_moved_at_seconds: orNull(time()),
    }),
    references: { sender_id: 'users', recipient_id: 'recipients', channel_id: 'channels' },
    json: { edit_history: 'any' },
    omitted: {
      changed_channel_at_seconds: 'says which user messages were not written',
      shared_flags: 'in the user messages',
    },
  },
  {
    name: 'user_messages',
    keys: ['message_id', 'user_id'],
    of: ofMessage,
    row: rowOf({ user_id: id(), message_id: id(), flags: count() }),
    references: { user_id: 'users', message_id: 'messages' },
    omitted: {
      unread_message_id: 'computed by the database',
      starred_message_id: 'computed by the database',
      mentioning_message_id: 'computed by the database',
    },
  },
  {
    name: 'reactions',
    keys: ['message_id', 'id'],
    of: ofMessage,
    row: rowOf({
      id: id(),
      message_id: id(),
      user_id: id(),
      reaction_type: string(20),
      emoji_code: string(100),
      emoji_name: string(100),
    }),
    references: { user_id: 'users', message_id: 'messages' },
  },
  {
    name: 'submessages',
    keys: ['message_id', 'id'],
    of: ofMessage,
    row: rowOf({
      id: id(),
      message_id: id(),
      sender_id: id(),
      msg_type: string(100),
      content: longText(),
    }),
    references: { sender_id: 'users', message_id: 'messages' },
  },
  {
    name: 'scheduled_messages',
    keys: ['id'],
    row: rowOf({
      id: id(),
      user_id: id(),
      channel_id: orNull(id()),
      user_ids: text(),
      topic: string(60),
      content: text(),
      rendered_content: longText(),
      deliver_at_seconds: time(),
      read_by_sender: boolean(),
      client: string(30),
      due_at_seconds: orNull(time()),
      failure: orNull(string(500)),
      // The message may have been deleted.
      sent_message_id: orNull(id()),
    }),
    references: { user_id: 'users', channel_id: 'channels' },
    json: { user_ids: 'any' },
  },
  {
    name: 'attachments',
    keys: ['id'],
    row: rowOf({
      id: id(),
      owner_id: id(),
      folder: Type.String({ pattern: '^[A-Za-z0-9_-]{1,20}/[A-Za-z0-9_-]{1,36}$', maxLength: 40 }),
      path_name: string(255),
      name: text(),
      content_type: string(255),
      size_bytes: time(),
      created_at_seconds: time(),
      image_width: orNull(count()),
      image_height: orNull(count()),
      is_animated: boolean(),
      unlinked_since_seconds: orNull(time()),
    }),
    references: { owner_id: 'users' },
  },
  {
    name: 'attachment_messages',
    keys: ['attachment_id', 'message_id'],
    of: { table: 'attachments', column: 'attachment_id' },
    row: rowOf({ attachment_id: id(), message_id: id() }),
    references: { attachment_id: 'attachments', message_id: 'messages' },
  },
  {
    name: 'attachment_schedules',
    keys: ['attachment_id', 'scheduled_message_id'],
    of: { table: 'attachments', column: 'attachment_id' },
    row: rowOf({ attachment_id: id(), scheduled_message_id: id() }),
    references: { attachment_id: 'attachments', scheduled_message_id: 'scheduled_messages' },
  },
]
