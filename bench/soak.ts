import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { withCleanUp, type CleanUp } from './harness/clean-up.js'
import { databaseKinds, stopDatabases, temporaryFolder } from './harness/databases.js'
import { LoadClient } from './harness/load-client.js'
import { LogReader } from './harness/log-reader.js'
import type { Memory } from './harness/memory.js'
import { authorizationOf, numbers } from './harness/organization.js'
import { registerQueues } from './harness/queues.js'
import { openSeeding } from './harness/seed.js'
import { ServerProcess } from './harness/server-process.js'
import { SoakPlan } from './harness/soak-plan.js'
import { getRequest } from './load/http-connection.js'
import { rememberedMessages, type ShownMessage } from './load/soak-client.js'

const socketsPerUser = 4
const reconnectsPerMinute = 0.15
/** Code is compiled and caches are filled by then. */
const comparedMinute = 5
const maxGrowth = 1.1
const maxProblems = 20
const eventTypes = ['message', 'update_message', 'update_message_flags', 'subscription']

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    sockets: { type: 'string', default: '2000' },
    sends: { type: 'string', default: '200' },
    database: { type: 'string', default: 'sqlite' },
    snapshots: { type: 'string' },
  },
})
const minutes = numberOf('minutes', values.minutes, 24 * 60)
const sockets = numberOf('sockets', values.sockets, 20_000)
const sendsPerSecond = numberOf('sends', values.sends, 10_000)
const kind = databaseKinds().find(({ name }) => name === values.database)
if (kind === undefined) fail(`--database ${values.database}: no such database here`)

try {
  const problems = await withCleanUp(soak)
  for (const problem of problems.slice(0, maxProblems)) console.error(`FAILED  ${problem}`)
  if (problems.length > maxProblems) console.error(`… and ${problems.length - maxProblems} more`)
  if (problems.length === 0) console.log('Every history is that of the log.')
  process.exitCode = problems.length === 0 ? 0 : 1
} finally {
  await stopDatabases()
}

/** @returns what was wrong. */
async function soak(opened: CleanUp): Promise<readonly string[]> {
  const users = Math.max(2, Math.ceil(sockets / socketsPerUser))
  const database = await (kind ?? fail('no database')).create(opened)
  const server = new ServerProcess(opened)
  const files = join(await temporaryFolder(opened), 'files')
  const plan = new SoakPlan(users).organization
  const { port } = await server.call('start', { database, files, plan })
  const senders = new LoadClient(opened)
  const clients = new LoadClient(opened)
  const userIds = numbers(sockets).map((number) => 1 + (number % users))
  const queues = await registerQueues(senders, port, userIds, eventTypes)
  const log = new LogReader(openSeeding(opened, database))
  await log.begin()
  await clients.call('openClients', {
    port,
    queues: queues.map((queue) => ({ ...queue, authorization: authorizationOf(queue.userId) })),
  })
  console.log(
    `${sockets} sockets of ${users} users, ${sendsPerSecond} sends a second, ` +
      `${minutes} minutes, ${database.name}\n` +
      'minute  sends/s  p99 ms  edits  flags  joins  events/s  CPU  heap MB  RSS MB',
  )
  const samples: Memory[] = []
  let received = 0
  let computed = await server.call('processorSeconds', {})
  for (let minute = 1; minute <= Math.ceil(minutes); minute += 1) {
    const milliseconds = 60_000 * Math.min(1, minutes - minute + 1)
    const [done] = await Promise.all([
      senders.call('sendMix', { port, users, sendsPerSecond, milliseconds }),
      clients.call('reconnectClients', {
        milliseconds,
        perSecond: (sockets * reconnectsPerMinute) / 60,
      }),
    ])
    const computedBefore = computed
    computed = await server.call('processorSeconds', {})
    const report = await clients.call('reportClients', {})
    await log.readNew()
    const memory = await server.call('measureMemory', {})
    samples.push(memory)
    const isCompared = minute === comparedMinute || minute === Math.ceil(minutes)
    if (values.snapshots !== undefined && isCompared) {
      const file = resolve(values.snapshots, `minute-${minute}.heapsnapshot`)
      await server.call('writeSnapshot', { file })
    }
    console.log(
      [
        String(minute).padStart(6),
        (done.count / done.seconds).toFixed(0).padStart(7),
        done.p99Milliseconds.toFixed(0).padStart(6),
        String(done.edits).padStart(5),
        String(done.flags).padStart(5),
        String(done.joins).padStart(5),
        ((report.received - received) / done.seconds).toFixed(0).padStart(8),
        `${(((computed - computedBefore) * 100) / done.seconds).toFixed(0)}%`.padStart(4),
        (memory.heapBytes / 1e6).toFixed(1).padStart(7),
        (memory.residentBytes / 1e6).toFixed(1).padStart(6),
      ].join('  '),
    )
    received = report.received
    if (report.problems.length > 0) return report.problems
  }
  const differences = [
    ...(await clients.call('compareHistories', { users: log.histories })),
    ...(await compareMessages(senders, clients, port, users)),
    ...memoryProblems(samples),
  ]
  const { problems } = await clients.call('reportClients', {})
  await clients.call('closeClients', {})
  const complaints = await server.call('stop', {}).then(
    () => [],
    (error: unknown) => [String(error)],
  )
  return [...problems, ...differences, ...complaints]
}

/** Compares what the clients show with what the API answers. */
async function compareMessages(
  senders: LoadClient,
  clients: LoadClient,
  port: number,
  users: number,
): Promise<readonly string[]> {
  const path = `/api/v1/messages?anchor=newest&num_before=${rememberedMessages}&num_after=0`
  const differences: string[] = []
  for (const userId of numbers(users)) {
    const requests = [getRequest(path, authorizationOf(userId))]
    const [body = ''] = await senders.call('askAll', { port, requests })
    const { messages } = JSON.parse(body) as { messages: readonly ShownMessage[] }
    differences.push(...(await clients.call('compareMessages', { userId, messages })))
  }
  return differences
}

function memoryProblems(samples: readonly Memory[]): readonly string[] {
  const early = samples[comparedMinute - 1]
  const last = samples.at(-1)
  if (early === undefined || last === undefined || samples.length === comparedMinute) {
    console.log(`Memory is not compared: that needs more than ${comparedMinute} minutes.`)
    return []
  }
  // A snapshot takes memory that the process keeps.
  const compared = values.snapshots === undefined ? ['residentBytes' as const] : []
  return (['heapBytes', ...compared] as const)
    .filter((name) => last[name] > early[name] * maxGrowth)
    .map((name) => `${name} grew from ${early[name]} in minute ${comparedMinute} to ${last[name]}`)
}

function numberOf(name: string, text: string, most: number): number {
  const value = Number(text)
  return value > 0 && value <= most ? value : fail(`--${name} ${text}: give a number up to ${most}`)
}

function fail(problem: string): never {
  console.error(problem)
  process.exit(1)
}
