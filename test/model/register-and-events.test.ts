import { after, before, describe, it } from 'node:test'

import fc from 'fast-check'

import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { channelCommands } from './register-channel-commands.js'
import { FeedObserver } from './feed-observer.js'
import { messageCommands } from './register-message-commands.js'
import { peopleCommands } from './register-people-commands.js'
import { settingCommands } from './register-setting-commands.js'
import { RegisterState } from './register-state.js'

/** Number of histories per database; each takes several seconds. */
const runs = Number(process.env.CHAT_TEST_MODEL_RUNS ?? 6)
/** Seed of the histories, the same in every run by default. */
const seed = Number(process.env.CHAT_TEST_MODEL_SEED ?? 420)
const maxCommands = 100
const timeLimitMilliseconds = Number(process.env.CHAT_TEST_MODEL_RUNS ?? 0) > 0 ? 3_600_000 : 90_000

/** Whether guests have access to all users. */
const accessGroup = fc.constantFrom('role:everyone', 'role:members')

const commands = [...peopleCommands, ...channelCommands, ...messageCommands, ...settingCommands]

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`the model of client states (${database.name})`, () => {
    const host = new TestHost('express', database)
    before(async () => host.start())
    after(async () => host.stop())

    it('updates clients by events to the state that a new registration returns', async () => {
      const property = fc.asyncProperty(
        accessGroup,
        fc.commands([...commands], { maxCommands, size: 'max' }),
        async (can_access_all_users_group, history) => {
          const settings = { can_access_all_users_group }
          const state = await RegisterState.create(host, settings, (client, name) =>
            FeedObserver.open(client, name),
          )
          await fc.asyncModelRun(() => ({ model: {}, real: state }), history)
          await state.compare('everything')
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
