import assert from 'node:assert/strict'
import { it } from 'node:test'

import { makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import { everyHost } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'

everyHost('get-stream-topics', (at) => {
  const topics = async (client: Client, channelId: number, params: Record<string, unknown> = {}) =>
    (await client.get(`/users/me/${channelId}/topics`, params)).body.topics as unknown

  it('lists topics by their newest message, with its spelling', async () => {
    const { alice, carol } = at.people
    const { design } = at.channels
    await alice.say(design, 'Colors', 'one')
    const shapes = await alice.say(design, 'shapes', 'two')
    const colors = await alice.say(design, 'COLORS', 'three')

    assert.deepEqual(await topics(carol, design), [
      { name: 'COLORS', max_id: colors },
      { name: 'shapes', max_id: shapes },
    ])
  })

  it('treats precomposed and decomposed letters as equal', async () => {
    const { alice, carol, olga } = at.people
    const [composed, decomposed] = ['Caf\u00e9', 'Cafe\u0301']
    const channelId = await makeChannel(olga, composed, { subscribers: [alice.id, carol.id] })
    await alice.say(channelId, composed, 'one')
    const id = await alice.say(channelId, decomposed, 'two')
    const narrow = [
      { operator: 'channel', operand: decomposed },
      { operator: 'topic', operand: composed },
    ]

    const listed = await topics(carol, channelId)
    const fetched = await carol.get('/messages', {
      narrow,
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
    })
    const byName = await carol.get('/get_stream_id', { stream: decomposed })

    assert.deepEqual(
      (listed as { name: string; max_id: number }[]).filter(({ max_id }) => max_id === id).length,
      1,
    )
    assert.equal(
      (listed as { name: string }[]).filter(({ name }) => name.normalize('NFC') === composed)
        .length,
      1,
    )
    assert.equal(fetched.body.messages.length, 2, fetched.text)
    assert.equal(byName.body.stream_id, channelId)
  })

  it('returns the empty topic by its display name to clients that do not support it', async () => {
    const { alice } = at.people
    const { window } = at.channels
    const id = await alice.say(window, '', 'one')

    assert.deepEqual(await topics(alice, window), [{ name: 'general chat', max_id: id }])
    assert.deepEqual(await topics(alice, window, { allow_empty_topic_name: true }), [
      { name: '', max_id: id },
    ])
  })

  it('includes topics from before the subscription only if the history is shared', async () => {
    const { alice, bob, carol } = at.people
    const join = (name: string) =>
      alice.post('/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: [carol.id],
      })
    const shared = await alice.say(at.channels.secret, 'old', 'one')
    await bob.say(at.channels.vault, 'old', 'one')
    await join('secret')
    await join('vault')
    const newest = await bob.say(at.channels.vault, 'new', 'two')

    assert.deepEqual(await topics(carol, at.channels.secret), [{ name: 'old', max_id: shared }])
    assert.deepEqual(await topics(carol, at.channels.vault), [{ name: 'new', max_id: newest }])
  })

  it('lists topics of archived channels, and an empty list without messages', async () => {
    const { adam, bob } = at.people
    const id = await makeChannel(adam, 'mute')

    assert.deepEqual(await topics(bob, at.channels.attic), [])
    await adam.post(`/streams/${id}/delete_topic`, { topic_name: 'channel events' })
    assert.deepEqual(await topics(adam, id), [])
  })

  it('rejects users who may not read the channel, also administrators', async () => {
    const { adam, gus, mona } = at.people
    const id = await makeChannel(at.people.alice, 'hideout', { invite_only: true })

    for (const [client, channelId] of [
      [adam, id],
      [mona, id],
      [gus, at.channels.design],
      [mona, at.unknownId],
    ] as const) {
      assertRefused(await client.get(`/users/me/${channelId}/topics`), 'Invalid channel ID')
    }
  })
})
