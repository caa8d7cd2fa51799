import { after, before, describe, it } from 'node:test'

import fc from 'fast-check'

import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { channelCommands } from './register-channel-commands.js'
import { messageCommands } from './register-message-commands.js'
import { peopleCommands } from './register-people-commands.js'
import { settingCommands } from './register-setting-commands.js'
import { RegisterWorld } from './register-world.js'

/** How many histories are tried on each database; each takes some seconds. */
const runs = Number(process.env.CHAT_TEST_MODEL_RUNS ?? 6)
/** Chooses the histories: always the same ones, unless told otherwise. */
const seed = Number(process.env.CHAT_TEST_MODEL_SEED ?? 420)
const maxCommands = 100
const timeLimitMilliseconds = Number(process.env.CHAT_TEST_MODEL_RUNS ?? 0) > 0 ? 3_600_000 : 90_000

/** Whether guests may know of everyone. */
const sight = fc.constantFrom('role:everyone', 'role:members')

const commands = [...peopleCommands, ...channelCommands, ...messageCommands, ...settingCommands]

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`the model of what clients know (${database.name})`, () => {
    const host = new TestHost('express', database)
    before(async () => host.start())
    after(async () => host.stop())

    it('tells clients all that they would learn if they registered again', async () => {
      const property = fc.asyncProperty(
        sight,
        fc.commands([...commands], { maxCommands, size: 'max' }),
        async (can_access_all_users_group, history) => {
          const world = await RegisterWorld.create(host, { can_access_all_users_group })
          await fc.asyncModelRun(() => ({ model: {}, real: world }), history)
          await world.compare('everything')
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
