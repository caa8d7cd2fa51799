import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import createKnex, { type Knex } from 'knex'

import type { Client } from '../support/client.js'
import { allDatabaseColumns as columns, reportSkippedColumns } from '../support/databases.js'
import type { DatabaseColumn } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { readsOfSteps, stepsOf } from '../support/postgres-plans.js'
import { statementsOf, type Statement } from '../support/statements.js'

reportSkippedColumns()

const channelMessages = 4000
const directMessages = 400
const topics = 40

/** A long history in a separate database. */
interface Archive {
  readonly host: TestHost
  /** Another connection to the server's database. */
  readonly knex: Knex
  readonly reader: Client
  readonly channels: { readonly design: number; readonly vault: number }
  readonly others: readonly Client[]
}

/** The statement without its time limit, which MariaDB does not explain. */
function withoutLimit(sql: string): string {
  return sql.replace(/^\/\*M!.*?\*\//, '')
}

async function fill(column: DatabaseColumn): Promise<Archive> {
  const database = await column.create()
  const host = new TestHost('express', { ...column, create: async () => database })
  await host.start()
  const { people, channels } = await host.organization()
  const { alice, bob, carol, mona } = people
  await alice.say(channels.design, 'first', 'Hello')
  await alice.say(channels.vault, 'first', 'Hello')
  for (const client of [bob, carol, mona]) await alice.whisper([client], 'Hello')
  await alice.whisper([bob, carol], 'Hello')
  const knex = createKnex(database.config)
  await insertHistory(knex, [alice.id, bob.id])
  if (column.name === 'mysql') {
    const users = ['user_messages', 'user_topics', 'recipients', 'recipient_members']
    const others = ['messages', 'message_words', 'moved_messages', 'unwritten_intervals']
    for (const table of [...users, ...others]) await knex.raw(`ANALYZE TABLE chat_${table}`)
  }
  if (column.name === 'postgres') {
    // Only then are the rows counted, and those that are not written would all be read.
    await knex('chat_subscriptions').update({ unwritten_after_message_id: 1_000_000 })
    await knex.raw('ANALYZE')
  }
  return { host, knex, reader: bob, channels, others: [alice, carol] }
}

/** Fills the existing conversations, as if two users had written there for years. */
async function insertHistory(knex: Knex, userIds: readonly number[]): Promise<void> {
  const places = (await knex('chat_messages').orderBy('id')) as {
    id: number
    channel_id: number | null
    recipient_id: number
  }[]
  const inChannels = places.filter(({ channel_id }) => channel_id !== null)
  const direct = places.filter(({ channel_id }) => channel_id === null)
  const pattern = places[0]
  const { organization_id } = pattern as unknown as { organization_id: number }
  let nextId = 1000
  const messages: object[] = []
  const records: object[] = []
  const add = (place: object, topic: string): void => {
    nextId += 1
    const id = nextId
    const sender_id = userIds[id % userIds.length]
    messages.push({ ...pattern, ...place, id, sender_id, topic, topic_key: topic })
    const flags = id % 50 === 0 ? 2 : id % 20 === 0 ? 8 : id % 10 === 0 ? 0 : 1
    for (const user_id of userIds) {
      records.push({ organization_id, user_id, message_id: id, flags })
    }
  }
  for (let count = 0; count < channelMessages; count += 1) {
    const round = Math.floor(count / inChannels.length)
    add(inChannels[count % inChannels.length] as object, `topic ${round % topics}`)
  }
  for (let count = 0; count < directMessages; count += 1) {
    add(direct[count % direct.length] as object, '')
  }
  await insertOthers(knex)
  await knex.batchInsert('chat_messages', messages as never, 100)
  await knex.batchInsert('chat_user_messages', records as never, 100)
  await indexHistory(knex, organization_id)
}

/** Rows of another organization: databases read empty tables as a whole. */
async function insertOthers(knex: Knex): Promise<void> {
  const ids = Array.from({ length: 2000 }, (_, index) => 1_000_000 + index)
  const organization_id = 1_000_000
  await knex.batchInsert(
    'chat_moved_messages',
    ids.map((message_id) => ({
      message_id,
      organization_id,
      channel_id: message_id,
      sent_channel_id: message_id,
      moved_after_message_id: message_id,
    })),
    100,
  )
  await knex.batchInsert(
    'chat_unwritten_intervals',
    ids.map((user_id) => ({
      organization_id,
      user_id,
      channel_id: user_id,
      after_message_id: 1,
      until_message_id: 2,
      flags: 0,
    })),
    100,
  )
  const parts = ids.map((message_id) => ({ organization_id, message_id }))
  await knex.batchInsert(
    'chat_submessages',
    parts.map((part) => ({ ...part, sender_id: 1, msg_type: 'widget', content: '""' })),
    100,
  )
  const emoji = { reaction_type: 'unicode_emoji', emoji_code: '1f419', emoji_name: 'octopus' }
  await knex.batchInsert(
    'chat_reactions',
    parts.map((part) => ({ ...part, ...emoji, user_id: 1 })),
    100,
  )
}

/** Indexes one word of all messages. */
async function indexHistory(knex: Knex, organizationId: number): Promise<void> {
  if (String(knex.client.driverName).includes('sqlite')) {
    await knex.raw(
      `INSERT OR REPLACE INTO chat_message_words (rowid, words)
       SELECT id, organization_id || 'xhello' FROM chat_messages`,
    )
    return
  }
  const isPostgres = knex.client.driverName === 'pg'
  await knex.raw(
    `INSERT ${isPostgres ? '' : 'IGNORE'} INTO chat_message_words (organization_id, message_id, word, place)
     SELECT organization_id, id, 'hello', 1 FROM chat_messages ${isPostgres ? 'ON CONFLICT DO NOTHING' : ''}`,
  )
  await knex.raw(
    `UPDATE chat_search_backlogs SET indexed_message_id = (SELECT MAX(id) FROM chat_messages)
     WHERE organization_id = ?`,
    [organizationId],
  )
}

/** Rows of subqueries: `i` are intervals of messages that are not written, `n` these messages. */
const isDerived = (table: string | null): boolean =>
  table === null || /^(<|\(|found|side\d|recent|ids$|i$|n$)/.test(table)

/** The query plan of each table: whether its rows are read completely, and sorted. */
async function readsOf(
  { knex, host }: Archive,
  { sql, bindings }: Statement,
): Promise<{ scans: string[]; sorts: boolean }> {
  if (host.database.name === 'sqlite') {
    const steps = (await knex.raw(`EXPLAIN QUERY PLAN ${sql}`, bindings as never)) as {
      parent: number
      detail: string
    }[]
    const details = steps.map(({ detail }) => detail)
    return {
      scans: details.filter(
        (detail) =>
          // For each interval, all messages of the organization.
          (sql.includes('n.user_id') && /^SEARCH m USING INDEX \S+_organization/.test(detail)) ||
          (detail.startsWith('SCAN ') &&
            !isDerived(detail.split(' ')[1] ?? null) &&
            !/VIRTUAL TABLE INDEX \d+:M/.test(detail)),
      ),
      sorts: steps.some(({ detail, parent }) => {
        if (!detail.includes('TEMP B-TREE FOR ORDER BY')) return false
        const [first] = steps.filter(
          (one) => one.parent === parent && /^S(CAN|EARCH) /.test(one.detail),
        )
        return !isDerived(first?.detail.split(' ')[1] ?? null)
      }),
    }
  }
  if (host.database.name === 'postgres') {
    return readsOfSteps(await stepsOf(knex, { sql, bindings }))
  }
  const [steps] = (await knex.raw(
    `EXPLAIN ${withoutLimit(sql)}`,
    bindings as never,
  )) as unknown as [
    { table: string | null; type: string | null; key: string | null; Extra: string | null }[],
  ]
  return {
    scans: steps
      .filter(({ table, type }) => !isDerived(table) && (type === 'ALL' || type === 'index'))
      .map(({ table, type, key }) => `${type} ${table} ${key}`),
    sorts: steps.some(
      ({ table, Extra }) => !isDerived(table) && Extra?.includes('filesort') === true,
    ),
  }
}

const isAboutMessages = ({ sql }: Statement) => /chat_(user_)?messages/.test(sql)

for (const column of columns()) {
  describe(`reading messages (${column.name})`, () => {
    let archive: Archive
    before(async () => {
      archive = await fill(column)
    })
    after(async () => {
      await archive.knex.destroy()
      await archive.host.stop()
    })

    const narrows = (): readonly (readonly [string, readonly unknown[], 'sorted'?])[] => {
      const { channels, others } = archive
      const [alice, carol] = others
      const channel = { operator: 'channel', operand: channels.design }
      return [
        ['everything received', []],
        ['a shared channel', [channel]],
        ['a topic', [channel, { operator: 'topic', operand: 'topic 7' }]],
        ['a channel with protected history', [['channel', 'vault']]],
        [
          'its topic',
          [
            ['channel', 'vault'],
            ['topic', 'topic 7'],
          ],
        ],
        ['a topic in any channel', [['topic', 'topic 7']]],
        ['all public channels', [['channels', 'public']]],
        ['a sender', [{ operator: 'sender', operand: alice?.id }]],
        ['a sender in a channel', [channel, { operator: 'sender', operand: alice?.id }], 'sorted'],
        ['a conversation', [{ operator: 'dm', operand: [alice?.id] }]],
        ['a group', [{ operator: 'dm', operand: [alice?.id, carol?.id] }]],
        ['conversations with a user', [{ operator: 'dm-including', operand: alice?.id }], 'sorted'],
        [
          'group conversations with a user',
          [{ operator: 'group-pm-with', operand: carol?.id }],
          'sorted',
        ],
        ['direct messages', [['is', 'dm']], 'sorted'],
        ['no direct messages', [{ operator: 'is', operand: 'dm', negated: true }]],
        ['unread messages', [['is', 'unread']]],
        ['unread messages of a channel', [channel, ['is', 'unread']]],
        ['starred messages', [['is', 'starred']]],
        ['mentions', [['is', 'mentioned']]],
        ['alerts', [['is', 'alerted']]],
        ['resolved topics', [['is', 'resolved']]],
        ['followed topics', [['is', 'followed']]],
        ['what is not muted', [['in', 'home']]],
        ['what is muted', [['is', 'muted']]],
        ['links', [['has', 'link']]],
        ['reactions in a channel', [channel, ['has', 'reaction']]],
        ['one message', [{ operator: 'id', operand: 1007 }]],
        ['words', [['search', 'hello "friends"']]],
        ['a word', [['search', '"hello"']]],
        ['words in a channel', [channel, ['search', 'hello "hello"']]],
        ['words in a topic', [channel, ['topic', 'topic 7'], ['search', 'hello']]],
        ['the beginning of a word', [['search', 'hell']], 'sorted'],
        ['a beginning in a channel', [channel, ['search', 'hell']], 'sorted'],
      ]
    }

    const anchors = {
      'the newest': { anchor: 'newest', num_before: 50 },
      'both sides of one': { anchor: 3000, num_before: 50, num_after: 50 },
      'the first unread': { anchor: 'first_unread', num_before: 10, num_after: 10 },
    }

    for (const [title, params] of Object.entries(anchors)) {
      it(`never reads all messages to find ${title}`, async () => {
        const problems: string[] = []
        for (const [name, narrow, sorted] of narrows()) {
          const statements = await statementsOf(archive.host, async () => {
            const { status, text } = await archive.reader.get('/messages', { ...params, narrow })
            assert.equal(status, 200, `${name}: ${text}`)
          })
          const searches = statements.filter(isAboutMessages)
          assert.ok(searches.length > 0, `${name} reads no messages`)
          for (const statement of searches) {
            const { scans, sorts } = await readsOf(archive, statement)
            // PostgreSQL decides by its statistics whether it sorts these, or reads them in order.
            const isFree = archive.host.database.name === 'postgres' && sorted !== undefined
            if (scans.length > 0 && !isFree)
              problems.push(`${name}: ${scans.join('; ')}\n${statement.sql}`)
            if (sorts && sorted === undefined) problems.push(`${name}: sorts\n${statement.sql}`)
          }
        }
        assert.deepEqual(problems, [])
      })
    }

    it('never reads all messages for the snapshot, flags and single messages', async () => {
      const { reader, channels } = archive
      const statements = await statementsOf(archive.host, async () => {
        const answers = [
          await reader.post('/register'),
          await reader.get('/messages/3000'),
          await reader.get('/messages', { message_ids: [1, 1010, 3000] }),
          await reader.get('/messages/matches_narrow', { msg_ids: [1010], narrow: [] }),
          await reader.post('/messages/flags', { messages: [3000], op: 'add', flag: 'starred' }),
          await reader.post('/messages/flags', { messages: [3001], op: 'remove', flag: 'read' }),
          await reader.post('/mark_topic_as_read', {
            stream_id: channels.design,
            topic_name: 'topic 7',
          }),
        ]
        for (const { status, text } of answers) assert.equal(status, 200, text)
      })
      // The traffic of channels, which is counted now and then, is that of all messages.
      const reads = statements.filter(
        (one) => isAboutMessages(one) && /^\s*select(?! `channel_id`, count)/i.test(one.sql),
      )

      assert.ok(reads.length >= 9, `only ${reads.length} statements`)
      for (const statement of reads) {
        const { scans } = await readsOf(archive, statement)
        // A registration reads small tables, such as all channels, in the same statement.
        const ofMessages = scans.filter((scan) => !/ chat_(?!(user_|moved_)?messages\b)/.test(scan))
        assert.deepEqual(ofMessages, [], statement.sql)
      }
    })

    it('finds the newest message of each topic by its id', async () => {
      const { host, knex, reader, channels } = archive
      const statements = await statementsOf(host, async () => {
        for (const id of [channels.design, channels.vault]) {
          const { status, text } = await reader.get(`/users/me/${id}/topics`)
          assert.equal(status, 200, text)
        }
      })
      const reads = statements.filter(({ sql }) => sql.includes(' newest'))

      assert.equal(reads.length, 2)
      for (const { sql, bindings } of reads) {
        if (host.database.name === 'postgres') {
          const steps = await stepsOf(knex, { sql, bindings })
          const found = steps.filter(
            (step) => step['Relation Name'] === 'chat_messages' && step['Actual Loops'] >= topics,
          )
          assert.ok(
            found.some((step) => step['Actual Rows'] === 1 && step['Index Cond'] !== undefined),
            JSON.stringify(steps),
          )
          continue
        }
        const explain = host.database.name === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'
        const plan: unknown = await knex.raw(`${explain} ${withoutLimit(sql)}`, bindings as never)
        // Of each newest message, not of each message of the organization.
        const byId =
          host.database.name === 'sqlite' ? /SEARCH m USING INTEGER PRIMARY KEY/ : /eq_ref/
        assert.match(JSON.stringify(plan), byId, sql)
      }
    })

    // PostgreSQL decides by the number of channels, of which there are few here.
    if (column.name === 'postgres') return
    it('never reads all messages to delete those whose retention has ended', async () => {
      const { host, knex, channels } = archive
      const retentionSeconds = 1800
      await knex('chat_channels')
        .where({ id: channels.vault })
        .update({ message_retention_days: 5 })
      const passRound = async (): Promise<void> => {
        const isOver = host.clock.next('set', retentionSeconds)
        host.clock.fire(retentionSeconds)
        await isOver
      }
      // The first round of a server looks at all old messages, the others at the first of channels.
      await passRound()
      assert.notDeepEqual(await knex('chat_messages').where({ channel_id: channels.vault }), [])
      host.clock.jump(6 * 86_400)
      const statements = await statementsOf(host, passRound)
      const left = await knex('chat_messages').where({ channel_id: channels.vault })
      assert.deepEqual(left, [])
      const reads = statements.filter(
        (statement) => isAboutMessages(statement) && /^\s*select/i.test(statement.sql),
      )

      assert.ok(reads.length >= 3, `only ${reads.length} statements`)
      for (const statement of reads) {
        const { scans } = await readsOf(archive, statement)
        // MySQL reads a few channels as a whole.
        const others = scans.filter((scan) => !scan.startsWith('ALL c '))
        assert.deepEqual(others, [], statement.sql)
        assert.doesNotMatch(statement.sql, /GROUP BY/i, 'which would look at all old messages')
      }
    })
  })
}
