import { Type } from 'typebox'

import { column, rowOf } from './archive-columns.js'
import type { ArchivedTable } from './archive-table.js'

const { boolean, count, id, integer, longText, orNull, string, text, time } = column

/** The user of each row. */
const ofUser = { table: 'users', column: 'user_id' } as const

/** Users and their groups. */
export const archivedPeople: readonly ArchivedTable[] = [
  {
    name: 'users',
    keys: ['id'],
    row: rowOf({
      id: id(),
      external_id: orNull(string(190)),
      email: string(254),
      email_key: string(254),
      full_name: string(200),
      full_name_key: string(300),
      role: Type.Union([100, 200, 300, 400, 600].map((role) => Type.Literal(role))),
      is_active: boolean(),
      is_bot: boolean(),
      bot_type: orNull(integer(1)),
      bot_owner_id: orNull(id()),
      joined_at_milliseconds: time(),
      timezone: string(60),
      avatar_source: Type.Union([Type.Literal('G'), Type.Literal('U')]),
      avatar_version: count(),
      avatar_name: orNull(Type.String({ pattern: '^[A-Za-z0-9_-]{1,48}$' })),
      application_avatar_url: orNull(string(1000)),
      email_address_visibility: integer(1),
      can_create_users: boolean(),
      can_change_user_emails: boolean(),
      settings: longText(),
    }),
    references: { bot_owner_id: 'users' },
    json: { settings: 'any' },
    omitted: {
      password_hash: 'a secret: users set a new password, or use the login of the product',
      api_key_hash: 'a secret: an import makes a new API key for each user',
      api_key_sealed: 'a secret: an import makes a new API key for each user',
    },
  },
  {
    name: 'user_groups',
    keys: ['id'],
    row: rowOf({
      id: id(),
      external_id: orNull(string(190)),
      name: orNull(string(400)),
      description: string(4096),
      is_system_group: boolean(),
      is_deactivated: boolean(),
      creator_id: orNull(id()),
      created_at_seconds: orNull(time()),
      settings: text(),
      value_hash: orNull(string(64)),
    }),
    references: { creator_id: 'users' },
    json: { settings: 'group ids' },
  },
  {
    name: 'user_group_members',
    keys: ['group_id', 'user_id'],
    of: { table: 'user_groups', column: 'group_id' },
    row: rowOf({ group_id: id(), user_id: id() }),
    references: { group_id: 'user_groups', user_id: 'users' },
  },
  {
    name: 'user_group_subgroups',
    keys: ['group_id', 'subgroup_id'],
    of: { table: 'user_groups', column: 'group_id' },
    row: rowOf({ group_id: id(), subgroup_id: id() }),
    references: { group_id: 'user_groups', subgroup_id: 'user_groups' },
  },
  {
    name: 'profile_fields',
    keys: ['id'],
    row: rowOf({
      id: id(),
      type: integer(1),
      name: string(40),
      hint: string(80),
      field_data: longText(),
      position: count(),
      is_in_summary: boolean(),
      is_required: boolean(),
      is_editable_by_user: boolean(),
    }),
    references: {},
    json: { field_data: 'optional' },
  },
  {
    name: 'profile_values',
    keys: ['field_id', 'user_id'],
    of: { table: 'profile_fields', column: 'field_id' },
    row: rowOf({
      user_id: id(),
      field_id: id(),
      value: longText(),
      rendered_value: orNull(longText()),
    }),
    references: { user_id: 'users', field_id: 'profile_fields' },
  },
]

/** What users keep for themselves, in the order of users. */
export const archivedPersonalItems: readonly ArchivedTable[] = [
  {
    name: 'alert_words',
    keys: ['user_id', 'word_key'],
    of: ofUser,
    row: rowOf({ user_id: id(), word: string(100), word_key: string(300) }),
    references: { user_id: 'users' },
  },
  {
    name: 'muted_users',
    keys: ['user_id', 'muted_user_id'],
    of: ofUser,
    row: rowOf({ user_id: id(), muted_user_id: id(), muted_at_seconds: time() }),
    references: { user_id: 'users', muted_user_id: 'users' },
  },
  {
    name: 'presences',
    keys: ['user_id'],
    of: ofUser,
    row: rowOf({
      user_id: id(),
      active_at_seconds: orNull(time()),
      connected_at_seconds: time(),
      update_id: time(),
    }),
    references: { user_id: 'users' },
  },
  {
    name: 'user_statuses',
    keys: ['user_id'],
    of: ofUser,
    row: rowOf({
      user_id: id(),
      status_text: string(60),
      emoji_name: string(100),
      emoji_code: string(100),
      reaction_type: string(20),
    }),
    references: { user_id: 'users' },
  },
  {
    name: 'drafts',
    keys: ['user_id', 'id'],
    of: ofUser,
    row: rowOf({
      id: id(),
      user_id: id(),
      type: string(10),
      recipient_ids: longText(),
      topic: string(60),
      content: text(),
      edited_at_seconds: column.number(),
    }),
    references: { user_id: 'users' },
    json: { recipient_ids: 'any' },
  },
  {
    name: 'navigation_views',
    keys: ['user_id', 'id'],
    of: ofUser,
    row: rowOf({
      id: id(),
      user_id: id(),
      fragment: text(),
      fragment_hash: string(64),
      name: orNull(string(200)),
      is_pinned: boolean(),
    }),
    references: { user_id: 'users' },
  },
  {
    name: 'saved_snippets',
    keys: ['user_id', 'id'],
    of: ofUser,
    row: rowOf({
      id: id(),
      user_id: id(),
      title: string(60),
      content: text(),
      created_at_seconds: time(),
    }),
    references: { user_id: 'users' },
  },
  {
    name: 'reminders',
    keys: ['user_id', 'id'],
    of: ofUser,
    // The message may have been deleted.
    row: rowOf({
      id: id(),
      user_id: id(),
      message_id: id(),
      note: text(),
      deliver_at_seconds: time(),
      due_at_seconds: orNull(time()),
    }),
    references: { user_id: 'users' },
  },
]
