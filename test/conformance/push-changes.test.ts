import assert from 'node:assert/strict'
import { after, it } from 'node:test'

import type { Answer, Client } from '../support/client.js'
import { FakeRelay } from '../support/fake-relay.js'
import { everyHost } from '../support/host.js'
import { PushReaders, settle } from '../support/push-reader.js'

const relay = await FakeRelay.start()
after(() => relay.stop())
const readers = new PushReaders(relay)
const retrySeconds = 30

everyHost(
  'send-message before changes of what its recipients may see',
  (at) => {
    it('notifies of what users may still see, and still want to be notified of', async () => {
      const { olga, alice, adam, bob, carol, gus, mona } = at.people
      const { general, vault } = at.channels
      const told = [adam, bob, carol, gus, mona]
      const reads = []
      for (const client of told) reads.push(await readers.of(at, client))
      const subscribed = (client: Client, property: string): Promise<Answer> =>
        client.post('/users/me/subscriptions/properties', {
          subscription_data: [{ stream_id: general, property, value: true }],
        })
      for (const client of [adam, carol]) await subscribed(client, 'push_notifications')
      relay.down()
      await alice.say(vault, 'plans', '@**Bob Test** left the channel')
      const deleted = await olga.whisper([bob], 'deleted')
      const read = await alice.whisper([bob], 'read')
      await alice.whisper([gus], 'sender muted')
      await alice.say(general, 'muted', 'topic muted, and channel muted')
      await alice.whisper([mona], 'notifications off')
      for (const client of [adam, bob, carol, gus]) await olga.whisper([client], 'kept')
      await settle(at)

      const changes = [
        olga.delete('/users/me/subscriptions', { subscriptions: ['vault'], principals: [bob.id] }),
        olga.delete(`/messages/${deleted}`),
        bob.post('/messages/flags', { messages: [read], op: 'add', flag: 'read' }),
        gus.post(`/users/me/muted_users/${alice.id}`),
        adam.post('/user_topics', { stream_id: general, topic: 'muted', visibility_policy: 1 }),
        subscribed(carol, 'is_muted'),
        mona.patch('/settings', {
          enable_offline_push_notifications: false,
          enable_online_push_notifications: false,
        }),
      ]
      for (const { status, text } of await Promise.all(changes)) assert.equal(status, 200, text)
      relay.up()
      at.clock.jump(retrySeconds)
      await settle(at)

      const contents: Record<string, unknown> = {}
      for (const [index, client] of told.entries()) {
        const notices = (await reads[index]?.notices()) ?? []
        contents[client.name] = notices
          .filter(({ type }) => type === 'message')
          .map(({ content }) => content)
      }
      assert.deepEqual(contents, {
        adam: ['kept'],
        bob: ['kept'],
        carol: ['kept'],
        gus: ['kept'],
        mona: [],
      })
    })
  },
  {},
  { pushRelay: relay.address },
)
