import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client } from '../support/client.js'
import { everyDatabase } from '../support/host.js'
import { idsOf, writtenFor } from '../support/written-messages.js'

everyDatabase('messages that move before user messages are written', 'express', (at) => {
  const move = async (id: number, stream_id: number) => {
    const changes = {
      stream_id,
      propagate_mode: 'change_one',
      send_notification_to_new_thread: false,
    }
    const answer = await at.people.adam.patch(`/messages/${id}`, changes)
    assert.equal(answer.status, 200, answer.text)
  }
  const flagsFor = async (client: Client, id: number): Promise<string[]> =>
    (await client.get(`/messages/${id}`)).body.message.flags as string[]

  it('are written for those who are subscribed to both channels, and for no others', async () => {
    const { adam, alice, bob, carol } = at.people
    const id = await alice.say(at.channels.general, 'move', 'one')

    await move(id, at.channels.design)

    const written = await writtenFor(at, id)
    assert.deepEqual(
      written.filter((userId) => userId !== adam.id),
      idsOf(alice, bob),
    )
    assert.deepEqual(await flagsFor(bob, id), [])
    assert.deepEqual(await flagsFor(carol, id), ['read', 'historical'])
  })

  it('from a channel with protected history are removed for those who lose access', async () => {
    const { adam, alice, bob, carol } = at.people
    await alice.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'protected source' }],
      principals: [adam.id, alice.id, bob.id, carol.id],
      invite_only: true,
      history_public_to_subscribers: false,
    })
    const { body } = await alice.get('/get_stream_id', { stream: 'protected source' })
    const [losing, keeping] = [
      await carol.listen({ event_types: ['delete_message', 'update_message'] }),
      await bob.listen({ event_types: ['delete_message', 'update_message'] }),
    ]
    await adam.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'private target' }],
      principals: [adam.id, alice.id, bob.id],
      invite_only: true,
    })
    const { body: target } = await adam.get('/get_stream_id', { stream: 'private target' })
    const id = await alice.say(body.stream_id as number, 'move', 'one')

    await move(id, target.stream_id as number)

    const gone = await losing.until('the removal', ({ type }) => type === 'delete_message')
    assert.deepEqual(
      gone.map(({ type, message_ids, message_id }) => [type, message_ids ?? message_id]),
      [['delete_message', id]],
    )
    await keeping.until('the move', ({ type }) => type === 'update_message')
    assert.deepEqual(await flagsFor(bob, id), [])
    assert.equal((await carol.get(`/messages/${id}`)).status, 400)
    assert.ok(!(await writtenFor(at, id)).includes(carol.id))
  })
})
