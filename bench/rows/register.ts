import { join } from 'node:path'

import { everyCapability } from '../../test/support/client-capabilities.js'
import { withCleanUp, type CleanUp } from '../harness/clean-up.js'
import { sqlite, temporaryFolder } from '../harness/databases.js'
import { interleave, series, type Sample } from '../harness/interleave.js'
import { LoadClient } from '../harness/load-client.js'
import { authorizationOf, numbers } from '../harness/organization.js'
import type { Row } from '../harness/row.js'
import { addChannels, addSubscriptions, addUsers, openSeeding } from '../harness/seed.js'
import { ServerProcess } from '../harness/server-process.js'
import { postRequest } from '../load/http-connection.js'

const channelsPerUser = 20
const registrationsPerSample = 3
const blockAimMilliseconds = 20

/** `POST /register` with everything, in a small and in a large organization. */
export const register: Row = {
  name: 'POST /register',
  run: () =>
    withCleanUp(async (opened) => {
      const load = new LoadClient(opened)
      const small = await startOrganization(opened, load, 100, 100)
      const large = await startOrganization(opened, load, 10_000, 1000)
      const rounds = await interleave(small, large)
      const blocks = series(rounds.ours, 'longestBlockMilliseconds')
      const name = 'POST /register, 100 × 100 vs 10,000 users × 1,000 channels'
      return [
        {
          name,
          unit: 'ms',
          floor: series(rounds.floor, 'milliseconds'),
          ours: series(rounds.ours, 'milliseconds'),
          aim: { atMost: 12 },
        },
        {
          name: `${name}: processor time`,
          unit: 'CPU ms',
          floor: series(rounds.floor, 'processorMilliseconds'),
          ours: series(rounds.ours, 'processorMilliseconds'),
          aim: { atMost: 12 },
        },
        {
          name: `its longest block of the event loop vs ${blockAimMilliseconds} ms`,
          unit: 'ms',
          floor: blocks.map(() => blockAimMilliseconds),
          ours: blocks,
          aim: { atMost: 1 },
        },
      ]
    }),
}

async function startOrganization(
  opened: CleanUp,
  load: LoadClient,
  users: number,
  channels: number,
): Promise<() => Promise<Sample>> {
  const database = await sqlite.create(opened)
  const server = new ServerProcess(opened)
  const { port } = await server.call('start', {
    database,
    files: join(await temporaryFolder(opened), 'files'),
    plan: { users: 2, subscribers: [2] },
  })
  const knex = openSeeding(opened, database)
  await addUsers(knex, users)
  await addChannels(knex, channels)
  await addSubscriptions(
    knex,
    numbers(users).flatMap((userId) =>
      numbers(channelsPerUser)
        .map((step) => ({ userId, channelId: 1 + ((userId * 7 + step * 13) % channels) }))
        .filter(({ channelId }) => channelId > 1),
    ),
  )
  const request = postRequest('/api/v1/register', authorizationOf(2), {
    apply_markdown: 'true',
    client_gravatar: 'true',
    client_capabilities: JSON.stringify(everyCapability),
  })
  return async () => {
    await server.call('watchBlocks', {})
    const computed = await server.call('processorSeconds', {})
    const start = performance.now()
    await load.call('askAll', {
      port,
      requests: Array<string>(registrationsPerSample).fill(request),
      dropBodies: true,
    })
    const milliseconds = (performance.now() - start) / registrationsPerSample
    const seconds = (await server.call('processorSeconds', {})) - computed
    const { longestMilliseconds } = await server.call('reportBlocks', {})
    return {
      milliseconds,
      processorMilliseconds: (seconds * 1000) / registrationsPerSample,
      longestBlockMilliseconds: longestMilliseconds,
    }
  }
}
