import assert from 'node:assert/strict'
import { it } from 'node:test'

import { makeChannel } from '../support/channels.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'

everyHost('delete-message', (at) => {
  it('sends an event to the subscribers and the deleting user, one per message to older clients', async () => {
    const { adam, alice, bob, carol } = at.people
    const id = await alice.say(at.channels.design, 'gone', 'Text')
    const modern = await bob.listen({
      client_capabilities: { notification_settings_null: true, bulk_message_deletion: true },
    })
    const [old, outsider] = [await adam.listen(), await carol.listen()]

    const answer = await adam.delete(`/messages/${id}`)

    const location = { message_type: 'stream', stream_id: at.channels.design, topic: 'gone' }
    assert.deepEqual(answer.body, { result: 'success', msg: '' })
    const deletions = (await modern.drain()).filter((event) => event.type === 'delete_message')
    assert.deepEqual(withoutIds(deletions), [
      { type: 'delete_message', message_ids: [id], ...location },
    ])
    const single = (await old.drain()).filter((event) => event.type === 'delete_message')
    assert.deepEqual(withoutIds(single), [{ type: 'delete_message', message_id: id, ...location }])
    assert.deepEqual(await outsider.drain(), [])
    assert.equal((await bob.get(`/messages/${id}`)).body.msg, 'Invalid message(s)')
  })

  it('sends the new first message of the channel after the deletion', async () => {
    const { olga, bob } = at.people
    const stream_id = await makeChannel(olga, 'beginnings', { subscribers: [olga.id, bob.id] })
    const first = (await olga.get(`/streams/${stream_id}`)).body.stream.first_message_id
    const second = await olga.say(stream_id, 'x', 'Second')
    const feed = await bob.listen({ event_types: ['delete_message', 'stream'] })

    await olga.delete(`/messages/${first}`)

    const [deletion, update] = withoutIds(await feed.drain())
    assert.equal(deletion?.['message_id'], first)
    assert.deepEqual(update, {
      type: 'stream',
      op: 'update',
      stream_id,
      name: 'beginnings',
      property: 'first_message_id',
      value: second,
    })
  })

  it('is restricted to administrators, and to senders and bot owners within ten minutes', async () => {
    const { alice, bob, bot } = at.people
    const own = await alice.say(at.channels.general, 'x', 'Mine')
    const bots = await bot.say(at.channels.general, 'x', "My bot's")
    const late = await alice.say(at.channels.general, 'x', 'Mine')

    const otherMember = await bob.delete(`/messages/${own}`)
    const sender = await alice.delete(`/messages/${own}`)
    const botOwner = await alice.delete(`/messages/${bots}`)
    at.clock.advance(601)
    const tooLate = await alice.delete(`/messages/${late}`)
    const again = await alice.delete(`/messages/${own}`)

    assert.equal(otherMember.body.msg, "You don't have permission to delete this message")
    assert.deepEqual([sender.status, botOwner.status], [200, 200])
    assert.equal(tooLate.body.msg, 'The time limit for deleting this message has passed')
    assert.equal(again.body.msg, 'Invalid message(s)')
  })

  it('deletes direct messages for all participants', async () => {
    const { alice, bob, carol } = at.people
    const id = await alice.whisper([bob], 'Psst')
    const [bobFeed, carolFeed] = [await bob.listen(), await carol.listen()]

    await alice.delete(`/messages/${id}`)

    assert.deepEqual(withoutIds(await bobFeed.drain()), [
      { type: 'delete_message', message_id: id, message_type: 'private' },
    ])
    assert.deepEqual(await carolFeed.drain(), [])
  })
})

everyHost('delete-topic', (at) => {
  it('deletes the topic ignoring case, and no other topics', async () => {
    const { adam, alice } = at.people
    const [first, second, other] = [
      await alice.say(at.channels.design, 'Doomed', '1'),
      await alice.say(at.channels.design, 'doomed', '2'),
      await alice.say(at.channels.design, 'spared', '3'),
    ]

    const answer = await adam.post(`/streams/${at.channels.design}/delete_topic`, {
      topic_name: 'DOOMED',
    })

    assert.deepEqual(answer.body, { result: 'success', msg: '', complete: true })
    for (const id of [first, second]) {
      assert.equal((await alice.get(`/messages/${id}`)).status, 400)
    }
    assert.equal((await alice.get(`/messages/${other}`)).status, 200)
  })

  it('succeeds for an unknown topic, and refuses users who are not administrators', async () => {
    const path = `/streams/${at.channels.design}/delete_topic`

    const unknown = await at.people.adam.post(path, { topic_name: 'never' })
    const member = await at.people.alice.post(path, { topic_name: 'never' })
    const channel = await at.people.adam.post(`/streams/${at.unknownId}/delete_topic`, {
      topic_name: 'never',
    })

    assert.equal(unknown.body.complete, true)
    assert.equal(member.body.code, 'UNAUTHORIZED_PRINCIPAL')
    assert.equal(channel.body.msg, 'Invalid channel ID')
  })
})
