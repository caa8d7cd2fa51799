import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import fc from 'fast-check'
import createKnex, { type Knex } from 'knex'

import { bytesOf, entriesOf, rowsIn } from '../support/archives.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { readTables } from '../support/database-texts.js'
import { TestHost } from '../support/host.js'
import { receivedMessages, type ReceivedMessage } from '../support/received-messages.js'
import { channelCommands } from './register-channel-commands.js'
import { addSharedChannels, subscriptionCommands } from './subscription-commands.js'
import { messageCommands } from './register-message-commands.js'
import { peopleCommands } from './register-people-commands.js'
import { settingCommands } from './register-setting-commands.js'
import { QueueReader } from './queue-reader.js'
import { RegisterState, unobserved } from './register-state.js'

/** Number of histories per database; each takes several seconds. */
const runs = Number(process.env.CHAT_TEST_MODEL_RUNS ?? 8)
/** Seed of the histories, the same in every run by default. */
const seed = Number(process.env.CHAT_TEST_MODEL_SEED ?? 422)
const maxCommands = 150
const timeLimitMilliseconds = Number(process.env.CHAT_TEST_MODEL_RUNS ?? 0) > 0 ? 3_600_000 : 90_000

const commands = [
  ...Array.from({ length: 4 }, () => subscriptionCommands).flat(),
  ...messageCommands,
  ...peopleCommands,
  ...channelCommands,
  ...settingCommands,
]

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`the user messages that are not written at once (${database.name})`, () => {
    /** A server where all user messages are written at once. */
    const oracle = new TestHost('express', database)
    const host = new TestHost('express', database)
    let knex: Knex
    before(async () => {
      await oracle.start()
      await host.start()
      knex = createKnex({ ...oracle.databaseConfig, useNullAsDefault: true })
    })
    after(async () => {
      await knex.destroy()
      await host.stop()
      await oracle.stop()
    })

    it('and their events are, after each command, the same as if they were', async () => {
      let compared = 0
      let unwritten = 0
      let events = 0
      const property = fc.asyncProperty(
        fc.commands([...commands], { maxCommands, size: 'max' }),
        fc.integer({ min: 3, max: 12 }),
        async (history, commandsPerComparison) => {
          const [expected, state] = [await stateOf(oracle), await stateOf(host)]
          await writeAtOnce(knex)
          const [expectedQueues, queues] = [new QueueReader(expected), new QueueReader(state)]
          await expectedQueues.open()
          await queues.open()
          const executed: string[] = []
          const compareEvents = async (): Promise<void> => {
            const received = await queues.read()
            events += received.length
            assert.deepEqual(
              received,
              await expectedQueues.read(),
              `events after ${executed.slice(-20).join('\n')}`,
            )
          }
          for (const command of history) {
            if (executed.length % commandsPerComparison === 0) await compareEvents()
            executed.push(String(command))
            await command.run({}, expected)
            await writeAtOnce(knex)
            await command.run({}, state)
            const rows = await receivedIn(host)
            queues.note(rows.messageIds)
            compared += 1
            unwritten += rows.unwritten
            const expectedRows = await receivedIn(oracle)
            expectedQueues.note(expectedRows.messageIds)
            assert.deepEqual(rows.all, expectedRows.all, `after ${executed.slice(-20).join('\n')}`)
          }
          await compareEvents()
          const archive = await bytesOf(
            host.chat.organizations.export(state.people.olga.endpoint.subdomain),
          )
          const archived = rowsIn(await entriesOf(archive), 'user_messages')
          const userIds = new Set(rowsIn(await entriesOf(archive), 'users').map(({ id }) => id))
          const { received } = await receivedIn(host)
          const text = (row: Readonly<Record<string, unknown>> | ReceivedMessage) =>
            `${row['user_id']} ${row['message_id']} ${row['flags']}`
          assert.deepEqual(
            archived.map(text).sort(),
            received
              .filter(({ user_id }) => userIds.has(user_id))
              .map(text)
              .sort(),
          )
        },
      )
      await fc.assert(property, {
        seed,
        unbiased: true,
        numRuns: runs,
        endOnFailure: true,
        interruptAfterTimeLimit: timeLimitMilliseconds,
        markInterruptAsFailure: false,
      })
      assert.ok(compared > 20, `${compared} commands`)
      assert.ok(events > compared, `${events} events after ${compared} commands`)
      assert.ok(unwritten > compared, `${unwritten} user messages after ${compared} commands`)
    })
  })
}

async function stateOf(host: TestHost): Promise<RegisterState> {
  const settings = { message_content_edit_limit_seconds: null }
  const state = await RegisterState.create(host, settings, unobserved)
  await addSharedChannels(state)
  return state
}

/** Writes the user messages of new messages as one insert for all receivers, and says so. */
async function writeAtOnce(knex: Knex): Promise<void> {
  await knex.transaction(async (transaction) => {
    await transaction.raw(
      `INSERT INTO chat_user_messages (organization_id, user_id, message_id, flags)
       SELECT m.organization_id, s.user_id, m.id, m.shared_flags
       FROM chat_subscriptions s
       JOIN chat_messages m ON m.channel_id = s.channel_id AND m.id > s.unwritten_after_message_id
       WHERE NOT EXISTS (SELECT 1 FROM chat_user_messages k
         WHERE k.user_id = s.user_id AND k.message_id = m.id)`,
    )
    await transaction('chat_subscriptions').update({ unwritten_after_message_id: null })
  })
}

/**
 * Who has received which message, with its flags: `user message flags`, where messages and users are
 * counted from 0, because ids differ.
 *
 * @returns also the number of those that are not written yet.
 */
async function receivedIn(host: TestHost): Promise<{
  readonly all: readonly string[]
  readonly unwritten: number
  readonly messageIds: readonly number[]
  readonly received: readonly ReceivedMessage[]
}> {
  const tables = await readTables(host.databaseConfig)
  const placeOf = (name: string) =>
    new Map(
      (tables.get(`chat_${name}`) ?? [])
        .map(({ id }) => Number(id))
        .sort((a, b) => a - b)
        .map((id, place) => [id, place] as const),
    )
  const [users, messages] = [placeOf('users'), placeOf('messages')]
  const received = receivedMessages(tables)
  return {
    all: received
      .map((row) => `${users.get(row.user_id)} ${messages.get(row.message_id)} ${row.flags}`)
      .sort(),
    unwritten: received.filter(({ isWritten }) => !isWritten).length,
    messageIds: [...messages.keys()],
    received,
  }
}
