import { setTimeout } from 'node:timers/promises'

import { withCleanUp } from '../harness/clean-up.js'
import { sqlite } from '../harness/databases.js'
import { startChat } from '../harness/host.js'
import type { Row } from '../harness/row.js'
import { openSeeding } from '../harness/seed.js'
import { countStatements } from '../harness/statement-count.js'

const sampleMilliseconds = 2000
const rounds = 2

/** What a durable consumer costs while nothing happens. */
export const idleConsumer: Row = {
  name: 'idle consumer',
  run: () =>
    withCleanUp(async (opened) => {
      const database = await sqlite.create(opened)
      const { chat } = await startChat(opened, database, { users: 2, subscribers: [2] })
      const knex = openSeeding(opened, database)
      const perSecond = async (): Promise<number> => {
        const before = await countStatements(database, knex)
        await setTimeout(sampleMilliseconds)
        return ((await countStatements(database, knex)) - before) / (sampleMilliseconds / 1000)
      }
      const without: number[] = []
      const withOne: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        without.push(1 + (await perSecond()))
        const consumer = chat.consume('bench', { types: ['message'] }, () => {})
        await consumer.ready()
        withOne.push(1 + (await perSecond()))
        await consumer.stop()
      }
      return [
        {
          // One more on both sides, because nothing can be divided by none.
          name: '1 + SQL statements of an idle chat, without vs with a consumer',
          unit: 'statements/s',
          floor: without,
          ours: withOne,
          aim: { atMost: 5 },
        },
      ]
    }),
}
