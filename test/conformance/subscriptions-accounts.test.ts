import assert from 'node:assert/strict'
import { it } from 'node:test'

import { channelEvents, hearing, kinds, makeChannel } from '../support/channels.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'
import { reactivate } from '../support/reactivation.js'

const isAboutChannels = { event_types: ['stream', 'subscription'] }

everyHost('update-user', (at) => {
  it('sends every channel with its subscribers to a new administrator, and removes them again', async () => {
    const { olga, alice, mona } = at.people
    const setRole = (role: number) => olga.patch(`/users/${mona.id}`, { role })
    const promoted = await hearing({ mona, alice }, () => setRole(200), isAboutChannels)
    const demoted = await hearing({ mona, alice }, () => setRole(300), isAboutChannels)

    assert.deepEqual(kinds(promoted.mona), [
      'stream/create',
      'subscription/peer_add',
      'subscription/peer_add',
    ])
    const [create, ...peers] = promoted.mona
    const names = create?.['streams'].map((channel: { name: string }) => channel.name) as string[]
    assert.deepEqual(names.sort(), ['secret', 'vault'])
    assert.deepEqual(
      peers.map(({ stream_ids }) => stream_ids),
      [[at.channels.secret], [at.channels.vault]],
    )
    assert.deepEqual(kinds(demoted.mona), ['stream/delete'])
    assert.deepEqual(demoted.mona[0]?.['stream_ids'], [at.channels.secret, at.channels.vault])
    assert.deepEqual([promoted.alice, demoted.alice], [[], []])
  })

  it('hides public channels from a new guest who is not subscribed to them', async () => {
    const { olga, carol } = at.people
    const received = await hearing(
      { carol },
      () => olga.patch(`/users/${carol.id}`, { role: 600 }),
      isAboutChannels,
    )

    assert.deepEqual(kinds(received.carol), ['stream/delete'])
    assert.deepEqual(received.carol[0]?.['stream_ids'], [
      at.channels.design,
      at.channels.empty,
      at.channels.attic,
    ])
  })
})

everyHost('deactivate-user', (at) => {
  it('removes the user from the lists of subscribers until the account is reactivated', async () => {
    const { adam, alice, bob, mona } = at.people
    const id = await makeChannel(alice, 'staff', { subscribers: [alice.id, bob.id] })
    const members = async () => (await alice.get(`/streams/${id}/members`)).body.subscribers

    const left = await hearing(
      { mona, alice },
      () => adam.delete(`/users/${bob.id}`),
      channelEvents,
    )
    assert.deepEqual(await members(), [alice.id])
    await alice.say(id, 'topic', 'unheard')
    const back = await hearing({ mona, alice }, () => reactivate(at, adam, bob), channelEvents)
    const feed = await bob.listen({ event_types: ['message'] })
    const sent = await alice.say(id, 'topic', 'sent')

    const { general, design, vault } = at.channels
    const event = (op: string, stream_ids: number[]) => ({
      type: 'subscription',
      op,
      stream_ids,
      user_ids: [bob.id],
    })
    // A guest also receives the event for `general`, so that is a separate event.
    const receivedByAll = (op: string) => [event(op, [general]), event(op, [design, id])]
    assert.deepEqual(withoutIds(left.mona), receivedByAll('peer_remove'))
    assert.deepEqual(withoutIds(left.alice), [
      ...receivedByAll('peer_remove'),
      event('peer_remove', [vault]),
    ])
    assert.deepEqual(withoutIds(back.mona), receivedByAll('peer_add'))
    assert.deepEqual(await members(), [alice.id, bob.id])
    assert.deepEqual(
      (await feed.drain()).map((message) => message['message'].id),
      [sent],
    )
  })
})
