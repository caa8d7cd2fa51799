import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'

import fc from 'fast-check'

import { comparedRows } from '../support/compared-organizations.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { bytesOf } from '../support/archives.js'
import { channelCommands } from './register-channel-commands.js'
import { messageCommands } from './register-message-commands.js'
import { peopleCommands } from './register-people-commands.js'
import { settingCommands } from './register-setting-commands.js'
import { RegisterState, unobserved } from './register-state.js'

/** Number of histories per database; each takes several seconds. */
const runs = Number(process.env.CHAT_TEST_MODEL_RUNS ?? 6)
/** Seed of the histories, the same in every run by default. */
const seed = Number(process.env.CHAT_TEST_MODEL_SEED ?? 421)
const maxCommands = 100
const timeLimitMilliseconds = Number(process.env.CHAT_TEST_MODEL_RUNS ?? 0) > 0 ? 3_600_000 : 90_000

const commands = [...peopleCommands, ...channelCommands, ...messageCommands, ...settingCommands]

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`archives of random histories (${database.name})`, () => {
    const host = new TestHost('express', database)
    const other = new TestHost('koa', database)
    before(async () => {
      await host.start()
      await other.start()
    })
    after(async () => {
      await other.stop()
      await host.stop()
    })

    it('load into organizations with the same rows and files', async () => {
      const property = fc.asyncProperty(
        fc.commands([...commands], { maxCommands, size: 'max' }),
        async (history) => {
          const state = await RegisterState.create(host, {}, unobserved)
          await fc.asyncModelRun(() => ({ model: {}, real: state }), history)
          const { subdomain } = state.people.olga.endpoint
          const archive = await bytesOf(host.chat.organizations.export(subdomain))

          const { organizationId } = await other.chat.organizations.import(Readable.from([archive]))

          assert.deepEqual(
            await comparedRows(other.databaseConfig, organizationId),
            await comparedRows(host.databaseConfig, organizationId),
          )
          const again = await bytesOf(other.chat.organizations.export(subdomain))
          assert.ok(Math.abs(again.length - archive.length) < archive.length / 10)
        },
      )
      await fc.assert(property, {
        seed,
        unbiased: true,
        numRuns: runs,
        interruptAfterTimeLimit: timeLimitMilliseconds,
        markInterruptAsFailure: false,
      })
    })
  })
}
