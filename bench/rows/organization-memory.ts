import type { ChatServer } from '@parley/core'

import { withCleanUp } from '../harness/clean-up.js'
import { sqlite } from '../harness/databases.js'
import { startHost } from '../harness/host.js'
import { LoadClient } from '../harness/load-client.js'
import { usedMemory } from '../harness/memory.js'
import { authorizationOf, numbers, organizationFile } from '../harness/organization.js'
import type { Row } from '../harness/row.js'
import { postRequest } from '../load/http-connection.js'

const userCount = 20
const messagesPerOrganization = 1000
const organizationsPerRound = 4
const rounds = 3
const aimBytes = 2_000_000

/** How much memory an organization takes whose members write. */
export const organizationMemory: Row = {
  name: 'memory of an active organization',
  run: () =>
    withCleanUp(async (opened) => {
      const load = new LoadClient(opened)
      const { chat, port } = await startHost(opened, await sqlite.create(opened), {
        rateLimits: 'off',
        resolveOrganization: ({ headers }) => headers.host ?? null,
      })
      const bytes: number[] = []
      // The first round warms up: it compiles code, and fills the caches that all share.
      for (let round = 0; round <= rounds; round += 1) {
        const before = await heldBytes()
        for (let made = 0; made < organizationsPerRound; made += 1) {
          await use(chat, load, port, round * organizationsPerRound + made)
        }
        if (round > 0) bytes.push(((await heldBytes()) - before) / organizationsPerRound)
      }
      return [
        {
          name: `active organization, ${userCount} users, ${messagesPerOrganization} messages`,
          unit: 'bytes',
          floor: bytes.map(() => aimBytes),
          ours: bytes,
          aim: { atMost: 1 },
        },
      ]
    }),
}

async function heldBytes(): Promise<number> {
  const { heapBytes, bufferBytes } = await usedMemory()
  return heapBytes + bufferBytes
}

/** Makes an organization with a queue, whose members send messages: all of them at once. */
async function use(
  chat: ChatServer,
  load: LoadClient,
  port: number,
  /** How many there are already. */
  before: number,
): Promise<void> {
  const organization = `organization-${before}`
  const plan = { users: userCount, subscribers: [userCount] }
  const place = {
    subdomain: organization,
    usersBefore: before * userCount,
    channelsBefore: before,
  }
  const userIds = numbers(userCount).map((number) => place.usersBefore + number)
  await chat.organizations.load(organizationFile(plan, place))
  await load.call('askAll', {
    port,
    dropBodies: true,
    requests: [
      postRequest(
        '/api/v1/register',
        authorizationOf(place.usersBefore + 1),
        {},
        'POST',
        organization,
      ),
    ],
  })
  const senders = userIds.map((userId) => chat.as({ organization, userId }).api)
  for (let sent = 0; sent < messagesPerOrganization; sent += senders.length) {
    await Promise.all(
      senders.map((api, index) =>
        api.sendMessage({
          type: 'channel',
          to: before + 1,
          topic: `topic ${index}`,
          content: `The **quick** brown fox jumps over ${sent + index} lazy dogs`,
        }),
      ),
    )
  }
}
