import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import knexPackage, { type Knex } from 'knex'

import { everyCapability } from '../test/support/client-capabilities.js'
import { withCleanUp, type CleanUp } from './harness/clean-up.js'
import {
  databaseKinds,
  stopDatabases,
  temporaryFolder,
  type BenchDatabase,
} from './harness/databases.js'
import { median } from './harness/interleave.js'
import { LoadClient } from './harness/load-client.js'
import { authorizationOf } from './harness/organization.js'
import { ServerProcess } from './harness/server-process.js'
import { aligned } from './harness/table.js'
import { serverCounts } from './large/server-counts.js'
import { fill } from './large/data.js'
import { callerCount, everyonesChannels, type LargePlan } from './large/plan.js'
import { getRequest, postRequest, type LoadRequest } from './load/http-connection.js'

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '50000' },
    channels: { type: 'string', default: '2000' },
    messages: { type: 'string', default: '5000000' },
    database: { type: 'string', default: 'sqlite' },
  },
})
const plan: LargePlan = {
  users: numberOf('users', callerCount + 1, 200_000),
  channels: numberOf('channels', everyonesChannels + 1, 20_000),
  messages: numberOf('messages', 1000, 20_000_000),
}
const kind = databaseKinds().find(({ name }) => name === values.database)
if (kind === undefined) fail(`--database ${values.database}: no such database here`)

/** The first call of each fills caches; it has a line of its own. */
const callsEach = 5

interface Call {
  readonly name: string
  /** @returns how many milliseconds it took. */
  readonly run: (count: number) => Promise<number>
}

interface Cost {
  readonly milliseconds: number
  readonly blockMilliseconds: number
  readonly statements: number
  /** Rows on MySQL, pages on PostgreSQL; undefined on SQLite, which counts neither. */
  readonly reads: number | undefined
}

try {
  await withCleanUp(measure)
} finally {
  await stopDatabases()
}

async function measure(opened: CleanUp): Promise<void> {
  const database = await (kind ?? fail('no database')).create(opened)
  const begun = performance.now()
  await withCleanUp((filling) =>
    fill(filling, database, plan, (what) => {
      console.log(`${((performance.now() - begun) / 1000).toFixed(0)} s: ${what}`)
    }),
  )
  await reportSize(opened, database)
  const server = new ServerProcess(opened)
  const files = join(await temporaryFolder(opened), 'files')
  const startedAt = performance.now()
  const { port } = await server.call('start', { database, files })
  console.log(`start: ${(performance.now() - startedAt).toFixed(0)} ms`)
  const counts = await counterOf(opened, database, server)
  const load = new LoadClient(opened)
  const lines: string[][] = []
  const ask = (request: LoadRequest) => load.call('timeRequest', { port, request })
  const signUp: Call = {
    name: 'sign-up',
    run: (externalId) => server.call('signUp', { externalId }),
  }
  for (const { name, run } of [...calls(ask), signUp]) {
    const costs: Cost[] = []
    for (let count = 1; count <= callsEach; count += 1) {
      const before = await counts()
      await server.call('watchBlocks', {})
      const milliseconds = await run(count)
      const { longestMilliseconds } = await server.call('reportBlocks', {})
      const after = await counts()
      costs.push({
        milliseconds,
        blockMilliseconds: longestMilliseconds,
        statements: after.statements - before.statements,
        reads: after.reads === undefined ? undefined : after.reads - before.reads!,
      })
    }
    const [first, ...others] = costs
    lines.push(lineOf(name, others, first))
  }
  const memory = await server.call('measureMemory', {})
  console.log(
    aligned(
      [
        [
          'operation',
          'ms',
          'longest block, ms',
          'statements',
          database.name === 'postgres' ? 'pages read' : 'rows read',
          'first call, ms',
        ],
        ...lines,
      ],
      1,
    ),
  )
  console.log(
    `memory: ${megabytes(memory.residentBytes)} MB at the end, at most ${megabytes(memory.peakBytes)} MB`,
  )
}

function lineOf(name: string, costs: readonly Cost[], first: Cost | undefined): string[] {
  const shown = (of: (cost: Cost) => number | undefined, digits = 0): string => {
    const known = costs.map(of).filter((value) => value !== undefined)
    return known.length === 0 ? '–' : median(known).toFixed(digits)
  }
  return [
    name,
    shown(({ milliseconds }) => milliseconds, 1),
    shown(({ blockMilliseconds }) => blockMilliseconds, 1),
    shown(({ statements }) => statements),
    shown(({ reads }) => reads),
    first?.milliseconds.toFixed(0) ?? '',
  ]
}

/** What users do; each is a request of one of the callers. */
function calls(ask: (request: LoadRequest) => Promise<number>): readonly Call[] {
  const owner = authorizationOf(1)
  const caller = authorizationOf(2)
  const get = (path: string, query: Record<string, unknown> = {}) =>
    getRequest(`/api/v1${path}?${encoded(query)}`, caller)
  const post = (path: string, fields: Record<string, unknown>, by = caller, method = 'POST') =>
    postRequest(`/api/v1${path}`, by, Object.fromEntries(encoded(fields)), method)
  const search = (word: string) =>
    get('/messages', {
      anchor: 'newest',
      num_before: 50,
      num_after: 0,
      narrow: [{ operator: 'search', operand: word }],
    })
  const send = (to: number, content: string, authorization?: string) =>
    post('/messages', { type: 'channel', to: String(to), topic: 'topic 1', content }, authorization)
  const change = (id: number, fields: Record<string, unknown>) =>
    post(`/messages/${id}`, fields, owner, 'PATCH')
  const newest = { anchor: 'newest', num_before: 50, num_after: 0 }
  const inTopic = (channel: number) => [
    { operator: 'channel', operand: channel },
    { operator: 'topic', operand: 'topic 3' },
  ]
  const lastUser = plan.users
  const requests: readonly { name: string; request: (count: number) => LoadRequest }[] = [
    {
      name: 'register, everything',
      request: () =>
        post('/register', {
          apply_markdown: true,
          client_gravatar: true,
          client_capabilities: everyCapability,
        }),
    },
    {
      name: 'register, unread counts only',
      request: () =>
        post('/register', { event_types: ['message'], fetch_event_types: ['message'] }),
    },
    { name: 'list of users', request: () => get('/users') },
    {
      name: 'newest page of a topic',
      request: (count) =>
        get('/messages', { ...newest, narrow: inTopic(everyonesChannels + count) }),
    },
    {
      name: "newest page of everybody's channel",
      request: () => get('/messages', { ...newest, narrow: inTopic(1).slice(0, 1) }),
    },
    { name: 'newest page of everything', request: () => get('/messages', newest) },
    { name: 'search, frequent word', request: (count) => search(`w${count}`) },
    { name: 'search, rare word', request: (count) => search(`w${19_000 + count}`) },
    { name: 'send to 20', request: (count) => send(everyonesChannels + 2, `w${count}`) },
    { name: 'send to everybody', request: (count) => send(1, `w${count}`, owner) },
    { name: 'mention of everybody', request: (count) => send(1, `@**all** w${count}`, owner) },
    {
      // Of a message that did not.
      name: 'edit that mentions everybody',
      request: (count) =>
        change(plan.messages + callsEach + count, { content: `@**all** w${count}` }),
    },
    {
      name: "move to another channel of everybody's",
      request: (count) =>
        change(plan.messages + callsEach + count, {
          stream_id: 2,
          propagate_mode: 'change_one',
          send_notification_to_new_thread: false,
        }),
    },
    {
      name: 'join of a channel',
      request: (count) =>
        post('/users/me/subscriptions', {
          subscriptions: [{ name: `channel ${everyonesChannels + 1 + count}` }],
        }),
    },
    {
      name: "leaving everybody's channel",
      request: (count) =>
        post(
          '/users/me/subscriptions',
          { subscriptions: [`channel 2`] },
          authorizationOf(callerCount - count),
          'DELETE',
        ),
    },
    {
      // The first of them creates the channel.
      name: 'adding to a private channel',
      request: (count) =>
        post(
          '/users/me/subscriptions',
          {
            subscriptions: [{ name: 'private' }],
            principals: [1, lastUser - 20 - count],
            invite_only: true,
          },
          owner,
        ),
    },
    {
      name: 'role change',
      request: (count) => post(`/users/${lastUser - count}`, { role: 300 }, owner, 'PATCH'),
    },
    {
      name: 'deactivation',
      request: (count) => post(`/users/${lastUser - 10 - count}`, {}, owner, 'DELETE'),
    },
    {
      name: 'reactivation',
      request: (count) => post(`/users/${lastUser - 10 - count}/reactivate`, {}, owner),
    },
    {
      name: 'mark all as read',
      request: (count) =>
        post(
          '/messages/flags/narrow',
          { anchor: 'oldest', num_before: 0, num_after: 5000, narrow: [], op: 'add', flag: 'read' },
          authorizationOf(5 + count),
        ),
    },
  ]
  return requests.map(({ name, request }) => ({ name, run: (count) => ask(request(count)) }))
}

function encoded(fields: Record<string, unknown>): URLSearchParams {
  return new URLSearchParams(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
}

type Counts = () => Promise<{ readonly statements: number; readonly reads?: number }>

async function counterOf(
  opened: CleanUp,
  database: BenchDatabase,
  server: ServerProcess,
): Promise<Counts> {
  if (database.name === 'sqlite') {
    return async () => ({ statements: await server.call('sqliteStatements', {}) })
  }
  const knex = connectTo(opened, database)
  if (database.name === 'postgres') {
    await knex.raw('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
  }
  return () => serverCounts(database, knex)
}

function connectTo(opened: CleanUp, { config }: BenchDatabase): Knex {
  const knex = knexPackage({ ...config, pool: { min: 1, max: 1 } })
  opened.add(() => knex.destroy())
  return knex
}

async function reportSize(opened: CleanUp, database: BenchDatabase): Promise<void> {
  const bytes = await sizeOf(opened, database)
  console.log(
    `database: ${megabytes(bytes)} MB, ${(bytes / plan.messages).toFixed(0)} bytes a message`,
  )
}

async function sizeOf(opened: CleanUp, database: BenchDatabase): Promise<number> {
  if (database.name === 'sqlite') {
    const { filename } = database.config.connection as Knex.Sqlite3ConnectionConfig
    return (await stat(filename)).size
  }
  const knex = connectTo(opened, database)
  if (database.name === 'postgres') {
    const { rows } = (await knex.raw('SELECT pg_database_size(current_database()) AS bytes')) as {
      rows: [{ bytes: string }]
    }
    return Number(rows[0].bytes)
  }
  const [rows] = (await knex.raw(
    'SELECT SUM(data_length + index_length) AS bytes FROM information_schema.tables WHERE table_schema = DATABASE()',
  )) as [{ bytes: string }[]]
  return Number(rows[0]?.bytes)
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0)
}

function numberOf(name: keyof LargePlan, least: number, most: number): number {
  const number = Number(values[name])
  if (Number.isInteger(number) && number >= least && number <= most) return number
  return fail(`--${name} must be a number from ${least} to ${most}`)
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
