import type { Knex } from 'knex'

import { withCleanUp, type CleanUp } from '../harness/clean-up.js'
import { sqlite } from '../harness/databases.js'
import { startChat } from '../harness/host.js'
import { interleave, series, type Sample } from '../harness/interleave.js'
import { LoadClient } from '../harness/load-client.js'
import { authorizationOf } from '../harness/organization.js'
import type { Row } from '../harness/row.js'
import { openSeeding } from '../harness/seed.js'
import { getRequest } from '../load/http-connection.js'

const topicCount = 50
const shortHistory = 10_000
const longHistory = 1_000_000
const sampleMilliseconds = 800

const topicNarrow = [
  { operator: 'channel', operand: 1 },
  { operator: 'topic', operand: 'topic 7' },
]
/** As many messages have the word as there are in a topic. */
const wordNarrow = [{ operator: 'search', operand: 'beetroots' }]

/** The newest 100 messages of a topic, and with a word, in a short and in a long history. */
export const topicFetch: Row = {
  name: 'topic fetch',
  run: () =>
    withCleanUp(async (opened) => {
      const load = new LoadClient(opened)
      const short = await startWithHistory(opened, load, shortHistory)
      const long = await startWithHistory(opened, load, longHistory)
      const rounds = await interleave(short(topicNarrow), long(topicNarrow))
      const searches = await interleave(short(wordNarrow), long(wordNarrow))
      return [
        {
          name: '100 messages of a topic, sqlite, history 10 k vs 1 M',
          unit: 'ms',
          floor: series(rounds.floor, 'milliseconds'),
          ours: series(rounds.ours, 'milliseconds'),
          aim: { atMost: 1.2 },
        },
        {
          name: '100 messages found by a word, the same',
          unit: 'ms',
          floor: series(searches.floor, 'milliseconds'),
          ours: series(searches.ours, 'milliseconds'),
          aim: undefined,
        },
      ]
    }),
}

async function startWithHistory(
  opened: CleanUp,
  load: LoadClient,
  messages: number,
): Promise<(narrow: readonly object[]) => () => Promise<Sample>> {
  const database = await sqlite.create(opened)
  const { port, chat } = await startChat(opened, database, { users: 2, subscribers: [2] })
  const sender = chat.as({ userId: 1 })
  await sender.api.sendMessage({ type: 'channel', to: 1, topic: 'topic 0', content: 'Hello' })
  await addHistory(openSeeding(opened, database), messages)
  return (narrow) => {
    const path =
      `/api/v1/messages?anchor=newest&num_before=100&num_after=0` +
      `&narrow=${encodeURIComponent(JSON.stringify(narrow))}`
    const request = getRequest(path, authorizationOf(2))
    return async () => {
      const [answer] = await load.call('askAll', { port, requests: [request] })
      const found = (JSON.parse(answer as string) as { messages: unknown[] }).messages.length
      if (found !== 100) throw new Error(`The narrow has ${found} messages instead of 100`)
      const { p50Milliseconds } = await load.call('keepBusy', {
        port,
        connections: [[request]],
        milliseconds: sampleMilliseconds,
      })
      return { milliseconds: p50Milliseconds }
    }
  }
}

/** Copies the first message, in one statement per table, into as many topics as there are. */
async function addHistory(knex: Knex, messages: number): Promise<void> {
  const columns = Object.keys((await knex('chat_messages').first()) as object)
  const values = columns.map((column) => {
    if (column === 'id') return 'n'
    return column === 'topic' || column === 'topic_key' ? `'topic ' || (n % ${topicCount})` : column
  })
  await knex.raw('PRAGMA synchronous = OFF')
  await knex.raw(
    `INSERT INTO chat_messages (${columns.join(', ')})
     WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
     SELECT ${values.join(', ')} FROM numbers CROSS JOIN (SELECT * FROM chat_messages WHERE id = 1)`,
    [messages],
  )
  await knex.raw(
    `INSERT INTO chat_user_messages (organization_id, user_id, message_id, flags)
     SELECT organization_id, 2, id, 1 FROM chat_messages WHERE id > 1`,
  )
  await knex.raw(
    `INSERT OR REPLACE INTO chat_message_words (rowid, words)
     SELECT id, organization_id || 'xbeetroot' FROM chat_messages
     WHERE id > 1 AND id % ${topicCount} = 7`,
  )
}
