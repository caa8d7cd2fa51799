import type { Knex } from 'knex'

import { withCleanUp, type CleanUp } from '../harness/clean-up.js'
import { sqlite } from '../harness/databases.js'
import { startChat } from '../harness/host.js'
import { interleave, series, type Sample } from '../harness/interleave.js'
import { LoadClient } from '../harness/load-client.js'
import { authorizationOf } from '../harness/organization.js'
import type { Row } from '../harness/row.js'
import { openSeeding } from '../harness/seed.js'
import { countStatements } from '../harness/statement-count.js'
import { postRequest } from '../load/http-connection.js'

const messageCount = 10_000
/** What one request may change at most. */
const pageSize = 5000
const starred = 2

/**
 * `POST /messages/flags/narrow` over all 10,000 messages of a channel, page by page, against raw
 * Knex that changes the same rows with one statement and tells nobody.
 */
export const flagsNarrow: Row = {
  name: 'POST /messages/flags/narrow',
  run: () =>
    withCleanUp(async (opened) => {
      const load = new LoadClient(opened)
      const floor = await startFloor(opened)
      const database = await sqlite.create(opened)
      const { port } = await startChat(opened, database, { users: 2, subscribers: [2] })
      const knex = openSeeding(opened, database)
      await addHistory(knex)
      const change = (op: Operation, anchor: number, messages: number): Promise<unknown> =>
        load.call('askAll', {
          port,
          dropBodies: true,
          requests: [
            postRequest('/api/v1/messages/flags/narrow', authorizationOf(2), {
              op,
              flag: 'starred',
              anchor: String(anchor),
              include_anchor: 'true',
              num_before: '0',
              num_after: String(messages - 1),
              narrow: JSON.stringify([{ operator: 'channel', operand: 1 }]),
            }),
          ],
        })
      const rounds = await interleave(
        floor,
        alternately(async (op) => {
          for (let anchor = 1; anchor <= messageCount; anchor += pageSize) {
            await change(op, anchor, pageSize)
          }
        }),
      )
      const statementsOf = async (messages: number): Promise<number> => {
        const before = await countStatements(database, knex)
        await change('add', 1, messages)
        return (await countStatements(database, knex)) - before
      }
      const few = await statementsOf(10)
      return [
        {
          name: `POST /messages/flags/narrow, sqlite, ${messageCount} messages`,
          unit: 'ms',
          floor: series(rounds.floor, 'milliseconds'),
          ours: series(rounds.ours, 'milliseconds'),
          aim: { atMost: 3 },
        },
        {
          name: `SQL statements of it, sqlite, 10 vs ${pageSize} messages`,
          unit: 'statements',
          floor: [few],
          ours: [await statementsOf(pageSize)],
          aim: undefined,
        },
      ]
    }),
}

type Operation = 'add' | 'remove'

async function startFloor(opened: CleanUp): Promise<() => Promise<Sample>> {
  const database = await sqlite.create(opened)
  await startChat(opened, database, { users: 2, subscribers: [2] })
  const knex = openSeeding(opened, database)
  await addHistory(knex)
  return alternately(async (op) => {
    const flags =
      op === 'add' ? knex.raw('flags | ?', [starred]) : knex.raw('flags & ~?', [starred])
    await knex('chat_user_messages')
      .where({ organization_id: 1, user_id: 2 })
      .whereBetween('message_id', [1, messageCount])
      .update({ flags })
  })
}

/** Adds the flag and takes it away in turns, so that every sample changes every row. */
function alternately(change: (op: Operation) => Promise<void>): () => Promise<Sample> {
  let op: Operation = 'remove'
  return async () => {
    op = op === 'add' ? 'remove' : 'add'
    const start = performance.now()
    await change(op)
    return { milliseconds: performance.now() - start }
  }
}

/** Messages with the ids 1 and up, one in ten of another topic, all of them read by user 2. */
async function addHistory(knex: Knex): Promise<void> {
  await knex.raw('PRAGMA journal_mode = WAL')
  await knex.raw('PRAGMA synchronous = NORMAL')
  await knex('chat_messages').delete()
  await knex('chat_user_messages').delete()
  await knex.raw(
    `INSERT INTO chat_messages
       (id, organization_id, sender_id, recipient_id, channel_id, topic, topic_key, content,
        rendered_content, sent_at_seconds, client, content_traits)
     WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
     SELECT n, 1, 1, c.recipient_id, c.id, 'topic ' || (n % 10 = 0), 'topic ' || (n % 10 = 0),
            'Hello', '<p>Hello</p>', n, 'BenchClient', 0
     FROM numbers CROSS JOIN chat_channels c WHERE c.id = 1`,
    [messageCount],
  )
  await knex.raw(
    `INSERT INTO chat_user_messages (organization_id, user_id, message_id, flags)
     SELECT organization_id, 2, id, 1 FROM chat_messages`,
  )
}
