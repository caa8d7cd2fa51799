import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { countedCalls, notCounted } from '../support/counted-calls.js'
import { crowd, type Crowd } from '../support/crowd.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { statementsOf } from '../support/statements.js'

/** The few are enough for everything that is done for the first twenty only. */
const [few, many] = [24, 72]
/** The look-up of one user by id. */
const callerCheck = /from [`"]\w*users[`"] where \S+ = \? and [`"]id[`"] = \? limit \?$/

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`the number of statements (${database.name})`, () => {
    const host = new TestHost('koa', database)
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
          for (const turn of [0, 1]) {
            const answer = await call(at, turn)
            assert.equal(answer.status, 200, `turn ${turn}: ${answer.text.slice(0, 300)}`)
          }
          const statements = await statementsOf(async () => {
            const answer = await call(at, 2)
            assert.equal(answer.status, 200, answer.text.slice(0, 300))
          })
          return (
            statements
              .map(({ sql }) => sql.slice(0, 160))
              // A list of recipients that is long is stored once instead of with the event.
              .filter((sql) => !sql.includes('event_audiences'))
          )
        }

        const [one, other] = [await counted(small), await counted(large)]

        const added = difference(one, other)
        // A caller is looked up again after an account has changed, which depends on the moment.
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
  it('has every operation, counted or with a reason', async () => {
    // The nouns need the polyfill of decorators that the package's entry brings.
    await import('@parley/core')
    const { allOperations } = await import('../../packages/core/src/resources/index.js')
    const known = new Set([...Object.keys(countedCalls), ...Object.keys(notCounted)])

    const missing = allOperations.map(({ id }) => id).filter((id) => !known.has(id))

    assert.deepEqual(missing, [])
  })
})

/** The statements that there are more of. */
function difference(one: readonly string[], other: readonly string[]): string[] {
  const left = [...one]
  return other.toSorted().filter((sql) => {
    const index = left.indexOf(sql)
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
}
