import assert from 'node:assert/strict'
import { it } from 'node:test'

import { castOf } from '../support/cast.js'
import { makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import type { EventFeed } from '../support/event-feed.js'
import { systemGroupId } from '../support/groups.js'
import { everyHost, type HostCase } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'
import { eventsOf, listenAll, person } from '../support/typing.js'

/** Loads an organization with that many subscribers of design in addition to Alice and Bob. */
async function crowd(
  at: HostCase,
  base: number,
  others: number,
): Promise<ReturnType<typeof castOf>> {
  const subdomain = `crowd-${base}`
  const cast = castOf(base, subdomain, {}, (...args) => at.host.client(subdomain, ...args))
  const users = Array.from({ length: others }, (_, index) => ({
    id: base + 100 + index,
    email: `extra${index}@${subdomain}.example`,
    full_name: `Extra ${index}`,
    role: 400,
    joined_at_seconds: 1_700_000_000,
  }))
  const { file } = cast
  file.users.push(...users)
  const design = file.channels.find(({ name }) => name === 'design')
  if (design !== undefined) {
    design.subscribers = [...design.subscribers, ...users.map(({ id }) => id)]
  }
  await at.host.chat.organizations.load(file)
  return cast
}

everyHost(
  'set-typing-status',
  (at) => {
    it('sends the event to all participants of a direct conversation and the sender, and to no others', async () => {
      const { alice, bob, gus, mona } = at.people
      const feeds = await listenAll(alice, bob, gus, mona)

      const to = [gus.id, bob.id, gus.id]
      const started = await alice.post('/typing', { op: 'start', to })
      const again = await alice.post('/typing', { op: 'start', to, type: 'direct' })
      const stopped = await alice.post('/typing', { op: 'stop', to })

      for (const { body } of [started, again, stopped]) assert.deepEqual(body, bareSuccess)
      const event = {
        type: 'typing',
        message_type: 'direct',
        sender: person(alice),
        recipients: [person(gus), person(bob), person(alice)],
      }
      const expected = ['start', 'start', 'stop'].map((op) => ({ ...event, op }))
      assert.deepEqual(await eventsOf(feeds), [expected, expected, expected, []])
    })

    it('keeps the position of a sender who is listed', async () => {
      const { alice, bob } = at.people
      const [aliceFeed, bobFeed] = await listenAll(alice, bob)

      await alice.post('/typing', { op: 'start', to: [alice.id] })
      await alice.post('/typing', { op: 'start', to: [alice.id, bob.id] })

      const recipients = (events: Record<string, unknown>[]): unknown[] =>
        events.map((event) => event['recipients'])
      const [toSelf, toBoth] = [[person(alice)], [person(alice), person(bob)]]
      const [own, others] = await eventsOf([aliceFeed as EventFeed, bobFeed as EventFeed])
      assert.deepEqual(recipients(own ?? []), [toSelf, toBoth])
      assert.deepEqual(recipients(others ?? []), [toBoth])
    })

    it('omits users who have disabled typing notifications', async () => {
      const { alice, bob, carol } = at.people
      const feeds = await listenAll(bob, carol)

      const answer = await alice.post('/typing', { op: 'start', to: [bob.id, carol.id] })

      assert.deepEqual(answer.body, bareSuccess)
      const [received, others] = await eventsOf(feeds)
      assert.deepEqual(received?.[0]?.['recipients'], [bob, carol, alice].map(person))
      assert.deepEqual(others, [])
    })

    it('refuses what the sender could not send', async () => {
      const { alice, bob, dora, olga } = at.people
      const feeds = await listenAll(bob)
      const refusals: string[] = []
      const both = async (to: number[]) => {
        const typing = await alice.post('/typing', { op: 'start', to })
        const sending = await alice.post('/messages', { type: 'direct', to, content: 'Hi' })
        assert.equal(typing.text, sending.text)
        refusals.push(typing.body.msg)
      }

      await both([dora.id])
      const permit = async (name: string) =>
        olga.patch('/realm', {
          direct_message_permission_group: { new: await systemGroupId(olga, name) },
        })
      await permit('role:nobody')
      await both([bob.id])
      await permit('role:everyone')

      assert.match(refusals[0] ?? '', /is no longer using/)
      assert.match(refusals[1] ?? '', /Direct messages are disabled/)
      assert.deepEqual(await eventsOf(feeds), [[]])
    })

    it('sends the event once to each subscriber of a channel', async () => {
      const { alice, bob, adam } = at.people
      const feeds = await listenAll(alice, bob, adam)
      const place = { stream_id: at.channels.design, topic: ' Logo ' }

      const first = await alice.post('/typing', { type: 'stream', op: 'start', ...place })
      const second = await alice.post('/typing', { type: 'channel', op: 'stop', ...place })

      for (const { body } of [first, second]) assert.deepEqual(body, bareSuccess)
      const event = {
        type: 'typing',
        message_type: 'stream',
        sender: person(alice),
        stream_id: at.channels.design,
        topic: 'Logo',
      }
      const expected = [
        { ...event, op: 'start' },
        { ...event, op: 'stop' },
      ]
      assert.deepEqual(await eventsOf(feeds), [expected, expected, []])
    })

    it('sends no event to a sender who is not subscribed or has disabled typing notifications', async () => {
      const { adam, carol, alice } = at.people
      const feeds = await listenAll(adam, alice)
      const [carolFeed] = await listenAll(carol)

      await adam.post('/typing', {
        type: 'channel',
        op: 'start',
        stream_id: at.channels.design,
        topic: 't',
      })
      await adam.post('/typing', {
        type: 'channel',
        op: 'start',
        stream_id: at.channels.general,
        topic: 't',
      })

      const [own, others] = await eventsOf(feeds)
      const channels = (events: Record<string, unknown>[] = []): unknown[] =>
        events.map((event) => event['stream_id'])
      assert.deepEqual(channels(own), [at.channels.general])
      assert.deepEqual(channels(others), [at.channels.design, at.channels.general])
      assert.deepEqual(await (carolFeed as EventFeed).drain(), [])
    })

    it('sends channel events only to clients with the capability, and names the empty topic', async () => {
      const { alice, bob } = at.people
      const listen = (capabilities: object): Promise<EventFeed> =>
        bob.listen({
          event_types: ['typing'],
          client_capabilities: { notification_settings_null: true, ...capabilities },
        })
      const withoutCapability = await listen({ empty_topic_name: true })
      const old = await listen({ stream_typing_notifications: true })
      const current = await listen({ stream_typing_notifications: true, empty_topic_name: true })

      for (const topic of ['', '(no topic)', ' general chat ']) {
        const place = { stream_id: at.channels.design, topic }
        await alice.post('/typing', { type: 'channel', op: 'start', ...place })
      }
      await alice.post('/typing', { op: 'start', to: [bob.id] })

      const [ofIncapable, ofOld, ofCurrent] = await eventsOf([withoutCapability, old, current])
      const topics = (events: Record<string, unknown>[] = []): unknown[] =>
        events.map((event) => event['topic'])
      assert.deepEqual(topics(ofIncapable), [undefined])
      assert.deepEqual(topics(ofOld), ['general chat', 'general chat', 'general chat', undefined])
      assert.deepEqual(topics(ofCurrent), ['', '', '', undefined])
    })

    it('truncates a topic as in messages', async () => {
      const { alice, bob } = at.people
      const [feed] = await listenAll(bob)
      const place = { type: 'channel', stream_id: at.channels.design }

      await alice.post('/typing', { op: 'start', ...place, topic: 'x'.repeat(61) })

      const [event] = await (feed as EventFeed).drain()
      assert.equal(event?.['topic'], `${'x'.repeat(57)}...`)
    })

    it('sends the event to 100 subscribers of a channel, but not to 101', async () => {
      // IDs are unique on a server, so each adapter's cases use ids of their own.
      const hundred = await crowd(at, 5_000_000, 98)
      const more = await crowd(at, 6_000_000, 99)
      for (const [cast, count] of [
        [hundred, 1],
        [more, 0],
      ] as const) {
        const { alice, bob } = cast.people
        const feeds = await listenAll(bob)
        const place = { stream_id: cast.channels.design, topic: 't' }

        const answer = await alice.post('/typing', { type: 'channel', op: 'start', ...place })

        assert.deepEqual(answer.body, bareSuccess)
        assert.equal((await eventsOf(feeds))[0]?.length, count)
      }
    })

    it('writes nothing to the event log', async () => {
      const { alice, bob } = at.people
      const [ownFeed] = await listenAll(bob)

      await alice.post('/typing', { op: 'start', to: [bob.id] })

      const feed = ownFeed as EventFeed
      assert.equal((await feed.poll()).length, 1)
      const { last_event_id } = (await alice.post('/register', { event_types: [] })).body
      assert.equal(Math.floor(last_event_id / 1024), Math.floor(feed.lastEventId / 1024))
    })

    const refusals: [
      what: string,
      who: keyof HostCase['people'],
      params: Record<string, unknown>,
      msg: string,
    ][] = [
      ['a legacy type', 'alice', { type: 'private', op: 'start', to: [1] }, 'Invalid type'],
      ['an unknown op', 'alice', { op: 'go', to: [1] }, 'Invalid op'],
      [
        'a missing channel',
        'alice',
        { type: 'stream', op: 'start', topic: 't' },
        'Missing channel ID',
      ],
      ['a missing topic', 'alice', { type: 'channel', op: 'start', stream_id: 1 }, 'Missing topic'],
      ['missing recipients', 'alice', { op: 'start' }, "Missing 'to' argument"],
      ['an empty list of recipients', 'alice', { op: 'start', to: [] }, "Empty 'to' list"],
      ['addresses', 'alice', { op: 'start', to: ['a@b.example'] }, 'to[0] is not an integer'],
      [
        'a sender who has disabled it for direct messages',
        'mona',
        { op: 'start', to: [1] },
        'User has disabled typing notifications for direct messages',
      ],
      [
        'a sender who has disabled it for channels',
        'mona',
        { type: 'stream', op: 'start', stream_id: 1, topic: 't' },
        'User has disabled typing notifications for channel messages',
      ],
      ['an unknown user', 'alice', { op: 'start', to: [2e9] }, 'Invalid user ID 2000000000'],
      [
        'an unknown channel',
        'alice',
        { type: 'stream', op: 'start', stream_id: 2e9, topic: 't' },
        'Invalid channel ID',
      ],
    ]
    for (const [what, who, params, msg] of refusals) {
      it(`rejects ${what}`, async () => {
        assertRefused(await at.people[who].post('/typing', params), msg)
      })
    }

    it('requires op', async () => {
      assertRefused(await at.people.alice.post('/typing', { to: [1] }), "Missing 'op' argument", {
        code: 'REQUEST_VARIABLE_MISSING',
        var_name: 'op',
      })
    })

    it('returns the same error for unreadable, archived and unknown channels', async () => {
      const { bob, gus, alice } = at.people
      const inChannel = (client: Client, stream_id: number): ReturnType<Client['post']> =>
        client.post('/typing', { type: 'channel', op: 'start', stream_id, topic: 't' })
      for (const answer of [
        await inChannel(bob, at.channels.secret),
        await inChannel(gus, at.channels.design),
        await inChannel(alice, at.channels.attic),
      ]) {
        assertRefused(answer, 'Invalid channel ID')
      }
    })

    it('rejects channels in which the sender may not post', async () => {
      const { alice, bob, olga } = at.people
      const can_send_message_group = { direct_members: [bob.id], direct_subgroups: [] }
      const stream_id = await makeChannel(olga, 'announcements', {
        subscribers: [alice.id, bob.id],
        can_send_message_group,
      })
      const params = { op: 'start', type: 'stream', stream_id, topic: 'news' }

      assertRefused(
        await alice.post('/typing', params),
        'You do not have permission to post in this channel.',
      )
      assert.deepEqual((await bob.post('/typing', params)).body, bareSuccess)
    })

    it('rejects a user of another organization', async () => {
      const other = await at.host.organization()
      const { id } = other.people.alice

      const answer = await at.people.alice.post('/typing', { op: 'start', to: [id] })

      assertRefused(answer, `Invalid user ID ${id}`)
    })

    it('accepts calls by all users with credentials', async () => {
      const { gus, bot, bob } = at.people
      for (const client of [gus, bot]) {
        const answer = await client.post('/typing', { op: 'start', to: [bob.id] })
        assert.equal(answer.status, 200, client.name)
      }
      assert.equal((await at.nobody.post('/typing', { op: 'start', to: [bob.id] })).status, 401)
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
  'set-typing-status',
  (at) => {
    it('rejects recipients to whom a guest has no access', async () => {
      const { gus, bob, carol, adam, bot } = at.people
      await adam.delete('/users/me/subscriptions', {
        subscriptions: ['general'],
        principals: [gus.id],
      })
      const feeds = await listenAll(gus, bob)
      const start = (client: Client, ...to: Client[]): ReturnType<Client['post']> =>
        client.post('/typing', { op: 'start', to: to.map(({ id }) => id) })

      const inaccessible = 'You do not have permission to access some of the recipients.'
      assertRefused(await start(gus, bot, bob), inaccessible)
      assert.equal((await start(gus, bot)).status, 200)
      assert.equal((await start(bob, gus)).status, 200)
      await bob.whisper([gus], 'Here I am')
      assert.equal((await start(bob, gus, carol)).status, 200)
      assert.equal((await start(bob, gus)).status, 200)

      const [ofGus, ofBob] = await eventsOf(feeds)
      const recipients = (events: Record<string, unknown>[] = []): unknown[] =>
        events.map((event) => event['recipients'])
      assert.deepEqual(recipients(ofGus), [
        [person(bot), person(gus)],
        [person(gus), person(bob)],
      ])
      assert.deepEqual(recipients(ofBob), [
        [person(gus), person(bob)],
        [person(gus), person(carol), person(bob)],
        [person(gus), person(bob)],
      ])
    })
  },
  { settings: { can_access_all_users_group: 'role:members' } },
)
