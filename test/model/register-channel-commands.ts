import fc from 'fast-check'

import type { Parameters } from '../support/client.js'
import { anyone, by, command, flag, index, mostlyOlga, withOne } from './register-command.js'
import type { Name } from './register-state.js'

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

/** Commands about channels, folders and subscriptions. */
export const channelCommands = [
  command<[Name, boolean, boolean]>(
    'create a channel',
    [anyone, flag, flag],
    (state, name, isPrivate, announces) =>
      by(state, name).post('/channels/create', {
        name: state.name(),
        subscribers: [by(state, name).id, by(state, 'bob').id],
        invite_only: isPrivate,
        announce: announces,
      }),
    (state, body) => state.note('channel', body.id),
  ),
  ...[0, 1].map(() =>
    command<[Name, Name, number, boolean]>(
      'subscribe',
      [mostlyOlga, anyone, channel, flag],
      (state, name, whom, which, isSelf) =>
        withOne(state, 'channel', which, async (id) => {
          const { body } = await by(state, 'olga').get(`/streams/${id}`)
          const user = by(state, isSelf ? name : whom).id
          return by(state, name).post('/users/me/subscriptions', {
            subscriptions: [{ name: body.stream?.name ?? 'none' }],
            principals: [user],
          })
        }),
    ),
  ),
  command<[Name, Name, number]>(
    'unsubscribe',
    [mostlyOlga, anyone, channel],
    (state, name, whom, which) =>
      withOne(state, 'channel', which, async (id) => {
        const { body } = await by(state, 'olga').get(`/streams/${id}`)
        return by(state, name).delete('/users/me/subscriptions', {
          subscriptions: [body.stream?.name ?? 'none'],
          principals: [by(state, whom).id],
        })
      }),
  ),
  command<[number]>('rename a channel', [channel], (state, which) =>
    withOne(state, 'channel', which, (id) =>
      by(state, 'olga').patch(`/streams/${id}`, { new_name: state.name() }),
    ),
  ),
  command<[number]>('describe a channel', [channel], (state, which) =>
    withOne(state, 'channel', which, (id) =>
      by(state, 'olga').patch(`/streams/${id}`, { description: `*About* ${state.name()}` }),
    ),
  ),
  command<[number, Parameters]>('change privacy', [channel, privacy], (state, which, to) =>
    withOne(state, 'channel', which, (id) => by(state, 'olga').patch(`/streams/${id}`, to)),
  ),
  command<[number, boolean]>('archive', [channel, flag], (state, which, ends) =>
    withOne(state, 'channel', which, (id) =>
      ends
        ? by(state, 'olga').delete(`/streams/${id}`)
        : by(state, 'olga').patch(`/streams/${id}`, { is_archived: false }),
    ),
  ),
  command<[number, boolean]>('archive and unarchive', [channel, flag], (state, which, renames) =>
    withOne(state, 'channel', which, async (id) => {
      await by(state, 'olga').delete(`/streams/${id}`)
      if (renames) await by(state, 'olga').patch(`/streams/${id}`, { new_name: state.name() })
      return by(state, 'olga').patch(`/streams/${id}`, { is_archived: false })
    }),
  ),
  command<[number, string, number, boolean, boolean]>(
    'change a permission of a channel',
    [channel, channelSetting, fc.nat(7), flag, flag],
    (state, which, setting, whom, isOwn, isAnonymous) =>
      withOne(state, 'channel', which, (id) => {
        const group =
          (isOwn ? state.one('group', whom) : undefined) ?? state.one('systemGroup', whom)
        const people = { direct_members: [by(state, 'carol').id], direct_subgroups: [group] }
        return by(state, 'olga').patch(`/streams/${id}`, {
          [setting]: { new: isAnonymous ? people : group },
        })
      }),
  ),
  command<[number, number]>('move a channel to a folder', [channel, index], (state, which, into) =>
    withOne(state, 'channel', which, (id) =>
      by(state, 'olga').patch(`/streams/${id}`, {
        folder_id: into === 0 ? null : (state.one('folder', into) ?? null),
      }),
    ),
  ),
  command<[number, string]>(
    'change topics of a channel',
    [channel, fc.constantFrom('inherit', 'allow_empty_topic', 'disable_empty_topic')],
    (state, which, topics_policy) =>
      withOne(state, 'channel', which, (id) =>
        by(state, 'olga').patch(`/streams/${id}`, { topics_policy }),
      ),
  ),
  command<[Name, number, [string, unknown]]>(
    'change a subscription setting',
    [anyone, channel, personalSetting],
    (state, name, which, [property, value]) =>
      withOne(state, 'channel', which, (stream_id) =>
        by(state, name).post('/users/me/subscriptions/properties', {
          subscription_data: [{ stream_id, property, value }],
        }),
      ),
  ),
  command<[number, boolean]>('change the default channels', [channel, flag], (state, which, adds) =>
    withOne(state, 'channel', which, (stream_id) =>
      by(state, 'olga')[adds ? 'post' : 'delete']('/default_streams', { stream_id }),
    ),
  ),
  command<[]>(
    'create a folder',
    [],
    (state) =>
      by(state, 'olga').post('/channel_folders/create', {
        name: state.name(),
        description: '*Some*',
      }),
    (state, body) => state.note('folder', body.channel_folder_id),
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
    (state, which, change) =>
      withOne(state, 'folder', which, (id) =>
        by(state, 'olga').patch(`/channel_folders/${id}`, change),
      ),
  ),
  command<[]>('reorder the folders', [], async (state) => {
    const { body } = await by(state, 'olga').get('/channel_folders', { include_archived: true })
    const ids = (body.channel_folders as { id: number }[]).map(({ id }) => id)
    return by(state, 'olga').patch('/channel_folders', { order: ids.toReversed() })
  }),
] as const
