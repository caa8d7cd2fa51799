import assert from 'node:assert/strict'
import { it } from 'node:test'

import { makeChannel } from '../support/channels.js'
import { everyHost } from '../support/host.js'
import { isOfBot, notificationMessagesOf, silent } from '../support/notification-messages.js'

everyHost(
  'update-message',
  (at) => {
    /** Creates a channel with its three subscribers, and messages in one topic of it. */
    const talk = async (name: string, topic: string, count = 1) => {
      const { alice, bob, carol, mona } = at.people
      const subscribers = [alice.id, bob.id, carol.id, mona.id]
      const channelId = await makeChannel(alice, name, { subscribers })
      const ids: number[] = []
      for (let index = 0; index < count; index += 1) {
        ids.push(await alice.say(channelId, topic, `Message ${index}`))
      }
      return { channelId, ids, first: ids[0] as number }
    }
    const people = () => {
      const { alice, bob, carol, mona, gus } = at.people
      return { alice, bob, carol, mona, gus }
    }

    it("posts a message that the topic was resolved, as read according to each user's setting", async () => {
      const { alice } = at.people
      const { first } = await talk('resolving', 'bug')

      const received = await notificationMessagesOf(people(), () =>
        alice.patch(`/messages/${first}`, { topic: '✔ bug', propagate_mode: 'change_all' }),
      )

      const notice = {
        place: 'resolving > ✔ bug',
        content: `${silent(alice)} has marked this topic as resolved.`,
      }
      assert.deepEqual(received, {
        // Alice has resolved the topic herself.
        alice: [{ ...notice, flags: ['read'] }],
        // By default, the message is unread for followers only; Bob has set never, Carol always.
        bob: [{ ...notice, flags: [] }],
        carol: [{ ...notice, flags: ['read'] }],
        mona: [{ ...notice, flags: ['read'] }],
        gus: [],
      })
    })

    it('leaves the message unread for followers of the topic', async () => {
      const { alice, bob, carol, mona } = at.people
      const { channelId, first } = await talk('following', 'watched')
      await mona.post('/user_topics', {
        stream_id: channelId,
        topic: 'watched',
        visibility_policy: 3,
      })

      const received = await notificationMessagesOf({ bob, carol, mona }, () =>
        alice.patch(`/messages/${first}`, { topic: '✔ watched', propagate_mode: 'change_all' }),
      )

      const flags = Object.values(received).map((notices) => notices.map((notice) => notice.flags))
      assert.deepEqual(flags, [[[]], [['read']], [[]]])
    })

    it('deletes the message if the topic is unresolved within a minute', async () => {
      const { alice, bob } = at.people
      const { first } = await talk('wavering', 'maybe')
      await alice.patch(`/messages/${first}`, { topic: '✔ maybe', propagate_mode: 'change_all' })
      const feed = await bob.listen()

      await alice.patch(`/messages/${first}`, { topic: 'maybe', propagate_mode: 'change_all' })

      const [moved, deleted, ...rest] = await feed.drain()
      assert.equal(moved?.type, 'update_message')
      assert.equal(deleted?.type, 'delete_message')
      assert.ok(moved?.['message_ids'].includes(deleted?.['message_id']))
      assert.notEqual(deleted?.['message_id'], first)
      assert.deepEqual(rest, [])
    })

    it('posts a message if the topic is unresolved later than that', async () => {
      const { alice, bob } = at.people
      const { first } = await talk('returning', 'again')
      await alice.patch(`/messages/${first}`, { topic: '✔ again', propagate_mode: 'change_all' })
      at.clock.advance(61)

      const received = await notificationMessagesOf({ bob }, () =>
        alice.patch(`/messages/${first}`, { topic: 'again', propagate_mode: 'change_all' }),
      )

      assert.deepEqual(
        received.bob.map(({ place, content }) => [place, content]),
        [['returning > again', `${silent(alice)} has marked this topic as unresolved.`]],
      )
    })

    it('posts no message if the text is changed in the same request', async () => {
      const { alice, bob } = at.people
      const { first } = await talk('both', 'text too')

      const received = await notificationMessagesOf({ bob }, () =>
        alice.patch(`/messages/${first}`, {
          topic: '✔ text too',
          propagate_mode: 'change_all',
          content: 'Solved',
        }),
      )

      assert.deepEqual(received.bob, [])
    })

    it('posts a message in the new topic after the move, with the topic that the messages came from', async () => {
      const { alice, bob } = at.people
      const { first } = await talk('whole', 'from', 2)
      const feed = await bob.listen()

      const received = await notificationMessagesOf(people(), () =>
        alice.patch(`/messages/${first}`, { topic: 'to', propagate_mode: 'change_all' }),
      )

      const notice = {
        place: 'whole > to',
        content: `This topic was moved here from #**whole>from** by ${silent(alice)}.`,
        flags: [],
      }
      assert.deepEqual(received, {
        alice: [{ ...notice, flags: ['read'] }],
        bob: [notice],
        carol: [notice],
        mona: [notice],
        gus: [],
      })
      const events = (await feed.drain()).filter(
        (event) => event.type === 'update_message' || isOfBot(event),
      )
      assert.deepEqual(
        events.map(({ type }) => type),
        ['update_message', 'message'],
      )
    })

    it('links a single message that was moved', async () => {
      const { alice, bob } = at.people
      const { channelId, ids } = await talk('single', 'from here', 3)

      const received = await notificationMessagesOf({ bob }, () =>
        alice.patch(`/messages/${ids[1]}`, { topic: 'to there' }),
      )

      assert.deepEqual(
        received.bob.map(({ place, content }) => [place, content]),
        [
          [
            'single > to there',
            `[A message](/#narrow/channel/${channelId}-single/topic/to.20there/near/${ids[1]}) was moved here from #**single>from here** by ${silent(alice)}.`,
          ],
        ],
      )
    })

    it('counts several messages, and posts in both topics if the mover has requested it', async () => {
      const { alice, bob } = at.people
      const { ids } = await talk('several', 'long', 3)

      const received = await notificationMessagesOf({ bob }, () =>
        alice.patch(`/messages/${ids[1]}`, {
          topic: 'rest',
          propagate_mode: 'change_later',
          send_notification_to_old_thread: true,
        }),
      )

      assert.deepEqual(
        received.bob.map(({ place, content }) => [place, content]),
        [
          [
            'several > rest',
            `2 messages were moved here from #**several>long** by ${silent(alice)}.`,
          ],
          [
            'several > long',
            `2 messages were moved from this topic to #**several>rest** by ${silent(alice)}.`,
          ],
        ],
      )
    })

    it('posts a message in the old topic about a moved message, or about a move that emptied it', async () => {
      const { alice, bob } = at.people
      const { ids } = await talk('leaving', 'old', 2)
      const move = async (id: number | undefined) => {
        const received = await notificationMessagesOf({ bob }, () =>
          alice.patch(`/messages/${id}`, {
            topic: 'new',
            send_notification_to_old_thread: true,
            send_notification_to_new_thread: false,
          }),
        )
        return received.bob.map(({ place, content }) => [place, content])
      }
      const end = `to #**leaving>new** by ${silent(alice)}.`

      assert.deepEqual(await move(ids[0]), [
        ['leaving > old', `A message was moved from this topic ${end}`],
      ])
      const newest = await alice.get('/messages', {
        narrow: [
          { operator: 'channel', operand: 'leaving' },
          { operator: 'topic', operand: 'old' },
        ],
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
      })
      await at.people.adam.delete(`/messages/${newest.body.messages[0]!.id}`)
      assert.deepEqual(await move(ids[1]), [['leaving > old', `This topic was moved ${end}`]])
    })

    it('posts no message if the mover has switched it off', async () => {
      const { alice, bob } = at.people
      const { first } = await talk('discreet', 'one')

      const received = await notificationMessagesOf({ bob }, () =>
        alice.patch(`/messages/${first}`, {
          topic: 'two',
          send_notification_to_new_thread: false,
        }),
      )

      assert.deepEqual(received.bob, [])
    })

    it('posts a message in the destination channel, to its subscribers only', async () => {
      const { adam, alice, bob } = at.people
      const { first } = await talk('here', 'wandering')
      const other = await makeChannel(alice, 'there', { subscribers: [adam.id] })

      const received = await notificationMessagesOf({ adam, bob }, () =>
        adam.patch(`/messages/${first}`, { stream_id: other, propagate_mode: 'change_all' }),
      )

      const content = `This topic was moved here from #**here>wandering** by ${silent(adam)}.`
      assert.deepEqual(received, {
        adam: [{ place: 'there > wandering', content, flags: ['read'] }],
        bob: [],
      })
    })
  },
  {
    userSettings: {
      bob: { resolved_topic_notice_auto_read_policy: 'never' },
      carol: { resolved_topic_notice_auto_read_policy: 'always' },
    },
  },
)
