import assert from 'node:assert/strict'
import { it } from 'node:test'

import { makeChannel } from '../support/channels.js'
import { everyHost } from '../support/host.js'
import { stored } from '../support/topic-policies.js'

const [none, muted] = [0, 1]

everyHost('delete-topic', (at) => {
  it("removes the users' policies for the topic", async () => {
    const { alice, adam } = at.people
    const id = at.channels.design
    await alice.say(id, 'doomed', 'One')
    await alice.post('/user_topics', { stream_id: id, topic: 'doomed', visibility_policy: muted })
    const feed = await alice.listen({ event_types: ['delete_message', 'user_topic'] })

    await adam.post(`/streams/${id}/delete_topic`, { topic_name: 'Doomed' })

    const received = await feed.drain()
    assert.deepEqual(
      received.map(({ type, visibility_policy }) => [type, visibility_policy]),
      [
        ['delete_message', undefined],
        ['user_topic', none],
      ],
    )
    assert.deepEqual(await stored(alice, [id]), [])
  })

  it('keeps the policies if the topic has messages that the caller never received', async () => {
    const { alice, adam, olga } = at.people
    const id = await makeChannel(olga, 'half seen', {
      invite_only: true,
      history_public_to_subscribers: false,
      subscribers: [alice.id, olga.id],
    })
    const earlier = await alice.say(id, 'half', 'One')
    await alice.post('/user_topics', { stream_id: id, topic: 'half', visibility_policy: muted })
    const added = { subscriptions: [{ name: 'half seen' }], principals: [adam.id] }
    assert.equal((await olga.post('/users/me/subscriptions', added)).status, 200)
    const later = await alice.say(id, 'half', 'Two')

    const answer = await adam.post(`/streams/${id}/delete_topic`, { topic_name: 'half' })

    assert.equal(answer.body.complete, true)
    assert.equal((await alice.get(`/messages/${later}`)).status, 400)
    assert.equal((await alice.get(`/messages/${earlier}`)).status, 200)
    assert.deepEqual(await stored(alice, [id]), [[id, 'half', muted]])
  })
})
