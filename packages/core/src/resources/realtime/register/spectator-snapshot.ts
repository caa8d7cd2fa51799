import type { OrganizationState } from '../../../domain/organizations/organization-state.js'
import { subscriptionPalette } from '../../../domain/organizations/subscription-colors.js'
import { Role } from '../../../domain/users/actor.js'
import { redactForSpectators } from '../../../domain/users/spectator-view.js'
import { EncodedList } from '../../../kernel/encoded-list.js'
import { toJson } from '../../../storage/index.js'
import { unstoredUser, type UserRow } from '../../people/users/index.js'

/** The user for whom snapshots are read for a spectator: a guest without subscriptions or other data. */
export function spectatorRow(organization: OrganizationState): UserRow {
  const { default_language } = organization.settings
  return {
    ...unstoredUser,
    id: 0,
    organization_id: organization.id,
    email: 'username@example.com',
    email_key: 'username@example.com',
    full_name: 'Anonymous User',
    full_name_key: 'anonymous user',
    role: Role.guest,
    is_bot: false,
    bot_type: null,
    settings: toJson({ default_language }),
  }
}

/** The values of keys that only users with accounts may see, such as personal data. */
const withheld: Readonly<Record<string, unknown>> = {
  custom_profile_fields: [],
  max_message_id: -1,
  presences: {},
  realm_allow_message_editing: false,
  realm_bots: [],
  realm_presence_disabled: true,
  never_subscribed: [],
  unsubscribed: [],
  user_status: {},
}

/** Converts a guest's snapshot into a spectator's. */
export function forSpectators(keys: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const shown: Record<string, unknown> = { ...keys }
  delete shown['streams']
  delete shown['presence_last_update_id']
  for (const [name, value] of Object.entries(withheld)) {
    if (name in shown) shown[name] = value
  }
  if ('subscriptions' in keys) shown['subscriptions'] = webPublicOnly(keys['never_subscribed'])
  for (const name of ['realm_users', 'realm_non_active_users']) {
    // The snapshot of the users has lists of objects under these names.
    const users = keys[name] as Record<string, unknown>[] | undefined
    if (users !== undefined) shown[name] = users.map(redactForSpectators)
  }
  return shown
}

/** The web-public channels, as if the spectator were subscribed to them. */
function webPublicOnly(channels: unknown): unknown[] {
  const described = channels instanceof EncodedList ? channels.toJSON() : channels
  // As the snapshot of the subscriptions describes channels.
  return (described as { is_web_public: boolean; is_archived: boolean }[])
    .filter((channel) => channel.is_web_public && !channel.is_archived)
    .map((channel, index) => ({
      ...channel,
      color: subscriptionPalette[index % subscriptionPalette.length],
      is_muted: false,
      in_home_view: true,
      pin_to_top: false,
      audible_notifications: true,
      desktop_notifications: true,
      email_notifications: true,
      push_notifications: true,
      wildcard_mentions_notify: true,
    }))
}
