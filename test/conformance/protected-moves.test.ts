import assert from 'node:assert/strict'
import { it } from 'node:test'

import { makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import { everyHost, type HostCase } from '../support/host.js'

let count = 0

interface Late {
  readonly channelId: number
  /** Two messages from before Carol was subscribed, and two from afterwards. */
  readonly ids: readonly number[]
}

/** A private channel with protected history, and a topic that Carol can see the second half of. */
async function lateSubscriber(at: HostCase, topic: string): Promise<Late> {
  const { olga, alice, carol } = at.people
  const name = `protected ${(count += 1)}`
  const channelId = await makeChannel(olga, name, {
    subscribers: [olga.id, alice.id],
    invite_only: true,
    history_public_to_subscribers: false,
  })
  const before = [
    await alice.say(channelId, topic, 'One'),
    await alice.say(channelId, topic, 'Two'),
  ]
  const joined = await olga.post('/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals: [carol.id],
  })
  assert.equal(joined.status, 200, joined.text)
  const after = [
    await alice.say(channelId, topic, 'Three'),
    await alice.say(channelId, topic, 'Four'),
  ]
  return { channelId, ids: [...before, ...after] }
}

/** The channels and topics of messages, in the order of their ids. */
async function places(by: Client, ids: readonly number[]): Promise<string[]> {
  const { body } = await by.get('/messages', {
    message_ids: [...ids],
    allow_empty_topic_name: true,
  })
  const found = body.messages as { id: number; stream_id: number; subject: string }[]
  return found.sort((a, b) => a.id - b.id).map((one) => `${one.stream_id}/${one.subject}`)
}

everyHost(
  'update-message',
  (at) => {
    const modes = ['change_one', 'change_later', 'change_all'] as const
    for (const mode of modes) {
      for (const [title, from, change] of [
        ['renames', 'old', { topic: 'new' }],
        ['resolves', 'old', { topic: '✔ old' }],
        ['reopens', '✔ old', { topic: 'old' }],
        ['moves to another channel', 'old', {}],
      ] as const) {
        it(`${title} only messages that the mover can see (${mode})`, async () => {
          const { alice, carol } = at.people
          const { channelId, ids } = await lateSubscriber(at, from)
          const leaves = title === 'moves to another channel'
          const changes = leaves ? { stream_id: at.channels.general } : change
          const feed = await alice.listen({ event_types: ['update_message'] })

          const answer = await carol.patch(`/messages/${ids[2]}`, {
            ...changes,
            propagate_mode: mode,
          })
          assert.equal(answer.status, 200, answer.text)

          const moved = mode === 'change_one' ? ids.slice(2, 3) : ids.slice(2)
          const [event] = await feed.drain()
          assert.deepEqual(event?.['message_ids'], moved)
          const target = leaves
            ? `${at.channels.general}/${from}`
            : `${channelId}/${'topic' in change ? change.topic : ''}`
          assert.deepEqual(
            await places(alice, ids),
            ids.map((id) => (moved.includes(id) ? target : `${channelId}/${from}`)),
          )
        })
      }
    }

    it('moves and deletes whole topics for the application', async () => {
      const { alice } = at.people
      const { channelId, ids } = await lateSubscriber(at, 'old')
      const { api } = at.host.chat.asSystem({ organization: at.subdomain })
      await api.updateMessage({ message_id: ids[0]!, topic: 'new', propagate_mode: 'change_all' })
      assert.deepEqual(
        await places(alice, ids),
        ids.map(() => `${channelId}/new`),
      )
      await api.deleteTopic({ stream_id: channelId, topic_name: 'new' })
      assert.deepEqual(await places(alice, ids), [])
    })
  },
  { settings: { can_resolve_topics_group: 'role:members' } },
)
