import { everyCaller } from '../support/callers.js'
import { makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import type { HostCase } from '../support/host.js'

const administrators = {
  mona: 'administrators',
  alice: 'administrators',
  gus: 'administrators',
  bot: 'administrators',
} as const
/** Operations for administrators of the channel or the organization. */
const ofChannel = {
  mona: 'channelAdministrators',
  alice: 'channelAdministrators',
  gus: 'notVisible',
  bot: 'channelAdministrators',
} as const
const notPermitted = {
  mona: 'notPermitted',
  alice: 'notPermitted',
  gus: 'notPermitted',
  bot: 'notPermitted',
} as const

/** Creates a public channel of Bob's for the caller to act on. @returns its id. */
const bobsChannel = (at: HostCase, by: Client): Promise<number> =>
  makeChannel(at.people.bob, `for ${by.name}`)

everyCaller('get-streams', (_, by) => by.get('/streams'))
everyCaller('get-stream-by-id', (at, by) => by.get(`/streams/${at.channels.general}`))
everyCaller('get-stream-by-id', (at, by) => by.get(`/streams/${at.channels.design}`), {
  gus: 'notVisible',
})
everyCaller('get-stream-by-id', (at, by) => by.get(`/streams/${at.channels.vault}`), {
  mona: 'notVisible',
  gus: 'notVisible',
  bot: 'notVisible',
})
everyCaller('get-stream-id', (_, by) => by.get('/get_stream_id', { stream: 'general' }))
everyCaller('get-subscribers', (at, by) => by.get(`/streams/${at.channels.vault}/members`), {
  mona: 'notVisible',
  gus: 'notVisible',
  bot: 'notVisible',
})
everyCaller(
  'get-stream-topics',
  (at, by) => by.get(`/users/me/${at.channels.vault}/topics`),
  // Administrators can see that the channel exists, but not read its messages.
  {
    olga: 'notVisible',
    adam: 'notVisible',
    mona: 'notVisible',
    gus: 'notVisible',
    bot: 'notVisible',
  },
)
everyCaller('get-subscriptions', (_, by) => by.get('/users/me/subscriptions'))
everyCaller('get-subscription-status', (at, by) =>
  by.get(`/users/${at.people.bob.id}/subscriptions/${at.channels.general}`),
)
everyCaller('get-stream-email-address', (at, by) =>
  by.get(`/streams/${at.channels.general}/email_address`),
)

for (const kind of [{}, { invite_only: true }]) {
  everyCaller(
    'create-channel',
    (_, by) => by.post('/channels/create', { name: `of ${by.name}`, subscribers: [], ...kind }),
    { gus: 'noGuests' },
  )
}
everyCaller(
  'subscribe',
  (_, by) => by.post('/users/me/subscriptions', { subscriptions: [{ name: 'design' }] }),
  { gus: 'noGuests' },
)
everyCaller(
  'subscribe',
  async (at, by) => {
    await bobsChannel(at, by)
    const subscriptions = [{ name: `for ${by.name}` }]
    return by.post('/users/me/subscriptions', { subscriptions, principals: [at.people.carol.id] })
  },
  { gus: 'noGuests' },
)
everyCaller('unsubscribe', (_, by) =>
  by.delete('/users/me/subscriptions', { subscriptions: ['general'] }),
)
everyCaller(
  'unsubscribe',
  async (at, by) => {
    await makeChannel(at.people.bob, `for ${by.name}`, {
      subscribers: [at.people.carol.id, at.people.gus.id],
    })
    const subscriptions = [`for ${by.name}`]
    return by.delete('/users/me/subscriptions', { subscriptions, principals: [at.people.carol.id] })
  },
  notPermitted,
)
everyCaller('update-subscriptions', (_, by) =>
  by.patch('/users/me/subscriptions', { delete: ['general'] }),
)
everyCaller('update-subscription-settings', (at, by) => {
  const item = { stream_id: at.channels.general, property: 'is_muted', value: true }
  return by.post('/users/me/subscriptions/properties', { subscription_data: [item] })
})

everyCaller(
  'update-stream',
  async (at, by) => by.patch(`/streams/${await bobsChannel(at, by)}`, { description: 'Other' }),
  ofChannel,
)
everyCaller(
  'update-stream',
  (at, by) => by.patch(`/streams/${at.channels.general}`, { description: `Of ${by.name}` }),
  { ...ofChannel, gus: 'channelAdministrators' },
)
everyCaller(
  'update-stream',
  async (at, by) =>
    by.patch(`/streams/${await bobsChannel(at, by)}`, { message_retention_days: 3 }),
  { ...ofChannel, adam: 'owners' },
)
everyCaller(
  'update-stream',
  async (at, by) => by.patch(`/streams/${await ownChannel(at, by)}`, { message_retention_days: 3 }),
  {
    adam: 'owners',
    mona: 'owners',
    alice: 'owners',
    // Guests cannot administer channels, even if a setting includes them.
    gus: 'channelAdministrators',
    bot: 'owners',
  },
)
everyCaller(
  'update-stream',
  async (at, by) => by.patch(`/streams/${await ownChannel(at, by)}`, { is_default_stream: true }),
  { ...notPermitted, gus: 'channelAdministrators' },
)
everyCaller(
  'update-stream',
  async (at, by) =>
    by.patch(`/streams/${await ownChannel(at, by)}`, { topics_policy: 'disable_empty_topic' }),
  { gus: 'channelAdministrators' },
)
everyCaller(
  'update-stream',
  async (at, by) => {
    const change = { direct_members: [by.id], direct_subgroups: [] }
    return by.patch(`/streams/${await ownChannel(at, by)}`, {
      can_delete_any_message_group: { new: change },
    })
  },
  { alice: 'notPermitted', gus: 'channelAdministrators', bot: 'notPermitted' },
)
everyCaller(
  'update-stream',
  async (at, by) => by.patch(`/streams/${await ownChannel(at, by)}`, { is_private: true }),
  { gus: 'channelAdministrators' },
)

/** Creates a channel that the caller is subscribed to and can administer. @returns its id. */
async function ownChannel(at: HostCase, by: Client): Promise<number> {
  if (by === at.nobody || by === at.people.dora) return at.channels.design
  return makeChannel(at.people.bob, `of ${by.name}`, {
    subscribers: [by.id],
    can_administer_channel_group: { direct_members: [by.id], direct_subgroups: [] },
  })
}

everyCaller(
  'archive-stream',
  async (at, by) => by.delete(`/streams/${await bobsChannel(at, by)}`),
  ofChannel,
)
everyCaller(
  'add-default-stream',
  (at, by) => by.post('/default_streams', { stream_id: at.channels.design }),
  administrators,
)
everyCaller(
  'remove-default-stream',
  (at, by) => by.delete('/default_streams', { stream_id: at.channels.general }),
  administrators,
)
everyCaller(
  'delete-topic',
  (at, by) => by.post(`/streams/${at.channels.general}/delete_topic`, { topic_name: 'none' }),
  administrators,
)

everyCaller('get-channel-folders', (_, by) => by.get('/channel_folders'))
everyCaller(
  'create-channel-folder',
  (_, by) => by.post('/channel_folders/create', { name: `Of ${by.name}` }),
  administrators,
)
everyCaller(
  'update-channel-folder',
  async (at, by) => {
    const { body } = await at.people.adam.post('/channel_folders/create', { name: by.name })
    return by.patch(`/channel_folders/${body.channel_folder_id}`, { description: 'Other' })
  },
  administrators,
)
everyCaller(
  'patch-channel-folders',
  (_, by) => by.patch('/channel_folders', { order: [] }),
  administrators,
)
