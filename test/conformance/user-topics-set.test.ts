import assert from 'node:assert/strict'
import { it } from 'node:test'

import { hearing } from '../support/channels.js'
import type { Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const all = {}
const bare = { event_types: ['muted_topics'] }

everyHost('update-user-topic', (at) => {
  const set = (client: Client, stream_id: number, topic: string, visibility_policy: unknown) =>
    client.post('/user_topics', { stream_id, topic, visibility_policy })

  it('stores each policy and sends the events only to the user, the deprecated event first', async () => {
    const { alice, bob } = at.people
    const { design } = at.channels
    const received = await hearing(
      { alice, bob },
      async () => {
        assert.deepEqual((await set(bob, design, ' logo ', 1)).body, bareSuccess)
        await set(bob, design, 'LOGO', 3)
      },
      all,
    )

    const last_updated = at.clock.seconds
    assert.deepEqual(withoutIds(received.bob), [
      { type: 'muted_topics', muted_topics: [['design', 'logo', last_updated]] },
      {
        type: 'user_topic',
        stream_id: design,
        topic_name: 'logo',
        last_updated,
        visibility_policy: 1,
      },
      { type: 'muted_topics', muted_topics: [] },
      {
        type: 'user_topic',
        stream_id: design,
        topic_name: 'logo',
        last_updated,
        visibility_policy: 3,
      },
    ])
    assert.deepEqual(received.alice, [])
  })

  it('sends no event if nothing changes, and deletes the policy on 0', async () => {
    const { carol } = at.people
    const { design } = at.channels
    await set(carol, design, 'one', 2)
    const received = await hearing(
      { carol },
      async () => {
        await set(carol, design, 'ONE', 2)
        await set(carol, design, 'never set', 0)
        await set(carol, design, 'One', 0)
      },
      { event_types: ['user_topic', 'muted_topics'] },
    )

    assert.deepEqual(withoutIds(received.carol), [
      {
        type: 'user_topic',
        stream_id: design,
        topic_name: 'one',
        last_updated: at.clock.seconds,
        visibility_policy: 0,
      },
    ])
    const snapshot = (await carol.post('/register', { fetch_event_types: ['user_topic'] })).body
    assert.deepEqual(snapshot.user_topics, [])
  })

  it('returns each policy in user_topics, and muted topics in the deprecated list of the snapshot', async () => {
    const { alice } = at.people
    const { design, general } = at.channels
    await set(alice, design, 'quiet', 1)
    await set(alice, general, '', 3)

    const register = async (params: Record<string, unknown>) =>
      (await alice.post('/register', params)).body
    const [both, modern, legacy] = [
      await register({ fetch_event_types: ['user_topic', 'muted_topics'] }),
      await register({
        fetch_event_types: ['user_topic'],
        client_capabilities: { notification_settings_null: true, empty_topic_name: true },
      }),
      await register({ fetch_event_types: ['muted_topics'] }),
    ]

    const last_updated = at.clock.seconds
    const quiet = { stream_id: design, topic_name: 'quiet', last_updated, visibility_policy: 1 }
    const followed = { stream_id: general, topic_name: '', last_updated, visibility_policy: 3 }
    const byTopic = (list: { topic_name: string }[]) =>
      list.sort((a, b) => (a.topic_name < b.topic_name ? -1 : 1))
    assert.deepEqual(byTopic(modern.user_topics), [followed, quiet])
    assert.deepEqual(byTopic(both.user_topics), [
      { ...followed, topic_name: 'general chat' },
      quiet,
    ])
    assert.equal('muted_topics' in both, false)
    assert.deepEqual(legacy.muted_topics, [['design', 'quiet', last_updated]])
    assert.equal('user_topics' in legacy, false)
  })

  it('returns the empty topic by its display name to clients that do not support it', async () => {
    const { mona } = at.people
    const aware = await mona.listen({
      event_types: ['user_topic'],
      client_capabilities: { notification_settings_null: true, empty_topic_name: true },
    })
    const received = await hearing(
      { mona },
      () => set(mona, at.channels.general, 'general chat', 1),
      {
        event_types: ['user_topic'],
      },
    )

    assert.equal(received.mona[0]?.['topic_name'], 'general chat')
    assert.equal((await aware.drain())[0]?.['topic_name'], '')
  })

  it('requires an accessible channel, or for 0 one with a policy to delete', async () => {
    const { bob, gus } = at.people

    assertRefused(await set(bob, at.channels.secret, 'x', 1), 'Invalid channel ID')
    assertRefused(await set(bob, at.unknownId, 'x', 1), 'Invalid channel ID')
    assertRefused(await set(bob, at.unknownId, 'x', 0), 'Invalid channel ID')
    assertRefused(await set(gus, at.channels.design, 'x', 2), 'Invalid channel ID')
    assertRefused(await set(bob, at.channels.secret, 'x', 0), 'Invalid channel ID')
  })

  it('validates the topic and the policy', async () => {
    const { bob } = at.people
    const { design } = at.channels

    assertRefused(
      await set(bob, design, 't'.repeat(61), 1),
      'topic is too long (limit: 60 characters)',
    )
    assertRefused(
      await set(bob, design, 'x', 4),
      'Invalid visibility_policy: Value error, Not in the list of possible values',
    )
    assertRefused(await set(bob, design, 'x', '"1"'), 'visibility_policy is not an integer')
    assertRefused(
      await bob.post('/user_topics', { stream_id: design, visibility_policy: 1 }),
      "Missing 'topic' argument",
      { code: 'REQUEST_VARIABLE_MISSING', var_name: 'topic' },
    )
  })
})

everyHost('mute-topic', (at) => {
  const mute = (client: Client, params: Record<string, unknown>) =>
    client.patch('/users/me/subscriptions/muted_topics', { topic: 'noise', ...params })

  it('mutes and unmutes by id or name, without an event if nothing changes', async () => {
    const { bob } = at.people
    const received = await hearing(
      { bob },
      async () => {
        await mute(bob, { stream_id: at.channels.design, op: 'add' })
        await mute(bob, { stream: 'Design', op: 'add' })
        await mute(bob, { stream: 'design', op: 'remove' })
        assert.deepEqual((await mute(bob, { stream: 'design', op: 'remove' })).body, bareSuccess)
      },
      bare,
    )

    assert.deepEqual(
      received.bob.map((event) => event['muted_topics']),
      [[['design', 'noise', at.clock.seconds]], []],
    )
  })

  it('does not delete the policy of a followed topic', async () => {
    const { carol } = at.people
    await carol.post('/user_topics', {
      stream_id: at.channels.design,
      topic: 'noise',
      visibility_policy: 3,
    })

    const received = await hearing(
      { carol },
      () => mute(carol, { stream: 'design', op: 'remove' }),
      all,
    )

    assert.deepEqual(received.carol, [])
  })

  it('requires exactly one reference to an accessible channel', async () => {
    const { bob } = at.people

    assertRefused(await mute(bob, { op: 'add' }), "Missing 'stream_id' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'stream_id',
    })
    assertRefused(
      await mute(bob, { op: 'add', stream: 'design', stream_id: at.channels.design }),
      'Unsupported parameter combination: stream_id, stream',
      { parameters: 'stream_id, stream' },
    )
    assertRefused(await mute(bob, { op: 'add', stream: 'no' }), "Invalid channel name 'no'")
    assertRefused(
      await mute(bob, { op: 'add', stream_id: at.channels.secret }),
      'Invalid channel ID',
    )
    assertRefused(await mute(bob, { op: 'toggle', stream: 'design' }), 'Invalid op')
    assertRefused(
      await mute(bob, { op: 'add', stream: 'design', topic: 't'.repeat(61) }),
      'topic is too long (limit: 60 characters)',
    )
  })
})
