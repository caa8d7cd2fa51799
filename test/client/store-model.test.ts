import { after, before, describe, it } from 'node:test'

import fc from 'fast-check'

import { channelCommands } from '../model/register-channel-commands.js'
import { messageCommands } from '../model/register-message-commands.js'
import { peopleCommands } from '../model/register-people-commands.js'
import { settingCommands } from '../model/register-setting-commands.js'
import { RegisterState } from '../model/register-state.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { FaultyProxy, latenessOnly } from './faulty-proxy.js'
import { randomOf } from './random.js'
import { StoreObserver } from './store-observer.js'

/** Number of histories per database. */
const runs = Number(process.env.CHAT_TEST_MODEL_RUNS ?? 3)
/** Seed of the histories, the same in every run by default. */
const seed = Number(process.env.CHAT_TEST_MODEL_SEED ?? 420)
const maxCommands = 240
const timeLimitMilliseconds =
  Number(process.env.CHAT_TEST_MODEL_RUNS ?? 0) > 0 ? 3_600_000 : 120_000

/** Whether guests have access to all users. */
const accessGroup = fc.constantFrom('role:everyone', 'role:members')

const commands = [...peopleCommands, ...channelCommands, ...messageCommands, ...settingCommands]

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`the model of stores (${database.name})`, () => {
    const host = new TestHost('express', database)
    before(async () => host.start())
    after(async () => host.stop())

    it('updates stores to the state that a new registration gives, also if all arrives late', async () => {
      const property = fc.asyncProperty(
        accessGroup,
        fc.commands([...commands], { maxCommands, size: 'max' }),
        async (can_access_all_users_group, history) => {
          const settings = { can_access_all_users_group }
          const state = await RegisterState.create(host, settings, async (user) =>
            StoreObserver.open(
              user,
              await FaultyProxy.before([host.origin], latenessOnly, randomOf(seed)),
            ),
          )
          try {
            await fc.asyncModelRun(() => ({ model: {}, real: state }), history)
            await state.compare('everything')
          } finally {
            await state.close()
          }
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
