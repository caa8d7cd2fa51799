import type { Role } from '../../../domain/users/actor.js'
import {
  boolean,
  id,
  integer,
  seconds,
  shortJson,
  string,
  text,
  user,
} from '../../../storage/tables/column.js'
import { defineTable, type RowOf } from '../../../storage/tables/table.js'
import { limits } from '../../../domain/limits.js'

/** An invitation of one address, or a reusable link. */
export const invitations = defineTable('invitations', {
  columns: {
    id: id().exported(),
    inviter_id: user({ erasure: 'deleted', because: 'revoked with the account' }),
    /** Whether it is a link that any number of people may use. */
    is_reusable: boolean().exported(),
    /** The link through which somebody signs up with the address; null for other invitations. */
    link_id: id().orNull(),
    /** Null for a link, and once the invitation has ended. */
    email: string(limits.maxEmailLength).orNull().exported(),
    email_key: string(limits.maxEmailLength).orNull(),
    /** SHA-256, hexadecimal. */
    token_hash: string(64),
    /** Null once the invitation has ended, or if its secret is lost. */
    token_sealed: string(200).orNull(),
    role: integer<Role>().exported(),
    /** JSON lists of ids. */
    channel_ids: shortJson<readonly number[]>(),
    group_ids: shortJson<readonly number[]>(),
    joins_default_channels: boolean(),
    notifies_inviter: boolean(),
    welcome_text: text().orNull().exported(),
    invited_at_seconds: seconds().exported(),
    /** Null if it never expires. */
    expires_at_seconds: seconds().orNull().exported(),
    /** When it was used or revoked. */
    ended_at_seconds: seconds().orNull().exported(),
    /** The URL of the chat in the links of its mails. */
    chat_url: string(1000),
    /** The number of mails that were requested. */
    mail_count: integer(),
    /** When the next attempt to send the mail is due; null without one. */
    due_at_seconds: seconds().orNull(),
    attempts: integer(),
  },
  unique: [['token_hash']],
  index: [
    { name: 'invitations_ended', columns: ['organization_id', 'ended_at_seconds'] },
    { name: 'invitations_expiry', columns: ['organization_id', 'expires_at_seconds'] },
    { name: 'invitations_invited', columns: ['organization_id', 'invited_at_seconds'] },
    ['organization_id', 'email_key'],
    ['organization_id', 'inviter_id'],
    ['organization_id', 'link_id'],
    ['due_at_seconds'],
    // Sealed tokens begin with the id of their secret.
    ['token_sealed'],
  ],
  archive: 'a secret: links in mails lead to the old server',
  exports: { invitation: 'inviter_id' },
})
export type InvitationRow = RowOf<typeof invitations>
