import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import type { UserUnread } from '@parley/core'
import fc from 'fast-check'
import createKnex, { type Knex } from 'knex'

import type { Client } from '../support/client.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { channelCommands } from './register-channel-commands.js'
import { anyone, by, command, withOne } from './register-command.js'
import { messageCommands } from './register-message-commands.js'
import { peopleCommands } from './register-people-commands.js'
import { settingCommands } from './register-setting-commands.js'
import { names, RegisterState, unobserved, type Name } from './register-state.js'
import { addSharedChannels, subscriptionCommands } from './subscription-commands.js'
import { UnreadChangeObserver } from './unread-change-observer.js'

/**
 * Number of histories per database. Without a limit of time: on a busy machine there would be fewer,
 * and some counts would never be above zero.
 */
const runs = Number(process.env.CHAT_TEST_MODEL_RUNS ?? 2)
/** Seed of the histories, the same in every run by default: these have counts of every kind. */
const seed = Number(process.env.CHAT_TEST_MODEL_SEED ?? 1)
const maxCommands = 80
/** Number of users who are compared after each command, in turn. */
const usersPerCommand = 2

/** Commands that change which messages count, in the channels that everybody receives at first. */
const muteCommands = [
  command<[Name, number, string, number]>(
    'mute or unmute a topic',
    [anyone, fc.nat(2), fc.constantFrom('a', 'b', 'c'), fc.constantFrom(0, 1, 1, 2)],
    (state, name, which, topic, visibility_policy) =>
      withOne(state, 'channel', which, (stream_id) =>
        by(state, name).post('/user_topics', { stream_id, topic, visibility_policy }),
      ),
  ),
  command<[Name, number, boolean]>(
    'mute or unmute a channel',
    [anyone, fc.nat(2), fc.constantFrom(true, true, false)],
    (state, name, which, value) =>
      withOne(state, 'channel', which, (stream_id) =>
        by(state, name).post('/users/me/subscriptions/properties', {
          subscription_data: [{ stream_id, property: 'is_muted', value }],
        }),
      ),
  ),
]

const commands = [
  ...Array.from({ length: 4 }, () => muteCommands).flat(),
  ...Array.from({ length: 3 }, () => subscriptionCommands).flat(),
  ...Array.from({ length: 3 }, () => messageCommands).flat(),
  ...peopleCommands,
  ...channelCommands,
  ...settingCommands,
]

/** The numbers of `unread_msgs`, in the form of {@link countsOf}. */
interface Counts {
  readonly total: number
  readonly mentions: number
  /** By channel id, also those of messages that are muted. */
  readonly channels: Readonly<Record<string, number>>
  /** By the ids of the others in the conversation. */
  readonly direct: Readonly<Record<string, number>>
}

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`unread counts by the application's ids (${database.name})`, () => {
    const host = new TestHost('express', database)
    let knex: Knex
    before(async () => {
      await host.start()
      knex = createKnex({ ...host.databaseConfig, useNullAsDefault: true })
    })
    after(async () => {
      await knex.destroy()
      await host.stop()
    })

    it('are, after each command, those of a new registration; events name all changes', async () => {
      const seen = {
        compared: 0,
        changed: 0,
        unread: 0,
        muted: 0,
        mentions: 0,
        hidden: 0,
        direct: 0,
      }
      const property = fc.asyncProperty(
        fc.commands([...commands], { maxCommands, size: 'max' }),
        async (history) => {
          const settings = { message_content_edit_limit_seconds: null }
          const state = await RegisterState.create(host, settings, unobserved)
          await addSharedChannels(state)
          const changes = new UnreadChangeObserver(state)
          const executed: string[] = []
          for (const command of history) {
            executed.push(String(command))
            await command.run({}, state)
            await setExternalIds(knex)
            const options = { organization: state.people.olga.endpoint.subdomain }
            const users = new Map(names.map((name) => [`user:${state.people[name].id}`, name]))
            const found = await host.chat.users.unread([...users.keys()], options)
            const message = `after ${executed.slice(-20).join('\n')}`
            const counts = [...users].map(([id, name]) => [name, found.get(id)] as const)
            await changes.compare(new Map(counts), message)
            const inTurn = [...users].filter(
              (_, index) => (index + executed.length) % names.length < usersPerCommand,
            )
            for (const [externalId, name] of inTurn) {
              const client = state.people[name]
              const expected = await registeredCounts(client)
              const unread = found.get(externalId)
              assert.equal(unread === undefined, expected === undefined, `${name} ${message}`)
              if (unread === undefined || expected === undefined) continue
              const { readable, hidden } = await readableChannels(client, expected.channels, unread)
              assert.deepEqual(
                countsOf(unread, client.id),
                { ...expected, channels: readable },
                `${name} ${message}`,
              )
              const shown = unread.channels.reduce((sum, { count }) => sum + count, 0)
              if (hidden === 0) assert.equal(shown + unread.directMessages.count, unread.total)
              await assertSameInChannels(host, externalId, unread, options)
              seen.compared += 1
              seen.hidden += hidden
              seen.unread += unread.total
              seen.mentions += unread.mentions
              seen.direct += unread.directMessages.count
              seen.muted += unread.channels.filter(({ mutedCount }) => mutedCount > 0).length
            }
          }
          changes.close()
          seen.changed += changes.changed
        },
      )
      await fc.assert(property, {
        seed,
        unbiased: true,
        numRuns: runs,
        endOnFailure: true,
      })
      const { unread, muted, mentions, direct, changed } = seen
      const fewest = Math.min(unread, muted, mentions, direct, changed)
      assert.ok(fewest > 0, JSON.stringify(seen))
    })
  })
}

async function setExternalIds(knex: Knex): Promise<void> {
  for (const [table, name] of [
    ['chat_users', 'user'],
    ['chat_channels', 'channel'],
  ] as const) {
    const rows = await knex(table).whereNull('external_id').select<{ id: number }[]>('id')
    for (const { id } of rows) {
      await knex(table)
        .where({ id })
        .update({ external_id: `${name}:${id}` })
    }
  }
}

/** Undefined if the account is deactivated. */
async function registeredCounts(client: Client): Promise<Counts | undefined> {
  const { status, body, text } = await client.post('/register', {
    fetch_event_types: ['message', 'update_message_flags'],
    event_types: [],
    client_capabilities: { notification_settings_null: true, empty_topic_name: true },
  })
  if (status === 401) return undefined
  assert.equal(status, 200, text)
  await client.delete('/events', { queue_id: body.queue_id })
  const { count, mentions, streams, pms, huddles } = body.unread_msgs
  const channels: Record<string, number> = {}
  const direct: Record<string, number> = {}
  for (const { stream_id, unread_message_ids: ids } of streams) {
    channels[stream_id] = (channels[stream_id] ?? 0) + ids.length
  }
  for (const { other_user_id, unread_message_ids: ids } of pms) direct[other_user_id] = ids.length
  for (const { user_ids_string, unread_message_ids: ids } of huddles) {
    const others = user_ids_string.split(',').filter((id: string) => id !== String(client.id))
    direct[others.join()] = ids.length
  }
  return { total: count, mentions: mentions.length, channels, direct }
}

function countsOf(
  { total, mentions, channels, directMessages }: UserUnread,
  ownId: number,
): Counts {
  const { conversations } = directMessages
  return {
    total,
    mentions,
    channels: Object.fromEntries(
      channels.map(({ id, count, mutedCount }) => [String(id), count + mutedCount]),
    ),
    direct: Object.fromEntries(
      conversations.map(({ users, count }) => [
        users.map(({ id }) => id).join() || String(ownId),
        count,
      ]),
    ),
  }
}

/** The counts of channels that the user can read. Each message that is shown can be read. */
async function readableChannels(
  client: Client,
  expected: Counts['channels'],
  { channels, directMessages }: UserUnread,
): Promise<{ readonly readable: Counts['channels']; readonly hidden: number }> {
  for (const { lastMessage } of [...channels, ...directMessages.conversations]) {
    const { status, body } = await client.get(`/messages/${lastMessage?.id}`)
    assert.equal(status, 200)
    assert.equal(body.message.sender_full_name, lastMessage?.sender.fullName)
  }
  const listed = new Set(channels.map(({ id }) => String(id)))
  const readable: Record<string, number> = {}
  let hidden = 0
  for (const [id, count] of Object.entries(expected)) {
    if (listed.has(id)) readable[id] = count
    else {
      hidden += 1
      const { status, body } = await client.get(`/streams/${id}`)
      assert.ok(status === 400 || body.stream.invite_only)
    }
  }
  return { readable, hidden }
}

/** The counts of one channel alone are those among all channels. */
async function assertSameInChannels(
  host: TestHost,
  externalId: string,
  { channels }: UserUnread,
  options: { readonly organization: string },
): Promise<void> {
  const asked = channels.filter(({ id }) => id % 2 === 0)
  const alone = await host.chat.users.unread(externalId, {
    ...options,
    channels: asked.flatMap((channel) => channel.externalId ?? []),
  })
  assert.deepEqual(alone?.channels, asked)
  assert.equal(
    alone.total,
    asked.reduce((sum, { count }) => sum + count, 0),
  )
  assert.deepEqual(alone.directMessages, { count: 0, conversations: [] })
}
