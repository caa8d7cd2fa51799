import fc from 'fast-check'

import type { Parameters } from '../support/client.js'
import { anyone, by, command, flag, index, mostlyOlga, withOne } from './register-command.js'
import type { Name } from './register-world.js'

const channel = fc.nat(9)
const privacy = fc.constantFrom<Parameters>(
  { is_private: false, history_public_to_subscribers: true },
  { is_private: true, history_public_to_subscribers: true },
  { is_private: true, history_public_to_subscribers: false },
  { is_web_public: true, is_private: false, history_public_to_subscribers: true },
)
const channelSetting = fc.constantFrom(
  'can_add_subscribers_group',
  'can_administer_channel_group',
  'can_delete_any_message_group',
  'can_remove_subscribers_group',
  'can_send_message_group',
  'can_subscribe_group',
)
const personalSetting = fc.constantFrom<[string, unknown]>(
  ['color', '#123456'],
  ['is_muted', true],
  ['is_muted', false],
  ['in_home_view', false],
  ['pin_to_top', true],
  ['desktop_notifications', true],
  ['push_notifications', false],
)

/** What is done to channels, folders and subscriptions. */
export const channelCommands = [
  command<[Name, boolean, boolean]>(
    'create a channel',
    [anyone, flag, flag],
    (world, name, isPrivate, announces) =>
      by(world, name).post('/channels/create', {
        name: world.name(),
        subscribers: [by(world, name).id, by(world, 'bob').id],
        invite_only: isPrivate,
        announce: announces,
      }),
    (world, body) => world.note('channel', body.id),
  ),
  ...[0, 1].map(() =>
    command<[Name, Name, number, boolean]>(
      'subscribe',
      [mostlyOlga, anyone, channel, flag],
      (world, name, whom, which, isSelf) =>
        withOne(world, 'channel', which, async (id) => {
          const { body } = await by(world, 'olga').get(`/streams/${id}`)
          const user = by(world, isSelf ? name : whom).id
          return by(world, name).post('/users/me/subscriptions', {
            subscriptions: [{ name: body.stream?.name ?? 'none' }],
            principals: [user],
          })
        }),
    ),
  ),
  command<[Name, Name, number]>(
    'unsubscribe',
    [mostlyOlga, anyone, channel],
    (world, name, whom, which) =>
      withOne(world, 'channel', which, async (id) => {
        const { body } = await by(world, 'olga').get(`/streams/${id}`)
        return by(world, name).delete('/users/me/subscriptions', {
          subscriptions: [body.stream?.name ?? 'none'],
          principals: [by(world, whom).id],
        })
      }),
  ),
  command<[number]>('rename a channel', [channel], (world, which) =>
    withOne(world, 'channel', which, (id) =>
      by(world, 'olga').patch(`/streams/${id}`, { new_name: world.name() }),
    ),
  ),
  command<[number]>('describe a channel', [channel], (world, which) =>
    withOne(world, 'channel', which, (id) =>
      by(world, 'olga').patch(`/streams/${id}`, { description: `*About* ${world.name()}` }),
    ),
  ),
  command<[number, Parameters]>('change privacy', [channel, privacy], (world, which, to) =>
    withOne(world, 'channel', which, (id) => by(world, 'olga').patch(`/streams/${id}`, to)),
  ),
  command<[number, boolean]>('archive', [channel, flag], (world, which, ends) =>
    withOne(world, 'channel', which, (id) =>
      ends
        ? by(world, 'olga').delete(`/streams/${id}`)
        : by(world, 'olga').patch(`/streams/${id}`, { is_archived: false }),
    ),
  ),
  command<[number, boolean]>('archive and bring back', [channel, flag], (world, which, renames) =>
    withOne(world, 'channel', which, async (id) => {
      await by(world, 'olga').delete(`/streams/${id}`)
      if (renames) await by(world, 'olga').patch(`/streams/${id}`, { new_name: world.name() })
      return by(world, 'olga').patch(`/streams/${id}`, { is_archived: false })
    }),
  ),
  command<[number, string, number, boolean, boolean]>(
    'change who may in a channel',
    [channel, channelSetting, fc.nat(7), flag, flag],
    (world, which, setting, whom, isOwn, isAnonymous) =>
      withOne(world, 'channel', which, (id) => {
        const group =
          (isOwn ? world.one('group', whom) : undefined) ?? world.one('systemGroup', whom)
        const people = { direct_members: [by(world, 'carol').id], direct_subgroups: [group] }
        return by(world, 'olga').patch(`/streams/${id}`, {
          [setting]: { new: isAnonymous ? people : group },
        })
      }),
  ),
  command<[number, number]>('put in a folder', [channel, index], (world, which, into) =>
    withOne(world, 'channel', which, (id) =>
      by(world, 'olga').patch(`/streams/${id}`, {
        folder_id: into === 0 ? null : (world.one('folder', into) ?? null),
      }),
    ),
  ),
  command<[number, string]>(
    'change topics of a channel',
    [channel, fc.constantFrom('inherit', 'allow_empty_topic', 'disable_empty_topic')],
    (world, which, topics_policy) =>
      withOne(world, 'channel', which, (id) =>
        by(world, 'olga').patch(`/streams/${id}`, { topics_policy }),
      ),
  ),
  command<[Name, number, [string, unknown]]>(
    'set for oneself',
    [anyone, channel, personalSetting],
    (world, name, which, [property, value]) =>
      withOne(world, 'channel', which, (stream_id) =>
        by(world, name).post('/users/me/subscriptions/properties', {
          subscription_data: [{ stream_id, property, value }],
        }),
      ),
  ),
  command<[number, boolean]>('make a default', [channel, flag], (world, which, adds) =>
    withOne(world, 'channel', which, (stream_id) =>
      by(world, 'olga')[adds ? 'post' : 'delete']('/default_streams', { stream_id }),
    ),
  ),
  command<[]>(
    'create a folder',
    [],
    (world) =>
      by(world, 'olga').post('/channel_folders/create', {
        name: world.name(),
        description: '*Some*',
      }),
    (world, body) => world.note('folder', body.channel_folder_id),
  ),
  command<[number, Parameters]>(
    'change a folder',
    [
      index,
      fc.constantFrom<Parameters>(
        { is_archived: true },
        { is_archived: false },
        { description: '**x**' },
      ),
    ],
    (world, which, change) =>
      withOne(world, 'folder', which, (id) =>
        by(world, 'olga').patch(`/channel_folders/${id}`, change),
      ),
  ),
  command<[]>('reverse the folders', [], async (world) => {
    const { body } = await by(world, 'olga').get('/channel_folders', { include_archived: true })
    const ids = (body.channel_folders as { id: number }[]).map(({ id }) => id)
    return by(world, 'olga').patch('/channel_folders', { order: ids.toReversed() })
  }),
] as const
