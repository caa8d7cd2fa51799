import { after, before, describe, it } from 'node:test'

import fc from 'fast-check'

import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { visibilityCommands } from './visibility-commands.js'
import { VisibilityState } from './visibility-state.js'

/** Number of histories per database; each takes about two seconds. */
const runs = Number(process.env.CHAT_TEST_MODEL_RUNS ?? 12)
/** Seed of the histories, the same in every run by default. */
const seed = Number(process.env.CHAT_TEST_MODEL_SEED ?? 420)
const maxCommands = 100
const timeLimitMilliseconds = Number(process.env.CHAT_TEST_MODEL_RUNS ?? 0) > 0 ? 3_600_000 : 90_000

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`the model of message and channel visibility (${database.name})`, () => {
    const host = new TestHost('express', database)
    before(async () => host.start())
    after(async () => host.stop())

    it('sends events of messages and channels exactly to the users with access to them', async () => {
      const property = fc.asyncProperty(
        // Whether guests have access only to users with whom they share a channel or conversation.
        fc.boolean(),
        fc.commands(visibilityCommands, { maxCommands, size: 'max' }),
        async (isLimited, commands) => {
          const state = await VisibilityState.create(host, isLimited)
          await fc.asyncModelRun(() => ({ model: state.model, real: state }), commands)
          await state.compareAccess()
          await state.finish()
        },
      )
      await fc.assert(property, {
        seed,
        // Distributes the lengths of the histories evenly.
        unbiased: true,
        numRuns: runs,
        interruptAfterTimeLimit: timeLimitMilliseconds,
        markInterruptAsFailure: false,
      })
    })
  })
}
