import { leaveChannels } from './client-channels.js'
import { leaveGroups } from './client-groups.js'
import { put, take, type ClientAnswer, type Item, type Reducer } from './client-answer.js'

const roleMarks = (role: number): Item => ({
  role,
  is_owner: role === 100,
  is_admin: role <= 200,
  is_guest: role === 600,
})

function listOf(state: ClientAnswer, userId: number): Item[] | undefined {
  return [state['realm_users'], state['realm_non_active_users']].find((list: Item[]) =>
    list.some((user) => user['user_id'] === userId),
  )
}

const added: Reducer = (state, { person }) => {
  const { is_active, ...user } = person
  const list = listOf(state, user.user_id)
  if (list !== undefined) take(list, 'user_id', user.user_id)
  put(is_active ? state['realm_users'] : state['realm_non_active_users'], 'user_id', user)
}

/** Changes of the client's own user also update top-level keys. */
function changeSelf(state: ClientAnswer, person: Item): void {
  const { full_name, role, delivery_email, new_email } = person
  if (full_name !== undefined) state['full_name'] = full_name
  if (delivery_email !== undefined) state['delivery_email'] = delivery_email
  if (new_email !== undefined) state['email'] = new_email
  if (role !== undefined) {
    const { is_owner, is_admin, is_guest } = roleMarks(role)
    Object.assign(state, { is_owner, is_admin, is_guest, is_moderator: role <= 300 })
  }
  if (person['avatar_url'] !== undefined) {
    const { avatar_source, avatar_url, avatar_url_medium } = person
    Object.assign(state, { avatar_source, avatar_url, avatar_url_medium })
  }
}

const updated: Reducer = (state, { person }) => {
  const { user_id } = person
  if (user_id === state['user_id']) changeSelf(state, person)
  const user = listOf(state, user_id)?.find((one) => one['user_id'] === user_id)
  // The client also receives events about unknown users, for which it has nothing to change.
  if (user === undefined) return
  if (person.full_name !== undefined) user['full_name'] = person.full_name
  if (person.role !== undefined) Object.assign(user, roleMarks(person.role))
  if (person.delivery_email !== undefined) user['delivery_email'] = person.delivery_email
  if (person.new_email !== undefined) user['email'] = person.new_email
  if (person.timezone !== undefined) user['timezone'] = person.timezone
  if (person.bot_owner_id !== undefined) user['bot_owner_id'] = person.bot_owner_id
  if (person.avatar_url !== undefined) {
    const { avatar_url, avatar_version } = person
    Object.assign(user, { avatar_url, avatar_version })
  }
  if (person.custom_profile_field !== undefined) {
    const { id, value, rendered_value } = person.custom_profile_field
    if (value === null) delete user['profile_data'][id]
    else {
      user['profile_data'][id] =
        rendered_value === undefined ? { value } : { value, rendered_value }
    }
  }
  if (person.is_active !== undefined) {
    // Events add reactivated users to their groups again. There are no events that remove
    // deactivated users from their groups, or from archived channels.
    if (!person.is_active) {
      leaveGroups(state, user_id)
      leaveChannels(state, user_id)
      delete state['user_status'][user_id]
    }
    take(state['realm_users'], 'user_id', user_id)
    take(state['realm_non_active_users'], 'user_id', user_id)
    put(person.is_active ? state['realm_users'] : state['realm_non_active_users'], 'user_id', user)
  }
}

const removed: Reducer = (state, { person }) => {
  delete state['user_status'][person.user_id]
  take(state['realm_users'], 'user_id', person.user_id)
  take(state['realm_non_active_users'], 'user_id', person.user_id)
}

const botAdded: Reducer = (state, { bot }) => put(state['realm_bots'], 'user_id', bot)

const botUpdated: Reducer = (state, { bot }) => {
  const known = (state['realm_bots'] as Item[]).find((one) => one['user_id'] === bot.user_id)
  if (known !== undefined) Object.assign(known, bot)
}

const botDeleted: Reducer = (state, { bot }) => {
  take(state['realm_bots'], 'user_id', bot.user_id)
}

/** Events contain cleared fields as empty texts, and the response omits them. */
const statusChanged: Reducer = (state, { user_id, type: _, id: __, ...change }) => {
  const statuses = state['user_status'] as Item
  const status = { ...statuses[user_id], ...change }
  if (status['emoji_name'] === '') {
    delete status['emoji_name']
    delete status['emoji_code']
    delete status['reaction_type']
  }
  if (status['status_text'] === '') delete status['status_text']
  if (status['away'] === false) delete status['away']
  if (Object.keys(status).length === 0) delete statuses[user_id]
  else statuses[user_id] = status
}

const profileFieldsChanged: Reducer = (state, { fields }) => {
  state['custom_profile_fields'] = fields
  // Deleting a field deletes its values.
  const known = new Set((fields as Item[]).map((field) => String(field['id'])))
  for (const user of [...state['realm_users'], ...state['realm_non_active_users']] as Item[]) {
    for (const id of Object.keys(user['profile_data'] ?? {})) {
      if (!known.has(id)) delete user['profile_data'][id]
    }
  }
}

export const peopleReducers: Readonly<Record<string, Reducer>> = {
  'realm_user/add': added,
  'realm_user/update': updated,
  'realm_user/remove': removed,
  'realm_bot/add': botAdded,
  'realm_bot/update': botUpdated,
  'realm_bot/delete': botDeleted,
  user_status: statusChanged,
  custom_profile_fields: profileFieldsChanged,
}
