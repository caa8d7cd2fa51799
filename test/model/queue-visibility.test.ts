import { after, before, describe, it } from 'node:test'

import fc from 'fast-check'

import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { sightCommands } from './sight-commands.js'
import { SightWorld } from './sight-world.js'

/** How many histories are tried on each database; each takes about two seconds. */
const runs = Number(process.env.CHAT_TEST_MODEL_RUNS ?? 12)
/** Chooses the histories: always the same ones, unless told otherwise. */
const seed = Number(process.env.CHAT_TEST_MODEL_SEED ?? 420)
const maxCommands = 100
const timeLimitMilliseconds = Number(process.env.CHAT_TEST_MODEL_RUNS ?? 0) > 0 ? 3_600_000 : 90_000

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`the model of who hears what (${database.name})`, () => {
    const host = new TestHost('express', database)
    before(async () => host.start())
    after(async () => host.stop())

    it('tells people of messages and channels exactly when they may read and see them', async () => {
      const property = fc.asyncProperty(
        // Whether guests know only whom they meet.
        fc.boolean(),
        fc.commands(sightCommands, { maxCommands, size: 'max' }),
        async (isLimited, commands) => {
          const world = await SightWorld.create(host, isLimited)
          await fc.asyncModelRun(() => ({ model: world.model, real: world }), commands)
          await world.compareAccess()
          await world.finish()
        },
      )
      await fc.assert(property, {
        seed,
        // Histories of all lengths alike.
        unbiased: true,
        numRuns: runs,
        interruptAfterTimeLimit: timeLimitMilliseconds,
        markInterruptAsFailure: false,
      })
    })
  })
}
