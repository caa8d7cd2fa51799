import fc from 'fast-check'

import { anyone, by, command, flag, index, mostlyOlga, withOne } from './register-command.js'
import type { Name, PresenceStatus } from './register-world.js'

/** Too soon to be noted, to be told, and neither. */
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

/** What is done to people, bots and groups. */
export const peopleCommands = [
  command<[Name]>(
    'open a client',
    [fc.constantFrom('olga', 'adam', 'alice', 'bob', 'gus')],
    (world, name) => world.open(name).then(() => by(world, name).get('/users/me')),
  ),
  command<[]>(
    'create a user',
    [],
    (world) => {
      const full_name = world.name()
      const email = `${full_name.replace(' ', '')}@new.example`
      return by(world, 'olga').post('/users', { email, full_name, password: 'correct horse new' })
    },
    (world, body) => world.note('user', body.user_id),
  ),
  command<[number]>('rename a user', [index], (world, which) =>
    withOne(world, 'user', which, (id) =>
      by(world, 'olga').patch(`/users/${id}`, { full_name: world.name() }),
    ),
  ),
  command<[number, number]>('change the role', [index, role], (world, which, to) =>
    withOne(world, 'user', which, (id) => by(world, 'olga').patch(`/users/${id}`, { role: to })),
  ),
  command<[Name, number]>(
    'change the role of an observer',
    [fc.constantFrom('adam', 'alice', 'bob', 'gus'), role],
    (world, name, to) => by(world, 'olga').patch(`/users/${by(world, name).id}`, { role: to }),
  ),
  command<[number]>('deactivate', [index], (world, which) =>
    withOne(world, 'user', which, async (id) =>
      id === by(world, 'bob').id
        ? by(world, 'olga').get('/users/me')
        : by(world, 'olga').delete(`/users/${id}`),
    ),
  ),
  command<[number]>('reactivate', [index], (world, which) =>
    withOne(world, 'user', which, (id) => by(world, 'olga').post(`/users/${id}/reactivate`)),
  ),
  command<[number]>('deactivate for a while', [index], (world, which) =>
    withOne(world, 'user', which, async (id) => {
      if (id !== by(world, 'bob').id) await by(world, 'olga').delete(`/users/${id}`)
      return by(world, 'olga').post(`/users/${id}/reactivate`)
    }),
  ),
  command<[Name]>(
    'create a bot',
    [anyone],
    (world, name) => {
      const full_name = world.name()
      const short_name = full_name.replace(' ', '-')
      return by(world, name).post('/bots', { full_name, short_name })
    },
    (world, body) => world.note('bot', body.user_id),
  ),
  command<[number, Name]>('give away a bot', [index, anyone], (world, which, to) =>
    withOne(world, 'bot', which, (id) =>
      by(world, 'olga').patch(`/bots/${id}`, { bot_owner_id: by(world, to).id }),
    ),
  ),
  command<[number]>('rename a bot', [index], (world, which) =>
    withOne(world, 'bot', which, (id) =>
      by(world, 'olga').patch(`/bots/${id}`, { full_name: world.name() }),
    ),
  ),
  command<[number, boolean]>('end a bot', [index, flag], (world, which, ends) =>
    withOne(world, 'bot', which, (id) =>
      ends
        ? by(world, 'olga').delete(`/bots/${id}`)
        : by(world, 'olga').post(`/users/${id}/reactivate`),
    ),
  ),
  command<[Name]>(
    'create a group',
    [anyone],
    (world, name) =>
      by(world, name).post('/user_groups/create', {
        name: world.name(),
        description: 'Some of us',
        members: [by(world, 'alice').id, by(world, 'carol').id],
      }),
    (world, body) => world.note('group', body.group_id),
  ),
  command<[number, Name, boolean]>(
    'change members',
    [index, anyone, flag],
    (world, which, who, adds) =>
      withOne(world, 'group', which, (id) =>
        by(world, 'olga').post(`/user_groups/${id}/members`, {
          [adds ? 'add' : 'delete']: [by(world, who).id],
        }),
      ),
  ),
  command<[number, number, boolean]>(
    'change subgroups',
    [index, index, flag],
    (world, which, part, adds) =>
      withOne(world, 'group', which, (id) =>
        by(world, 'olga').post(`/user_groups/${id}/subgroups`, {
          [adds ? 'add' : 'delete']: [world.one('group', part)],
        }),
      ),
  ),
  command<[number, string, number, boolean]>(
    'change who may in a group',
    [index, groupSetting, fc.nat(7), flag],
    (world, which, setting, whom, isAnonymous) =>
      withOne(world, 'group', which, (id) => {
        const group = world.one('systemGroup', whom)
        const people = { direct_members: [by(world, 'carol').id], direct_subgroups: [group] }
        return by(world, 'olga').patch(`/user_groups/${id}`, {
          [setting]: { new: isAnonymous ? people : group },
        })
      }),
  ),
  command<[number]>('rename a group', [index], (world, which) =>
    withOne(world, 'group', which, (id) =>
      by(world, 'olga').patch(`/user_groups/${id}`, { name: world.name(), description: 'Renamed' }),
    ),
  ),
  command<[number, boolean]>('deactivate a group', [index, flag], (world, which, ends) =>
    withOne(world, 'group', which, (id) =>
      ends
        ? by(world, 'olga').post(`/user_groups/${id}/deactivate`)
        : by(world, 'olga').patch(`/user_groups/${id}`, { deactivated: false }),
    ),
  ),
  ...[0, 1].map(() =>
    command<[Name, PresenceStatus, number]>(
      'be there twice',
      [anyone, fc.constantFrom<PresenceStatus>('active', 'active', 'idle'), laterSeconds],
      async (world, name, status, seconds) => {
        await world.ping(name, 'active', 0)
        return world.ping(name, status, seconds)
      },
    ),
  ),
  command<[Name, number]>('set a status', [anyone, fc.nat(3)], (world, name, which) =>
    by(world, name).post(
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
    (world, name, which, adds) =>
      withOne(world, 'user', which, (id) =>
        by(world, name)[adds ? 'post' : 'delete'](`/users/me/muted_users/${id}`),
      ),
  ),
] as const
