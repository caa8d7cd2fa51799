import assert from 'node:assert/strict'
import { it } from 'node:test'

import { makeChannel } from '../support/channels.js'
import { everyHost } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'

const daySeconds = 86_400
/** How much later than announced a change may come. */
const graceSeconds = 20

everyHost(
  'update-message',
  (at) => {
    it('resolves topics for whom the organization or the channel lets', async () => {
      const { olga, alice, bob } = at.people
      const channelId = await makeChannel(olga, 'settled', { subscribers: [alice.id, bob.id] })
      const id = await alice.say(channelId, 'question', 'Why?')
      const resolve = () => bob.patch(`/messages/${id}`, { topic: '✔ question' })

      const before = await resolve()
      await olga.patch(`/streams/${channelId}`, {
        can_resolve_topics_group: { new: { direct_members: [bob.id], direct_subgroups: [] } },
      })
      const after = await resolve()

      assertRefused(before, "You don't have permission to resolve topics in this channel.")
      assert.equal(after.status, 200, after.text)
    })

    it('moves messages out of a channel for whom the organization or the channel lets', async () => {
      const { olga, alice, bob } = at.people
      const subscribers = [alice.id, bob.id]
      const from = await makeChannel(olga, 'source', { subscribers })
      const stream_id = await makeChannel(olga, 'target', { subscribers })
      const id = await alice.say(from, 'wanderer', 'Hello')
      const move = () => bob.patch(`/messages/${id}`, { stream_id, propagate_mode: 'change_one' })

      const before = await move()
      await olga.patch(`/streams/${from}`, {
        can_move_messages_out_of_channel_group: {
          new: { direct_members: [bob.id], direct_subgroups: [] },
        },
      })
      const after = await move()

      assertRefused(before, "You don't have permission to move this message")
      assert.equal(after.status, 200, after.text)
    })
  },
  {
    settings: {
      can_resolve_topics_group: 'role:administrators',
      can_move_messages_between_channels_group: 'role:administrators',
    },
  },
)

everyHost(
  'update-message',
  (at) => {
    it('moves old messages between channels for moderators only', async () => {
      const { olga, mona, alice } = at.people
      const subscribers = [alice.id, mona.id]
      const from = await makeChannel(olga, 'archive', { subscribers })
      const stream_id = await makeChannel(olga, 'present', { subscribers })
      const id = await alice.say(from, 'old', 'Hello')
      const young = await alice.say(from, 'young', 'Hello')
      const move = (client: typeof alice, messageId: number) =>
        client.patch(`/messages/${messageId}`, { stream_id, propagate_mode: 'change_one' })

      const inTime = await move(alice, young)
      at.clock.advance(daySeconds + graceSeconds + 1)
      const late = await move(alice, id)
      const byModerator = await move(mona, id)

      assert.equal(inTime.status, 200, inTime.text)
      assertRefused(late, "The time limit for editing this message's channel has passed")
      assert.equal(byModerator.status, 200, byModerator.text)
    })
  },
  { settings: { move_messages_between_streams_limit_seconds: daySeconds } },
)
