import { withCleanUp } from '../harness/clean-up.js'
import { sqlite } from '../harness/databases.js'
import { startChat } from '../harness/host.js'
import { LoadClient } from '../harness/load-client.js'
import { usedMemory } from '../harness/memory.js'
import { numbers } from '../harness/organization.js'
import { registerQueues } from '../harness/queues.js'
import type { Row } from '../harness/row.js'

const queuesPerRound = 500
const rounds = 5
const userCount = 50

/** How much memory an event queue takes while no client waits for its events. */
export const idleQueue: Row = {
  name: 'idle queue',
  run: () =>
    withCleanUp(async (opened) => {
      const load = new LoadClient(opened)
      const { port } = await startChat(opened, await sqlite.create(opened), {
        users: userCount,
        subscribers: [userCount],
      })
      const userIds = numbers(queuesPerRound).map((number) => 1 + (number % userCount))
      await registerQueues(load, port, userIds)
      const bytes: number[] = []
      let { heapBytes: before } = await usedMemory()
      for (let round = 0; round < rounds; round += 1) {
        await registerQueues(load, port, userIds)
        const { heapBytes: after } = await usedMemory()
        bytes.push((after - before) / queuesPerRound)
        before = after
      }
      return [
        {
          name: 'idle queue, not polled, heap vs 1 kB',
          unit: 'bytes',
          floor: bytes.map(() => 1024),
          ours: bytes,
          aim: { atMost: 1 },
        },
      ]
    }),
}
