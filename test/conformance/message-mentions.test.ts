import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Answer, Client } from '../support/client.js'
import { everyHost } from '../support/host.js'
import { subscribeBots, withCrowd } from '../support/mentionable-crowd.js'
import { assertRefused } from '../support/refusal.js'

const refusedChannel = [
  'You do not have permission to use channel wildcard mentions in this channel.',
  { code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED' },
] as const
const refusedTopic = [
  'You do not have permission to use topic wildcard mentions in this topic.',
  { code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED' },
] as const

const send = (author: Client, channel: number, topic: string, content: string): Promise<Answer> =>
  author.post('/messages', { type: 'channel', to: channel, topic, content })

everyHost(
  'send-message',
  (at) => {
    subscribeBots(at)

    it('restricts wildcard mentions in a channel with many subscribers', async () => {
      const { alice, adam } = at.people
      const say = (author: Client, content: string) =>
        send(author, at.channels.general, 'wild', content)

      for (const name of ['all', 'everyone', 'channel', 'stream']) {
        assertRefused(await say(alice, `Hi @**${name}**`), ...refusedChannel)
      }
      for (const content of ['Hi @_**all**', '> Hi @**all**', '`@**all**`', 'Hi @**topic**']) {
        assert.equal((await say(alice, content)).status, 200, content)
      }
      assert.equal((await say(adam, 'Hi @**all**')).status, 200)
    })

    it('accepts wildcard mentions in a channel with few subscribers', async () => {
      const { alice } = at.people

      assert.equal((await send(alice, at.channels.design, 'wild', '@**all**')).status, 200)
    })

    it('restricts wildcard mentions in a topic with many participants', async () => {
      const { alice, adam, bob, gus } = at.people
      const say = (author: Client) => send(author, at.channels.general, 'BUSY', 'Hi @**topic**')
      const feeds = {
        bob: await bob.listen({ event_types: ['message'] }),
        alice: await alice.listen({ event_types: ['message'] }),
      }

      // Fifteen users have posted or reacted.
      assert.equal((await say(bob)).status, 200)
      assert.equal((await send(alice, at.channels.general, 'busy', 'me too')).status, 200)

      assertRefused(await say(gus), ...refusedTopic)
      assert.equal((await say(adam)).status, 200)
      const flagsOf = async (feed: typeof feeds.bob): Promise<unknown> =>
        (await feed.drain()).map((event) => event['flags'].includes('topic_wildcard_mentioned'))
      assert.deepEqual(await flagsOf(feeds.bob), [true, false, true])
      assert.deepEqual(await flagsOf(feeds.alice), [false, false, true])
    })

    it('flags both users of a direct message for a channel wildcard, and neither for a topic wildcard', async () => {
      const { alice, bob } = at.people
      const feed = await bob.listen({ event_types: ['message'] })

      const id = await alice.whisper([bob], 'Hi @**all**')
      await alice.whisper([bob], 'Hi @**topic**')

      const flags = ['stream_wildcard_mentioned', 'wildcard_mentioned']
      assert.deepEqual(
        (await feed.drain()).map((event) => event['flags']),
        [flags, []],
      )
      const { message } = (await alice.get(`/messages/${id}`)).body
      assert.deepEqual(message.flags, flags)
    })
  },
  withCrowd,
)

everyHost(
  'send-message',
  (at) => {
    subscribeBots(at, 7)

    it('counts fifteen subscribers as few', async () => {
      const { alice } = at.people

      assert.equal((await send(alice, at.channels.general, 'wild', '@**all**')).status, 200)
    })
  },
  withCrowd,
)

everyHost(
  'send-message',
  (at) => {
    subscribeBots(at)

    it("accepts wildcard mentions of many users with the organization's permission", async () => {
      const { alice, gus } = at.people
      const mention = (author: Client) => send(author, at.channels.general, 'wild', '@**all**')

      assert.equal((await mention(alice)).status, 200)
      assertRefused(await mention(gus), ...refusedChannel)
    })
  },
  { ...withCrowd, settings: { can_mention_many_users_group: 'role:members' } },
)

everyHost(
  'update-message',
  (at) => {
    subscribeBots(at)

    it('requires the same permissions for wildcards as send-message', async () => {
      const { alice, adam, bob } = at.people
      const byAlice = await alice.say(at.channels.general, 'busy', 'quiet')
      const byAdam = await adam.say(at.channels.general, 'busy', 'quiet')
      const feed = await bob.listen({ event_types: ['update_message'] })
      const edit = (author: Client, id: number, content: string) =>
        author.patch(`/messages/${id}`, { content })

      assertRefused(await edit(alice, byAlice, '@**all**'), ...refusedChannel)
      assertRefused(await edit(alice, byAlice, '@**topic**'), ...refusedTopic)
      assertRefused(
        await edit(alice, byAlice, '@*role:moderators*'),
        "You are not allowed to mention user group 'role:moderators'.",
      )
      assert.equal((await edit(alice, byAlice, '@_**all** > @_**topic**')).status, 200)
      assert.equal((await edit(adam, byAdam, '@**all** @**topic**')).status, 200)

      const flags = ['stream_wildcard_mentioned', 'topic_wildcard_mentioned', 'wildcard_mentioned']
      assert.deepEqual(
        (await feed.drain()).map((event) => event['flags']),
        [[], flags],
      )
      assert.deepEqual((await bob.get(`/messages/${byAdam}`)).body.message.flags, flags)
    })

    it('sets and removes the flag for alert words', async () => {
      const { alice, carol } = at.people
      await carol.post('/users/me/alert_words', { alert_words: ['parrot'] })
      const id = await alice.say(at.channels.general, 'words', 'a crow')
      const flagsOf = async (): Promise<unknown> =>
        (await carol.get(`/messages/${id}`)).body.message.flags

      await alice.patch(`/messages/${id}`, { content: 'a parrot' })
      const found = await flagsOf()
      await alice.patch(`/messages/${id}`, { content: 'a crow' })

      assert.deepEqual([found, await flagsOf()], [['has_alert_word'], []])
    })
  },
  withCrowd,
)
