import { Type } from 'typebox'

import type { TableName } from '../../../storage/index.js'
import { column, rowOf } from './archive-columns.js'
import type { ArchivedTable } from './archive-table.js'
import { archivedChannels, archivedLists, archivedMessages } from './archived-contents.js'
import { archivedPeople, archivedPersonalItems } from './archived-people.js'

/** The archived tables, in the order of their rows in an archive. */
export const archivedTables: readonly ArchivedTable[] = [
  ...archivedPeople,
  ...archivedLists,
  ...archivedChannels,
  ...archivedPersonalItems,
  ...archivedMessages,
]

const ofLog = 'the event log begins anew; clients register again'
const ofDevice = 'belongs to a device or a session, which registers again with the new server'

/** The tables of organizations that an archive does not contain, and why. */
export const omittedTables: Partial<Readonly<Record<TableName, string>>> = {
  audit_log: 'who changed what on the old server; `chat.audit` reads it',
  consumers: 'belongs to the server',
  consumer_cursors: ofLog,
  consumer_parked_events: ofLog,
  data_exports: 'earlier exports, whose archives are at the old server',
  digests: 'mails that the old server sends',
  unwritten_intervals: 'all user messages are in an archive',
  email_changes: 'a secret: links in mails do not confirm anything in the new organization',
  event_audiences: ofLog,
  event_queues: ofLog,
  events: ofLog,
  file_chunks: 'the bytes of files are files in the archive',
  invitations: 'a secret: links in mails lead to the old server',
  known_addresses: 'protects the login of the old server',
  mail_notifications: 'mails that the old server sends',
  message_local_ids: 'prevents that clients of the old server send a message twice',
  message_words: 'the search index is built anew',
  messages_to_reindex: 'the search index is built anew',
  moved_messages: 'all user messages are in an archive',
  outgoing_webhook_calls: 'calls under way, which the old server makes',
  push_devices: ofDevice,
  push_identities: ofDevice,
  push_notifications: ofDevice,
  push_registrations: ofDevice,
  push_tokens: ofDevice,
  pushed_messages: ofDevice,
  search_backlogs: 'the search index is built anew',
  socket_tickets: ofDevice,
  unkept_files: 'files that are about to be deleted',
}

/** The organization itself. */
export const archivedOrganization = {
  row: rowOf({
    id: column.id(),
    subdomain: column.string(100),
    name: Type.String({ minLength: 1, maxLength: 160 }),
    created_at_seconds: column.time(),
    is_deactivated: column.boolean(),
    presence_update_id: column.time(),
    full_members_joined_until_milliseconds: column.orNull(column.time()),
    upload_bytes: column.time(),
    settings: column.longText(),
    user_defaults: column.longText(),
  }),
  omitted: {
    epoch: ofLog,
    event_seq: ofLog,
    event_floor_seq: ofLog,
    active_audience_id: 'a cache',
    member_audience_id: 'a cache',
    active_users_version: 'belongs to a cache',
    importing_until_seconds: 'belongs to an import',
  },
} as const
