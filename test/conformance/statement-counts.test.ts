import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import type { Answer, Client } from '../support/client.js'
import { countedCalls, hallOf, notCounted, type CountedCall } from '../support/counted-calls.js'
import { crowd, type Crowd } from '../support/crowd.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { callerOf } from '../support/examples/example.js'
import { examples } from '../support/examples/index.js'
import { TestHost } from '../support/host.js'
import { ObservedClient } from '../support/observed-client.js'
import { statementCeilings } from '../support/statement-ceilings.js'
import { statementsOf, type Statement } from '../support/statements.js'

/** Large enough for everything that is done only for the first twenty. */
const [few, many] = [24, 72]
/** The query of one user by id. */
const callerCheck =
  /from [`"]\w*users[`"] where \S+ = \? and [`"]id[`"] (= \? limit \?|in \(\?\) order by .*)$/

const calls: Readonly<Record<string, CountedCall>> = {
  ...countedCalls,
  ...Object.fromEntries(
    Object.entries(examples)
      .filter(([id]) => countedCalls[id] === undefined && notCounted[id] === undefined)
      .map(([id, example]) => [id, (at: Crowd) => example.call(at.cast, callerOf(example, at))]),
  ),
}

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`the number of statements (${database.name})`, () => {
    const isSqlite = database.name.startsWith('sqlite')
    const host = new TestHost('koa', database, {
      invitations: { confirmAddresses: false },
      quotas: { activeBotsPerUser: Infinity },
    })
    let small: Crowd
    let large: Crowd
    before(async () => {
      await host.start()
      small = observed(await crowd(host, 10_000, few))
      large = observed(await crowd(host, 20_000, many))
    })
    after(() => host.stop())

    /** The statements of each request; those before the last one of a call only prepare it. */
    const requests: Statement[][] = []
    const observed = (at: Crowd): Crowd => {
      const watch = (client: Client): Client =>
        new ObservedClient(client, async (send) => {
          const sent: Answer[] = []
          const work = async () => sent.push(await send())
          requests.push(await statementsOf(host, work))
          return sent[0] as Answer
        })
      return { ...at, alice: watch(at.alice), olga: watch(at.olga), nobody: watch(at.nobody) }
    }

    it('of a message to a channel that mentions nobody is at most seven', async () => {
      for (const content of ['first', 'second', 'third']) {
        requests.length = 0
        const message = { type: 'stream', to: hallOf(small), topic: 'alone', content }
        assert.equal((await small.alice.post('/messages', message)).status, 200)
      }

      const sent = (requests[0] ?? []).map(({ sql }) => sql)
      assert.ok(sent.length > 0)
      assert.ok(sent.length <= (isSqlite ? 7 : 6), sent.join('\n'))
    })

    for (const [id, call] of Object.entries(calls)) {
      it(`of ${id} is no more than written down, and the same for ${few} and for ${many}`, async () => {
        const counted = async (at: Crowd): Promise<readonly string[]> => {
          requests.length = 0
          for (const round of [0, 1, 2]) {
            const answer = await call(at, round)
            assert.equal(answer.status, 200, `call ${round}: ${answer.text.slice(0, 300)}`)
          }
          const statements = requests.at(-1)
          assert.ok(statements)
          return (
            statements
              .map(({ sql }) => sql.slice(0, 160))
              // A long list of recipients is stored once, and not with the event.
              .filter((sql) => !sql.includes('event_audiences'))
          )
        }

        const [one, other] = [await counted(small), await counted(large)]

        const ceiling = statementCeilings[id] ?? assert.fail(`${id} has no ceiling`)
        const most = typeof ceiling === 'number' ? ceiling : ceiling[isSqlite ? 0 : 1]
        const sent = one.filter((sql) => !callerCheck.test(sql))
        assert.ok(sent.length <= most, `${sent.length} instead of ${most}:\n${sent.join('\n')}`)

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

/** The statements that occur more often. */
function difference(one: readonly string[], other: readonly string[]): string[] {
  const left = [...one]
  return other.toSorted().filter((sql) => {
    const index = left.indexOf(sql)
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
}
