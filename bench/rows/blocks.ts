import { join } from 'node:path'

import { everyCapability } from '../../test/support/client-capabilities.js'
import { multipartHeaders, multipartOf, pngOf } from '../../test/support/uploads.js'
import { pathologicalFamilies } from '../../test/unit/markdown/pathological.js'
import { withCleanUp, type CleanUp } from '../harness/clean-up.js'
import { sqlite, temporaryFolder } from '../harness/databases.js'
import { LoadClient } from '../harness/load-client.js'
import { authorizationOf, numbers } from '../harness/organization.js'
import type { Result, Row } from '../harness/row.js'
import {
  addChannels,
  addHistory,
  addSubscriptions,
  addUsers,
  openSeeding,
} from '../harness/seed.js'
import { ServerProcess } from '../harness/server-process.js'
import { getRequest, postRequest, type LoadRequest } from '../load/http-connection.js'
import type { Blocks } from '../server/block-watch.js'

/** Users who have keys, so that they can send requests. */
const callers = 20
const userCount = 10_000
const channelCount = 1000
const channelsPerUser = 20
const historyLength = 5200
const messageLength = 10_000
const sampleMilliseconds = 500
const mixedMilliseconds = 1500
const sampleCount = 2
const aimMilliseconds = 20

/** What one client sends, again and again. */
type Circle = readonly LoadRequest[]

/** How long the event loop is blocked by each kind of request, and by all of them together. */
export const blocks: Row = {
  name: 'event-loop blocks',
  run: () =>
    withCleanUp(async (opened) => {
      const load = new LoadClient(opened)
      const server = new ServerProcess(opened)
      const idle = new ServerProcess(opened)
      const port = await start(opened, server)
      const kinds = loads()
      const results: Result[] = []
      for (const [name, connections] of Object.entries(kinds)) {
        const sample = async (): Promise<Blocks> => {
          await server.call('watchBlocks', {})
          await load.call('keepBusy', { port, connections, milliseconds: sampleMilliseconds })
          return server.call('reportBlocks', {})
        }
        const samples = await several(sample)
        results.push(lineOf(`longest block: ${name}`, samples))
      }
      const delays: { idle: number; server: number }[] = []
      const mixed = await several(async () => {
        await idle.call('watchBlocks', {})
        await server.call('watchBlocks', {})
        await load.call('keepBusy', {
          port,
          connections: Object.values(kinds).map((circles) => circles.flat()),
          milliseconds: mixedMilliseconds,
        })
        const blocks = await server.call('reportBlocks', {})
        const { longestDelayMilliseconds } = await idle.call('reportBlocks', {})
        delays.push({ idle: longestDelayMilliseconds, server: blocks.longestDelayMilliseconds })
        return blocks
      })
      const measured = delays.slice(-sampleCount)
      return [
        ...results,
        lineOf('longest block: all of them', mixed),
        {
          ...lineOf('the same, p99', mixed),
          ours: mixed.map(({ p99Milliseconds }) => p99Milliseconds),
          aim: undefined,
        },
        {
          name: 'the same by the clock, idle process vs server',
          unit: 'ms',
          floor: measured.map(({ idle: delay }) => delay),
          ours: measured.map(({ server: delay }) => delay),
          aim: undefined,
        },
      ]
    }),
}

/** The first sample warms up: it compiles schemas and code. */
async function several<Sample>(take: () => Promise<Sample>): Promise<readonly Sample[]> {
  await take()
  const samples: Sample[] = []
  while (samples.length < sampleCount) samples.push(await take())
  return samples
}

function lineOf(name: string, samples: readonly Blocks[]): Result {
  return {
    name,
    unit: 'ms',
    floor: samples.map(() => aimMilliseconds),
    ours: samples.map(({ longestMilliseconds }) => longestMilliseconds),
    aim: { atMost: 1 },
  }
}

async function start(opened: CleanUp, server: ServerProcess): Promise<number> {
  const database = await sqlite.create(opened)
  const { port } = await server.call('start', {
    database,
    files: join(await temporaryFolder(opened), 'files'),
    plan: { users: callers, subscribers: [callers, callers] },
  })
  const [first] = await new LoadClient(opened).call('askAll', {
    port,
    requests: [send(1, 'Hello')],
  })
  if (first === undefined) throw new Error('The first message was not sent')
  const knex = openSeeding(opened, database)
  await addHistory(knex, callers, historyLength)
  await addUsers(knex, userCount)
  await addChannels(knex, channelCount)
  await addSubscriptions(
    knex,
    numbers(userCount).flatMap((userId) =>
      numbers(channelsPerUser)
        .map((step) => ({ userId, channelId: 1 + ((userId * 7 + step * 13) % channelCount) }))
        .filter(({ userId: id, channelId }) => channelId > 2 || (channelId === 1 && id > callers)),
    ),
  )
  return port
}

/** The requests of each kind, for each of its clients. */
function loads(): Readonly<Record<string, readonly Circle[]>> {
  const image = multipartOf([{ name: 'photo.png', type: 'image/png', bytes: pngOf(4000, 3000) }])
  const messages = Object.values(pathologicalFamilies).map((make) => make(messageLength))
  const ids = numbers(historyLength)
  return {
    sends: numbers(callers).map((userId) => [send(userId, 'The **quick** brown fox')]),
    'hostile messages at the limit': numbers(4).map((userId) =>
      messages
        .filter((_, index) => index % 4 === userId - 1)
        .map((content) => render(userId, content)),
    ),
    edits: numbers(4).map((userId) =>
      numbers(2).map((variant) =>
        postRequest(
          '/api/v1/messages/1',
          authorizationOf(1),
          { content: `Changed ${variant} by ${userId}` },
          'PATCH',
        ),
      ),
    ),
    joins: numbers(callers).map((userId) => {
      const ask = (method: string): string =>
        postRequest(
          '/api/v1/users/me/subscriptions',
          authorizationOf(userId),
          {
            subscriptions: JSON.stringify(
              method === 'POST' ? [{ name: 'channel 3' }] : ['channel 3'],
            ),
          },
          method,
        )
      return [ask('POST'), ask('DELETE')]
    }),
    'flags of 5,000 messages': numbers(2).map((userId) =>
      ['add', 'remove'].map((op) =>
        postRequest('/api/v1/messages/flags', authorizationOf(userId), {
          messages: JSON.stringify(ids.slice(0, 5000)),
          op,
          flag: 'starred',
        }),
      ),
    ),
    registers: numbers(2).map((userId) => [
      postRequest('/api/v1/register', authorizationOf(userId), {
        apply_markdown: 'true',
        client_gravatar: 'true',
        client_capabilities: JSON.stringify(everyCapability),
      }),
    ]),
    'lists of 10,000 users': numbers(2).map((userId) => [
      getRequest('/api/v1/users', authorizationOf(userId)),
    ]),
    'fetches of 5,000 messages': numbers(2).map((userId) => [
      getRequest(
        '/api/v1/messages?anchor=newest&num_before=5000&num_after=0',
        authorizationOf(userId),
      ),
    ]),
    'uploads of images': numbers(2).map((userId) => [
      Buffer.concat([
        Buffer.from(
          head('POST', '/api/v1/user_uploads', authorizationOf(userId), multipartHeaders(image)),
        ),
        image,
      ]),
    ]),
  }
}

function head(
  method: string,
  path: string,
  authorization: string,
  headers: Readonly<Record<string, string>>,
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: ${authorization}\r\n${lines.join('')}\r\n`
}

function send(userId: number, content: string): string {
  return postRequest('/api/v1/messages', authorizationOf(userId), {
    type: 'channel',
    to: '1',
    topic: 'greetings',
    content,
  })
}

function render(userId: number, content: string): string {
  return postRequest('/api/v1/messages/render', authorizationOf(userId), { content })
}
