import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import fc from 'fast-check'

import { ComparedMemory } from '../support/compared-memory.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { channelCommands } from './register-channel-commands.js'
import { messageCommands } from './register-message-commands.js'
import { peopleCommands } from './register-people-commands.js'
import { settingCommands } from './register-setting-commands.js'
import { RegisterState, unobserved } from './register-state.js'

/** Number of histories per database; each takes several seconds. */
const runs = Number(process.env.CHAT_TEST_MODEL_RUNS ?? 2)
/** Seed of the histories, the same in every run by default. */
const seed = Number(process.env.CHAT_TEST_MODEL_SEED ?? 424)
const maxCommands = 60
const commandsPerComparison = 5
const timeLimitMilliseconds = Number(process.env.CHAT_TEST_MODEL_RUNS ?? 0) > 0 ? 3_600_000 : 90_000

const commands = [...peopleCommands, ...channelCommands, ...messageCommands, ...settingCommands]

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`the model of what is in memory (${database.name})`, () => {
    const memory = new ComparedMemory(database)
    before(() => memory.start())
    after(() => memory.stop())

    it('answers, after each command, like a process that reads the tables', async () => {
      let compared = 0
      const property = fc.asyncProperty(
        fc.commands([...commands], { maxCommands, size: 'max' }),
        async (history) => {
          const state = await RegisterState.create(memory.host, {}, unobserved)
          const { olga, alice, gus } = state.people
          const own = Object.values(state.people).map(({ id }) => id)
          const executed: string[] = []
          for (const command of history) {
            await command.run({}, state)
            executed.push(String(command))
            if (executed.length % commandsPerComparison !== 0) continue
            const userIds = [...new Set([...own, ...state.all('user'), ...state.all('bot')])]
            const title = `after ${executed.slice(-12).join('\n')}`
            await memory.compare([olga, alice, gus], userIds, title)
            compared += 1
          }
        },
      )
      await fc.assert(property, {
        seed,
        unbiased: true,
        numRuns: runs,
        endOnFailure: true,
        interruptAfterTimeLimit: timeLimitMilliseconds,
        markInterruptAsFailure: false,
      })
      assert.ok(compared > 6, `${compared} comparisons`)
    })
  })
}
