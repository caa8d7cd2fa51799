import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyAudienceOf } from '../support/audience-table.js'
import { each, everybody, everybodyBut } from '../support/audiences.js'
import { makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import type { ListenOptions } from '../support/event-feed.js'
import { makeGroup } from '../support/groups.js'
import { everyHost, type HostCase } from '../support/host.js'

/** A public channel of Alice and Bob. */
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

everyAudienceOf('clients that have not said what they can do', [
  {
    who: 'those who see it, by old clients once for each message, where a topic is deleted',
    prepare: async (at) => {
      const { olga, alice } = at.people
      const id = await channelOf(at, 'deleting')
      for (const text of ['One', 'Two']) await alice.say(id, 'leaf', text)
      return () => olga.post(`/streams/${id}/delete_topic`, { topic_name: 'leaf' })
    },
    // Alice has followed the topic since she wrote there.
    heard: {
      ...each(['olga', 'bob'], 'delete_message'),
      alice: ['delete_message', 'muted_topics', 'user_topic'],
    },
    heardByOldClients: {
      ...each(['olga', 'bob'], 'delete_message', 'delete_message'),
      alice: ['delete_message', 'delete_message', 'muted_topics', 'user_topic'],
    },
  },
  {
    who: 'all but guests, by old clients as of a channel that is gone, where one is archived',
    prepare: async (at) => {
      const id = await channelOf(at, 'archiving')
      return () => at.people.olga.delete(`/streams/${id}`)
    },
    heard: {
      ...everybodyBut(['gus'], 'stream/update:is_archived'),
      ...each(['alice', 'bob'], 'stream/update:is_archived', 'message'),
    },
    heardByOldClients: {
      ...everybodyBut(['gus'], 'stream/delete'),
      ...each(['alice', 'bob'], 'stream/delete', 'message'),
    },
  },
  {
    who: 'all but guests, by no old client, where an archived channel changes',
    prepare: async (at) => {
      const id = await archivedChannel(at, 'archived')
      return () => at.people.olga.patch(`/streams/${id}`, { message_retention_days: 5 })
    },
    heard: everybodyBut(['gus'], 'stream/update:message_retention_days'),
    heardByOldClients: {},
  },
  {
    who: 'all but guests, by old clients as of a new channel, where one is brought back',
    prepare: async (at) => {
      const id = await archivedChannel(at, 'returning')
      return () => at.people.olga.patch(`/streams/${id}`, { is_archived: false })
    },
    heard: {
      ...everybodyBut(['gus'], 'stream/update:is_archived'),
      ...each(['alice', 'bob'], 'stream/update:is_archived', 'message'),
    },
    heardByOldClients: {
      ...everybodyBut(['gus'], 'stream/create', 'subscription/peer_add'),
      ...each(['alice', 'bob'], 'stream/create', 'subscription/add', 'message'),
    },
  },
  {
    who: 'all, by old clients as of a group that is gone, where one is deactivated',
    prepare: async (at) => {
      const id = await makeGroup(at.people.alice, 'leaves')
      return () => at.people.alice.post(`/user_groups/${id}/deactivate`)
    },
    heard: everybody('user_group/update'),
    heardByOldClients: everybody('user_group/remove'),
  },
  {
    who: 'all, by no old client, where a deactivated group gets another name',
    prepare: async (at) => {
      const id = await deactivatedGroup(at, 'twigs')
      return () => at.people.alice.patch(`/user_groups/${id}`, { name: 'branches' })
    },
    heard: everybody('user_group/update'),
    heardByOldClients: {},
  },
  {
    who: 'all, by old clients as of a new group, where one is brought back',
    prepare: async (at) => {
      const id = await deactivatedGroup(at, 'roots')
      return () => at.people.alice.patch(`/user_groups/${id}`, { deactivated: false })
    },
    heard: everybody('user_group/update'),
    heardByOldClients: everybody('user_group/add'),
  },
  {
    who: "the user's own clients, by old ones twice, where a setting changes",
    prepare:
      ({ people: { alice } }) =>
      () =>
        alice.patch('/settings', { color_scheme: 2 }),
    heard: { alice: ['user_settings/update:color_scheme'] },
    heardByOldClients: { alice: ['user_settings/update:color_scheme', 'update_display_settings'] },
  },
  {
    who: "the user's own clients, by old ones twice, where a notification setting changes",
    prepare:
      ({ people: { gus } }) =>
      () =>
        gus.patch('/settings', { enable_sounds: false }),
    heard: { gus: ['user_settings/update:enable_sounds'] },
    heardByOldClients: {
      gus: ['user_settings/update:enable_sounds', 'update_global_notifications'],
    },
  },
  {
    who: 'all but old clients, where it is about linkifiers',
    prepare:
      ({ people: { olga } }) =>
      () =>
        olga.post('/realm/filters', {
          pattern: 'N(?P<n>[0-9]+)',
          url_template: 'https://l.example/{n}',
        }),
    heard: everybody('realm_linkifiers'),
    heardByOldClients: {},
  },
  {
    who: 'the subscribers, by no old client, where somebody writes in a channel',
    prepare:
      ({ people: { alice }, channels }) =>
      () =>
        alice.post('/typing', {
          op: 'start',
          type: 'stream',
          stream_id: channels.design,
          topic: 'leaf',
        }),
    heard: each(['alice', 'bob'], 'typing/start'),
    heardByOldClients: {},
  },
  {
    who: 'the participants, by old clients too, where somebody writes to them',
    prepare:
      ({ people: { alice, gus } }) =>
      () =>
        alice.post('/typing', { op: 'start', to: [gus.id] }),
    heard: each(['alice', 'gus'], 'typing/start'),
    heardByOldClients: each(['alice', 'gus'], 'typing/start'),
  },
])

/** The topics of what a client hears, each behind the kind of event that names it. */
async function topicsHeard(
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
      return details.map(({ topic }: { topic: string }) => [type, topic])
    }
    if (type === 'muted_topics') return [[type, event['muted_topics'][0]?.[1]]]
    return [[type, event['topic_name'] ?? event['topic']]]
  })
}

everyHost('clients that have not said what they can do', (at) => {
  it('get a name in place of every empty topic', async () => {
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
    // The text of a deleted message is removed from the log, so it is read before.
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

    const modern = await topicsHeard(
      alice,
      { client_capabilities: { ...capable, empty_topic_name: true } },
      act,
      remove,
    )
    const between = await topicsHeard(alice, { client_capabilities: capable }, act, remove)
    const old = await topicsHeard(alice, {}, act, remove)

    assert.deepEqual(modern, namedBy('', ['typing', '']))
    const fallback = 'general chat'
    assert.deepEqual(between, namedBy(fallback, ['typing', fallback]))
    assert.deepEqual(old, namedBy(fallback))
  })
})
