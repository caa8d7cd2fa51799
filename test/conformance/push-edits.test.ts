import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'

import type { Client } from '../support/client.js'
import { FakeRelay } from '../support/fake-relay.js'
import { makeGroup } from '../support/groups.js'
import { everyHost } from '../support/host.js'
import { PushReaders, settle } from '../support/push-reader.js'

const relay = await FakeRelay.start()
after(() => relay.stop())
const readers = new PushReaders(relay)

/** Edits the content of a message of the caller. */
async function edit(author: Client, messageId: number, content: string): Promise<void> {
  const answer = await author.patch(`/messages/${messageId}`, { content })
  assert.equal(answer.status, 200, answer.text)
}

everyHost(
  'update-message with devices',
  (at) => {
    // Followers of a topic have a reason to be notified other than the mention.
    before(async () => {
      for (const client of [at.people.bob, at.people.gus]) {
        await client.patch('/settings', { automatically_follow_topics_where_mentioned: false })
      }
    })

    it('notifies users whom the message mentions for the first time, and no others', async () => {
      const { alice, bob, gus } = at.people
      const [bobReads, gusReads] = [await readers.of(at, bob), await readers.of(at, gus)]
      const aliceReads = await readers.of(at, alice)
      const id = await alice.say(at.channels.general, 'Edits', 'hello')

      await edit(alice, id, 'hello @**Bob Test** and @_**Gus Test**, says @**Alice Test**')

      const [notice, ...more] = await bobReads.notices()
      assert.deepEqual(more, [])
      assert.equal(notice?.['message_id'], id)
      assert.equal(notice?.['content'], 'hello @Bob Test and Gus Test, says @Alice Test')
      assert.deepEqual(await gusReads.notices(), [])
      assert.deepEqual(await aliceReads.notices(), [])
    })

    it('notifies the members of a mentioned group, and all users of a wildcard mention', async () => {
      const { alice, bob, gus, olga } = at.people
      const [bobReads, gusReads] = [await readers.of(at, bob), await readers.of(at, gus)]
      const groupId = await makeGroup(olga, 'editors', { members: [bob.id] })
      const byGroup = await alice.say(at.channels.general, 'Groups', 'who?')
      const toAll = await alice.say(at.channels.general, 'Groups', 'anyone?')

      await edit(alice, byGroup, '@*editors*')
      const [notice] = await bobReads.notices()
      const toGus = await gusReads.outline()
      await edit(alice, toAll, '@**all**')

      assert.equal(notice?.['mentioned_user_group_id'], groupId)
      assert.equal(notice?.['mentioned_user_group_name'], 'editors')
      assert.deepEqual(toGus, [])
      assert.deepEqual(await bobReads.outline(), [['message', toAll]])
      assert.deepEqual(await gusReads.outline(), [['message', toAll]])
    })

    it('notifies the participants of a topic', async () => {
      const { alice, bob, gus } = at.people
      const [bobReads, gusReads] = [await readers.of(at, bob), await readers.of(at, gus)]
      await bob.say(at.channels.general, 'Participants', 'I was here')
      const id = await alice.say(at.channels.general, 'Participants', 'hello')

      await edit(alice, id, '@**topic** hello')

      assert.deepEqual(await bobReads.outline(), [['message', id]])
      assert.deepEqual(await gusReads.outline(), [])
    })

    it('does not notify a user again', async () => {
      const { alice, bob, gus } = at.people
      const [bobReads, gusReads] = [await readers.of(at, bob), await readers.of(at, gus)]
      const mentioned = await alice.say(at.channels.general, 'Again', '@**Bob Test** helo')
      const direct = await alice.whisper([gus], 'helo')
      await bobReads.skip()
      await gusReads.skip()

      await edit(alice, mentioned, '@**all** @**Bob Test** hello')
      await edit(alice, direct, 'hello @**Gus Test**')

      assert.deepEqual(await bobReads.outline(), [])
      assert.deepEqual(await gusReads.outline(), [['message', mentioned]])
    })

    it('respects the settings of the recipients, and whether they have read the message', async () => {
      const { alice, bob, gus, carol } = at.people
      const { general } = at.channels
      const reads = [
        await readers.of(at, bob),
        await readers.of(at, gus),
        await readers.of(at, carol),
      ]
      await bob.patch('/settings', { enable_offline_push_notifications: false })
      await carol.patch('/settings', { enable_online_push_notifications: false })
      await carol.post('/users/me/presence', { status: 'active', ping_only: true })
      await carol.listen({ event_types: ['message'] })
      const id = await alice.say(general, 'Heeds', 'hello')
      await gus.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })

      await edit(alice, id, '@**Bob Test** @**Gus Test** @**Carol Test**')
      const outlines = [
        await reads[0]?.outline(),
        await reads[1]?.outline(),
        await reads[2]?.outline(),
      ]
      await bob.patch('/settings', { enable_offline_push_notifications: true })
      await edit(alice, id, 'still @**Bob Test** @**Gus Test** @**Carol Test**')

      assert.deepEqual(outlines, [[], [], []])
      assert.deepEqual(await reads[0]?.outline(), [], 'who was mentioned before is not notified')
      await carol.patch('/settings', { enable_online_push_notifications: true })
    })

    it('removes the notification of users who are no longer mentioned', async () => {
      const { alice, bob, gus } = at.people
      const [bobReads, gusReads] = [await readers.of(at, bob), await readers.of(at, gus)]
      const id = await alice.say(
        at.channels.general,
        'Revoked',
        '@**Bob Test** and @**Gus Test** come',
      )
      const sent = await bobReads.outline()
      await gusReads.skip()

      await edit(alice, id, '@**Gus Test** come')
      const [request, ...more] = await bobReads.requests()
      const left = await gusReads.outline()
      await edit(alice, id, '@**Gus Test** and @**Bob Test** come')

      assert.deepEqual(sent, [['message', id]])
      assert.deepEqual(more, [])
      assert.equal(request.fcm_priority, 'normal')
      const { type, message_ids } = bobReads.open(request)
      assert.deepEqual([type, message_ids], ['remove', [id]])
      assert.deepEqual(left, [])
      assert.deepEqual(await bobReads.outline(), [['message', id]], 'mentioned again')
    })

    it('sends no notification that was removed before it was sent', async () => {
      const { alice, bob } = at.people
      const reads = await readers.of(at, bob)
      relay.down()
      const id = await alice.say(at.channels.general, 'Too late', '@**Bob Test** oops')
      await settle(at)
      await edit(alice, id, 'oops')
      relay.up()
      at.clock.jump(120)

      assert.deepEqual(await reads.outline(), [['remove', [id]]])
    })

    it('keeps the notification of users who have another reason for it', async () => {
      const { alice, olga, mona } = at.people
      const { general } = at.channels
      const reads = [await readers.of(at, olga), await readers.of(at, mona)]
      const topic = 'Followed'
      for (const client of [olga, mona]) {
        await client.post('/user_topics', { stream_id: general, topic, visibility_policy: 3 })
      }
      const id = await alice.say(general, topic, '@**Olga Test** and @**Mona Test**, look')
      const sent = await Promise.all(reads.map((reader) => reader.outline()))
      // Mona is online now and would not be notified of a new message, but has been notified
      // before.
      await mona.patch('/settings', { enable_online_push_notifications: false })
      await mona.post('/users/me/presence', { status: 'active', ping_only: true })
      const present = await mona.listen({ event_types: ['message'] })

      await edit(alice, id, 'look')

      assert.deepEqual(sent, [[['message', id]], [['message', id]]])
      assert.deepEqual(await Promise.all(reads.map((reader) => reader.outline())), [[], []])
      await mona.delete('/events', { queue_id: present.queueId })
    })
  },
  {},
  { pushRelay: relay.address },
)
