import assert from 'node:assert/strict'
import { it } from 'node:test'

import { makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { systemGroupId } from '../support/groups.js'
import { everyHost } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const forbidden = "You don't have permission to delete this message"

everyHost('delete-message', (at) => {
  const change = async (path: string, setting: string, value: unknown): Promise<void> => {
    const answer = await at.people.olga.patch(path, { [setting]: { new: value } })
    assert.equal(answer.status, 200, answer.text)
  }
  const group = (name: string): Promise<number> => systemGroupId(at.people.olga, name)
  const write = (by: Client): Promise<number> => by.say(at.channels.general, 'deleting', 'Text')

  it("accepts users with the organization's permission to delete any message, of any age", async () => {
    const { alice, mona, bob } = at.people
    const id = await write(alice)
    const another = await write(alice)

    assertRefused(await mona.delete(`/messages/${id}`), forbidden)
    await change('/realm', 'can_delete_any_message_group', await group('role:moderators'))
    at.clock.advance(3600)
    assert.deepEqual((await mona.delete(`/messages/${id}`)).body, bareSuccess)
    assertRefused(await bob.delete(`/messages/${another}`), forbidden)
    await change('/realm', 'can_delete_any_message_group', await group('role:administrators'))
  })

  it("accepts users with the channel's permission to delete any message, only in that channel", async () => {
    const { alice, bob, olga } = at.people
    const channelId = await makeChannel(olga, 'cleaners', { subscribers: [alice.id, bob.id] })
    const here = await alice.say(channelId, 'deleting', 'Text')
    const there = await write(alice)
    const justBob = { direct_members: [bob.id], direct_subgroups: [] }

    assertRefused(await bob.delete(`/messages/${here}`), forbidden)
    await change(`/streams/${channelId}`, 'can_delete_any_message_group', justBob)
    at.clock.advance(3600)

    assert.deepEqual((await bob.delete(`/messages/${here}`)).body, bareSuccess)
    assertRefused(await bob.delete(`/messages/${there}`), forbidden)
  })

  it("refuses senders without the organization's permission to delete their own messages", async () => {
    const { alice, bob, bot } = at.people
    await change('/realm', 'can_delete_own_message_group', await group('role:administrators'))
    const [own, bots, direct] = [
      await write(alice),
      await write(bot),
      await alice.whisper([bob], 'x'),
    ]

    for (const id of [own, bots, direct]) {
      assertRefused(await alice.delete(`/messages/${id}`), forbidden)
    }
    await change('/realm', 'can_delete_own_message_group', await group('role:everyone'))
  })

  it("accepts senders with the channel's permission to delete their own messages, for ten minutes", async () => {
    const { alice, bob } = at.people
    await change('/realm', 'can_delete_own_message_group', await group('role:administrators'))
    const justAlice = { direct_members: [alice.id], direct_subgroups: [] }
    await change(`/streams/${at.channels.design}`, 'can_delete_own_message_group', justAlice)
    const say = (by: Client): Promise<number> => by.say(at.channels.design, 'deleting', 'Text')
    const [own, foreign] = [await say(alice), await say(bob)]
    const [punctual, late] = [await say(alice), await say(alice)]

    assert.deepEqual((await alice.delete(`/messages/${own}`)).body, bareSuccess)
    assertRefused(await alice.delete(`/messages/${foreign}`), forbidden)
    assertRefused(await bob.delete(`/messages/${foreign}`), forbidden)
    at.clock.advance(600)
    assert.deepEqual((await alice.delete(`/messages/${punctual}`)).body, bareSuccess)
    at.clock.advance(1)
    assertRefused(
      await alice.delete(`/messages/${late}`),
      'The time limit for deleting this message has passed',
    )
    await change('/realm', 'can_delete_own_message_group', await group('role:everyone'))
  })

  it('has no time limit if the organization sets none', async () => {
    const { alice, olga } = at.people
    const id = await write(alice)
    await olga.patch('/realm', { message_content_delete_limit_seconds: '"unlimited"' })
    at.clock.advance(30 * 86_400)

    assert.deepEqual((await alice.delete(`/messages/${id}`)).body, bareSuccess)
    await olga.patch('/realm', { message_content_delete_limit_seconds: 600 })
  })

  it('returns the same error for unknown and inaccessible messages', async () => {
    const { adam, alice } = at.people
    const hidden = await alice.say(at.channels.vault, 'deleting', 'Text')

    const missing = await adam.delete(`/messages/${at.unknownId}`)
    const answer = await adam.delete(`/messages/${hidden}`)

    assertRefused(missing, 'Invalid message(s)')
    assert.equal(answer.text, missing.text)
  })

  it('sends a display name of the empty topic to clients without empty_topic_name', async () => {
    const { alice, bob } = at.people
    const id = await alice.say(at.channels.design, '', 'Text')
    const old = await bob.listen({ event_types: ['delete_message'] })
    const modern = await bob.listen({
      event_types: ['delete_message'],
      client_capabilities: { notification_settings_null: true, empty_topic_name: true },
    })

    await alice.delete(`/messages/${id}`)

    assert.deepEqual(
      (await old.drain()).map((event) => event['topic']),
      ['general chat'],
    )
    assert.deepEqual(
      (await modern.drain()).map((event) => event['topic']),
      [''],
    )
  })

  it('sends an event to the subscribers of a private channel, if its history is protected only to those with the message', async () => {
    const { alice, bob, carol, olga } = at.people
    for (const isShared of [true, false]) {
      const channelId = await makeChannel(olga, `private ${isShared}`, {
        invite_only: true,
        history_public_to_subscribers: isShared,
        subscribers: [alice.id, bob.id, olga.id],
      })
      const id = await alice.say(channelId, 'deleting', 'Text')
      await olga.post('/users/me/subscriptions', {
        subscriptions: [{ name: `private ${isShared}` }],
        principals: [carol.id],
      })
      await bob.delete('/users/me/subscriptions', { subscriptions: [`private ${isShared}`] })
      const [newSubscriber, gone] = [await carol.listen(), await bob.listen()]
      const deleter = await alice.listen()

      await alice.delete(`/messages/${id}`)

      const received = [withoutIds(await newSubscriber.drain()), withoutIds(await deleter.drain())]
      const event = {
        type: 'delete_message',
        message_id: id,
        message_type: 'stream',
        stream_id: channelId,
        topic: 'deleting',
      }
      assert.deepEqual(received, [isShared ? [event] : [], [event]], `shared: ${isShared}`)
      assert.deepEqual(await gone.drain(), [])
    }
  })
})

everyHost('delete-topic', (at) => {
  it('sends an event also to users who have only an older message of the topic in their history', async () => {
    const { adam, alice, bob, carol, mona } = at.people
    const first = await alice.say(at.channels.design, 'older', 'Interesting')
    const second = await alice.say(at.channels.design, 'older', 'Not so')
    await carol.post('/messages/flags', { messages: [first], op: 'add', flag: 'starred' })
    const deletions = {
      event_types: ['delete_message'],
      client_capabilities: { notification_settings_null: true, bulk_message_deletion: true },
    }
    const feeds = [await bob.listen(deletions), await carol.listen(deletions)]
    const outsider = await mona.listen(deletions)

    await adam.post(`/streams/${at.channels.design}/delete_topic`, { topic_name: 'OLDER' })

    for (const feed of feeds) {
      assert.deepEqual(
        (await feed.drain()).map((event) => event['message_ids']),
        [[first, second]],
      )
    }
    assert.deepEqual(await outsider.drain(), [])
  })

  it('deletes only messages that the administrator can see in a protected history, for users who have them', async () => {
    const { adam, alice, bob, carol, olga } = at.people
    const channelId = await makeChannel(olga, 'hidden', {
      invite_only: true,
      history_public_to_subscribers: false,
      subscribers: [alice.id, bob.id, olga.id],
    })
    const before = await alice.say(channelId, 'topic', 'Before Adam')
    await olga.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'hidden' }],
      principals: [adam.id],
    })
    const after = await alice.say(channelId, 'topic', 'With Adam')
    await olga.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'hidden' }],
      principals: [carol.id],
    })
    const [bobFeed, carolFeed] = [await bob.listen(), await carol.listen()]

    const answer = await adam.post(`/streams/${channelId}/delete_topic`, { topic_name: 'topic' })

    assert.deepEqual(answer.body, { ...bareSuccess, complete: true })
    const deleted = (await bobFeed.drain()).filter(({ type }) => type === 'delete_message')
    assert.deepEqual(
      deleted.map((event) => event['message_id']),
      [after],
    )
    assert.deepEqual(await carolFeed.drain(), [])
    assert.equal((await alice.get(`/messages/${before}`)).status, 200)
  })
})
