import { makeChannel } from '../channels.js'
import type { Client, Parameters } from '../client.js'
import type { HostCase } from '../host.js'
import {
  administrators,
  notPermitted,
  own,
  owners,
  unused,
  unusedNumber,
  type Call,
  type Example,
  type Examples,
  type Refused,
} from './example.js'

/** Operations for administrators of the channel or the organization. */
const ofChannel = {
  mona: 'channelAdministrators',
  alice: 'channelAdministrators',
  gus: 'channelAdministrators',
  bot: 'channelAdministrators',
} as const
const ofUnseenChannel = { ...ofChannel, gus: 'notVisible' } as const
/** A private channel of Alice and Bob; administrators can see that it exists. */
const ofVault = { mona: 'notVisible', gus: 'notVisible', bot: 'notVisible' } as const

/** Creates a public channel of Bob's. @returns its id. */
const bobsChannel = (at: HostCase, name = unused('of Bob ')): Promise<number> =>
  makeChannel(at.people.bob, name)

/** Creates a channel that the caller is subscribed to and can administer. @returns its id. */
async function ownChannel(at: HostCase, by: Client): Promise<number> {
  if (by.id === 0 || by.name === 'dora') return at.channels.design
  return makeChannel(at.people.bob, unused('own '), {
    subscribers: [by.id],
    can_administer_channel_group: { direct_members: [by.id], direct_subgroups: [] },
  })
}

const updateOwn =
  (params: (by: Client) => Parameters): Call =>
  async (at, by) =>
    by.patch(`/streams/${await ownChannel(at, by)}`, params(by))
/** Guests cannot administer channels, even if a setting includes them. */
const noGuests = { gus: 'channelAdministrators' } as const
/** Changes of such a channel, and who may not make them. */
const ownChanges: readonly [(by: Client) => Parameters, Refused][] = [
  [() => ({ message_retention_days: 3 }), { ...owners, ...noGuests }],
  [() => ({ is_default_stream: true }), { ...notPermitted, ...noGuests }],
  [() => ({ topics_policy: 'disable_empty_topic' }), noGuests],
  [
    ({ id }) => ({
      can_delete_any_message_group: { new: { direct_members: [id], direct_subgroups: [] } },
    }),
    { alice: 'notPermitted', bot: 'notPermitted', ...noGuests },
  ],
  [() => ({ is_private: true }), noGuests],
]
const inGeneral = (at: HostCase, topic = 'callers') => ({ stream_id: at.channels.general, topic })
const createChannel =
  (params: Parameters): Call =>
  (at, by) =>
    by.post('/channels/create', {
      name: unused('created '),
      subscribers: [at.people.bob.id],
      ...params,
    })
const folder = async ({ people }: HostCase): Promise<number> => {
  const { body } = await people.adam.post('/channel_folders/create', { name: unused('Folder ') })
  return body.channel_folder_id
}

const updateStream: Example = {
  call: (at, by) =>
    by.patch(`/streams/${at.channels.general}`, { description: unused('Description ') }),
  refused: ofChannel,
  audited: ['channel.updated'],
  others: [
    {
      call: async (at, by) =>
        by.patch(`/streams/${await bobsChannel(at)}`, { description: 'Other' }),
      refused: ofUnseenChannel,
    },
    {
      call: async (at, by) =>
        by.patch(`/streams/${await bobsChannel(at)}`, { message_retention_days: 3 }),
      refused: { ...ofUnseenChannel, adam: 'owners' },
    },
    ...ownChanges.map(([params, refused]) => ({ call: updateOwn(params), refused })),
  ],
}

export const channels: Examples = {
  'get-streams': { call: (_, by) => by.get('/streams') },
  'get-stream-by-id': {
    call: (at, by) => by.get(`/streams/${at.channels.general}`),
    others: [
      {
        call: (at, by) => by.get(`/streams/${at.channels.design}`),
        refused: { gus: 'notVisible' },
      },
      { call: (at, by) => by.get(`/streams/${at.channels.vault}`), refused: ofVault },
    ],
  },
  'get-stream-id': { call: (_, by) => by.get('/get_stream_id', { stream: 'general' }) },
  'get-subscribers': {
    call: (at, by) => by.get(`/streams/${at.channels.vault}/members`),
    refused: ofVault,
  },
  'get-stream-topics': {
    call: (at, by) => by.get(`/users/me/${at.channels.general}/topics`),
    others: [
      {
        call: (at, by) => by.get(`/users/me/${at.channels.vault}/topics`),
        // Administrators can see that the channel exists, but not read its messages.
        refused: { ...ofVault, olga: 'notVisible', adam: 'notVisible' },
      },
    ],
  },
  'get-subscriptions': {
    call: (_, by) => by.get('/users/me/subscriptions', { include_subscribers: 'true' }),
  },
  'get-subscription-status': {
    call: (at, by) => by.get(`/users/${at.people.bob.id}/subscriptions/${at.channels.general}`),
  },
  'get-stream-email-address': {
    call: (at, by) => by.get(`/streams/${at.channels.general}/email_address`),
  },
  'create-channel': {
    call: createChannel({}),
    refused: { gus: 'noGuests' },
    audited: ['channel.created', 'channel.subscriber_added'],
    others: [{ call: createChannel({ invite_only: true }), refused: { gus: 'noGuests' } }],
  },
  subscribe: {
    call: async (at, by) => {
      const names = [unused('of Bob '), unused('new ')]
      await bobsChannel(at, names[0])
      const subscriptions = names.map((name) => ({ name }))
      return by.post('/users/me/subscriptions', { subscriptions, principals: [at.people.carol.id] })
    },
    refused: { gus: 'noGuests' },
    audited: ['channel.created', 'channel.subscriber_added'],
    others: [
      {
        call: (_, by) =>
          by.post('/users/me/subscriptions', { subscriptions: [{ name: 'design' }] }),
        refused: { gus: 'noGuests' },
      },
    ],
  },
  unsubscribe: {
    call: async (at, by) => {
      const { bob, carol, gus } = at.people
      const name = unused('left ')
      await makeChannel(bob, name, { subscribers: [carol.id, gus.id] })
      return by.delete('/users/me/subscriptions', { subscriptions: [name], principals: [carol.id] })
    },
    refused: notPermitted,
    audited: ['channel.subscriber_removed'],
    others: [
      { call: (_, by) => by.delete('/users/me/subscriptions', { subscriptions: ['general'] }) },
    ],
  },
  'update-subscriptions': {
    call: (_, by) => by.patch('/users/me/subscriptions', { add: [{ name: unused('added ') }] }),
    refused: { gus: 'noGuests' },
    audited: ['channel.created'],
    others: [{ call: (_, by) => by.patch('/users/me/subscriptions', { delete: ['general'] }) }],
  },
  'update-subscription-settings': {
    call: (at, by) => {
      const value = unusedNumber() % 2 === 0
      const item = { stream_id: at.channels.general, property: 'is_muted', value }
      return by.post('/users/me/subscriptions/properties', { subscription_data: [item] })
    },
    audited: own,
  },
  'update-stream': updateStream,
  'archive-stream': {
    call: async (at, by) => by.delete(`/streams/${await bobsChannel(at)}`),
    refused: ofUnseenChannel,
    audited: ['channel.archived'],
  },
  'add-default-stream': {
    call: async ({ people, channels: { general } }, by) => {
      await people.olga.delete('/default_streams', { stream_id: general })
      return by.post('/default_streams', { stream_id: general })
    },
    refused: administrators,
    audited: ['channel.updated'],
  },
  'remove-default-stream': {
    call: async ({ people, channels: { general } }, by) => {
      await people.olga.post('/default_streams', { stream_id: general })
      return by.delete('/default_streams', { stream_id: general })
    },
    refused: administrators,
    audited: ['channel.updated'],
  },
  'update-user-topic': {
    call: (at, by) => by.post('/user_topics', { ...inGeneral(at), visibility_policy: 3 }),
    audited: own,
  },
  'mute-topic': {
    call: (at, by) =>
      by.patch('/users/me/subscriptions/muted_topics', {
        ...inGeneral(at, unused('muted ')),
        op: 'add',
      }),
    audited: own,
  },
  'get-channel-folders': { call: (_, by) => by.get('/channel_folders') },
  'create-channel-folder': {
    call: (_, by) => by.post('/channel_folders/create', { name: unused('Folder ') }),
    refused: administrators,
    audited: ['channel_folder.created'],
  },
  'update-channel-folder': {
    call: async (at, by) =>
      by.patch(`/channel_folders/${await folder(at)}`, { description: 'Other' }),
    refused: administrators,
    audited: ['channel_folder.updated'],
  },
  'patch-channel-folders': {
    call: async (at, by) => {
      for (const _ of [1, 2]) await folder(at)
      const { body } = await at.people.adam.get('/channel_folders')
      const ids = (body.channel_folders as { id: number }[]).map(({ id }) => id)
      return by.patch('/channel_folders', { order: ids.toReversed() })
    },
    refused: administrators,
    audited: ['channel_folder.reordered'],
  },
}
