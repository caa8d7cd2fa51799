import type { Role } from '../../../domain/users/actor.js'
import type { UserSettings } from '../../../domain/users/user-settings.js'
import {
  boolean,
  id,
  integer,
  json,
  milliseconds,
  string,
  user,
} from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'
import { limits } from '../../../domain/limits.js'

export const users = defineTable('users', {
  columns: {
    id: id().withUsers({ erasure: 'anonymized', because: 'other rows refer to it' }).exported(),
    /** The application's id of the user, if its login authenticates them. */
    external_id: string(190).orNull().exported(),
    /** The real address. */
    email: string(limits.maxEmailLength).exported(),
    email_key: string(limits.maxEmailLength),
    full_name: string(200).exported(),
    /** Derived from `full_name` by the repository. */
    full_name_key: string(300),
    role: integer<Role>({ values: [100, 200, 300, 400, 600] }).exported(),
    is_active: boolean().exported(),
    is_bot: boolean(),
    bot_type: integer({ minimum: 1 }).orNull(),
    bot_owner_id: user({ erasure: 'kept', because: "the user's bots are deactivated" }).orNull(),
    joined_at_milliseconds: milliseconds().exported(),
    timezone: string(60).defaultsTo('').exported(),
    /** `G` gravatar, `U` uploaded or the application's. */
    avatar_source: string(1, { values: ['G', 'U'] })
      .defaultsTo('G')
      .exported(),
    avatar_version: integer({ minimum: 0 }).defaultsTo(1),
    /** Part of the picture's URL; null without one. */
    avatar_name: string(48, { pattern: '^[A-Za-z0-9_-]{1,48}$' }).orNull(),
    /** Where the application has the picture, if it is not an uploaded one. */
    application_avatar_url: string(1000).orNull().exported(),
    email_address_visibility: integer({ minimum: 1 }).exported(),
    can_create_users: boolean().defaultsTo(false).exported(),
    can_change_user_emails: boolean().defaultsTo(false).exported(),
    /** PHC string; null if no password was ever set. */
    password_hash: string(300)
      .orNull()
      .notArchived('a secret: users set a new password, or use the login of the product'),
    /** SHA-256 of the API key, hexadecimal. */
    api_key_hash: string(64).notArchived('a secret: an import makes a new API key for each user'),
    api_key_sealed: string(200).notArchived(
      'a secret: an import makes a new API key for each user',
    ),
    settings: json<Partial<UserSettings>>().exported(),
  },
  unique: [['api_key_hash'], ['organization_id', 'email_key'], ['organization_id', 'external_id']],
  index: [
    ['organization_id', 'is_active', 'role'],
    ['organization_id', 'bot_owner_id'],
    { name: 'users_full_name', columns: ['organization_id', 'full_name_key'] },
    // Finds the next users who become full members.
    {
      name: 'users_joined',
      columns: ['organization_id', 'is_active', 'role', 'joined_at_milliseconds'],
    },
    // Finds the few whose addresses become visible with another role.
    { name: 'users_visibility', columns: ['organization_id', 'email_address_visibility'] },
    ['avatar_name'],
    // Encrypted keys begin with the id of their secret.
    { name: 'users_sealed', columns: ['api_key_sealed'] },
  ],
  archive: {},
  exports: {
    account: 'id',
    bot: {
      of: 'bot_owner_id',
      columns: ['id', 'email', 'full_name', 'bot_type', 'is_active', 'joined_at_milliseconds'],
    },
  },
})
export type UserRow = RowOf<typeof users>
