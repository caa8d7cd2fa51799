import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client, Parameters } from '../support/client.js'
import { contents, noticeOthers } from '../support/event-calls.js'
import { everyDatabase } from '../support/host.js'
import { reactivate } from '../support/reactivation.js'

const member = 400
const guest = 600

/** Registers a queue for all public channels. */
async function follow(client: Client, params: Parameters = {}) {
  const { body } = await client.post('/register', {
    event_types: ['message'],
    fetch_event_types: [],
    all_public_streams: true,
    ...params,
  })
  return { queue_id: body.queue_id, last_event_id: body.last_event_id }
}

everyDatabase('Queues for all public channels', 'express', (at) => {
  it('receive the messages that their user can read when they are sent, in every process', async () => {
    const { alice, carol, olga } = at.people
    const { design } = at.channels
    const queue = await follow(carol)
    const narrowed = await follow(carol, { narrow: [['channel', 'design']] })
    const second = await at.host.another('koa')
    try {
      const elsewhere = second.clientOf(carol)
      // The other process serves the queue before anything changes.
      await elsewhere.get('/events', { ...queue, dont_block: true })

      await alice.say(design, 'a', 'to a member')
      await olga.patch(`/users/${carol.id}`, { role: guest })
      await alice.say(design, 'a', 'to a guest')
      await olga.patch(`/users/${carol.id}`, { role: member })
      await alice.say(design, 'a', 'to a member again')

      const expected = ['to a member', 'to a member again']
      assert.deepEqual(contents(await carol.get('/events', queue)), expected)
      assert.deepEqual(contents(await carol.get('/events', narrowed)), expected)
      await noticeOthers(second)
      assert.deepEqual(contents(await elsewhere.get('/events', queue)), expected)
    } finally {
      await second.stop()
    }
  })

  it("receive no events of other users' actions there after their user becomes a guest", async () => {
    const { alice, bob, carol, olga } = at.people
    const { design, general } = at.channels
    const { body } = await carol.post('/register', {
      fetch_event_types: [],
      all_public_streams: true,
      event_types: [
        'message',
        'update_message',
        'delete_message',
        'reaction',
        'submessage',
        'typing',
        'update_message_flags',
      ],
    })
    const queue = { queue_id: body.queue_id, last_event_id: body.last_event_id }
    const earlier = await alice.say(design, 'a', 'earlier')

    await olga.patch(`/users/${carol.id}`, { role: guest })
    const later = await alice.say(design, 'a', 'later')
    for (const id of [earlier, later]) {
      await alice.patch(`/messages/${id}`, { content: 'edited' })
      await bob.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
      await bob.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
    }
    await bob.post('/typing', { type: 'stream', op: 'start', stream_id: design, topic: 'a' })
    await alice.patch(`/messages/${earlier}`, { topic: 'b', propagate_mode: 'change_one' })
    await olga.delete(`/messages/${later}`)
    await alice.say(general, 'a', 'subscribed')
    const { events } = (await carol.get('/events', queue)).body
    await olga.patch(`/users/${carol.id}`, { role: member })

    assert.deepEqual(
      events.map(({ type, message }: { type: string; message?: { content: string } }) => [
        type,
        message?.content,
      ]),
      [
        ['message', 'earlier'],
        ['message', 'subscribed'],
      ],
    )
  })

  it('receive no messages after a channel becomes private or while the account is deactivated', async () => {
    const { adam, alice, carol, olga } = at.people
    const { design } = at.channels
    const queue = await follow(carol)

    await alice.say(design, 'a', 'public')
    await adam.delete(`/users/${carol.id}`)
    await alice.say(design, 'a', 'without an account')
    await reactivate(at, adam, carol)
    await alice.say(design, 'a', 'public again')
    await olga.patch(`/streams/${design}`, { is_private: true })
    await alice.say(design, 'a', 'private')

    assert.deepEqual(contents(await carol.get('/events', queue)), ['public', 'public again'])
  })
})
