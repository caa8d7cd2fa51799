import fc from 'fast-check'

import { anyone, by, command, flag, index, mostlyOlga, withOne } from './register-command.js'
import type { Name, PresenceStatus } from './register-state.js'

/** Too soon to be stored, stored but not sent, and sent. */
const laterSeconds = fc.constantFrom(0, 60, 140)
const role = fc.constantFrom(200, 300, 400, 600)
const groupSetting = fc.constantFrom(
  'can_add_members_group',
  'can_join_group',
  'can_leave_group',
  'can_manage_group',
  'can_mention_group',
  'can_remove_members_group',
)

/** Commands about users, bots and groups. */
export const peopleCommands = [
  command<[Name]>(
    'connect a client',
    [fc.constantFrom('olga', 'adam', 'alice', 'bob', 'gus')],
    (state, name) => state.open(name).then(() => by(state, name).get('/users/me')),
  ),
  command<[]>(
    'create a user',
    [],
    (state) => {
      const full_name = state.name()
      const email = `${full_name.replace(' ', '')}@new.example`
      return by(state, 'olga').post('/users', { email, full_name, password: 'correct horse new' })
    },
    (state, body) => state.note('user', body.user_id),
  ),
  command<[number]>('rename a user', [index], (state, which) =>
    withOne(state, 'user', which, (id) =>
      by(state, 'olga').patch(`/users/${id}`, { full_name: state.name() }),
    ),
  ),
  command<[number, number]>('change the role', [index, role], (state, which, to) =>
    withOne(state, 'user', which, (id) => by(state, 'olga').patch(`/users/${id}`, { role: to })),
  ),
  command<[Name, number]>(
    'change the role of a user with a client',
    [fc.constantFrom('adam', 'alice', 'bob', 'gus'), role],
    (state, name, to) => by(state, 'olga').patch(`/users/${by(state, name).id}`, { role: to }),
  ),
  command<[number]>('deactivate', [index], (state, which) =>
    withOne(state, 'user', which, async (id) =>
      id === by(state, 'bob').id
        ? by(state, 'olga').get('/users/me')
        : by(state, 'olga').delete(`/users/${id}`),
    ),
  ),
  command<[number]>('reactivate', [index], (state, which) =>
    withOne(state, 'user', which, (id) => state.reactivate(id)),
  ),
  command<[number]>('deactivate and reactivate', [index], (state, which) =>
    withOne(state, 'user', which, async (id) => {
      if (id !== by(state, 'bob').id) await by(state, 'olga').delete(`/users/${id}`)
      return state.reactivate(id)
    }),
  ),
  command<[Name]>(
    'create a bot',
    [anyone],
    (state, name) => {
      const full_name = state.name()
      const short_name = full_name.replace(' ', '-')
      return by(state, name).post('/bots', { full_name, short_name })
    },
    (state, body) => state.note('bot', body.user_id),
  ),
  command<[number, Name]>('change the owner of a bot', [index, anyone], (state, which, to) =>
    withOne(state, 'bot', which, (id) =>
      by(state, 'olga').patch(`/bots/${id}`, { bot_owner_id: by(state, to).id }),
    ),
  ),
  command<[number]>('rename a bot', [index], (state, which) =>
    withOne(state, 'bot', which, (id) =>
      by(state, 'olga').patch(`/bots/${id}`, { full_name: state.name() }),
    ),
  ),
  command<[number, boolean]>('deactivate a bot', [index, flag], (state, which, ends) =>
    withOne(state, 'bot', which, (id) =>
      ends ? by(state, 'olga').delete(`/bots/${id}`) : state.reactivate(id),
    ),
  ),
  command<[Name]>(
    'create a group',
    [anyone],
    (state, name) =>
      by(state, name).post('/user_groups/create', {
        name: state.name(),
        description: 'Some of us',
        members: [by(state, 'alice').id, by(state, 'carol').id],
      }),
    (state, body) => state.note('group', body.group_id),
  ),
  command<[number, Name, boolean]>(
    'change members',
    [index, anyone, flag],
    (state, which, who, adds) =>
      withOne(state, 'group', which, (id) =>
        by(state, 'olga').post(`/user_groups/${id}/members`, {
          [adds ? 'add' : 'delete']: [by(state, who).id],
        }),
      ),
  ),
  command<[number, number, boolean]>(
    'change subgroups',
    [index, index, flag],
    (state, which, part, adds) =>
      withOne(state, 'group', which, (id) =>
        by(state, 'olga').post(`/user_groups/${id}/subgroups`, {
          [adds ? 'add' : 'delete']: [state.one('group', part)],
        }),
      ),
  ),
  command<[number, string, number, boolean]>(
    'change a permission of a group',
    [index, groupSetting, fc.nat(7), flag],
    (state, which, setting, whom, isAnonymous) =>
      withOne(state, 'group', which, (id) => {
        const group = state.one('systemGroup', whom)
        const people = { direct_members: [by(state, 'carol').id], direct_subgroups: [group] }
        return by(state, 'olga').patch(`/user_groups/${id}`, {
          [setting]: { new: isAnonymous ? people : group },
        })
      }),
  ),
  command<[number]>('rename a group', [index], (state, which) =>
    withOne(state, 'group', which, (id) =>
      by(state, 'olga').patch(`/user_groups/${id}`, { name: state.name(), description: 'Renamed' }),
    ),
  ),
  command<[number, boolean]>('deactivate a group', [index, flag], (state, which, ends) =>
    withOne(state, 'group', which, (id) =>
      ends
        ? by(state, 'olga').post(`/user_groups/${id}/deactivate`)
        : by(state, 'olga').patch(`/user_groups/${id}`, { deactivated: false }),
    ),
  ),
  ...[0, 1].map(() =>
    command<[Name, PresenceStatus, number]>(
      'report presence twice',
      [anyone, fc.constantFrom<PresenceStatus>('active', 'active', 'idle'), laterSeconds],
      async (state, name, status, seconds) => {
        await state.ping(name, 'active', 0)
        return state.ping(name, status, seconds)
      },
    ),
  ),
  command<[Name, number]>('set a status', [anyone, fc.nat(3)], (state, name, which) =>
    by(state, name).post(
      '/users/me/status',
      [
        { status_text: 'Away' },
        { status_text: '' },
        { emoji_name: 'tada' },
        { status_text: '', emoji_name: '' },
      ][which],
    ),
  ),
  command<[Name, number, boolean]>(
    'mute a user',
    [mostlyOlga, index, flag],
    (state, name, which, adds) =>
      withOne(state, 'user', which, (id) =>
        by(state, name)[adds ? 'post' : 'delete'](`/users/me/muted_users/${id}`),
      ),
  ),
] as const
