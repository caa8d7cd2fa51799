import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyAudienceOf } from '../support/audience-table.js'
import { each, everybody, everybodyBut } from '../support/audiences.js'
import { makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import type { ListenOptions } from '../support/event-feed.js'
import { makeGroup } from '../support/groups.js'
import { everyHost, type HostCase } from '../support/host.js'

/** Creates a public channel of Alice and Bob. */
const channelOf = ({ people: { olga, alice, bob } }: HostCase, name: string): Promise<number> =>
  makeChannel(olga, name, { subscribers: [alice.id, bob.id] })

async function archivedChannel(at: HostCase, name: string): Promise<number> {
  const id = await channelOf(at, name)
  await at.people.olga.delete(`/streams/${id}`)
  return id
}

async function deactivatedGroup({ people: { alice } }: HostCase, name: string): Promise<number> {
  const id = await makeGroup(alice, name)
  await alice.post(`/user_groups/${id}/deactivate`)
  return id
}

everyAudienceOf('clients without client_capabilities', [
  {
    who: 'users with access, and to old clients once per message, if a topic is deleted',
    prepare: async (at) => {
      const { olga, alice } = at.people
      const id = await channelOf(at, 'deleting')
      for (const text of ['One', 'Two']) await alice.say(id, 'leaf', text)
      return () => olga.post(`/streams/${id}/delete_topic`, { topic_name: 'leaf' })
    },
    // Alice follows the topic because she has posted there.
    events: {
      ...each(['olga', 'bob'], 'delete_message'),
      alice: ['delete_message', 'muted_topics', 'user_topic'],
    },
    oldClientEvents: {
      ...each(['olga', 'bob'], 'delete_message', 'delete_message'),
      alice: ['delete_message', 'delete_message', 'muted_topics', 'user_topic'],
    },
  },
  {
    who: 'all users except guests, and to old clients as a deletion, if a channel is archived',
    prepare: async (at) => {
      const id = await channelOf(at, 'archiving')
      return () => at.people.olga.delete(`/streams/${id}`)
    },
    events: {
      ...everybodyBut(['gus'], 'stream/update:is_archived'),
      ...each(['alice', 'bob'], 'stream/update:is_archived', 'message'),
    },
    oldClientEvents: {
      ...everybodyBut(['gus'], 'stream/delete'),
      ...each(['alice', 'bob'], 'stream/delete', 'message'),
    },
  },
  {
    who: 'all users except guests, and not to old clients, if an archived channel changes',
    prepare: async (at) => {
      const id = await archivedChannel(at, 'archived')
      return () => at.people.olga.patch(`/streams/${id}`, { message_retention_days: 5 })
    },
    events: everybodyBut(['gus'], 'stream/update:message_retention_days'),
    oldClientEvents: {},
  },
  {
    who: 'all users except guests, and to old clients as a new channel, if a channel is unarchived',
    prepare: async (at) => {
      const id = await archivedChannel(at, 'returning')
      return () => at.people.olga.patch(`/streams/${id}`, { is_archived: false })
    },
    events: {
      ...everybodyBut(['gus'], 'stream/update:is_archived'),
      ...each(['alice', 'bob'], 'stream/update:is_archived', 'message'),
    },
    oldClientEvents: {
      ...everybodyBut(['gus'], 'stream/create', 'subscription/peer_add'),
      ...each(['alice', 'bob'], 'stream/create', 'subscription/add', 'message'),
    },
  },
  {
    who: 'all users, and to old clients as a removal, if a group is deactivated',
    prepare: async (at) => {
      const id = await makeGroup(at.people.alice, 'leaves')
      return () => at.people.alice.post(`/user_groups/${id}/deactivate`)
    },
    events: everybody('user_group/update'),
    oldClientEvents: everybody('user_group/remove'),
  },
  {
    who: 'all users, and not to old clients, if a deactivated group is renamed',
    prepare: async (at) => {
      const id = await deactivatedGroup(at, 'twigs')
      return () => at.people.alice.patch(`/user_groups/${id}`, { name: 'branches' })
    },
    events: everybody('user_group/update'),
    oldClientEvents: {},
  },
  {
    who: 'all users, and to old clients as a new group, if a group is reactivated',
    prepare: async (at) => {
      const id = await deactivatedGroup(at, 'roots')
      return () => at.people.alice.patch(`/user_groups/${id}`, { deactivated: false })
    },
    events: everybody('user_group/update'),
    oldClientEvents: everybody('user_group/add'),
  },
  {
    who: "the user's own clients, and to old ones twice, if a display setting changes",
    prepare:
      ({ people: { alice } }) =>
      () =>
        alice.patch('/settings', { color_scheme: 2 }),
    events: { alice: ['user_settings/update:color_scheme'] },
    oldClientEvents: { alice: ['user_settings/update:color_scheme', 'update_display_settings'] },
  },
  {
    who: "the user's own clients, and to old ones twice, if a notification setting changes",
    prepare:
      ({ people: { gus } }) =>
      () =>
        gus.patch('/settings', { enable_sounds: false }),
    events: { gus: ['user_settings/update:enable_sounds'] },
    oldClientEvents: {
      gus: ['user_settings/update:enable_sounds', 'update_global_notifications'],
    },
  },
  {
    who: 'all users, and not to old clients, if linkifiers change',
    prepare:
      ({ people: { olga } }) =>
      () =>
        olga.post('/realm/filters', {
          pattern: 'N(?P<n>[0-9]+)',
          url_template: 'https://l.example/{n}',
        }),
    events: everybody('realm_linkifiers'),
    oldClientEvents: {},
  },
  {
    who: 'the subscribers, and not to old clients, if a user types in a channel',
    prepare:
      ({ people: { alice }, channels }) =>
      () =>
        alice.post('/typing', {
          op: 'start',
          type: 'stream',
          stream_id: channels.design,
          topic: 'leaf',
        }),
    events: each(['alice', 'bob'], 'typing/start'),
    oldClientEvents: {},
  },
  {
    who: 'the participants, old clients included, if a user types a direct message',
    prepare:
      ({ people: { alice, gus } }) =>
      () =>
        alice.post('/typing', { op: 'start', to: [gus.id] }),
    events: each(['alice', 'gus'], 'typing/start'),
    oldClientEvents: each(['alice', 'gus'], 'typing/start'),
  },
])

/** Topics in the events that a client receives, each with the type of the event. */
async function topicsInEvents(
  client: Client,
  options: ListenOptions,
  ...acts: readonly (() => Promise<void>)[]
) {
  const feed = await client.listen(options)
  const events: Awaited<ReturnType<typeof feed.drain>>[number][] = []
  for (const act of acts) {
    await act()
    events.push(...(await feed.drain()))
  }
  return events.flatMap(({ type, ...event }): [string, unknown][] => {
    if (type === 'message') return [[type, event['message'].subject]]
    if (type === 'update_message') return [[type, [event['orig_subject'], event['subject']]]]
    if (type === 'update_message_flags') {
      const details = Object.values((event['message_details'] ?? {}) as object)
      return details.map(({ topic }) => [type, topic])
    }
    if (type === 'muted_topics') return [[type, event['muted_topics'][0]?.[1]]]
    return [[type, event['topic_name'] ?? event['topic']]]
  })
}

everyHost('clients without client_capabilities', (at) => {
  it('receive a display name in place of every empty topic', async () => {
    const { alice, bob } = at.people
    const channelId = await channelOf(at, 'without topics')
    const place = { stream_id: channelId, topic: '' }
    let id = 0
    const act = async (): Promise<void> => {
      id = await bob.say(channelId, '', 'Hi')
      for (const op of ['add', 'remove']) {
        await alice.post('/messages/flags', { messages: [id], op, flag: 'read' })
      }
      await alice.post('/user_topics', { ...place, visibility_policy: 1 })
      await alice.post('/user_topics', { ...place, visibility_policy: 0 })
      await bob.post('/typing', { op: 'start', type: 'stream', ...place })
      const silent = { send_notification_to_new_thread: false }
      await bob.patch(`/messages/${id}`, { topic: 'leaf', ...silent })
      await bob.patch(`/messages/${id}`, { topic: '', ...silent })
    }
    // The content of a deleted message is removed from the log, so events are read before.
    const remove = async (): Promise<void> => {
      await at.people.olga.delete(`/messages/${id}`)
    }
    const capable = { notification_settings_null: true, stream_typing_notifications: true }
    const namedBy = (name: string, ...typing: [string, string][]) => [
      ['message', name],
      ['update_message_flags', name],
      ['muted_topics', name],
      ['user_topic', name],
      ['muted_topics', undefined],
      ['user_topic', name],
      ...typing,
      ['update_message', [name, 'leaf']],
      ['update_message', ['leaf', name]],
      ['delete_message', name],
    ]

    const modern = await topicsInEvents(
      alice,
      { client_capabilities: { ...capable, empty_topic_name: true } },
      act,
      remove,
    )
    const partlyCapable = await topicsInEvents(alice, { client_capabilities: capable }, act, remove)
    const old = await topicsInEvents(alice, {}, act, remove)

    assert.deepEqual(modern, namedBy('', ['typing', '']))
    const fallback = 'general chat'
    assert.deepEqual(partlyCapable, namedBy(fallback, ['typing', fallback]))
    assert.deepEqual(old, namedBy(fallback))
  })
})
