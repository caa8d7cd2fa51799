import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { until } from '../support/waiting.js'
import { ConnectedGround } from './connected-ground.js'
import type { ConnectedProcess } from './connected-processes.js'

/** A problem that was logged for each message or request would be there hundreds of times. */
const maxLines = 8

function assertLogIsShort({ processes }: ConnectedGround): void {
  for (const { logged } of processes) {
    const tooMany = [...logged].filter(([, count]) => count > maxLines)
    assert.deepEqual(tooMany, [])
  }
}

/** Clients try again after these; anything else has failed the test already. */
function assertOnlyTemporaryErrors({ answers }: ConnectedGround): void {
  const others = [...answers.keys()].filter(
    (answer) => !['200', '503 SERVICE_UNAVAILABLE', 'no answer'].includes(answer),
  )
  assert.deepEqual(others, [])
}

reportSkippedColumns()

for (const column of databaseColumns()) {
  describe(`four processes with Redis, and clocks that are minutes apart (${column.title})`, () => {
    let ground: ConnectedGround
    let processes: readonly ConnectedProcess[]

    /** Until so many more messages were acknowledged than now. */
    async function untilMore(count: number): Promise<void> {
      const target = ground.acknowledged + count
      await until('more messages', () => ground.acknowledged >= target, { seconds: 120 })
    }

    before(async () => {
      ground = await ConnectedGround.start(column, { offsetSeconds: [0, 180, -180, 60] })
      processes = ground.processes
    })
    after(() => ground[Symbol.asyncDispose]())

    it('lose nothing when one is killed, and then Redis', async () => {
      await ground.sendDuring(40, async () => {
        await untilMore(30)
        await processes[1]?.kill()
        await untilMore(30)
        await ground.redis.kill()
        await untilMore(30)
        await ground.redis.start()
        await processes[1]?.start()
      })

      assertOnlyTemporaryErrors(ground)
      assertLogIsShort(ground)
    })

    it('lose nothing while what connects them with Redis is slow, narrow or cut', async () => {
      const { proxy } = ground
      await ground.sendDuring(60, async () => {
        proxy.delayMilliseconds = 300
        await untilMore(40)
        proxy.delayMilliseconds = 0
        proxy.bytesPerSecond = 200
        await untilMore(40)
        proxy.bytesPerSecond = Number.POSITIVE_INFINITY
        for (let cut = 0; cut < 5; cut += 1) {
          proxy.cut()
          await untilMore(20)
        }
        proxy.delayMilliseconds = 5000
        await untilMore(40)
        proxy.delayMilliseconds = 0
      })

      assertOnlyTemporaryErrors(ground)
      assertLogIsShort(ground)
    })
  })

  describe(`four processes with Redis, of which one hangs (${column.title})`, () => {
    let ground: ConnectedGround

    before(async () => {
      // The lease of a consumer, 30 seconds, is over after three.
      ground = await ConnectedGround.start(column, { offsetSeconds: [0, 0, 0, 0], speed: 10 })
    })
    after(() => ground[Symbol.asyncDispose]())

    it('lose and repeat nothing, although its leases are over when it goes on', async () => {
      const handled = ({ output }: ConnectedProcess): number => output.split('handled: ').length

      await ground.sendDuring(40, async () => {
        // The process whose consumer has the lease.
        const hanging = await until(
          'a consumer that handles messages',
          () => ground.processes.find((one) => handled(one) > 10),
          { seconds: 60 },
        )
        hanging.pause()
        // Longer than the lease; nothing else would show that it is over on SQLite, where the
        // process may hold the only write lock.
        await sleep(4000)
        hanging.continue()
      })

      assertOnlyTemporaryErrors(ground)
      assertLogIsShort(ground)
    })
  })
}
