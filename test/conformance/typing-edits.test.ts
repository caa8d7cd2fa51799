import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyHost } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'
import { eventsOf, listenAll } from '../support/typing.js'

everyHost(
  'set-typing-status-for-message-edit',
  (at) => {
    it('sends the event to all participants of a direct conversation, and lists them', async () => {
      const { alice, bob, carol, adam } = at.people
      const id = await alice.whisper([carol, bob], 'Hi')
      const feeds = await listenAll(alice, bob, carol, adam)

      const started = await alice.post(`/messages/${id}/typing`, { op: 'start' })
      const stopped = await alice.post(`/messages/${id}/typing`, { op: 'stop' })

      for (const { body } of [started, stopped]) assert.deepEqual(body, bareSuccess)
      const event = {
        type: 'typing_edit_message',
        sender_id: alice.id,
        message_id: id,
        recipient: { type: 'direct', user_ids: [alice.id, bob.id, carol.id] },
      }
      const expected = [
        { ...event, op: 'start' },
        { ...event, op: 'stop' },
      ]
      assert.deepEqual(await eventsOf(feeds), [expected, expected, [], []])
    })

    it('sends the event to the subscribers of a channel, whatever their clients support', async () => {
      const { alice, bob, adam } = at.people
      const id = await alice.say(at.channels.design, 'Logo', 'Round')
      const feeds = await listenAll(alice, adam)
      feeds.push(await bob.listen({ event_types: ['typing_edit_message'] }))

      await alice.post(`/messages/${id}/typing`, { op: 'start' })

      const event = {
        type: 'typing_edit_message',
        op: 'start',
        sender_id: alice.id,
        message_id: id,
        recipient: { type: 'channel', channel_id: at.channels.design, topic: 'Logo' },
      }
      assert.deepEqual(await eventsOf(feeds), [[event], [], [event]])
    })

    it('sends the event in a private channel with protected history to users who received the message', async () => {
      const { alice, bob } = at.people
      const id = await alice.say(at.channels.vault, 'Plans', 'Psst')
      const feeds = await listenAll(alice, bob)

      await alice.post(`/messages/${id}/typing`, { op: 'start' })

      const [own, others] = await eventsOf(feeds)
      assert.equal(own?.length, 1)
      assert.equal(others?.length, 1)
    })

    it('returns the same error for inaccessible, unknown and foreign messages', async () => {
      const { alice, bob } = at.people
      const hidden = await alice.say(at.channels.secret, 't', 'c')
      const other = await at.host.organization()
      const foreign = await other.people.alice.say(other.channels.general, 't', 'c')

      for (const id of [hidden, foreign, at.unknownId]) {
        const answer = await bob.post(`/messages/${id}/typing`, { op: 'start' })
        assertRefused(answer, 'Invalid message(s)')
      }
    })

    it("rejects other users' messages, also for administrators", async () => {
      const { alice, adam } = at.people
      const id = await alice.say(at.channels.general, 't', 'c')

      assertRefused(
        await adam.post(`/messages/${id}/typing`, { op: 'start' }),
        "You don't have permission to edit this message",
      )
    })

    it('rejects a message that is too old to be edited, without a grace period', async () => {
      const { alice } = at.people
      const id = await alice.say(at.channels.general, 't', 'c')
      at.clock.advance(600)
      assert.equal((await alice.post(`/messages/${id}/typing`, { op: 'start' })).status, 200)
      at.clock.advance(1)

      assertRefused(
        await alice.post(`/messages/${id}/typing`, { op: 'start' }),
        'The time limit for editing this message has passed',
      )
    })

    it('rejects users who have disabled typing notifications of that kind', async () => {
      const { mona, bob } = at.people
      const direct = await mona.whisper([bob], 'c')
      const inChannel = await mona.say(at.channels.general, 't', 'c')

      assertRefused(
        await mona.post(`/messages/${direct}/typing`, { op: 'start' }),
        'User has disabled typing notifications for direct messages',
      )
      assertRefused(
        await mona.post(`/messages/${inChannel}/typing`, { op: 'start' }),
        'User has disabled typing notifications for channel messages',
      )
    })

    it('rejects an unknown op', async () => {
      const { alice } = at.people
      const id = await alice.say(at.channels.general, 't', 'c')

      assertRefused(await alice.post(`/messages/${id}/typing`, { op: 'x' }), 'Invalid op')
    })
  },
  {
    userSettings: {
      carol: { receives_typing_notifications: false },
      mona: { send_private_typing_notifications: false, send_stream_typing_notifications: false },
    },
  },
)

everyHost(
  'set-typing-status-for-message-edit',
  (at) => {
    it('returns an error if the organization does not allow edits', async () => {
      const { alice } = at.people
      const id = await alice.say(at.channels.general, 't', 'c')

      assertRefused(
        await alice.post(`/messages/${id}/typing`, { op: 'start' }),
        'Your organization has turned off message editing',
      )
    })
  },
  { settings: { allow_message_editing: false } },
)
