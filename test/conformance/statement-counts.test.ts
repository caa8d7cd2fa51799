import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { countedCalls, notCounted } from '../support/counted-calls.js'
import { crowd, type Crowd } from '../support/crowd.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { statementsOf } from '../support/statements.js'

/** Large enough for everything that is done only for the first twenty. */
const [few, many] = [24, 72]
/** The query of one user by id. */
const callerCheck = /from [`"]\w*users[`"] where \S+ = \? and [`"]id[`"] = \? limit \?$/

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`the number of statements (${database.name})`, () => {
    const host = new TestHost('koa', database, { invitations: { confirmAddresses: false } })
    let small: Crowd
    let large: Crowd
    before(async () => {
      await host.start()
      small = await crowd(host, 10_000, few)
      large = await crowd(host, 20_000, many)
    })
    after(() => host.stop())

    for (const [id, call] of Object.entries(countedCalls)) {
      it(`of ${id} is the same for ${few} and for ${many} of everything`, async () => {
        const counted = async (at: Crowd): Promise<readonly string[]> => {
          for (const round of [0, 1]) {
            const answer = await call(at, round)
            assert.equal(answer.status, 200, `call ${round}: ${answer.text.slice(0, 300)}`)
          }
          const statements = await statementsOf(host.databaseConfig, async () => {
            const answer = await call(at, 2)
            assert.equal(answer.status, 200, answer.text.slice(0, 300))
          })
          return (
            statements
              .map(({ sql }) => sql.slice(0, 160))
              // A long list of recipients is stored once, and not with the event.
              .filter((sql) => !sql.includes('event_audiences'))
          )
        }

        const [one, other] = [await counted(small), await counted(large)]

        const added = difference(one, other)
        // A caller is queried again after an account has changed, which depends on timing.
        const allowance = added.some((sql) => callerCheck.test(sql)) ? 1 : 0
        assert.ok(
          other.length <= one.length + allowance,
          `${one.length} statements became ${other.length}:\n${added.slice(0, 8).join('\n')}`,
        )
      })
    }
  })
}

describe('the table of counted operations', () => {
  it('contains every operation, counted or with a reason', async () => {
    // The resources need the decorator polyfill that the public entry point of the package imports.
    await import('@parley/core')
    const { allOperations } = await import('../../packages/core/src/resources/index.js')
    const known = new Set([...Object.keys(countedCalls), ...Object.keys(notCounted)])

    const missing = allOperations.map(({ id }) => id).filter((id) => !known.has(id))

    assert.deepEqual(missing, [])
  })
})

/** The statements that occur more often. */
function difference(one: readonly string[], other: readonly string[]): string[] {
  const left = [...one]
  return other.toSorted().filter((sql) => {
    const index = left.indexOf(sql)
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
}
