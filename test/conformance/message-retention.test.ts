import assert from 'node:assert/strict'
import { it } from 'node:test'

import createKnex from 'knex'

import type { CastOptions } from '../support/cast.js'
import type { Client } from '../support/client.js'
import type { FakeClock } from '../support/fake-clock.js'
import { withoutIds, type EventFeed } from '../support/event-feed.js'
import { everyHost, type HostCase } from '../support/host.js'
import { answered, statementsOf } from '../support/statements.js'
import { upload } from '../support/uploads.js'

const daySeconds = 86_400
const roundSeconds = 1800
/** Initial time of the clock of a test. */
const today = Date.UTC(2026, 0, 15, 12) / 1000

const capabilities = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  empty_topic_name: true,
}

/** Runs one round, and no other due work. */
async function passRound(clock: FakeClock): Promise<void> {
  const isOver = clock.next('set', roundSeconds)
  clock.fire(roundSeconds)
  await isOver
}

interface OldMessage {
  readonly daysOld: number
  readonly sender_id: number
  readonly content: string
  readonly channel_id?: number
  readonly topic?: string
  readonly to?: readonly number[]
  readonly starred_by?: readonly number[]
  readonly read_by?: readonly number[]
}

type Ids = Parameters<NonNullable<CastOptions['more']>>[0]

const withHistory = (
  settings: Readonly<Record<string, unknown>>,
  history: (ids: Ids) => readonly OldMessage[],
): CastOptions => ({
  settings,
  more: (ids) => ({
    messages: history(ids).map(({ daysOld, ...message }) => ({
      ...message,
      sent_at_seconds: today - daysOld * daySeconds,
    })),
  }),
})

async function textsOf(client: Client, narrow: readonly object[] = []): Promise<string[]> {
  const page = { narrow, anchor: 'newest', num_before: 1000, num_after: 0, apply_markdown: false }
  const { body } = await client.get('/messages', page)
  return (body.messages as { content: string }[]).map(({ content }) => content)
}

const inChannel = (id: number) => [{ operator: 'channel', operand: id }]

async function deletionsOf(feed: EventFeed): Promise<Record<string, unknown>[]> {
  return withoutIds(await feed.drain()).filter(({ type }) => type === 'delete_message')
}

async function setRetention(at: HostCase, channelId: number, days: number | string) {
  const { olga } = at.people
  const answer = await olga.patch(`/streams/${channelId}`, { message_retention_days: days })
  assert.equal(answer.status, 200, answer.text)
}

everyHost(
  'message retention of an organization',
  (at) => {
    it('deletes older messages, starred or not, and sends events to users with access', async () => {
      const { alice, bob, carol } = at.people
      const { design } = at.channels
      const options = {
        event_types: ['delete_message', 'stream'],
        client_capabilities: capabilities,
      }
      const snapshotOptions = {
        ...options,
        fetch_event_types: ['stream', 'message', 'starred_messages'],
      }
      const before = await textsOf(bob, inChannel(design))
      assert.deepEqual(before, ['Old one', 'Old two', 'Other topic', 'Young'])
      const [member, outsider] = [await bob.listen(snapshotOptions), await carol.listen(options)]
      const starred = member.snapshot['starred_messages'] as number[]
      assert.equal(starred.length, 1)

      await passRound(at.clock)

      assert.deepEqual(await textsOf(bob, inChannel(design)), ['Young'])
      const page = { narrow: inChannel(design), anchor: 'oldest', num_before: 0, num_after: 1 }
      const young = (await bob.get('/messages', page)).body.messages[0]!.id
      const oldest = starred[0] as number
      const events = withoutIds(await member.drain())
      const inDesign = events.filter(({ stream_id }) => stream_id === design)
      const gone = { type: 'delete_message', message_type: 'stream', stream_id: design }
      assert.deepEqual(inDesign, [
        { ...gone, message_ids: [oldest, oldest + 1], topic: 'Logo' },
        { ...gone, message_ids: [oldest + 2], topic: 'colour' },
        {
          type: 'stream',
          op: 'update',
          stream_id: design,
          name: 'design',
          property: 'first_message_id',
          value: young,
        },
      ])
      const others = events.filter(({ stream_id }) => stream_id !== design)
      assert.deepEqual(others, [
        { type: 'delete_message', message_type: 'private', message_ids: [oldest + 3] },
      ])
      const received = withoutIds(await outsider.drain())
      assert.deepEqual(received, [])
      const after = await bob.listen(snapshotOptions)
      assert.deepEqual(after.snapshot['starred_messages'], [])
      const channel = (await alice.get(`/streams/${design}`)).body.stream
      assert.equal(channel.first_message_id, young)
      const topics = (await alice.get(`/users/me/${design}/topics`)).body.topics
      assert.deepEqual(
        topics.map(({ name }: { name: string }) => name),
        ['Logo'],
      )
    })

    it('deletes direct messages, and sends events only to the participants', async () => {
      const { alice, bob, carol } = at.people
      const [participant, other] = [await alice.listen({}), await carol.listen({})]
      const answer = await alice.whisper([bob], 'Not for long')
      at.clock.jump(10 * daySeconds)

      await passRound(at.clock)
      assert.ok((await textsOf(alice)).includes('Not for long'))
      at.clock.jump(1)
      await passRound(at.clock)

      assert.ok(!(await textsOf(alice)).includes('Not for long'))
      const own = await deletionsOf(participant)
      assert.ok(
        own.some(({ message_id }) => message_id === answer),
        JSON.stringify(own),
      )
      const others = await deletionsOf(other)
      assert.ok(others.every(({ message_id }) => message_id !== answer))
    })

    it('deletes unread counts, reactions, edit histories and references to files', async () => {
      const { alice, bob } = at.people
      const { design } = at.channels
      const url = await upload(alice, { name: 'plan.txt', bytes: 'Plan' })
      const id = await alice.say(design, 'files', `See [plan](${url})`)
      await bob.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
      await alice.patch(`/messages/${id}`, { content: `See [the plan](${url})` })
      const attachmentsOf = async () =>
        (await alice.get('/attachments')).body.attachments as { messages: unknown[] }[]
      assert.equal((await attachmentsOf())[0]?.messages.length, 1)
      at.clock.jump(10 * daySeconds + 1)

      await passRound(at.clock)

      assert.equal((await attachmentsOf())[0]?.messages.length, 0)
      assert.equal((await bob.get(`/messages/${id}`)).body.msg, 'Invalid message(s)')
      const { snapshot } = await bob.listen({
        fetch_event_types: ['message', 'update_message_flags'],
      })
      const unread = snapshot['unread_msgs'] as { streams: { unread_message_ids: number[] }[] }
      assert.ok(unread.streams.every(({ unread_message_ids }) => !unread_message_ids.includes(id)))
      const knex = createKnex(at.host.databaseConfig)
      try {
        for (const table of ['user_messages', 'reactions', 'attachment_messages']) {
          const rows = (await knex(`chat_${table}`).where({ message_id: id })) as unknown[]
          assert.deepEqual(rows, [], table)
        }
      } finally {
        await knex.destroy()
      }
    })

    it('is overridden by channels that keep messages forever, or for a shorter time', async () => {
      const { alice } = at.people
      const { window, secret } = at.channels
      await setRetention(at, window, 'unlimited')
      await setRetention(at, secret, 2)
      await alice.say(window, 'long', 'For ever')
      await alice.say(secret, 'short', 'Two days')
      at.clock.jump(2 * daySeconds + 1)
      await passRound(at.clock)
      assert.deepEqual(await textsOf(alice, inChannel(secret)), [])
      assert.deepEqual(await textsOf(alice, inChannel(window)), ['For ever'])
      at.clock.jump(400 * daySeconds)

      await passRound(at.clock)

      assert.deepEqual(await textsOf(alice, inChannel(window)), ['For ever'])
      await setRetention(at, window, 'realm_default')
      await passRound(at.clock)
      assert.deepEqual(await textsOf(alice, inChannel(window)), [])
      const { stream } = (await alice.get(`/streams/${window}`)).body
      assert.equal(stream.first_message_id, null)
    })
  },
  withHistory({ message_retention_days: 10 }, ({ people, channels }) => [
    {
      daysOld: 30,
      sender_id: people.alice,
      channel_id: channels.design,
      topic: 'logo',
      content: 'Old one',
      starred_by: [people.bob],
    },
    {
      daysOld: 29,
      sender_id: people.bob,
      channel_id: channels.design,
      topic: 'Logo',
      content: 'Old two',
    },
    {
      daysOld: 28,
      sender_id: people.bob,
      channel_id: channels.design,
      topic: 'colour',
      content: 'Other topic',
    },
    { daysOld: 28, sender_id: people.bob, to: [people.alice], content: 'Old words' },
    {
      daysOld: 9,
      sender_id: people.bob,
      channel_id: channels.design,
      topic: 'Logo',
      content: 'Young',
    },
  ]),
  {},
)

everyHost(
  'message retention of a channel',
  (at) => {
    it('deletes nothing without a retention period', async () => {
      const { alice } = at.people
      await alice.say(at.channels.design, 'kept', 'Kept')
      at.clock.jump(4000 * daySeconds)

      await passRound(at.clock)

      assert.deepEqual(await textsOf(alice, inChannel(at.channels.design)), ['Kept'])
    })

    it('sends events for a protected history only to users who had the messages', async () => {
      const { alice, bob, carol } = at.people
      const { vault } = at.channels
      const first = await alice.say(vault, 'plans', 'Before Carol')
      await alice.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'vault' }],
        principals: [carol.id],
      })
      const second = await alice.say(vault, 'launch', 'With Carol')
      await setRetention(at, vault, 3)
      const options = { event_types: ['delete_message'], client_capabilities: capabilities }
      const [early, late] = [await bob.listen(options), await carol.listen(options)]
      at.clock.jump(3 * daySeconds + 1)

      await passRound(at.clock)

      const idsOf = (events: readonly Record<string, unknown>[]) =>
        events.flatMap(({ message_ids }) => message_ids as number[])
      const ofEarly = idsOf(await deletionsOf(early))
      assert.ok(ofEarly.includes(first) && ofEarly.includes(second))
      const ofLate = idsOf(await deletionsOf(late))
      assert.ok(!ofLate.includes(first) && ofLate.includes(second))
    })

    it('deletes messages in batches with a constant number of statements', async () => {
      const { alice } = at.people
      const { empty } = at.channels
      const send = async (count: number) => {
        for (let index = 0; index < count; index += 1) {
          await alice.say(empty, `topic ${index % 7}`, `message ${index}`)
        }
        at.clock.jump(2 * daySeconds)
      }
      await setRetention(at, empty, 1)
      await send(3)
      const few = await statementsOf(at.host, () => passRound(at.clock))
      assert.deepEqual(await textsOf(alice, inChannel(empty)), [])
      await send(90)

      const many = await statementsOf(at.host, () => passRound(at.clock))

      assert.deepEqual(await textsOf(alice, inChannel(empty)), [])
      assert.equal(many.length, few.length)
      await send(205)
      await passRound(at.clock)
      assert.deepEqual(await textsOf(alice, inChannel(empty)), [])
    })

    it('deletes nothing if the retention period is changed at the same time', async () => {
      const { alice } = at.people
      const id = at.channels.window
      await setRetention(at, id, 1)
      await alice.say(id, 'spared', 'Kept after all')
      at.clock.jump(daySeconds + 1)
      const knex = createKnex({ ...at.host.databaseConfig, useNullAsDefault: true })
      const transaction = await knex.transaction()
      try {
        // Like every write to an organization, this locks its row, so the round waits to delete.
        await transaction('chat_organizations').increment('event_seq', 0)
        await transaction('chat_channels').where({ id }).update({ message_retention_days: -1 })
        const isOver = at.clock.next('set', roundSeconds)
        await answered(/AS first_(id|sent_at)/, () => at.clock.fire(roundSeconds))
        await transaction.commit()
        await isOver
      } finally {
        if (!transaction.isCompleted()) await transaction.rollback()
        await knex.destroy()
      }

      assert.deepEqual(await textsOf(alice, inChannel(id)), ['Kept after all'])
    })

    it('deletes each message once if two servers share the database', async () => {
      const { alice } = at.people
      const { design } = at.channels
      const second = await at.host.another('koa')
      try {
        await setRetention(at, design, 5)
        const sent: number[] = []
        for (let index = 0; index < 150; index += 1) {
          sent.push(await alice.say(design, 'shared', `message ${index}`))
        }
        const feed = await alice.listen({
          event_types: ['delete_message'],
          client_capabilities: capabilities,
        })
        at.clock.jump(5 * daySeconds + 1)
        second.clock.jump(at.clock.seconds - second.clock.seconds)

        await Promise.all([passRound(at.clock), passRound(second.clock)])

        at.clock.fire(0.25)
        const deleted = (await deletionsOf(feed)).flatMap(
          ({ message_ids }) => message_ids as number[],
        )
        assert.deepEqual(
          deleted.filter((id) => sent.includes(id)).sort((a, b) => a - b),
          sent,
        )
        assert.deepEqual(await textsOf(alice, inChannel(design)), [])
      } finally {
        await second.stop()
      }
    })
  },
  {},
  {},
)
