import type { RealmUserUpdateEvent, UserStatusEvent } from '@parley/wire/events'
import { withoutSubscriber } from './channels.js'
import {
  changeEntry,
  withoutEntry,
  type Changes,
  type LiveState,
  type Reducer,
  type Reducers,
} from './reducer.js'
import { withoutGroupMember, withoutMember, withoutMemberInAll } from './settings.js'
import type { OwnUser, User, UserStatus } from './state.js'

type Person = RealmUserUpdateEvent['person']

function withRole(role: number): Pick<User, 'role' | 'is_owner' | 'is_admin' | 'is_guest'> {
  return { role, is_owner: role === 100, is_admin: role <= 200, is_guest: role === 600 }
}

function changedUser(user: User, person: Person): User {
  if ('role' in person) return { ...user, ...withRole(person.role) }
  if ('new_email' in person) return { ...user, email: person.new_email }
  if ('avatar_url' in person) {
    const { avatar_url, avatar_version } = person
    return { ...user, avatar_url, avatar_version }
  }
  if ('custom_profile_field' in person) {
    const { id, value, rendered_value } = person.custom_profile_field
    const { [id]: _, ...others } = user.profile_data ?? {}
    if (value === null) return { ...user, profile_data: others }
    const item = rendered_value === undefined ? { value } : { value, rendered_value }
    return { ...user, profile_data: { ...others, [id]: item } }
  }
  if ('timezone' in person) return { ...user, timezone: person.timezone }
  return { ...user, ...person }
}

function changedSelf(me: OwnUser, person: Person): OwnUser {
  if ('full_name' in person) return { ...me, full_name: person.full_name }
  if ('delivery_email' in person) {
    return person.delivery_email === null ? me : { ...me, delivery_email: person.delivery_email }
  }
  if ('new_email' in person) return { ...me, email: person.new_email }
  if ('role' in person) {
    const { role, ...flags } = withRole(person.role)
    return { ...me, ...flags, is_moderator: role <= 300 }
  }
  if ('avatar_url' in person) {
    const { avatar_source, avatar_url, avatar_url_medium } = person
    return { ...me, avatar_source, avatar_url, avatar_url_medium }
  }
  return me
}

/** Removes a deactivated user from the state; the events are only about the account. */
function withoutDeactivated(state: LiveState, userId: number, changes: Changes) {
  return {
    statuses: withoutEntry(state.statuses, userId, changes),
    presence: withoutEntry(state.presence, userId, changes),
    organization: withoutMember(state.organization, userId),
    groups: withoutMemberInAll(state.groups, userId, changes, (group) =>
      withoutGroupMember(group, userId),
    ),
    channels: withoutMemberInAll(state.channels, userId, changes, (channel) =>
      withoutSubscriber(channel, userId),
    ),
  }
}

const updated: Reducer<RealmUserUpdateEvent> = (state, { person }, changes) => {
  const { user_id } = person
  const users = changeEntry(state.users, user_id, changes, (user) => changedUser(user, person))
  const me = user_id === state.me.user_id ? changedSelf(state.me, person) : state.me
  const isDeactivated = 'is_active' in person && !person.is_active
  return { users, me, ...(isDeactivated && withoutDeactivated(state, user_id, changes)) }
}

/**
 * The parts that a status has. Cleared parts are empty in events, and absent in the registration;
 * `away` is a setting, which is not sent when it changes.
 *
 * @returns undefined if it has nothing.
 */
export function statusOf({
  status_text = '',
  emoji_name = '',
  emoji_code,
  reaction_type,
}: UserStatus): UserStatus | undefined {
  if (status_text === '' && emoji_name === '') return undefined
  return {
    ...(status_text !== '' && { status_text }),
    ...(emoji_name !== '' && { emoji_name, emoji_code, reaction_type }),
  }
}

const statusChanged: Reducer<UserStatusEvent> = ({ statuses }, event, changes) => {
  const { user_id, type: _type, id: _id, away: _away, ...change } = event
  const status = statusOf({ ...statuses.get(user_id), ...change })
  return {
    statuses:
      status === undefined
        ? withoutEntry(statuses, user_id, changes)
        : changes.map(statuses).set(user_id, status),
  }
}

/** Users, their statuses, and the kinds of values in their profiles. */
export const userReducers: Reducers = {
  'realm_user/add': ({ users }, { person }, changes) => ({
    users: changes.map(users).set(person.user_id, withMark(person)),
  }),
  'realm_user/update': updated,
  'realm_user/remove': ({ users, statuses, presence }, { person }, changes) => ({
    users: withoutEntry(users, person.user_id, changes),
    statuses: withoutEntry(statuses, person.user_id, changes),
    presence: withoutEntry(presence, person.user_id, changes),
  }),
  user_status: statusChanged,
  custom_profile_fields: ({ users }, { fields }, changes) => {
    // With a field, its values are deleted.
    const known = new Set(fields.map(({ id }) => String(id)))
    let remaining = users
    for (const [id, user] of users) {
      const values = Object.entries(user.profile_data ?? {})
      const kept = values.filter(([field]) => known.has(field))
      if (kept.length === values.length) continue
      const profile_data = Object.fromEntries(kept)
      remaining = changes.map(remaining).set(id, { ...user, profile_data })
    }
    return { profileFields: fields, users: remaining }
  },
}

type AddedUser = Omit<User, 'is_active'> & { readonly is_active?: boolean | undefined }

/** An absent mark means an active user. */
function withMark({ is_active = true, ...user }: AddedUser): User {
  return { ...user, is_active }
}
