import assert from 'node:assert/strict'
import { it } from 'node:test'

import { makeChannel } from '../support/channels.js'
import { everyHost } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'

const daySeconds = 86_400
/** Grace period after a time limit. */
const graceSeconds = 20

everyHost(
  'update-message',
  (at) => {
    it('resolves topics with the permission of the organization or the channel', async () => {
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

    it('moves messages out of a channel with the permission of the organization or the channel', async () => {
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
    it('moves old messages between channels only for moderators', async () => {
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

everyHost(
  'update-message',
  (at) => {
    const justBob = () => ({ new: { direct_members: [at.people.bob.id], direct_subgroups: [] } })

    it('renames topics with the permission of the organization or the channel', async () => {
      const { adam, alice, bob, olga } = at.people
      const channelId = await makeChannel(olga, 'renamed', {
        subscribers: [adam.id, alice.id, bob.id],
      })
      const id = await alice.say(channelId, 'one', 'Hello')
      const rename = (by: typeof bob, topic: string) => by.patch(`/messages/${id}`, { topic })

      for (const person of [alice, bob]) {
        assertRefused(await rename(person, 'two'), "You don't have permission to edit this message")
      }
      assert.equal((await rename(adam, 'three')).status, 200)
      await olga.patch(`/streams/${channelId}`, {
        can_move_messages_within_channel_group: justBob(),
      })
      assert.equal((await rename(bob, 'four')).status, 200)
      assertRefused(await rename(alice, 'five'), "You don't have permission to edit this message")
    })

    it('lets administrators of a channel rename its topics, and move messages out of it', async () => {
      const { alice, bob, olga } = at.people
      const subscribers = [alice.id, bob.id]
      const channelId = await makeChannel(olga, 'administered', { subscribers })
      const stream_id = await makeChannel(olga, 'beyond', { subscribers })
      const id = await alice.say(channelId, 'one', 'Hello')
      const refused = await bob.patch(`/messages/${id}`, { stream_id })

      await olga.patch(`/streams/${channelId}`, { can_administer_channel_group: justBob() })
      const renamed = await bob.patch(`/messages/${id}`, { topic: 'two' })
      const moved = await bob.patch(`/messages/${id}`, { stream_id })

      assertRefused(refused, "You don't have permission to move this message")
      assert.deepEqual([renamed.status, moved.status], [200, 200], moved.text)
    })
  },
  {
    settings: {
      can_move_messages_between_topics_group: 'role:administrators',
      can_move_messages_between_channels_group: 'role:administrators',
    },
  },
)

everyHost('update-message', (at) => {
  it('refuses moves to channels that the mover cannot post in, and to topics that are not allowed', async () => {
    const { alice, bob, olga } = at.people
    const subscribers = [alice.id, bob.id]
    const group = { direct_members: [olga.id], direct_subgroups: [] }
    const restricted = await makeChannel(olga, 'closed', {
      subscribers,
      can_send_message_group: group,
    })
    const named = await makeChannel(olga, 'named', {
      subscribers,
      topics_policy: 'disable_empty_topic',
    })
    const onlyEmptyTopic = await makeChannel(olga, 'nameless', {
      subscribers,
      topics_policy: 'empty_topic_only',
    })
    const id = await alice.say(at.channels.design, 'mobile', 'Hello')
    const move = (changes: object) => alice.patch(`/messages/${id}`, { ...changes })
    const empty_topic_display_name = 'general chat'

    assertRefused(
      await move({ stream_id: restricted }),
      'You do not have permission to post in this channel.',
    )
    for (const topic of ['', '(no topic)', 'general chat']) {
      assertRefused(
        await move({ stream_id: named, topic }),
        'Sending messages to the general chat is not allowed in this channel.',
        { empty_topic_display_name },
      )
    }
    assertRefused(
      await move({ stream_id: onlyEmptyTopic }),
      'Only the general chat topic is allowed in this channel.',
      { empty_topic_display_name },
    )
    assertRefused(await move({ content: 'a\0b' }), 'Message must not contain null bytes')
  })

  it('moves from a protected history only the messages that the mover can see', async () => {
    const { olga, alice, bob } = at.people
    const source = await makeChannel(olga, 'hidden past', {
      invite_only: true,
      history_public_to_subscribers: false,
      subscribers: [bob.id],
    })
    const stream_id = await makeChannel(olga, 'present', { subscribers: [alice.id, bob.id] })
    const invisible = await bob.say(source, 'plan', 'Before Alice')
    // Messages that are too old to be moved do not count either if she cannot see them.
    at.clock.jump(8 * daySeconds)
    const invitation = { subscriptions: [{ name: 'hidden past' }], principals: [alice.id] }
    assert.equal((await bob.post('/users/me/subscriptions', invitation)).status, 200)
    const visible = await bob.say(source, 'plan', 'With Alice')

    const answer = await alice.patch(`/messages/${visible}`, {
      stream_id,
      propagate_mode: 'change_all',
    })

    const channelOf = async (id: number) =>
      (await bob.get(`/messages/${id}`)).body.message.stream_id
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual([await channelOf(visible), await channelOf(invisible)], [stream_id, source])
    assert.equal((await alice.get(`/messages/${invisible}`)).status, 400)
  })

  it('returns the same error for a channel that the mover cannot read and for an unknown one', async () => {
    const { alice, bob, gus } = at.people
    const id = await bob.say(at.channels.general, 'mobile', 'Hello')
    const missing = await bob.patch(`/messages/${id}`, { stream_id: at.unknownId })
    const hidden = await bob.patch(`/messages/${id}`, { stream_id: at.channels.secret })
    const guests = await gus.patch(`/messages/${id}`, { stream_id: at.channels.design })

    assertRefused(missing, 'Invalid channel ID')
    assert.equal(hidden.text, missing.text)
    assert.equal(guests.text, missing.text)
    assert.equal((await alice.get(`/messages/${id}`)).body.message.stream_id, at.channels.general)
  })
})
