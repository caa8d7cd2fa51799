import { join } from 'node:path'

import { withCleanUp, type CleanUp } from '../harness/clean-up.js'
import { databaseKinds, temporaryFolder, type BenchDatabaseKind } from '../harness/databases.js'
import { messageContent } from '../harness/hand-written-send.js'
import { median } from '../harness/interleave.js'
import { LoadClient } from '../harness/load-client.js'
import { authorizationOf, numbers } from '../harness/organization.js'
import type { Result, Row } from '../harness/row.js'
import { ServerProcess } from '../harness/server-process.js'
import type { FloodResult } from '../load/flood-load.js'
import { getRequest, postRequest } from '../load/http-connection.js'

const userCount = 200
const socketCount = 600
/** The server's part of a processor. */
const processorShare = 0.1
const sampleMilliseconds = 10_000
const warmUpMilliseconds = 10_000
/** What is offered, in multiples of what the server can do. */
const multiples = [2, 5, 10]
/** Forth and back: what changes with time changes all of them. */
const order = [...multiples, ...multiples.toReversed(), ...multiples]

/**
 * Sends beyond what a small server can do: how many succeed, compared with the most that succeed in
 * any line, or with what is offered, and how long those take.
 */
export const flood: Row = {
  name: 'flood',
  async run() {
    const results: Result[] = []
    for (const kind of databaseKinds()) results.push(...(await measure(kind)))
    return results
  },
}

function measure(kind: BenchDatabaseKind): Promise<readonly Result[]> {
  return withCleanUp(async (opened) => {
    const { ask } = await start(opened, kind)
    // As many as the server answers: forty clients that always have a request under way.
    await ask(40, 1000)
    const { accepted: best, reads: calm } = await ask(40, 1000)
    const capacity = best.count / best.seconds
    const floods = new Map<number, FloodResult[]>(multiples.map((multiple) => [multiple, []]))
    for (const multiple of order) {
      floods.get(multiple)?.push(await ask(socketCount, capacity * multiple))
    }
    const rateOf = ({ accepted }: FloodResult): number => accepted.count / accepted.seconds
    // More connections share more transactions, so the most may succeed in a flood.
    const rates = [...floods.values()].map((samples) => median(samples.map(rateOf)))
    const most = Math.max(capacity, ...rates)
    const results: Result[] = []
    for (const [multiple, samples] of floods) {
      const name = `${multiple} × capacity, ${kind.name}`
      const row = (
        title: string,
        unit: string,
        floor: number,
        value: (sample: FloodResult) => number,
        aim: Result['aim'],
      ): void => {
        const floors = samples.map(() => floor)
        results.push({
          name: `${name}: ${title}`,
          unit,
          floor: floors,
          ours: samples.map(value),
          aim,
        })
      }
      row('sends that succeed', 'messages/s', Math.min(most, capacity * multiple), rateOf, {
        atLeast: 0.9,
      })
      row('their p99', 'ms', longestWaitMilliseconds, (s) => s.accepted.p99Milliseconds, {
        atMost: 1,
      })
      row('refused', '/s', capacity, (s) => s.refused / s.accepted.seconds, undefined)
      row('p99 of reads', 'ms', calm.p99Milliseconds, (s) => s.reads.p99Milliseconds, undefined)
    }
    return results
  })
}

/** What the server promises to those whose requests it accepts, with what it needs to find out. */
const longestWaitMilliseconds = 4000

async function start(
  opened: CleanUp,
  kind: BenchDatabaseKind,
): Promise<{
  readonly ask: (sockets: number, requestsPerSecond: number) => Promise<FloodResult>
}> {
  const load = new LoadClient(opened)
  const server = new ServerProcess(opened)
  const { port } = await server.call('start', {
    database: await kind.create(opened),
    files: join(await temporaryFolder(opened), 'files'),
    plan: { users: userCount, subscribers: [userCount] },
  })
  const requests = numbers(socketCount).map((number) =>
    postRequest('/api/v1/messages', authorizationOf(1 + (number % userCount)), {
      type: 'channel',
      to: '1',
      topic: 'greetings',
      content: messageContent,
    }),
  )
  const read = getRequest('/api/v1/users/me', authorizationOf(userCount))
  const ask = (sockets: number, requestsPerSecond: number): Promise<FloodResult> =>
    load.call('flood', {
      port,
      requests: requests.slice(0, sockets),
      requestsPerSecond,
      milliseconds: sampleMilliseconds,
      warmUpMilliseconds,
      read,
    })
  // With the whole processor, so that its code is compiled as it is in a server that has run for a
  // while: on a tenth of one, later lines would be faster because they are later.
  await ask(40, 1000)
  await ask(socketCount, 5000)
  server.limitProcessor(processorShare)
  return { ask }
}
